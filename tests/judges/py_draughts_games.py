"""Reads games with py-draughts and reports ply count and final position, a line of JSON for each game."""

import sys

import draughts

import games

BOARDS = {"20": draughts.StandardBoard, "25": draughts.RussianBoard, "26": draughts.BrazilianBoard}

for number, tags, text in games.games(sys.argv[1]):
    if "/FEN" in text:
        games.report(number, skipped="setup command")
        continue
    # With the result 1-1 it stops at a move such as 1-12.
    text = text.replace(f'[Result "{tags["Result"]}"]', '[Result "*"]', 1)
    try:
        board = BOARDS[tags["GameType"].split(",")[0]].from_pdn(text)
    except Exception as error:  # noqa: BLE001 (whatever it is, it is a verdict)
        games.report(number, error=repr(error))
        continue
    games.report(number, plies=len(board._moves_stack), position=games.squares(board.fen))
