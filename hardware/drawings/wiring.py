"""The wires of a board: which square is on which row and column, seen from above and from below."""

from canvas import COLUMN, PALE, ROW, Canvas


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


def drawings(pin_map):
    return {
        "wires-100": underside(10, pin_map["board-100"]["contacts"], "International board"),
        "wires-64": underside(8, pin_map["board-64"]["contacts"], "Brazilian and Russian board"),
    }
