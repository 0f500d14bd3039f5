#!/bin/sh
# Compares the speed of our move counting with that of the PyPI wheel dame-rs, the only other Rust engine for
# 10x10 draughts known to us. Both count the start position alternately, in one thread. Processor time is
# compared, and of each the best run: whatever else the machine does can only slow a run down.
#
# usage: benches/perft-ratio.sh [DEPTH [RUNS]]      (default: depth 9, 7 runs)
#
# Needs cargo, python3 with venv, and a package index; the wheel goes into a temporary directory.
set -eu

depth=${1:-9}
runs=${2:-7}
root=$(cd "$(dirname "$0")/.." && pwd)
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT

cargo build --quiet --release --locked --manifest-path "$root/Cargo.toml" --bin draughtsd
python3 -m venv "$scratch/venv"
"$scratch/venv/bin/pip" install --quiet --disable-pip-version-check dame-rs==0.2.0

target=${CARGO_TARGET_DIR:-$root/target}
"$scratch/venv/bin/python" - "$target/release/draughtsd" "$depth" "$runs" <<'PYTHON'
import json
import resource
import subprocess
import sys
import time

import dame

program, depth, runs = sys.argv[1], int(sys.argv[2]), int(sys.argv[3])


def ours():
    command = [program, "perft", "--board", "international", "--depth", str(depth)]
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    report = json.loads(subprocess.run(command, check=True, capture_output=True).stdout)
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    return report["nodes"], after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime


def theirs():
    start = time.process_time()
    nodes = dame.perft(dame.Board(), depth)
    return nodes, time.process_time() - start


best = {}
counts = set()
for _ in range(runs):
    for name, engine in (("draughtsd", ours), ("dame-rs 0.2.0", theirs)):
        nodes, seconds = engine()
        counts.add(nodes)
        best[name] = min(seconds, best.get(name, seconds))

if len(counts) != 1:
    sys.exit(f"the engines disagree: {sorted(counts)} leaves")
leaves = counts.pop()
print(f"10x10 start position, depth {depth}, {leaves} leaves, best of {runs} runs")
for name, seconds in best.items():
    print(f"{name:<14} {seconds:8.3f} s {leaves / seconds / 1e6:8.1f} million leaves/s")
print(f"ratio          {best['dame-rs 0.2.0'] / best['draughtsd']:8.1f}")
PYTHON
