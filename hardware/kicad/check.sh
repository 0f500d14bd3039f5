#!/usr/bin/env bash
# The schematics: drawn again from the pin map, held to KiCad's electrical rules, exported again, and compared with what
# is committed here. The pictures in ../drawings and the cables in ../harness as well.
#
#   check.sh            compares; fails on any difference, and on any error or warning of the rule check
#   check.sh --sources  compares only what Python generates, and needs no KiCad
#   check.sh --write    writes what is generated and exported
#   check.sh --install  first installs KiCad 9 if it is missing (Debian 12: from bookworm-backports; needs root)
#
# Ends with 69 when there is no KiCad 9 (or, for --sources, no Python 3.11): then nothing has been checked.
set -euo pipefail
cd "$(dirname "$0")"
write=no install=no sources=no
for argument in "$@"; do
    case $argument in
        --sources) sources=yes ;;
        --write) write=yes ;;
        --install) install=yes ;;
        *) echo "check.sh: unknown argument $argument; there are --sources, --write and --install" >&2; exit 64 ;;
    esac
done

has_kicad() { kicad-cli version 2>/dev/null | grep -q '^9\.'; }

# The mirror and its key are those that this machine has for Debian anyway; Debian 13 has KiCad 9 of itself.
install_kicad() {
    local codename uri list=/etc/apt/sources.list.d/draughtsd-backports.list target=()
    codename=$(. /etc/os-release && echo "${VERSION_CODENAME:-}")
    apt-get -q update || true
    if [ "$codename" = bookworm ]; then
        uri=$(apt-get indextargets --format '$(REPO_URI)' 'Created-By: Packages' 'Codename: bookworm' | head -n 1)
        [ -n "$uri" ] || { echo "check.sh: no mirror for bookworm among the sources of apt" >&2; return 1; }
        echo "deb [signed-by=/usr/share/keyrings/debian-archive-keyring.gpg] $uri bookworm-backports main" >"$list"
        apt-get -q update || true
        target=(-t bookworm-backports)
    fi
    DEBIAN_FRONTEND=noninteractive apt-get -qy install --no-install-recommends "${target[@]}" kicad
    rm -f "$list"
}

if ! python3 -c 'import tomllib' 2>/dev/null; then
    echo "check.sh: Python 3.11 is not installed: the drawings are not checked" >&2
    exit 69
fi
if [ "$sources" = no ] && [ "$install" = yes ] && ! has_kicad; then
    install_kicad || echo "check.sh: KiCad could not be installed" >&2
fi
if [ "$sources" = no ] && ! has_kicad; then
    echo "check.sh: kicad-cli 9 is not installed: the schematics are not checked" >&2
    exit 69
fi

scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT
# KiCad writes its settings on first use; not into somebody's home.
kicad() { KICAD_CONFIG_HOME="$scratch/config" HOME="$scratch" kicad-cli "$@"; }
fresh="$scratch/fresh/kicad"
mkdir -p "$fresh/svg" "$scratch/svg" "$scratch/fresh/drawings" "$scratch/fresh/harness"
python3 generate.py --into "$fresh"
python3 ../drawings/draw.py --into "$scratch/fresh/drawings"
python3 ../harness/harness.py --into "$scratch/fresh/harness"
export_with_kicad() {
    for board in board-100 board-64; do
        echo "$board: electrical rules"
        kicad sch erc --severity-all --exit-code-violations -o "$scratch/$board.rpt" "$fresh/$board.kicad_sch" \
            || { cat "$scratch/$board.rpt"; exit 1; }
        kicad sch export netlist --format kicadxml -o "$scratch/$board.xml" "$fresh/$board.kicad_sch" >/dev/null
        python3 tidy.py netlist "$scratch/$board.xml" "$fresh/$board.xml"
        kicad sch export svg --exclude-drawing-sheet -o "$scratch/svg" "$fresh/$board.kicad_sch" >/dev/null
    done
    for drawing in "$scratch"/svg/*.svg; do
        python3 tidy.py svg "$drawing" "$fresh/svg/$(basename "$drawing" | tr '[:upper:]' '[:lower:]')"
    done
    rm -f "$fresh"/*.kicad_prl "$fresh"/fp-info-cache
}

[ "$sources" = yes ] || export_with_kicad

status=0
for file in $(cd "$scratch/fresh" && find . -type f | sort); do
    if [ "$write" = yes ]; then
        cp "$scratch/fresh/$file" "../$file"
    else
        cmp "$scratch/fresh/$file" "../$file" || status=1
    fi
done
if [ "$status" -ne 0 ]; then
    echo "check.sh: what is generated or exported differs from what is committed; look at it with check.sh --write" >&2
fi
exit "$status"
