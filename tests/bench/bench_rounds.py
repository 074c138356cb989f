"""Random rounds a second, in NumPy arrays and one by one: ``PYTHONPATH=. python tests/bench/bench_rounds.py``.

Both by turns in one process, by processor time, the best of each counting. Exit status 1 below ten times as many.
"""

from __future__ import annotations

import argparse
import sys
import time
from random import Random
from typing import Final

from engine.players.players import Bot, RandomBot
from engine.players.simulation import new_match, play_round
from engine.research.rounds import play_at_random
from engine.rules.rulesets import RULE_SETS
from engine.rules.track import BySide

AIM: Final = 10


def main() -> int:
    """Print a line for each preset; 1 where one misses the aim."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").split("\n")[0])
    parser.add_argument("--rounds", type=int, default=20_000, help="in arrays, each time (%(default)s)")
    parser.add_argument("--times", type=int, default=3, help="(%(default)s)")
    asked = parser.parse_args()
    missed = False
    for rules in RULE_SETS:
        play_at_random(10, 0, rules)  # makes the tables
        arrays = scalar = 0.0
        for number in range(asked.times):
            start = time.process_time()
            play_at_random(asked.rounds, number, rules)
            arrays = max(arrays, asked.rounds / (time.process_time() - start))
            scalar = max(scalar, one_by_one(asked.rounds // 20, number, rules))
        missed |= arrays < AIM * scalar
        print(
            f"{rules}: {arrays:,.0f} rounds a second in arrays, {scalar:,.0f} one by one: {arrays / scalar:.1f} times"
        )
    return int(missed)


def one_by_one(count: int, seed: int, rules: str) -> float:
    """Rounds a second by the referee."""
    rng, public = Random(seed), new_match(rules, 99)
    bots: BySide[Bot] = BySide(RandomBot(), RandomBot())
    start = time.process_time()
    for _ in range(count):
        play_round(public, bots, rng)
    return count / (time.process_time() - start)


if __name__ == "__main__":
    sys.exit(main())
