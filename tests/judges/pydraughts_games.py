"""Reads games with pydraughts and reports ply count and final position, a line of JSON for each game.

Of a file with more than a hundred games only each n-th is read: `pydraughts_games.py FILE N`.
"""

import sys

from draughts import Board, Move
from draughts.PDN import PDNReader

import games

VARIANTS = {"20": "standard", "25": "russian", "26": "brazilian"}

all_games = list(games.games(sys.argv[1]))
every = int(sys.argv[2]) if len(all_games) > 100 else 1
for number, tags, text in all_games:
    if number % every:
        continue
    fen = tags.get("FEN", "startpos")
    if "/FEN" in text or fen.startswith("B"):
        games.report(number, skipped="setup command or Black to move first")
        continue
    try:
        read = PDNReader(text).games[0]
        board = Board(VARIANTS[tags["GameType"].split(",")[0]], fen)
        for move in read.moves:
            board.push(Move(board, pdn_move=move))
        games.report(number, plies=len(read.moves), position=games.squares(board.fen))
    except Exception as error:  # noqa: BLE001 (whatever it is, it is a verdict)
        games.report(number, error=repr(error))
