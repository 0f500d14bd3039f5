#!/usr/bin/env python3
"""Draws the pictures of hardware/*.md as SVG, and those that show the wiring from ../pinmap.toml.

    draw.py             writes all drawings beside this script
    draw.py --into DIR  writes them into another folder (hardware/kicad/check.sh compares the two)

Python 3.11 or newer; nothing else is needed.
"""

import argparse
import sys
import tomllib
from pathlib import Path

sys.dont_write_bytecode = True

import circuits  # noqa: E402
import clocks  # noqa: E402
import furniture  # noqa: E402
import wiring  # noqa: E402

HERE = Path(__file__).resolve().parent


def main():
    parser = argparse.ArgumentParser(description="Draws the pictures of the building instructions.")
    parser.add_argument("--into", type=Path, default=HERE)
    arguments = parser.parse_args()
    pin_map = tomllib.loads((HERE.parent / "pinmap.toml").read_text(encoding="utf-8"))
    drawings = furniture.drawings() | circuits.drawings(pin_map) | clocks.drawings() | wiring.drawings(pin_map)
    for name, canvas in drawings.items():
        (arguments.into / f"{name}.svg").write_text(canvas.svg(), encoding="utf-8")


if __name__ == "__main__":
    main()
