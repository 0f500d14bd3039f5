"""Currents: how a matrix is read, what diodes are for, which levels a Pi sees, protection and power."""

from canvas import BAD, COLUMN, GOOD, PALE, ROW, Canvas

OUTPUT_OHM, INTERNAL_OHM, SUPPLY = 70, 33_000, 3.3


def low_level(closed, row_ohm, column_ohm, pull_up_ohm, diode):
    """The same sum as src/pinmap/electrics.rs: volts at the pin of a column, everything at its worst."""
    internal = INTERNAL_OHM + column_ohm
    pull_up = pull_up_ohm * internal / (pull_up_ohm + internal)
    row = closed * (row_ohm + OUTPUT_OHM)
    column = diode + (SUPPLY - diode) * row / (row + pull_up)
    return column + (SUPPLY - column) * column_ohm / internal


def small_matrix(c, left, top, with_diodes, title, colour):
    """Two rows and two columns with three of the four switches closed."""
    c.words(left + 170, top - 58, title, 17, "middle", colour, bold=True)
    for index in range(2):
        x = left + 60 + 170 * index
        c.line((x, top - 10), (x, top + 250), stroke=COLUMN, line=2)
        c.words(x, top - 18, f"column {index + 1}", 14, "middle", COLUMN)
        y = top + 100 + 130 * index
        c.line((left + 20, y), (left + 350, y), stroke=ROW, line=2)
        c.words(left - 30, y - 8, f"row {index + 1}" + (": low" if index == 0 else ""), 14, "start", ROW)
    for row in range(2):
        for column in range(2):
            x, y = left + 60 + 170 * column, top + 100 + 130 * row
            closed = (row, column) != (0, 1)
            c.line((x, y - 55), (x + 30, y - 55))
            if with_diodes:
                c.diode(x + 42, y - 55)
                c.line((x + 55, y - 55), (x + 90, y - 55))
            else:
                c.line((x + 30, y - 55), (x + 90, y - 55))
            c.line((x + 90, y - 55), (x + 90, y - 40))
            c.line((x + 90, y - 15), (x + 90, y))
            c.line((x + 90, y - 15), (x + 90, y - 40) if closed else (x + 104, y - 36), line=3)
            c.circle(x + 90, y, 3, fill=ROW, stroke=ROW)
            c.circle(x, y - 55, 3, fill=COLUMN, stroke=COLUMN)


def matrix():
    c = Canvas(520, "Why each switch has a diode: three closed contacts make a fourth appear")
    small_matrix(c, 40, 100, False, "Without diodes: a ghost", BAD)
    small_matrix(c, 500, 100, True, "With diodes: each row by itself", GOOD)
    # The way of the ghost's current: down column 2, through its contact in row 2, back up column 1, through row 1.
    way = [(276, 92), (276, 269), (366, 269), (366, 336), (184, 336), (184, 281), (94, 281), (94, 139), (196, 139), (196, 206), (70, 206)]
    c.line(*way, stroke=BAD, line=2.5, dash="7 4")
    c.arrow(90, 206, 62, 206, colour=BAD, line=2.5)
    c.words(40, 396, "Row 1 is driven low; its contact at column 2 is open.\nCurrent still finds a way: column 2, the contact of\nrow 2, row 2, the other contact of row 2 backwards,\ncolumn 1, the contact of row 1. Column 2 reads low:\na disc is seen that is not there.", 15)
    c.words(500, 396, "The diode of the contact at row 2, column 1 lets\nnothing flow backwards, from row 2 to column 1.\nOn a board several discs always stand: without\ndiodes ghosts are the normal case (97 % of rows\nread wrong in an emulation).", 15)
    return c


def levels(pin_map):
    e = pin_map["electrics"]
    ours = (e["row-series-ohm"], e["column-series-ohm"], e["pull-up-ohm"])
    c = Canvas(430, "What a Pi sees as low, with one and with eight contacts of a row closed")
    bars = [
        (f"Schottky diode,\n{ours[0]} and {ours[2] // 1000}k (ours)", 0.30, ours, GOOD),
        (f"1N4148,\n{ours[0]} and {ours[2] // 1000}k", 0.65, ours, BAD),
        ("Schottky diode,\n330 and 10k", 0.30, (330, 330, 10_000), BAD),
    ]
    left, top, height, full = 250, 60, 60, 580
    for mark, words in ((0.8, "0.8 V: low\nfor certain"), (2.0, "2.0 V: high\nfor certain")):
        x = left + full * mark / 2.2
        c.line((x, top - 10), (x, top + 290), stroke=PALE, dash="5 4")
        c.words(x, top - 32, words, 14, "middle")
    for index, (name, diode, resistors, colour) in enumerate(bars):
        y = top + 10 + index * 95
        c.words(left - 14, y + 24, name, 15, "end")
        for line, closed in enumerate((1, 8)):
            volts = low_level(closed, *resistors, diode)
            width = full * volts / 2.2
            good = volts <= 0.8
            c.box(left, y + line * 34, width, 28, fill=GOOD if good else BAD, stroke="none")
            at, mark = left + width + 8, left + full * 0.8 / 2.2
            c.words(mark + 8 if at - 10 < mark < at + 150 else at, y + line * 34 + 20, f"{volts:.2f} V with {closed} closed", 15)
    c.words(30, 372, "Worst case: the pull-ups inside a Pi 4 at their strongest (33 kohm) on top of ours, a pin that has 70 ohm in itself, the\ndiode at its largest voltage. Between 0.8 and 2.0 V a Pi may read either. Eight contacts of a row are closed whenever\neight discs stand on it, as they do at the beginning of every game.", 14)
    return c


def protection():
    c = Canvas(470, "Protection of a row and a column, and the way of the ground")
    c.box(20, 60, 150, 250, fill="#eef4ee", radius=6)
    c.words(95, 48, "Raspberry Pi", 15, "middle", bold=True)
    c.box(190, 60, 330, 250, fill="#f7f7f2", radius=6, dash="6 4")
    c.words(355, 48, "interface board, on the Pi's header", 15, "middle", bold=True)
    c.box(700, 60, 180, 250, fill="#f7f7f2", radius=6, dash="6 4")
    c.words(790, 48, "matrix board", 15, "middle", bold=True)
    for y, name, value, colour in ((110, "row", "220", ROW), (190, "column", "330", COLUMN)):
        c.words(30, y + 5, f"GPIO, {name}", 14)
        c.line((130, y), (240, y), stroke=colour, line=2)
        c.resistor(265, y)
        c.words(265, y - 14, value, 14, "middle")
        c.line((287, y), (880 - 60, y), stroke=colour, line=2)
        c.words(826, y + 5, name, 14, colour=colour)
    c.line((340, 190), (340, 158), line=2)
    c.resistor(340, 146, 30, vertical=True)
    c.line((340, 131), (340, 82), line=2)
    c.words(350, 96, "3.3 V", 14)
    c.words(352, 150, "22k", 14)
    for x, y in ((440, 110), (470, 190)):
        c.line((x, y), (x, 226), line=1.5)
        c.polygon((x - 9, 244), (x + 9, 244), (x, 228), fill="#ffffff")
        c.line((x - 12, 226), (x - 9, 228), (x + 9, 228), (x + 12, 230))
        c.line((x, 244), (x, 280), line=1.5)
    c.words(405, 268, "TVS", 14, "end")
    c.line((130, 280), (820, 280), line=3)
    c.words(30, 285, "ground", 14)
    c.words(826, 285, "ground", 14)
    c.words(610, 88, "ribbon: each signal\nbeside a ground wire", 14, "middle")
    c.words(20, 345, "A spark at the board meets the TVS array first, beside the ribbon's plug; what is left over meets a resistor before it\nmeets the Pi. The same resistor limits a short circuit to 15 mA. Metal parts of the furniture are joined to the ground of the\nsupply at one place or to nothing, and not to the ground of the ribbon; nobody may touch wires or solder from above.\nUnplug the supply before you plug or unplug the ribbon.", 14)
    return c


def power():
    c = Canvas(330, "Power: one supply, the board lives on the Pi's 3.3 V")
    boxes = [
        (20, 90, 160, "the Pi's own supply\n5.1 V, 3 A (Pi 4)\n5.1 V, 5 A (Pi 5)"), (250, 90, 170, "Raspberry Pi\nup to 1.2 A"),
        (490, 30, 180, "matrix board\n3.3 V, about 2 mA"), (490, 120, 180, "Hall sensors\n3.3 V, 60 to 100 mA"),
        (490, 210, 180, "clock or its gateway\nUSB, 5 V"),
    ]
    for x, y, width, words in boxes:
        c.box(x, y, width, 76, fill="#f7f7f2", radius=6)
        lines = words.count("\n") + 1
        c.words(x + width / 2, y + 46 - lines * 9, words, 15, "middle")
    c.arrow(180, 128, 250, 128)
    c.words(215, 118, "USB-C", 14, "middle")
    c.arrow(420, 110, 490, 68)
    c.arrow(420, 128, 490, 158)
    c.arrow(420, 146, 490, 248)
    c.words(690, 60, "pins 1 and 17; the Pi\ngives 500 mA in all", 14)
    c.words(690, 150, "through J8", 14)
    c.words(690, 240, "one cable for data\nand power", 14)
    c.words(20, 230, "No second supply: two grounds that meet only\nin the ribbon make the columns jump. A power\nbank or PoE must keep 5.0 V: the red lightning\nor `vcgencmd get_throttled` tells.", 14)
    return c


def drawings(pin_map):
    return {"matrix": matrix(), "levels": levels(pin_map), "protection": protection(), "power": power()}
