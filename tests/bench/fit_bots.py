"""Finds where each strength stands on the way from no mistakes to random play. A script.

``PYTHONPATH=. .venv/bin/python tests/bench/fit_bots.py``: from the strongest down, each strength is put where the one
above wins the share of rounds that is aimed at, by halving with the same deals; printed are the places, to be written
to ``engine/players/bots/strengths.py``, and what random play wins against the weakest. ``bench_ladder.py`` measures
them with other deals.
"""

from __future__ import annotations

import argparse
import sys

from bench_ladder import share

from engine.players.bots.people import WAY, Person, habits_at
from engine.players.bots.strengths import PLACES, STRENGTHS
from engine.players.players import Bot, RandomBot
from engine.rules.rulesets import RULE_SETS

HALVINGS = 6


def fitted(rules: str, above: Bot, least: float, aim: float, rounds: int, seed: str) -> float:
    """The place from ``least`` on where ``above`` wins the share aimed at."""
    low, high = least, float(len(WAY) - 1)
    for _ in range(HALVINGS):
        place = (low + high) / 2
        if share(rules, above, at(rules, place), rounds, seed) > aim:
            high = place
        else:
            low = place
    return (low + high) / 2


def at(rules: str, place: float) -> Bot:
    return Person({rules: habits_at(place)})


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--rounds", type=int, default=1000, help="for each try (default: %(default)s)")
    parser.add_argument("--aim", type=float, default=0.625, help="what the stronger wins (default: %(default)s)")
    parser.add_argument("--rules", nargs="+", default=list(RULE_SETS), choices=list(RULE_SETS))
    parser.add_argument("--below", default="maestro", choices=list(STRENGTHS), help="fit those weaker than this one")
    parser.add_argument("--seed", default="fit")
    asked = parser.parse_args()
    weaker = [name for name in reversed(list(STRENGTHS)) if name in PLACES]
    if asked.below in weaker:
        weaker = weaker[weaker.index(asked.below) + 1 :]
    for rules in asked.rules:
        above: Bot = STRENGTHS[asked.below]()
        place = PLACES[asked.below][rules] if asked.below in PLACES else 0.0
        for name in weaker:
            place = fitted(rules, above, place, asked.aim, asked.rounds, asked.seed)
            above = at(rules, place)
            print(f"{rules} {name}: {place:.2f}", flush=True)
        print(f"{rules}: random play wins {100 * share(rules, RandomBot(), above, 3000, asked.seed):.1f} %", flush=True)
    return 0


if __name__ == "__main__":
    sys.exit(main())
