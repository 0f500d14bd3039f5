#!/usr/bin/env bash
# How fast PDN is read: a file of a million plies (the three games carried in the program, over and over) through
# `draughtsd pdn`, user time of the best of three runs.
set -euo pipefail
cd "$(dirname "$0")/.."
cargo build --locked --release --quiet
file=$(mktemp)
trap 'rm -f "$file" "$file.gz"' EXIT
# 270 plies in the three games.
for _ in $(seq 100); do cat src/fixtures/international.pdn src/fixtures/russian.pdn src/fixtures/brazilian.pdn; done > "$file.part"
for _ in $(seq 38); do cat "$file.part"; done > "$file"
rm "$file.part"
gzip --keep "$file"
wc --bytes "$file"
run() {
    echo "draughtsd pdn $*"
    for _ in 1 2 3; do
        # `user` of the time built into the shell, in seconds.
        { TIMEFORMAT=%U; time target/release/draughtsd pdn "$@" > /dev/null 2>&1; } 2>&1
    done | sort --numeric-sort | head --lines 1
}
run count "$file"
run check "$file"
run check "$file.gz"
run convert "$file"
run convert --to json "$file"
