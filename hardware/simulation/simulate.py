#!/usr/bin/env python3
"""Lets ngspice calculate levels and settling of the matrix: the levels behind src/pinmap/electrics.rs, and the times
behind `settle-us`.

The circuit is one row with its contacts, as hardware/electronics.md describes it: pull-ups of ours and of the Pi, diodes
(usual parameters of a BAT85), resistors, and 200 pF on each wire. The row is driven low, and let go after 50 us.

    simulate.py             prints the table of hardware/electronics.md
    simulate.py --netlist   prints the circuit of its first line instead, for ngspice or anything that reads SPICE

Needs ngspice (Debian: apt install ngspice) and Python 3.11.
"""

import argparse
import re
import subprocess
import sys
import tomllib
from pathlib import Path

HERE = Path(__file__).resolve().parent
PIN_MAP = tomllib.loads((HERE.parent / "pinmap.toml").read_text(encoding="utf-8"))
ELECTRICS = PIN_MAP["electrics"]
# A Pi 4 reads less as low and more as high for certain.
LOW_V, HIGH_V = 0.8, 2.0
DIODE = ".model BAT85 D(IS=2.1e-7 N=1.03 RS=2.4 CJO=11.1p VJ=0.39 M=0.44)"
SILICON = ".model BAT85 D(IS=2.5e-9 N=1.75 RS=0.6 CJO=4p VJ=0.5 M=0.33)"


def circuit(closed, row_ohm, column_ohm, pull_up_ohm, internal_ohm, picofarad, diode=DIODE, output_ohm=70):
    """One row with so many closed contacts of eight; `internal_ohm` is the pull-up inside the Pi, or none."""
    lines = [
        "one row of the matrix", diode, "VDD vdd 0 3.3",
        # The pin of the row: a switch to ground with the resistance of an output.
        f".model PIN SW(VT=0.5 VH=0.1 RON={output_ohm} ROFF=100MEG)", "VDRIVE drive 0 PULSE(0 1 1u 10n 10n 50u 1)",
        "SROW rowpin 0 drive 0 PIN", "CROWPIN rowpin 0 10p", f"RROW rowpin row {row_ohm}", f"CROW row 0 {picofarad}p",
    ]
    if internal_ohm:
        lines.append(f"RROWPULL rowpin vdd {internal_ohm}")
    for column in range(1, 9):
        lines += [
            f"CCOL{column} col{column} 0 {picofarad}p", f"RPIN{column} col{column} pin{column} {column_ohm}", f"CPIN{column} pin{column} 0 10p",
        ]
        if pull_up_ohm:
            lines.append(f"RPULL{column} vdd col{column} {pull_up_ohm}")
        if internal_ohm:
            lines.append(f"RINT{column} vdd pin{column} {internal_ohm}")
        if column <= closed:
            lines += [f"D{column} col{column} node{column} BAT85", f"RSW{column} node{column} row 0.2"]
    lines += [
        ".tran 20n 120u", ".measure tran low FIND v(pin1) AT=48u",
        f".measure tran fallen TRIG v(drive) VAL=0.5 RISE=1 TARG v(pin1) VAL={LOW_V} FALL=1",
        f".measure tran risen TRIG v(drive) VAL=0.5 FALL=1 TARG v(pin1) VAL={HIGH_V} RISE=1 TD=50u", ".end",
    ]
    return "\n".join(lines) + "\n"


def run(netlist):
    """Level while driven in volts, and microseconds to low and back to high; `None` for what is never reached."""
    done = subprocess.run(["ngspice", "-b", "/dev/stdin"], input=netlist, capture_output=True, text=True, check=False)

    def measured(name):
        found = re.search(rf"^{name}\s*=\s*([-+.0-9e]+)", done.stdout, re.MULTILINE)
        return float(found.group(1)) if found else None

    low, fallen, risen = measured("low"), measured("fallen"), measured("risen")
    if low is None:
        sys.exit(f"ngspice gave no level:\n{done.stdout}\n{done.stderr}")
    return low, fallen and fallen * 1e6, risen and risen * 1e6


def main():
    parser = argparse.ArgumentParser(description="Lets ngspice calculate levels and settling of the matrix.")
    parser.add_argument("--netlist", action="store_true", help="print the circuit of the first line instead")
    arguments = parser.parse_args()
    row, column, pull = ELECTRICS["row-series-ohm"], ELECTRICS["column-series-ohm"], ELECTRICS["pull-up-ohm"]
    cases = [
        (f"{row}, {column}, {pull // 1000}k", "33k", 8, circuit(8, row, column, pull, 33_000, 200)),
        (f"{row}, {column}, {pull // 1000}k", "33k", 1, circuit(1, row, column, pull, 33_000, 200)),
        (f"{row}, {column}, {pull // 1000}k", "73k", 1, circuit(1, row, column, pull, 73_000, 200)),
        (f"{row}, {column}, {pull // 1000}k", "off", 1, circuit(1, row, column, pull, None, 200)),
        (f"{row}, {column}, none", "33k", 1, circuit(1, row, column, None, 33_000, 200)),
        (f"{row}, {column}, none", "73k", 1, circuit(1, row, column, None, 73_000, 200)),
        (f"{row}, {column}, {pull // 1000}k, 1N4148", "33k", 8, circuit(8, row, column, pull, 33_000, 200, SILICON)),
        ("330, 330, 10k", "33k", 8, circuit(8, 330, 330, 10_000, 33_000, 200)),
    ]
    if arguments.netlist:
        print(cases[0][3], end="")
        return
    print("| row, column, pull-up | pull-up in the Pi | closed | level | down to 0.8 V in | back at 2.0 V in |\n|---|---|---|---|---|---|")
    for values, internal, closed, netlist in cases:
        low, fallen, risen = run(netlist)
        down = f"{fallen:.1f} µs" if fallen else "never"
        print(f"| {values} | {internal} | {closed} | {low:.2f} V | {down} | {risen:.1f} µs |" if risen else f"| {values} | {internal} | {closed} | {low:.2f} V | {down} | later than 70 µs |")


if __name__ == "__main__":
    main()
