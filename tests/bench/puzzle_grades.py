"""Grades the puzzles by how often bots of every strength find the answer. A script for maintainers.

``PYTHONPATH=. .venv/bin/python tests/bench/puzzle_grades.py`` asks every strength about every puzzle, as often as
``--times`` says, and prints how often each was right in each grade: exit status 1 unless all together are right less
often in each grade than in the one before, and each of them in the hardest. ``--first 1000`` takes other lots than
those the grades were picked by. With ``--write`` the puzzles are shared out anew over the grades, the hardest last, and
written to ``engine/puzzles/grades.txt``. The bots see their own hand alone, also where both lie open.
"""

from __future__ import annotations

import argparse
import sys
from collections.abc import Mapping, Sequence
from itertools import pairwise
from pathlib import Path
from random import Random

import engine.puzzles
from engine.players.bots.strengths import STRENGTHS
from engine.players.players import Bot
from engine.puzzles.collection import PUZZLES
from engine.puzzles.puzzle import GRADES, Puzzle, judge_answer
from engine.rules.legal import Turn, counts_of, legal_plays, turn_of

GRADES_FILE = Path(next(iter(engine.puzzles.__path__))) / "grades.txt"
NOTE = "; Written by tests/bench/puzzle_grades.py: do not edit. The puzzles of each grade, easiest first.\n"

Shares = Mapping[str, float]
"""How often each strength is right."""


def right(puzzle: Puzzle, bot: Bot, times: int, first: int = 0) -> float:
    """How often the bot finds a right answer. ``first``: the number of its first lot."""
    view = puzzle.view
    plays = {turn_of(view.public, view.hand, play): play for play in legal_plays(view.public, counts_of(view.hand))}
    found = 0
    for number in range(first, first + times):
        choice = bot.choose(view, Random(f"{puzzle.id}:{number}"))
        found += isinstance(choice, Turn) and judge_answer(puzzle, plays[choice]).right
    return found / times


def shared_out(measured: Mapping[str, Shares]) -> list[list[str]]:
    """The ids of each grade: as many in each, ordered by how often all strengths together are right."""
    order = sorted(measured, key=lambda name: (-sum(measured[name].values()), name))
    size = len(order) / len(GRADES)
    return [order[round(place * size) : round((place + 1) * size)] for place in range(len(GRADES))]


def in_order(graded: Sequence[Sequence[str]], measured: Mapping[str, Shares]) -> bool:
    """Print how often each strength is right in each grade; whether every grade is harder for all, the last for each.

    Between the third and the fourth the weakest only guess.
    """
    print(f"{'right, %':10}" + "".join(f"{f'grade {grade}':>10}" for grade in GRADES))
    rows = {name: [sum(measured[each][name] for each in ids) / len(ids) for ids in graded] for name in STRENGTHS}
    for name, shares in rows.items():
        print(f"{name:10}" + "".join(f"{100 * share:10.1f}" for share in shares))
    together = [sum(column) for column in zip(*rows.values(), strict=True)]
    return all(one > other for one, other in pairwise(together)) and all(row[-1] < row[-2] for row in rows.values())


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--times", type=int, default=20, help="each is asked (default: %(default)s)")
    parser.add_argument("--maestro-times", type=int, default=4, help="the maestro is asked (default: %(default)s)")
    parser.add_argument("--first", type=int, default=0, help="lots begin with this number (default: %(default)s)")
    parser.add_argument("--write", action="store_true", help="share the puzzles out anew")
    asked = parser.parse_args()
    bots = {name: make() for name, make in STRENGTHS.items()}
    times = {name: asked.maestro_times if name == "maestro" else asked.times for name in bots}
    measured = {
        puzzle.id: {name: right(puzzle, bot, times[name], asked.first) for name, bot in bots.items()}
        for puzzle in PUZZLES
    }
    if asked.write:
        graded = shared_out(measured)
        text = "\n".join(f"{grade}: {' '.join(ids)}" for grade, ids in zip(GRADES, graded, strict=True))
        GRADES_FILE.write_text(f"{NOTE}{text}\n", encoding="utf-8")
    else:
        graded = [[puzzle.id for puzzle in PUZZLES if puzzle.grade == grade] for grade in GRADES]
    return 0 if in_order(graded, measured) else 1


if __name__ == "__main__":
    sys.exit(main())
