"""How long the review of a turn takes: ``PYTHONPATH=. python tests/bench/bench_review.py [--matches 12]``.

Reviews every round of matches of bots against each other, as the menu and the page do, with all it counts, tries and
solves before a turn is told. Prints, of the rounds whose hands were shown at the end and of the others, how many turns
were reviewed, the mean, the 99th of a hundred and the longest. Exit status 1 where one took more than two seconds,
which means something on an idle machine only.
"""

from __future__ import annotations

import argparse
import sys
import time
from statistics import fmean

from engine.players.bots.strengths import STRENGTHS
from engine.review.review import review
from engine.rules.events import RevealEvent
from engine.rules.track import BySide
from tests.engine.review.conftest import rounds_of

MOST_S = 2.0


def main(arguments: list[str] | None = None) -> int:
    """Print it; 1 where a turn took too long."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").split("\n")[0])
    parser.add_argument("--matches", type=int, default=12, help="to three points each (%(default)s)")
    parser.add_argument("--seed", type=int, default=1, help="of the first (%(default)s)")
    asked = parser.parse_args(arguments)
    took_s: dict[str, list[float]] = {"hands shown": [], "not shown": []}
    for seed in range(asked.seed, asked.seed + asked.matches):
        for each in rounds_of(seed, BySide(STRENGTHS["club"](), STRENGTHS["master"]())):
            shown = any(isinstance(step.entry, RevealEvent) for step in each.steps)
            began_s = time.perf_counter()
            for _ in review(each.steps):
                now_s = time.perf_counter()
                took_s["hands shown" if shown else "not shown"].append(now_s - began_s)
                began_s = now_s
    for kind, times in took_s.items():
        if times:
            last = sorted(times)[-(len(times) // 100 + 1)]
            print(
                f"{kind}: {len(times)} turns, mean {fmean(times):.2f}, 99 % in {last:.2f}, longest {max(times):.2f} s"
            )
    return int(any(max(times, default=0.0) > MOST_S for times in took_s.values()))


if __name__ == "__main__":
    sys.exit(main())
