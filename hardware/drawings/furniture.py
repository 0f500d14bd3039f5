"""Wood, magnets and glass: the board, the discs, where the reeds go, wells and panels, Hall sensors."""

from canvas import BAD, COLUMN, DARK, GOOD, INK, LIGHT, MAGNET, PALE, ROW, WOOD, Canvas, Plot
from magnetics import OPERATES_MT, Magnet, flat, upright

CHOSEN = Magnet(10, 1)
MIDDLE_MM = 13  # from the magnet's middle to that of an upright reed
SCALE = 6  # pixels a millimetre in the sections


def disc(c, x, y, dots=True, scale=SCALE):
    """A disc of 30 x 7 mm in section, its lower side at y, its magnet in the lower face."""
    c.box(x - 15 * scale, y - 7 * scale, 30 * scale, 7 * scale, fill="#fbf6ec", radius=4)
    c.box(x - 5 * scale, y - 1.3 * scale, 10 * scale, 1 * scale, fill=MAGNET)
    if dots:
        c.circle(x, y - 7 * scale + 3, 3, fill=INK)


def reed_geometry():
    c = Canvas(560, "Where the reed goes: flat under the centre never, flat 9 mm beside it, or upright under it")
    cells = [(150, "Flat under the centre: never", BAD), (450, "Flat, 8 to 10 mm off centre", GOOD), (750, "Upright: the best", GOOD)]
    for x, title, colour in cells:
        c.words(x, 28, title, 17, "middle", colour, bold=True)
        top = 118
        disc(c, x, top, dots=False, scale=5)
        c.box(x - 135, top, 270, 15, fill=WOOD)
        # Field lines leave the magnet's lower face and come back outside.
        for side in (-1, 1):
            for reach, drop in ((38, 34), (66, 70), (92, 118)):
                c.path(f"M{x + side * 9} {top - 4} C{x + side * 10} {top + drop}, {x + side * reach} {top + drop}, {x + side * (reach + 8)} {top - 4}", stroke=PALE, line=1, dash="3 3")
    c.reed(150, 143, 63)
    c.reed(450 + 45, 143, 63)
    c.reed(750, 118 + 15 + 13 + 32, 63, upright=True)
    c.line((450, 60), (450, 190), stroke=PALE, dash="4 3")
    c.measure(450, 205, 495, 205, "9 mm", above=False)
    c.measure(640, 115, 640, 178, "13 mm")
    c.words(150, 248, "The field enters both halves of the\nglass the opposite way: it cancels.", 14, "middle")
    c.words(450, 248, "The field runs along the glass\nin one direction.", 14, "middle")
    c.words(750, 248, "The field runs along the glass,\nand does so all round the centre.", 14, "middle")
    plot = Plot(c, 60, 320, 540, 180, (-8, 8), (0, 15))
    plot.band(*OPERATES_MT, fill="#f6d9a8")
    steps = [n / 4 for n in range(-32, 33)]
    plot.curve([(s, flat(CHOSEN, 5, 0, s)) for s in steps], BAD, dash="8 4")
    plot.curve([(s, flat(CHOSEN, 5, 9, s)) for s in steps], COLUMN, dash="2 3")
    plot.curve([(s, upright(CHOSEN, MIDDLE_MM, s)) for s in steps], GOOD)
    plot.axes([-8, -6, -4, -2, 0, 2, 4, 6, 8], [0, 3, 6, 9, 12, 15], "how far the disc stands off centre, along the flat reed (mm)", "mean field along the reed (mT), magnet 10 x 1 mm N35")
    c.line((622, 342), (662, 342), stroke=GOOD, line=2.5)
    c.words(670, 347, "upright, middle 13 mm down")
    c.line((622, 372), (662, 372), stroke=COLUMN, line=2.5, dash="2 3")
    c.words(670, 377, "flat, 9 mm off centre")
    c.line((622, 402), (662, 402), stroke=BAD, line=2.5, dash="8 4")
    c.words(670, 407, "flat, under the centre")
    c.box(622, 425, 40, 14, fill="#f6d9a8", stroke="none")
    c.words(670, 437, "a reed of 15 to 20 AT\nbegins to close here;\nbelow it stays open", 15)
    return c


def section():
    c = Canvas(470, "Section through one square: disc, surface, spacer with upright reed, matrix board, Hall sensor")
    x, top, left, right = 290, 110, 110, 470
    disc(c, x, top)
    layers = [
        (3, WOOD, "surface: plywood or MDF, 3 mm"), (18, LIGHT, "spacer: 18 mm, a 7 mm hole\nunder each dark square"),
        (1.6, "#cfe3d4", "matrix board, or wires"), (12, "#ffffff", "room for diodes, ribbon,\nHall sensors"), (6, WOOD, "floor"),
    ]
    y = top
    for thickness, fill, words in layers:
        middle = y + thickness * SCALE / 2
        c.box(left, y, right - left, thickness * SCALE, fill=fill)
        c.line((right, middle), (right + 36, middle), stroke=PALE)
        c.words(right + 42, middle + 5 - 9 * words.count("\n"), words, 15)
        y += thickness * SCALE
    c.box(x - 21, top + 18, 42, 108, fill="#ffffff", line=1)
    c.reed(x, top + 18 + 16 + 38, 76, upright=True)
    c.line((x, top + 21), (x + 13, top + 21), (x + 13, top + 132), stroke="#b87333", line=2.2)
    c.line((x + 2, top + 118), (x + 2, top + 132), stroke="#b87333", line=2.2)
    c.words(right + 42, top - 48, "disc 30 x 7 mm, magnet 10 x 1 mm in\nits lower face, a dot on the upper one", 15)
    c.line((x + 90, top - 30), (right + 36, top - 44), stroke=PALE)
    c.measure(80, top - 5, 80, top + 72, "")
    c.words(8, top - 48, "magnet to the\nmiddle of the\nreed: 13 mm", 15)
    c.line((80, top + 72), (x, top + 72), stroke=PALE, dash="3 3")
    c.box(x - 12, top + 150, 24, 16, fill="#444444")
    c.words(x + 20, top + 164, "Hall sensor,\nfar rows only", 14)
    c.measure(x - 130, top - 5, x - 130, top + 158, "25 mm")
    c.words(30, 400, "The upper lead is bent round and goes down beside the glass. Bend it 2.5 mm away from the\nglass, held with flat pliers: glass that takes the strain cracks, and a cracked reed works for a week.\nNo iron, no steel screws within 20 mm of a reed, and no metal foil in the surface.", 15)
    return c


def disc_drawing():
    c = Canvas(450, "Discs: the magnet in the lower face, a dot on the upper side, north up in all of them")
    c.words(150, 30, "One disc", 17, "middle", bold=True)
    disc(c, 150, 130)
    c.measure(60, 150, 240, 150, "30 mm", above=False)
    c.measure(254, 88, 254, 130, "7 mm")
    c.line((130, 126), (100, 182), stroke=PALE)
    c.words(60, 198, "magnet 10 x 1 mm, 0.3 mm\nbelow the face, glued in\nwith epoxy, north pole up", 14)
    c.words(450, 30, "Both dots up: they hold", 17, "middle", GOOD, bold=True)
    disc(c, 450, 130)
    disc(c, 450, 88)
    c.words(450, 160, "The magnets pull with about 0.3 N;\na disc weighs 0.1 N.", 14, "middle")
    c.words(750, 30, "One upside down: they part", 17, "middle", BAD, bold=True)
    disc(c, 750, 130)
    c.box(750 - 90, 38, 180, 42, fill="#fbf6ec", radius=4)
    c.box(750 - 30, 39.8, 60, 6, fill=MAGNET)
    c.circle(750, 77, 3, fill=INK)
    c.words(750, 160, "An upside-down man is felt less far;\nan upside-down crowning disc slides off.", 14, "middle")
    c.words(40, 280, "Marking all magnets the same way", 17, bold=True)
    for index in range(5):
        c.box(60, 305 + index * 14, 56, 12, fill=MAGNET)
        c.circle(88, 308 + index * 14, 2, fill="#ffffff", stroke="#ffffff")
    c.words(140, 325, "Stack them: they sort themselves.\nMark the upper face of each as you\ntake it off the stack.", 14)
    c.circle(475, 335, 30, fill="#ffffff")
    c.polygon((475, 313), (481, 335), (469, 335), fill=BAD)
    c.polygon((475, 357), (481, 335), (469, 335), fill="#ffffff")
    c.words(520, 318, "The face that draws the red (north) end of\na compass needle is the south pole. It goes\ndown in every disc.", 14)
    c.words(40, 405, "Then lower each finished disc over the one-square jig, dot up: all must close the reed at about the same\nheight. Put aside what differs by more than 2 mm.", 15)
    return c


def board_plan(rows, square, name):
    c = Canvas(640, f"{name}: plan with measures, numbers as White sees them")
    side = 460
    cell = side / rows
    x0, y0 = 190, 84
    c.box(x0 - 30, y0 - 30, side + 60, side + 60, fill=WOOD)
    number = 0
    for row in range(rows):
        for column in range(rows):
            dark = (row + column) % 2 == 1
            x, y = x0 + column * cell, y0 + row * cell
            c.box(x, y, cell, cell, fill=DARK if dark else LIGHT, line=0.8)
            if dark:
                number += 1
                c.words(x + cell / 2, y + cell / 2 + 5, str(number), 14, "middle")
    c.measure(x0, y0 + side + 44, x0 + side, y0 + side + 44, f"playing area {square * rows} mm (rules: 350 to 450 mm)", above=False)
    c.measure(x0, y0 - 40, x0 + cell, y0 - 40, f"{square} mm")
    c.words(x0 + side / 2, 34, "far end: Black, if white-side = \"near\"", 15, "middle")
    c.words(x0 + side / 2, 636, "near end: White, if white-side = \"near\"", 15, "middle")
    c.box(20, y0 + 150, 110, 70, fill="#ffffff")
    c.words(75, y0 + 180, "clock, on\nWhite's left", 14, "middle")
    c.words(x0 + side + 42, y0 + 20, "rim: 5 to 6 mm\nabove the area", 14)
    c.words(x0 + side + 42, y0 + 90, "each player's\nleft-hand corner\nis dark", 14)
    c.words(x0 + side + 42, y0 + 180, "numbers are not\nprinted for\ncompetition", 14)
    largest = square - 7
    smallest = square - 14
    c.words(x0 + side + 42, y0 + 270, f"discs: {smallest} to {largest} mm\nacross (7 to 14 mm\nless than a square),\nthickness 1/4 to\n1/5 of that", 14)
    c.words(x0 + side + 42, y0 + 400, "panels for wells\nand buttons at\nboth ends", 14)
    return c


def panel():
    c = Canvas(470, "The panel at each end: wells, press, buttons")
    c.words(30, 30, "Seen from the player who sits there", 17, bold=True)
    c.box(30, 50, 840, 130, fill=WOOD, radius=8)
    for index, x in enumerate((120, 240)):
        c.circle(x, 115, 46, fill=LIGHT)
        c.circle(x, 115, 42, stroke=PALE, dash="4 3")
        c.words(x, 120, f"well {index + 1}", 15, "middle")
    c.box(340, 80, 150, 70, fill="#ffffff", radius=8)
    c.words(415, 120, "press", 16, "middle")
    for x, word in ((545, "adjust"), (625, "draw"), (705, "resign"), (800, "arbiter")):
        c.circle(x, 105, 24, fill="#ffd9d4" if word == "arbiter" else "#ffffff")
        c.words(x, 152, word, 15, "middle")
    c.words(30, 210, "The wells hold the two discs with which the player is going to crown. Press is only needed where the\ndaemon keeps the time itself. Give resign a guard ring: it is the button nobody may lean on.", 15)
    c.words(30, 278, "A well in section", 17, bold=True)
    x, top = 190, 350
    c.box(50, top - 12, 92, 12, fill=WOOD)
    c.box(238, top - 12, 92, 12, fill=WOOD)
    c.box(50, top, 280, 9, fill=WOOD)
    disc(c, x, top, scale=3)
    c.reed(x, top + 9 + 24, 38, upright=True)
    c.words(360, top - 40, "A well is 2 mm wider than a disc and 4 mm deep, so that the disc is\nfelt to lie in it and can be taken by its rim. Its floor is 3 mm thick;\nthe reed stands under it as under a square.", 15)
    c.words(360, top + 38, "Keep the middles of wells 60 mm or more from those of squares and\nof other wells, so that no disc is felt in two places.", 15)
    return c


def hall():
    c = Canvas(550, "Hall sensors: what a man and a king give at 25 mm, and where the thresholds go")
    man = [(d, CHOSEN.field(0, d)[1]) for d in range(15, 36)]
    king = [(d, CHOSEN.field(0, d)[1] + CHOSEN.field(0, d + 7)[1]) for d in range(15, 36)]
    plot = Plot(c, 80, 60, 470, 230, (15, 35), (0, 6))
    plot.curve([(d, abs(b)) for d, b in man], COLUMN)
    plot.curve([(d, abs(b)) for d, b in king], ROW, dash="8 4")
    plot.axes([15, 20, 25, 30, 35], [0, 1, 2, 3, 4, 5, 6], "from the magnet's middle down to the sensor (mm)", "field on the axis (mT), magnet 10 x 1 mm N35")
    x, _ = plot.at(20, 0)
    x2, _ = plot.at(30, 0)
    c.line((x, 60), (x, 290), stroke=PALE, dash="3 3")
    c.line((x2, 60), (x2, 290), stroke=PALE, dash="3 3")
    c.words((x + x2) / 2, 78, "build here", 14, "middle")
    c.line((585, 80), (625, 80), stroke=ROW, line=2.5, dash="8 4")
    c.words(633, 85, "king: two discs, dots up")
    c.line((585, 110), (625, 110), stroke=COLUMN, line=2.5)
    c.words(633, 115, "man")
    c.words(585, 150, "The ratio grows with depth (1.42 at\n20 mm, 1.54 at 30 mm), the signal\nshrinks. At 25 mm a DRV5055A1 at\n3.3 V (60 mV/mT) gives 54 mV for a\nman and 80 mV for a king: 67 and 100\nsteps of a 12-bit converter.", 15)
    c.words(80, 370, "Calibration of one square", 17, bold=True)
    y = 450
    c.line((80, y), (820, y), line=2)
    for x, word, below in ((130, "empty", "mean of 100 readings"), (400, "man", "most of 5 places"), (780, "king", "least of 5 places")):
        c.line((x, y - 9), (x, y + 9), line=2)
        c.words(x, y - 18, word, 15, "middle", bold=True)
        c.words(x, y + 30, below, 14, "middle")
    for x, word, anchor, colour in ((533, "opens below a third", "end", COLUMN), (654, "closes above two thirds", "start", ROW)):
        c.line((x, y - 14), (x, y + 14), stroke=colour, line=3)
        c.words(x + (20 if anchor == "end" else -20), y - 44, word, 15, anchor, colour)
    c.words(593, y + 30, "of the step", 14, "middle")
    c.words(80, 510, "Places: the centre, and 5 mm towards each corner of the square. A king that is less than a man in some other\nplace: the sensor is too near, or the magnets differ too much.", 14)
    return c


def jig():
    c = Canvas(420, "The one-square jig: a square of the very materials, one reed, one diode, two wires to the Pi")
    x, top = 200, 120
    disc(c, x, top, scale=5)
    c.box(60, top, 280, 15, fill=WOOD)
    c.box(60, top + 15, 280, 90, fill=LIGHT)
    c.box(x - 18, top + 15, 36, 90, fill="#ffffff", line=1)
    c.reed(x, top + 15 + 14 + 32, 63, upright=True)
    c.words(200, 40, "the very surface, spacer, reed\nand disc that you are going to use", 15, "middle")
    c.line((x + 2, top + 100), (x + 2, 260), (430, 260), stroke=ROW, line=2)
    c.line((x, top + 16), (x + 30, top + 16), (x + 30, 225), (470, 225), stroke=INK, line=2)
    c.diode(490, 225, backwards=True)
    c.line((500, 225), (540, 225), stroke=COLUMN, line=2)
    c.words(480, 250, "ring to the switch", 14, "middle")
    c.line((540, 225), (570, 225), stroke=COLUMN, line=2)
    c.resistor(600, 225)
    c.line((622, 225), (700, 225), stroke=COLUMN, line=2)
    c.words(600, 250, "330", 14, "middle")
    c.line((545, 225), (545, 180), stroke=COLUMN, line=2)
    c.resistor(545, 158, vertical=True)
    c.line((545, 136), (545, 100), (700, 100), line=2)
    c.words(560, 163, "22k", 14)
    c.line((430, 260), (570, 260), stroke=ROW, line=2)
    c.resistor(600, 270 - 10 + 20)
    c.line((570, 260), (570, 280), (578, 280), stroke=ROW, line=2)
    c.line((622, 280), (700, 280), stroke=ROW, line=2)
    c.words(600, 306, "220", 14, "middle")
    c.box(700, 70, 180, 240, fill="#eef4ee", radius=6)
    c.words(790, 60, "Raspberry Pi, header", 15, "middle", bold=True)
    for y, word in ((100, "1: 3.3 V"), (225, "31: GPIO 6, column 1"), (280, "11: GPIO 17, row 1")):
        c.words(708, y + 5, word, 14)
    c.words(60, 350, "Row 1 and column 1 are square 1 of both boards. Move the disc, put it down off centre, lift it slowly:\nthe program shows the contact. Change depth, magnet or reed now, not after fifty have been glued in.", 15)
    return c


def cell():
    c = Canvas(430, "One square from below: reed, diode, row and column")
    c.words(225, 30, "From below", 17, "middle", bold=True)
    c.box(40, 50, 370, 330, fill=LIGHT)
    c.circle(225, 200, 36, fill="#ffffff")
    c.circle(215, 200, 9, fill="#e6f0ee")
    c.circle(215, 200, 3, fill="#b87333", stroke="#b87333")
    c.circle(245, 200, 3, fill="#b87333", stroke="#b87333")
    c.line((40, 320), (410, 320), stroke=ROW, line=3, dash="9 4")
    c.line((215, 200), (215, 320), line=2.5, stroke="#b87333")
    c.circle(215, 320, 4, fill=ROW, stroke=ROW)
    c.line((100, 50), (100, 380), stroke=COLUMN, line=3)
    c.line((245, 200), (245, 120), (196, 120), line=2)
    c.box(146, 108, 50, 24, fill="#ffffff")
    c.box(182, 108, 7, 24, fill=INK)
    c.line((146, 120), (100, 120), line=2)
    c.circle(100, 120, 4, fill=COLUMN, stroke=COLUMN)
    c.words(150, 98, "diode, ring to the switch", 14)
    c.words(110, 370, "column", 15, colour=COLUMN)
    c.words(404, 345, "row", 15, "end", ROW)
    c.words(268, 205, "lead that was bent\nround the glass", 14)
    c.words(112, 258, "glass, stand-\ning in its hole", 14)
    c.words(660, 30, "The reed before it is put in", 17, "middle", bold=True)
    x, y = 540, 160
    c.reed(x, y, 120, upright=True)
    c.line((x, y - 70), (x, y - 84), (x + 26, y - 84), (x + 26, y + 100), stroke="#b87333", line=2.5)
    c.line((x + 2, y + 70), (x + 2, y + 100), stroke="#b87333", line=2.5)
    c.words(590, 92, "bend 2.5 mm from the glass,\nthe lead held in flat pliers\nbetween glass and bend", 14)
    c.words(590, 172, "heat-shrink tube over the lead\nthat comes back down", 14)
    c.words(590, 232, "cut both leads 8 mm below the panel;\nnever pull at them", 14)
    c.words(440, 310, "Solder quickly, as far from the glass as you can. A drop of\nsilicone, not epoxy, holds the reed in its hole: hard glue\npulls at the glass when the wood moves.", 14)
    return c


def drawings():
    return {
        "reed-geometry": reed_geometry(), "section": section(), "disc": disc_drawing(),
        "plan-100": board_plan(10, 40, "International board"), "plan-64": board_plan(8, 45, "Brazilian and Russian board"),
        "panel": panel(), "hall": hall(), "jig": jig(), "cell": cell(),
    }
