"""Replays games in draughtsd's JSON with dame-rs and reports at which ply it first calls each drawn, and by what.

It starts its counters of material anew at each change of material, which is not our reading: games in which the
material changes while such a counter runs are not judged.
"""

import json
import sys

import dame

import games

RULES = {
    dame.Termination.REPETITION: "third-repetition",
    dame.Termination.TWENTY_FIVE_MOVES: "kings-only",
    dame.Termination.SIXTEEN_MOVES: "sixteen-moves",
    dame.Termination.FIVE_MOVES: "five-moves",
}



def counter_runs(position):
    """Whether one king alone stands against at most three pieces with a king among them."""
    _, white_men, white_kings, black_men, black_kings = position
    sides = [(len(white_kings), len(white_men)), (len(black_kings), len(black_men))]
    return any(
        weak == (1, 0) and strong[0] >= 1 and sum(strong) <= 3 for weak, strong in (sides, reversed(sides))
    )


with open(sys.argv[1], encoding="utf-8") as file:
    for line in file:
        game = json.loads(line)
        board = dame.Board(game["start"])
        draw = rule = None
        skipped = False
        for played in game["moves"]:
            wanted = (played["from"], played["to"], sorted(played["captures"]))
            legal = board.legal_moves() if callable(board.legal_moves) else board.legal_moves
            move = next(
                (move for move in legal if (move.from_square, move.to_square, sorted(move.captured)) == wanted), None
            )
            if move is None:
                break
            if (played["captures"] or played["promotes"]) and counter_runs(games.squares(board.fen())):
                skipped = True
                break
            board.push(move)
            outcome = board.outcome()
            if outcome is not None:
                if outcome.termination in RULES:
                    draw, rule = played["ply"], RULES[outcome.termination]
                break
        if skipped:
            games.report(game["game"], skipped="material changes while a counter runs")
        else:
            games.report(game["game"], draw=draw, rule=rule, rules=None)
