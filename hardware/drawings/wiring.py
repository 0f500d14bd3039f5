"""The wires of a board: which square is on which row and column, seen from above and from below."""

from canvas import COLUMN, INK, PALE, ROW, Canvas


def squares_of(contacts):
    return {int(name.split("-")[1]): contact for name, contact in contacts.items() if name.startswith("square")}


def nearest_first(points):
    """The points in an order in which no way is long: from each on to the nearest that is left."""
    left, ordered = list(points), []
    while left:
        following = left[0] if not ordered else min(left, key=lambda point: (point[0] - ordered[-1][0]) ** 2 + (point[1] - ordered[-1][1]) ** 2)
        left.remove(following)
        ordered.append(following)
    return ordered


def underside(rows, contacts, name):
    """The board turned over along its long side: left and right change places."""
    side, top, left = 660, 90, 90
    cell = side / rows
    c = Canvas(890, f"{name}: wires seen from below, near end at the bottom")
    c.words(450, 30, f"{name}, seen from below", 18, "middle", bold=True)
    c.words(450, 58, "Left and right change places. In each square: its number, and row/column.", 15, "middle")
    squares = squares_of(contacts)
    number, centre, board_row = 0, {}, {}
    for row in range(rows):
        for column in range(rows):
            x, y = left + (rows - 1 - column) * cell, top + row * cell
            dark = (row + column) % 2 == 1
            c.box(x, y, cell, cell, fill="#efe2cd" if dark else "#ffffff", line=0.6, stroke=PALE)
            if dark:
                number += 1
                centre[number], board_row[number] = (x + cell / 2, y + cell / 2), row + 1
    by_column = {}
    for n, contact in sorted(squares.items()):
        by_column.setdefault(contact["column"], []).append(n)
    for numbers in by_column.values():
        starts = sorted(numbers, key=lambda n: (board_row[n], centre[n][0]))
        c.line(*nearest_first([(centre[n][0] - 20, centre[n][1] - 8) for n in starts]), stroke=COLUMN, line=2)
    # A row runs along its squares, then down the edge to the plug at the near end; squares of other rows of the board
    # tap it there.
    for row in sorted({contact["row"] for contact in squares.values()}):
        along = [n for n, contact in squares.items() if contact["row"] == row and board_row[n] == row]
        y, trunk = centre[along[0]][1] + 16, left + side + 10 + 9 * row
        c.line((min(centre[n][0] for n in along), y), (trunk, y), (trunk, top + side + 16), stroke=ROW, line=2, dash="7 3")
        c.words(trunk, top + side + 32, str(row), 13, "middle", ROW)
    for n, (x, y) in centre.items():
        contact = squares[n]
        c.circle(x - 20, y - 8, 3, fill=COLUMN, stroke=COLUMN)
        c.circle(x, y + 16, 3, fill=ROW, stroke=ROW)
        if contact["row"] != board_row[n]:
            c.line((x, y + 16), (x, y + 30), stroke=ROW, line=2, dash="4 2")
        c.words(x - 10, y - 12, str(n), 16, "start", bold=True, halo="#efe2cd")
        c.words(x - 10, y + 6, f"{contact['row']}/{contact['column']}", 15, halo="#efe2cd")
    c.words(left, top + side + 62, "Solid: columns, to the anode of each diode.", 15, colour=COLUMN)
    c.words(left, top + side + 84, "Dashed: rows, to the far end of each switch, and their trunk at the right. The plug J3 sits at the near end.", 15, colour=ROW)
    if any(contact["row"] != board_row[n] for n, contact in squares.items()):
        c.words(left, top + side + 106, "The last two rows of the board have no row of their own: each of their squares taps the one of its number.", 15, colour=ROW)
    c.words(left, top + side + 128, "Lines show what is joined. Lay rows and columns on different sides of the panel, or insulate them.", 15)
    return c


def interface(pin_map):
    """The interface board from above: both plugs pin by pin, and what lies between."""
    c = Canvas(700, "Interface board seen from above: Pi socket, resistors, ribbon plug")
    c.words(450, 30, "Interface board, seen from above, the side of the parts", 18, "middle", bold=True)
    pitch, top = 27, 110
    ground = {6, 9, 14, 20, 25, 30, 34, 39}

    def plug(x, rows, name):
        c.box(x - 22, top - 20, 44, rows * pitch + 12, fill="#f0f0ea", radius=4)
        c.words(x, top - 30, name, 15, "middle", bold=True)
        for pin in range(1, 2 * rows + 1):
            px, py = x + (-11 if pin % 2 else 11), top + (pin - 1) // 2 * pitch
            c.circle(px, py, 5, fill="#ffffff", line=1)
        c.box(x - 19, top - 8, 16, 16, line=1.5)

    plug(150, 20, "J1, to the Pi")
    plug(720, 17, "J2, to the ribbon")

    def pin_of(x, pin):
        return x + (-11 if pin % 2 else 11), top + (pin - 1) // 2 * pitch

    for pin in ground:
        x, y = pin_of(150, pin)
        c.circle(x, y, 5, fill=INK, line=1)
    for pin in list(range(2, 35, 2)) + [33]:
        x, y = pin_of(720, pin)
        c.circle(x, y, 5, fill=INK, line=1)
    for pin in (1, 17):
        x, y = pin_of(150, pin)
        c.circle(x, y, 5, fill=PALE, line=1)
    lines = [(f"row {n}", line, ROW) for n, line in pin_map["rows"].items()] + [(f"column {n}", line, COLUMN) for n, line in pin_map["columns"].items()]
    for name, line, colour in lines:
        x1, y1 = pin_of(150, line["pin"])
        x2, y2 = pin_of(720, line["ribbon"])
        dash = "7 3" if colour == ROW else None
        out = 182 if line["pin"] % 2 == 0 else 118
        c.circle(x1, y1, 5, fill=colour, stroke=colour)
        c.circle(x2, y2, 5, fill=colour, stroke=colour)
        c.words(out, y1 + 5, f"{line['pin']}: {name}", 14, "start" if line["pin"] % 2 == 0 else "end", colour)
        c.line((430, y2), (x2, y2), stroke=colour, line=1.6, dash=dash)
        c.resistor(410, y2, 40)
        c.words(384, y2 + 5, f"{name}  {line['series']}", 14, "end", colour)
        if "pull-up" in line:
            c.words(470, y2 - 5, f"{line['pull-up']} to 3.3 V", 13, "start", colour)
        c.words(750, y2 + 5, f"{line['ribbon']}: {name}", 14, "start", colour)
    for index in range(4):
        y = top + (index * 4 + 1.5) * pitch
        c.box(600, y - 1.9 * pitch, 74, 3.8 * pitch, fill="#ffffff", line=1)
        c.words(637, y + 5, f"U{index + 1}", 15, "middle", bold=True)
    c.words(20, 672, "Black: ground. Grey: 3.3 V, with C1 and C2 beside it. A square marks pin 1. Pins 2 and 4 of J1 carry 5 V: no contact there.\nU1 to U4: each line goes past a pin of its array on the way to the ribbon (1, 3, 4, 6); ground to pin 2, 3.3 V to pin 5.", 13)
    return c


def drawings(pin_map):
    return {
        "interface": interface(pin_map),
        "wires-100": underside(10, pin_map["board-100"]["contacts"], "International board"),
        "wires-64": underside(8, pin_map["board-64"]["contacts"], "Brazilian and Russian board"),
    }
