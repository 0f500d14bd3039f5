"""Makes up endgames with py-draughts and reports the ply at which it first calls each drawn.

`py_draughts_endgames.py BOARD COUNT FILE` writes the games to FILE as PDN and a line of JSON for each to standard
output. Play goes on past the draw, so that later draws are seen too. On 64 squares it knows repetition and king
moves only. A game ends where the stronger side loses its last king: py-draughts then lets the counter of material
run on, though the rules want a king on the stronger side.
"""

import random
import sys

import draughts

import games

BOARDS = {
    "international": (draughts.StandardBoard, 50, 10, "20"),
    "russian": (draughts.RussianBoard, 32, 8, "25"),
    "brazilian": (draughts.BrazilianBoard, 32, 8, "26"),
}
# Kings and men of either side.
MATERIAL = [
    ((3, 0), (1, 0)), ((2, 1), (1, 0)), ((1, 2), (1, 0)), ((2, 0), (1, 0)), ((1, 1), (1, 0)), ((1, 0), (1, 0)),
    ((4, 0), (1, 0)), ((2, 0), (2, 0)), ((3, 0), (2, 0)), ((2, 1), (1, 1)), ((3, 1), (1, 0)), ((1, 2), (2, 1)),
    ((1, 2), (1, 1)), ((0, 3), (1, 0)), ((0, 2), (1, 1)),
]


def position(chance, count, rows):
    """A made-up position: pieces on different squares, no man on its far row."""
    strong, weak = chance.choice(MATERIAL)
    if chance.random() < 0.5:
        strong, weak = weak, strong
    free = list(range(1, count + 1))
    chance.shuffle(free)
    row = rows // 2
    lists = []
    for colour, (kings, men) in (("W", strong), ("B", weak)):
        names = [f"K{free.pop()}" for _ in range(kings)]
        for _ in range(men):
            fits = [s for s in free if (s > row if colour == "W" else s <= count - row)]
            square = chance.choice(fits)
            free.remove(square)
            names.append(str(square))
        lists.append(colour + ",".join(names))
    return chance.choice("WB") + ":" + ":".join(lists)


def is_king_against_men(fen):
    """Whether a king alone stands against men only."""
    _, white_men, white_kings, black_men, black_kings = games.squares(fen)
    sides = [(len(white_kings), len(white_men)), (len(black_kings), len(black_men))]
    return any(one == (1, 0) and other[0] == 0 for one, other in (sides, reversed(sides)))


def main():
    board_name, count, path = sys.argv[1], int(sys.argv[2]), sys.argv[3]
    board_class, square_count, rows, game_type = BOARDS[board_name]
    chance = random.Random(20)
    with open(path, "w", encoding="utf-8") as file:
        number = 0
        while number < count:
            fen = position(chance, square_count, rows)
            board = board_class.from_fen(fen)
            draw, moves = None, []
            # Mostly quiet moves, and not too many of men: else the pieces are soon gone.
            while len(moves) < 110:
                legal = list(board.legal_moves)
                if not legal:
                    break
                def safe(move):
                    board.push(move)
                    taken = any(reply.captured_list for reply in board.legal_moves)
                    board.pop()
                    return not taken
                calm = [move for move in legal if safe(move)]
                pick = chance.choice(calm if calm and chance.random() < 0.97 else legal)
                path_squares = [square + 1 for square in pick.square_list]
                moves.append(("x" if pick.captured_list else "-").join(map(str, path_squares)))
                board.push(pick)
                if draw is None and board.is_draw:
                    draw = len(moves)
                if pick.captured_list and is_king_against_men(board.fen):
                    break
            if len(moves) < 8:
                continue
            number += 1
            file.write(f'[Round "{number}"]\n[GameType "{game_type}"]\n[FEN "{fen}"]\n\n{" ".join(moves)} *\n\n')
            rules = None if board_name == "international" else ["third-repetition", "kings-only"]
            games.report(number, draw=draw, rules=rules)


main()
