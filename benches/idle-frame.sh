#!/usr/bin/env bash
# Counts the instructions that the program spends on one frame in which nothing happens, without access to pins.
# Needs valgrind. Fails when there are more than the limit.
set -euo pipefail
cd "$(dirname "$0")/.."

limit=3000
few=1000 many=11000
scratch=$(mktemp -d)
trap 'rm -r "$scratch"' EXIT

cargo build --locked --release --example idle_frame

# The instructions of a whole run. What a run costs besides its frames is the same in both and falls out.
instructions() {
    if ! valgrind --tool=callgrind --callgrind-out-file="$scratch/out" \
        target/release/examples/idle_frame "$1" 2>"$scratch/log"; then
        cat "$scratch/log" >&2
        return 1
    fi
    sed -n 's/^totals: //p' "$scratch/out"
}
of_few=$(instructions "$few")
of_many=$(instructions "$many")
if [ "$of_many" -le "$of_few" ]; then
    echo "$many frames cost no more than $few: nothing was counted" >&2
    exit 70
fi
frame=$(((of_many - of_few) / (many - few)))
echo "$frame instructions a frame (at most $limit)"
[ "$frame" -le "$limit" ]
