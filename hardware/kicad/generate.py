#!/usr/bin/env python3
"""Draws the schematics of both boards from the pin map, as KiCad 9 projects.

    generate.py            writes draughtsd.kicad_sym and, for each board, the project and its sheets beside this script
    generate.py --into DIR writes them into another folder (hardware/kicad/check.sh compares the two)

Everything is placed by name: which contact sits at which crossing, which line is on which pin, and what the resistors are
called comes from ../pinmap.toml. Python 3.11 or newer; nothing else is needed.
"""

import argparse
import json
import sys
import tomllib
from pathlib import Path

sys.dont_write_bytecode = True

import symbols
from sexpr import Word, effects, identifier, text

HERE = Path(__file__).resolve().parent
GRID = 1.27
LIBRARY = "draughtsd"
REVISION = "1"
NO, YES = Word("no"), Word("yes")
BOARDS = {"board-100": "International board, 50 dark squares", "board-64": "Brazilian and Russian board, 32 dark squares"}
# Pins of the ribbon to a panel, and of the one to the Hall sensors; the panel's rows are those of its contacts.
PANEL_GROUND = [2, 4, 6, 8]
PANEL_ROW_PINS, PANEL_COLUMN_PINS = [1, 3, 5, 7], [9, 10]
HALL_PINS = {1: "+3V3", 2: "GND", 3: "SPI_CLOCK", 4: "GND", 5: "SPI_MISO", 6: "GND", 7: "SPI_MOSI", 8: "GND", 9: "SPI_SELECT1", 10: "SPI_SELECT2"}


class Sheet:
    """One sheet: things are added in millimetres from its upper left corner."""

    def __init__(self, project, name, title, path, width, height):
        self.project, self.name, self.title, self.path = project, name, title, path
        self.width, self.height = width, height
        self.items, self.used, self.count = [], {}, 0

    def identifier(self, *names):
        self.count += 1
        return identifier(self.project, self.name, self.count, *names)

    def wire(self, *points):
        for (x1, y1), (x2, y2) in zip(points, points[1:]):
            self.items.append([
                "wire", ["pts", ["xy", x1, y1], ["xy", x2, y2]], ["stroke", ["width", 0], ["type", Word("default")]],
                ["uuid", self.identifier("wire")],
            ])

    def junction(self, x, y):
        self.items.append(["junction", ["at", x, y], ["diameter", 0], ["color", 0, 0, 0, 0], ["uuid", self.identifier("junction")]])

    def no_connect(self, x, y):
        self.items.append(["no_connect", ["at", x, y], ["uuid", self.identifier("open")]])

    def label(self, net, x, y, to_the_left=False):
        """A label that joins all sheets."""
        self.items.append([
            "global_label", net, ["shape", Word("passive")], ["at", x, y, 180 if to_the_left else 0],
            effects(justify="right" if to_the_left else "left"), ["uuid", self.identifier("label", net)],
        ])

    def note(self, words, x, y, size=1.8):
        self.items.append(["text", words, ["exclude_from_sim", NO], ["at", x, y, 0], effects(size, "left top"), ["uuid", self.identifier("note")]])

    def place(self, symbol, reference, x, y, value=None, reference_at=(0, 0), value_at=None, size=1.8):
        """A part; its reference and value are written at a distance from its middle."""
        self.used[symbol.name] = symbol

        def text_property(name, content, at, hide=False):
            dx, dy = at or (0, 0)
            return ["property", name, content, ["at", x + dx, y + dy, 0], effects(size, hide=hide)]

        self.items.append(
            ["symbol", ["lib_id", f"{LIBRARY}:{symbol.name}"], ["at", x, y, 0], ["unit", 1], ["exclude_from_sim", NO],
             ["in_bom", YES], ["on_board", YES], ["dnp", NO], ["uuid", self.identifier(reference)],
             text_property("Reference", reference, reference_at),
             text_property("Value", value or symbol.value, value_at, hide=value_at is None),
             text_property("Footprint", "", None, hide=True),
             text_property("Datasheet", "", None, hide=True),
             text_property("Description", symbol.description, None, hide=True)]
            + [["pin", pin[0], ["uuid", self.identifier(reference, pin[0])]] for pin in symbol.pins]
            + [["instances", ["project", self.project, ["path", self.path, ["reference", reference], ["unit", 1]]]]]
        )

    def net(self, symbol, x, y, pin, net, stub=2.54):
        """A short wire and a label at a pin of a part placed at (x, y)."""
        dx, dy = symbol.pin(pin)
        left = dx < 0
        end = x + dx + (-stub if left else stub)
        self.wire((x + dx, y + dy), (end, y + dy))
        self.label(net, end, y + dy, to_the_left=left)

    def child(self, title, file, identity, page, x, y, width=60, height=12):
        """A box that stands for another sheet."""
        self.items.append([
            "sheet", ["at", x, y], ["size", width, height], ["exclude_from_sim", NO], ["in_bom", YES], ["on_board", YES],
            ["dnp", NO], ["stroke", ["width", 0.1524], ["type", Word("solid")]], ["fill", ["color", 0, 0, 0, Word("0.0000")]],
            ["uuid", identity],
            ["property", "Sheetname", title, ["at", x, y - 0.7, 0], effects(1.8, "left bottom")],
            ["property", "Sheetfile", file, ["at", x, y + height + 0.6, 0], effects(1.27, "left top")],
            ["instances", ["project", self.project, ["path", self.path, ["page", page]]]],
        ])

    def node(self, identity, is_root):
        node = [
            "kicad_sch", ["version", Word("20250114")], ["generator", LIBRARY], ["generator_version", "9.0"], ["uuid", identity],
            ["paper", "User", self.width, self.height],
            ["title_block", ["title", self.title], ["rev", REVISION], ["comment", 1, "Drawn by hardware/kicad/generate.py from hardware/pinmap.toml"]],
            ["lib_symbols"] + [self.used[name].node(f"{LIBRARY}:") for name in sorted(self.used)],
        ]
        node += self.items
        if is_root:
            node.append(["sheet_instances", ["path", "/", ["page", "1"]]])
        node.append(["embedded_fonts", NO])
        return node


def ribbon_nets(pin_map):
    """What is on each pin of the ribbon between interface board and matrix board."""
    nets = {pin: "GND" for pin in range(1, 35)}
    for name, table in (("ROW", "rows"), ("COL", "columns")):
        for number, line in pin_map[table].items():
            nets[line["ribbon"]] = f"{name}{number}"
    return nets


def header_nets(pin_map):
    """What is on each pin of the Pi's header; pins that are not named stay open."""
    nets = {pin: "GND" for pin in symbols.PI_GROUND} | {1: "+3V3", 17: "+3V3"}
    for name, table in (("PI_ROW", "rows"), ("PI_COL", "columns")):
        for number, line in pin_map[table].items():
            nets[line["pin"]] = f"{name}{number}"
    for name, line in pin_map.get("spi", {}).items():
        nets[line["pin"]] = "SPI_" + name.replace("-", "").upper()
    return nets


def put_connector(sheet, symbol, reference, x, y, nets, value):
    """A connector with a label at each pin that is used."""
    half = len(symbol.pins) / 2 * GRID + 4
    sheet.place(symbol, reference, x, y, value, reference_at=(0, -half - 2.5), value_at=(0, -half))
    for pin in range(1, len(symbol.pins) + 1):
        if pin in nets:
            sheet.net(symbol, x, y, pin, nets[pin])
        else:
            dx, dy = symbol.pin(pin)
            sheet.no_connect(x + dx, y + dy)


def ohm(value):
    return f"{value // 1000}k" if value >= 1000 and value % 1000 == 0 else str(value)


def draw_interface(sheet, pin_map):
    """The board at the Pi: header, series resistors, pull-ups, protection, ribbon."""
    electrics = pin_map["electrics"]
    put_connector(sheet, symbols.PI_HEADER, "J1", 55.88, 55.88, header_nets(pin_map), "Raspberry Pi")
    resistor = symbols.RESISTOR

    def put_resistor(reference, value, x, y, left, right):
        sheet.place(resistor, reference, x, y, ohm(value), reference_at=(-4, -2.4), value_at=(4, -2.4))
        sheet.net(resistor, x, y, 1, left, stub=1.27)
        sheet.net(resistor, x, y, 2, right, stub=1.27)

    for number, line in pin_map["rows"].items():
        y = 25.4 + 7.62 * (int(number) - 1)
        put_resistor(line["series"], electrics["row-series-ohm"], 124.46, y, f"PI_ROW{number}", f"ROW{number}")
    for number, line in pin_map["columns"].items():
        y = 25.4 + 7.62 * (int(number) - 1)
        put_resistor(line["series"], electrics["column-series-ohm"], 124.46, y + 68.58, f"PI_COL{number}", f"COL{number}")
        put_resistor(line["pull-up"], electrics["pull-up-ohm"], 177.8, y + 68.58, "+3V3", f"COL{number}")
    lines = [f"ROW{number}" for number in pin_map["rows"]] + [f"COL{number}" for number in pin_map["columns"]]
    for index in range(0, len(lines), 4):
        array = index // 4 + 1
        x, y = 177.8, 27.94 + 17.78 * (array - 1)
        sheet.place(symbols.TVS, f"U{array}", x, y, reference_at=(-6, -7.6), value_at=(3, -7.6))
        for pin, net in zip((1, 3, 4, 6), lines[index:index + 4]):
            sheet.net(symbols.TVS, x, y, pin, net, stub=1.27)
        sheet.net(symbols.TVS, x, y, 2, "GND", stub=1.27)
        sheet.net(symbols.TVS, x, y, 5, "+3V3", stub=1.27)
    for reference, value, x in (("C1", "100n", 30.48), ("C2", "10u", 76.2)):
        sheet.place(symbols.CAPACITOR, reference, x, 93.98, value, reference_at=(-5, -2.6), value_at=(5, -2.6))
        sheet.net(symbols.CAPACITOR, x, 93.98, 1, "+3V3", stub=1.27)
        sheet.net(symbols.CAPACITOR, x, 93.98, 2, "GND", stub=1.27)
    put_connector(sheet, symbols.RIBBON_34, "J2", 241.3, 55.88, ribbon_nets(pin_map), "To the matrix board")
    put_connector(sheet, symbols.RIBBON_10, "J8", 241.3, 124.46, HALL_PINS, "To the Hall sensors, optional")
    sheet.note("Rows are driven low one at a time,\ncolumns are pulled up and read.", 18, 101)


def matrix_cell(sheet, contact, name, x, y):
    """A diode and a switch from a column, the vertical wire at x, to a row, the horizontal wire at y."""
    switch = symbols.REED if name.startswith(("square", "well")) else symbols.BUTTON
    corner = (x + 12.7, y - 7.62)
    sheet.wire((x, corner[1]), (x + 1.27, corner[1]))
    sheet.place(symbols.DIODE, contact["diode"], x + 5.08, corner[1], reference_at=(0, -2.8))
    sheet.wire((x + 8.89, corner[1]), corner)
    named = not name.startswith("square")
    sheet.place(switch, contact["switch"], corner[0], y - 3.81, switch.value, reference_at=(5.4, -1.4 if named else 0))
    sheet.junction(x, corner[1])
    sheet.junction(corner[0], y)
    if named:
        sheet.note(name, corner[0] + 3.2, y - 3.6, size=1.5)


def draw_matrix(sheet, contacts, left, top, pitch=30.48):
    """Crossings of rows and columns, as many as the contacts need; `pitch` is from column to column."""
    rows = sorted({contact["row"] for contact in contacts.values()})
    columns = sorted({contact["column"] for contact in contacts.values()})
    x_of = {column: left + pitch * index for index, column in enumerate(columns)}
    y_of = {row: top + 17.78 * index for index, row in enumerate(rows)}
    for row in rows:
        placed = [contact["column"] for contact in contacts.values() if contact["row"] == row]
        y, end = y_of[row], x_of[max(placed)] + 12.7
        sheet.label(f"ROW{row}", left - 5.08, y, to_the_left=True)
        points = [left - 5.08] + [x_of[column] + 12.7 for column in sorted(placed)]
        for first, second in zip(points, points[1:]):
            sheet.wire((first, y), (second, y))
        assert points[-1] == end
    for column in columns:
        placed = sorted(contact["row"] for contact in contacts.values() if contact["column"] == column)
        x = x_of[column]
        points = [top - 16.51] + [y_of[row] - 7.62 for row in placed]
        for first, second in zip(points, points[1:]):
            sheet.wire((x, first), (x, second))
        sheet.label(f"COL{column}", x, top - 16.51)
    for name, contact in contacts.items():
        matrix_cell(sheet, contact, name, x_of[contact["column"]], y_of[contact["row"]])


def panel_nets(contacts):
    """What is on each pin of a panel's ribbon: the rows and columns of its contacts, and ground."""
    rows = sorted({contact["row"] for contact in contacts.values()})
    columns = sorted({contact["column"] for contact in contacts.values()})
    nets = {pin: "GND" for pin in PANEL_GROUND}
    nets |= {pin: f"ROW{row}" for pin, row in zip(PANEL_ROW_PINS, rows, strict=True)}
    nets |= {pin: f"COL{column}" for pin, column in zip(PANEL_COLUMN_PINS, columns, strict=True)}
    return nets


def draw_panels(sheet, contacts, pin_map):
    """The ribbon's end on the matrix board, and the panels at both ends."""
    put_connector(sheet, symbols.RIBBON_34, "J3", 38.1, 60.96, ribbon_nets(pin_map), "From the interface board")
    for end, top, on_matrix, on_panel in (("near", 35.56, "J4", "J6"), ("far", 116.84, "J5", "J7")):
        of_end = {name: contact for name, contact in contacts.items() if f"-{end}" in name}
        nets = panel_nets(of_end)
        put_connector(sheet, symbols.RIBBON_10, on_matrix, 91.44, top + 15.24, nets, f"To the {end} panel")
        put_connector(sheet, symbols.RIBBON_10, on_panel, 138.43, top + 15.24, nets, f"On the {end} panel")
        draw_matrix(sheet, of_end, 185.42, top, pitch=38.1)


def draw_hall(sheet, stack):
    """The optional Hall sensors under the far rows, on two converters."""
    put_connector(sheet, symbols.RIBBON_10, "J9", 38.1, 40.64, HALL_PINS, "From the interface board")
    for adc in (1, 2):
        x, y = 238.76, 45.72 + 76.2 * (adc - 1)
        channels = {sensor["channel"]: sensor["sensor"] for sensor in stack.values() if sensor["adc"] == adc}
        part = symbols.ADC
        sheet.place(part, f"U{10 + adc}", x, y, reference_at=(-7.5, -14.2), value_at=(4, -14.2))
        for channel in range(8):
            # An input that is not used is grounded, as its data sheet asks.
            net = f"HALL_{channels[channel]}" if channel in channels else "GND"
            sheet.net(part, x, y, channel + 1, net, stub=1.27)
        for pin, net in ((16, "+3V3"), (15, "+3V3"), (13, "SPI_CLOCK"), (12, "SPI_MISO"), (11, "SPI_MOSI"), (10, f"SPI_SELECT{adc}"), (14, "GND"), (9, "GND")):
            sheet.net(part, x, y, pin, net, stub=1.27)
        reference = f"C{10 + adc}"
        sheet.place(symbols.CAPACITOR, reference, x, y + 22.86, "100n", reference_at=(-5, -2.6), value_at=(5, -2.6))
        sheet.net(symbols.CAPACITOR, x, y + 22.86, 1, "+3V3", stub=1.27)
        sheet.net(symbols.CAPACITOR, x, y + 22.86, 2, "GND", stub=1.27)
    for index, sensor in enumerate(stack.values()):
        x, y = 104.14 + 63.5 * (index % 2), 30.48 + 17.78 * (index // 2)
        reference = sensor["sensor"]
        sheet.place(symbols.HALL, reference, x, y, reference_at=(-6, -6.4), value_at=(5, -6.4))
        sheet.net(symbols.HALL, x, y, 1, "+3V3", stub=1.27)
        sheet.net(symbols.HALL, x, y, 2, "GND", stub=1.27)
        sheet.net(symbols.HALL, x, y, 3, f"HALL_{reference}", stub=1.27)
    for index, sensor in enumerate(stack.values()):
        x, y = 43.18 + 50.8 * (index % 3), 137.16 + 12.7 * (index // 3)
        reference = f"C{100 + int(sensor['sensor'][1:])}"
        sheet.place(symbols.CAPACITOR, reference, x, y, "100n", reference_at=(-5.4, -2.6), value_at=(5, -2.6))
        sheet.net(symbols.CAPACITOR, x, y, 1, "+3V3", stub=1.27)
        sheet.net(symbols.CAPACITOR, x, y, 2, "GND", stub=1.27)
    sheet.note("C101 and on: one beside each sensor: C101 at H1.\nSensors: 20 to 30 mm below the discs (hardware/crowning.md).", 18, 112)


def draw(board, title, pin_map):
    """All sheets of one board, by file name."""
    contacts, stack = pin_map[board]["contacts"], pin_map[board].get("stack", {})
    squares = {name: contact for name, contact in contacts.items() if name.startswith("square")}
    panels = {name: contact for name, contact in contacts.items() if not name.startswith("square")}
    root_id = identifier(board, "root")
    root = Sheet(board, board, f"{title}: interface board at the Pi", f"/{root_id}", 278, 182)
    draw_interface(root, pin_map)
    files = {}

    def child(name, heading, page, width, height):
        identity, file = identifier(board, name), f"{board}-{name}.kicad_sch"
        root.child(heading, file, identity, str(page), 18, 76 + 20 * page)
        return file, Sheet(board, name, f"{title}: {heading.lower()}", f"/{root_id}/{identity}", width, height)

    def finish(file, sheet):
        files[file] = sheet.node(identifier(board, sheet.name, "file"), is_root=False)

    columns = len({contact["column"] for contact in squares.values()})
    file, sheet = child("squares", "Squares", 2, 56 + 30.48 * columns, 178)
    draw_matrix(sheet, squares, 35.56, 43.18)
    sheet.note("S: reed switch. D: Schottky diode,\nits ring towards the switch.", 18, 10)
    finish(file, sheet)
    file, sheet = child("panels", "Panels", 3, 270, 180)
    draw_panels(sheet, panels, pin_map)
    finish(file, sheet)
    if stack:
        file, sheet = child("hall", "Hall", 4, 278, 182)
        draw_hall(sheet, stack)
        finish(file, sheet)
    files[f"{board}.kicad_sch"] = root.node(root_id, is_root=True)
    return {name: text(node) + "\n" for name, node in files.items()}


def project(board):
    """The project file: the rule check counts everything, warnings included."""
    content = {"meta": {"filename": f"{board}.kicad_pro", "version": 3}, "schematic": {"legacy_lib_dir": "", "legacy_lib_list": []}, "sheets": [], "text_variables": {}}
    return json.dumps(content, indent=2) + "\n"


def library():
    node = ["kicad_symbol_lib", ["version", Word("20241209")], ["generator", LIBRARY], ["generator_version", "9.0"]]
    return text(node + [symbol.node() for symbol in symbols.ALL]) + "\n"


def main():
    parser = argparse.ArgumentParser(description="Draws the schematics of both boards from the pin map.")
    parser.add_argument("--pin-map", type=Path, default=HERE.parent / "pinmap.toml")
    parser.add_argument("--into", type=Path, default=HERE)
    arguments = parser.parse_args()
    pin_map = tomllib.loads(arguments.pin_map.read_text(encoding="utf-8"))
    files = {f"{LIBRARY}.kicad_sym": library()}
    entry = f'  (lib (name "{LIBRARY}")(type "KiCad")(uri "${{KIPRJMOD}}/{LIBRARY}.kicad_sym")(options "")(descr "Symbols of this project"))'
    files["sym-lib-table"] = f"(sym_lib_table\n  (version 7)\n{entry}\n)\n"
    for board, title in BOARDS.items():
        files |= draw(board, title, pin_map)
        files[f"{board}.kicad_pro"] = project(board)
    for name, content in files.items():
        (arguments.into / name).write_text(content, encoding="utf-8")


if __name__ == "__main__":
    main()
