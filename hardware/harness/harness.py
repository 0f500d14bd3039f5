#!/usr/bin/env python3
"""Writes harness.yml, the cables of a board, from ../pinmap.toml in the language of WireViz.

    harness.py             writes harness.yml beside this script; draw.sh draws it
    harness.py --into DIR  writes it into another folder (hardware/kicad/check.sh compares the two)

The ribbon between interface board and matrix board, the ribbons to the two panels and the one to the Hall sensors are the
same for both board sizes. Python 3.11 or newer; nothing else is needed.
"""

import argparse
import sys
import tomllib
from pathlib import Path

HERE = Path(__file__).resolve().parent
sys.dont_write_bytecode = True
sys.path.insert(0, str(HERE.parent / "kicad"))

from generate import HALL_PINS, panel_nets, ribbon_nets  # noqa: E402

# Ribbons are grey with a red first wire; the others get the colours by which they are traced.
RIBBON_COLOURS = ["RD"]


def connector(name, title, nets):
    labels = ", ".join(nets[pin] for pin in sorted(nets))
    rows = len(nets) // 2
    return [f"  {name}:", f"    type: {title}", f"    subtype: box header 2 x {rows}", f"    pinlabels: [{labels}]"]


def ribbon(name, ways, length, note):
    colours = ", ".join(RIBBON_COLOURS + ["GY"] * (ways - 1))
    return [
        f"  {name}:", "    type: ribbon 1.27 mm", f"    wirecount: {ways}", f"    length: {length}",
        f"    colors: [{colours}]", f"    notes: {note}",
    ]


def main():
    parser = argparse.ArgumentParser(description="Writes the cables of a board for WireViz.")
    parser.add_argument("--into", type=Path, default=HERE)
    arguments = parser.parse_args()
    pin_map = tomllib.loads((HERE.parent / "pinmap.toml").read_text(encoding="utf-8"))
    contacts = pin_map["board-100"]["contacts"]

    def panel(end):
        return panel_nets({name: contact for name, contact in contacts.items() if f"-{end}" in name})

    main_ribbon = ribbon_nets(pin_map)
    cables = [
        ("W1", 34, 0.4, "Odd wires are signals; even wires are ground.", ("J2", "Interface board", main_ribbon), ("J3", "Matrix board", main_ribbon)),
        ("W2", 10, 0.5, "Red wire to pin 1 at both ends.", ("J4", "Matrix board", panel("near")), ("J6", "Near panel", panel("near"))),
        ("W3", 10, 0.5, "Red wire to pin 1 at both ends.", ("J5", "Matrix board", panel("far")), ("J7", "Far panel", panel("far"))),
        ("W4", 10, 0.4, "Only with Hall sensors.", ("J8", "Interface board", HALL_PINS), ("J9", "Hall sensors", HALL_PINS)),
    ]
    lines = ["# Written by harness.py from ../pinmap.toml; draw.sh draws it. Change those, not this.", "connectors:"]
    for _, _, _, _, one, other in cables:
        lines += connector(*one) + connector(*other)
    lines.append("cables:")
    for name, ways, length, note, _, _ in cables:
        lines += ribbon(name, ways, length, note)
    lines.append("connections:")
    for name, ways, _, _, one, other in cables:
        lines += [f"  - - {one[0]}: [1-{ways}]", f"    - {name}: [1-{ways}]", f"    - {other[0]}: [1-{ways}]"]
    (arguments.into / "harness.yml").write_text("\n".join(lines) + "\n", encoding="utf-8")


if __name__ == "__main__":
    main()
