"""How the bots do against the computer players of hoeg1/en-garde, from a checkout of that project. A script.

Every deal is played twice, once on each side. Printed: rounds won (a drawn one counts half) and won outright, each with
95 % limits by Wilson. It takes Node.js; nothing of that project is in this one.
"""

from __future__ import annotations

import argparse
import sys
from pathlib import Path

from bench_ladder import TOLD_AFTER, paired, played
from outsiders.lv3 import LEVELS, HoegBot

from engine.players.bots.strengths import STRENGTHS
from engine.review.chance import limits
from engine.rules.rulesets import RULE_SETS
from engine.rules.track import BySide


def line(bot: str, rules: str, won: list[tuple[float, float]]) -> str:
    """What was won of these deals, each played from both sides."""
    rounds = 2 * len(won)
    outright = sum(first == 1.0 for deal in won for first in deal)
    share = sum(map(sum, won))
    shares = [f"{100 * part / rounds:5.1f} ({_limits(part, rounds)})" for part in (share, outright)]
    low, high = paired([sum(deal) for deal in won])
    return f"{bot:9} {rules:15} {rounds:6} {shares[0]} {shares[1]} {100 * low:.1f} to {100 * high:.1f}"


def _limits(won: float, rounds: int) -> str:
    low, high = limits(won / rounds, rounds)
    return f"{100 * low:.1f} to {100 * high:.1f}"


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--checkout", type=Path, required=True, help="of hoeg1/en-garde")
    parser.add_argument("--level", type=int, default=LEVELS[-1], choices=LEVELS)
    parser.add_argument("--rounds", type=int, default=500, help="of each bot under each preset (default: %(default)s)")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--bots", nargs="+", default=["master", "maestro"], choices=list(STRENGTHS))
    parser.add_argument("--rules", nargs="+", default=list(RULE_SETS), choices=list(RULE_SETS))
    asked = parser.parse_args()
    other = HoegBot(asked.checkout, asked.level)
    print(f"{'bot':9} {'rules':15} {'rounds':>6} won %, a draw half    won outright %        by pairs", flush=True)
    for rules in asked.rules:
        for name in asked.bots:
            own = STRENGTHS[name]()
            won: list[tuple[float, float]] = []
            for number in range(asked.rounds // 2):
                deal = f"{asked.seed}:{number}"
                as_black = 1.0 - played(rules, BySide(other, own), deal)
                won.append((played(rules, BySide(own, other), deal), as_black))
                if len(won) % TOLD_AFTER == 0:
                    print(line(name, rules, won), file=sys.stderr, flush=True)
            print(line(name, rules, won), flush=True)
    other.close()
    return 0


if __name__ == "__main__":
    sys.exit(main())
