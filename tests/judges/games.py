"""What the scripts beside share: games as strict PDN, one after the other, and positions to be compared."""

import json
import re


def games(path):
    """The games of a file that draughtsd wrote, as (number, tags, text); they are parted by a blank line and `[`."""
    with open(path, encoding="utf-8") as file:
        text = file.read()
    parts = [part for part in re.split(r"\n\n(?=\[)", text.strip()) if part]
    for number, part in enumerate(parts, 1):
        head = part.split("\n\n", 1)[0]
        tags = dict(re.findall(r'^\[(\w+) "((?:[^"\\]|\\.)*)"\]$', head, re.MULTILINE))
        yield number, tags, part + "\n"


def squares(fen):
    """The position of a FEN as (side to move, white men, white kings, black men, black kings), squares as numbers."""
    fen = fen.strip().removeprefix('[FEN "').removesuffix('"]')
    turn, *lists = fen.split(":")
    found = {"W": ([], []), "B": ([], [])}
    for entry in lists:
        if entry[:1] not in found:
            continue
        for name in filter(None, entry[1:].split(",")):
            king = name.startswith("K")
            name = name.removeprefix("K")
            if name[0].isalpha():
                row, column = 8 - int(name[1:]), ord(name[0]) - ord("a")
                name = row * 4 + column // 2 + 1
            found[entry[0]][king].append(int(name))
    white, black = found["W"], found["B"]
    return (turn, sorted(white[0]), sorted(white[1]), sorted(black[0]), sorted(black[1]))


def report(number, **found):
    """Writes what was found of a game as a line of JSON."""
    print(json.dumps({"game": number, **found}))
