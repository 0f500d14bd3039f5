#!/usr/bin/env bash
# Has other programs judge what we write: PDN files by ply count and final position, draws by the ply that
# completes them.
#
#   tests/judges/judge.sh [--every N] [GAMES.pdn[.gz] ...]
#
# The judges are Python packages, each in an environment of its own and run as a separate process: py-draughts
# (GPL-3) and pydraughts (MIT) share an import name, dame-rs (MIT) has no PDN reader. They are not part of the
# project and not needed to build or test it; `cargo test` never runs this. Without arguments the games carried
# in the program and the cases beside this script are judged, and the collections of real games where they are at
# hand. pydraughts replays only some 300 plies a second, so it gets each N-th game of a large file (10 unless told).
#
# Known traps, handled in the scripts:
#   py-draughts   stops without an error at a move such as 1-12 in a game with the result 1-1: it gets every
#                 game with the result `*`.
#   pydraughts    reads the first move twice when Black begins: it does not get such games. Takes one of several
#                 captures where a short form is ambiguous: we never write those.
#   both          do not know setup commands: they do not get such games.
#   draws         py-draughts knows only repetition and king moves on 64 squares, and nobody the other Russian
#                 rules. pydraughts resets the counters of material on a man's move and is not asked.
set -euo pipefail
cd "$(dirname "$0")/../.."
here=tests/judges
work=${DRAUGHTSD_JUDGES:-.ci/scratch/judges}
shared=${DRAUGHTSD_SHARED:-../shared}
every=10
files=()
while [ $# -gt 0 ]; do
    case $1 in
        --every) every=$2; shift 2 ;;
        *) files+=("$1"); shift ;;
    esac
done
if [ ${#files[@]} -eq 0 ]; then
    files=(src/fixtures/*.pdn "$here"/cases.pdn)
    for name in intl10x10_real intl10x10_positions russian8x8_real brazilian8x8_real; do
        if [ -f "$shared/games/$name.pdn.gz" ]; then
            files+=("$shared/games/$name.pdn.gz")
        else
            echo "skipped: no $shared/games/$name.pdn.gz"
        fi
    done
fi

mkdir -p "$work"
environment() {
    [ -x "$work/$1/bin/python" ] || python3 -m venv "$work/$1"
    "$work/$1/bin/pip" --quiet --disable-pip-version-check install "$2"
}
environment py-draughts py-draughts==1.10.1
environment pydraughts pydraughts==0.6.7
environment dame dame-rs==0.2.0
cargo build --locked --release --quiet
ours=target/release/draughtsd

failed=0
for file in "${files[@]}"; do
    echo "== $file"
    $ours pdn convert --quiet "$file" > "$work/games.pdn"
    $ours pdn convert --quiet --to json "$work/games.pdn" > "$work/ours.jsonl"
    "$work/py-draughts/bin/python" $here/py_draughts_games.py "$work/games.pdn" > "$work/py-draughts.jsonl"
    python3 $here/compare.py games "$work/ours.jsonl" "$work/py-draughts.jsonl" || failed=1
    "$work/pydraughts/bin/python" $here/pydraughts_games.py "$work/games.pdn" "$every" > "$work/pydraughts.jsonl"
    python3 $here/compare.py games "$work/ours.jsonl" "$work/pydraughts.jsonl" || failed=1
done
for board in international brazilian russian; do
    echo "== draws in 400 made-up endgames, $board"
    "$work/py-draughts/bin/python" $here/py_draughts_endgames.py $board 400 "$work/endgames.pdn" > "$work/py-draughts.jsonl"
    $ours pdn convert --quiet --to json "$work/endgames.pdn" > "$work/ours.jsonl"
    python3 $here/compare.py draws "$work/ours.jsonl" "$work/py-draughts.jsonl" || failed=1
    if [ $board = international ]; then
        "$work/dame/bin/python" $here/dame_endgames.py "$work/ours.jsonl" > "$work/dame.jsonl"
        python3 $here/compare.py draws "$work/ours.jsonl" "$work/dame.jsonl" || failed=1
    fi
done
exit $failed
