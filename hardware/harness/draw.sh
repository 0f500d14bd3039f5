#!/usr/bin/env bash
# Draws the harness: harness.yml from the pin map, then harness.svg and harness.png with WireViz.
#
# Needs Python 3.11, and Graphviz (Debian: graphviz). WireViz is taken from the path, or installed from PyPI into a
# folder that is thrown away.
set -euo pipefail
cd "$(dirname "$0")"
python3 harness.py
command -v dot >/dev/null || { echo "draw.sh: Graphviz is not installed (Debian: apt install graphviz)" >&2; exit 69; }
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT
if ! command -v wireviz >/dev/null; then
    python3 -m venv "$scratch/venv"
    "$scratch/venv/bin/pip" -q install 'wireviz==0.4.1'
    PATH="$scratch/venv/bin:$PATH"
fi
wireviz --format s --output-dir "$scratch" harness.yml
mv "$scratch/harness.svg" .
