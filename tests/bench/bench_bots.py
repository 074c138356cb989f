"""How long the bots take to answer, beside the greedy one, and the longest answer. Run it as a script.

Each bot plays rounds against the greedy one; times are CPU times of one core, so that other work on the machine counts
little. Exit status 1 where an answer took longer than the aim.
"""

from __future__ import annotations

import argparse
import sys

from engine.players.bots.strengths import STRENGTHS
from firmware.workshop.tournament.matches import Fixture, Thinking, play_fixture

AIM_S = 0.05


def thinking(name: str, points: int) -> tuple[Thinking, Thinking]:
    """How long a bot and the greedy one thought in a match between them."""
    return play_fixture(Fixture((name, "greedy"), 0, 1, "ferti-advanced", points)).thinking


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--points", type=int, default=30, help="of the match each bot plays (default: %(default)s)")
    points = parser.parse_args().points
    longest_s = 0.0
    print(f"{'bot':8} {'answers':>8} {'mean':>9} {'longest':>9} {'times greedy':>13}")
    for name in STRENGTHS:
        own, greedy = thinking(name, points)
        longest_s = max(longest_s, own.longest_s)
        ratio = own.mean_s / greedy.mean_s
        print(
            f"{name:8} {own.answers:8} {own.mean_s * 1000:6.2f} ms {own.longest_s * 1000:6.0f} ms {ratio:13.1f}",
            flush=True,
        )
    print(f"longest  {longest_s:.3f} s  (aim {AIM_S:.2f} s)")
    return 0 if longest_s <= AIM_S else 1


if __name__ == "__main__":
    sys.exit(main())
