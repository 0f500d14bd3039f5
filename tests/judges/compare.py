"""Compares our reading of games with a judge's; exits with 1 where they differ.

`compare.py games OURS JUDGE` compares ply counts and final positions, `compare.py draws OURS JUDGE` the ply that
first completes a draw by rule.
"""

import json
import sys

import games


def load(path):
    with open(path, encoding="utf-8") as file:
        return [json.loads(line) for line in file]


def main():
    kind, ours_path, judge_path = sys.argv[1:]
    ours = load(ours_path)
    same = skipped = 0
    differing = []
    for verdict in load(judge_path):
        game = ours[verdict["game"] - 1]
        if "skipped" in verdict:
            skipped += 1
        elif kind == "games":
            expected = {"plies": len(game["moves"]), "position": list(games.squares(game["fen"]))}
            if {key: verdict.get(key) for key in expected} == expected:
                same += 1
            else:
                differing.append((verdict, expected))
        else:
            draws = [draw for draw in game["draws"] if verdict["rules"] is None or draw["rule"] in verdict["rules"]]
            first = draws[0]["ply"] if draws else None
            named = [draw["rule"] for draw in draws if draw["ply"] == first]
            if verdict["draw"] == first and (verdict.get("rule") is None or verdict["rule"] in named):
                same += 1
            else:
                differing.append((verdict, {"draws": draws, "start": game["start"]}))
    judge = judge_path.rsplit("/", 1)[-1].removesuffix(".jsonl")
    print(f"{judge}: {same} agree, {len(differing)} differ, {skipped} not judged")
    for verdict, expected in differing[:10]:
        print(f"  judge {verdict}\n  ours  {expected}")
    return 1 if differing else 0


sys.exit(main())
