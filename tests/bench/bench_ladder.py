"""How strong each strength is against players of another kind, who judge nothing and play rounds out. A script.

Each bot plays rounds against flat Monte Carlo, an information-set tree search and the greedy bot: every deal twice,
once on each side. Printed: rounds won (a drawn one counts half) with 95 % limits by Wilson, and the longest answer.
"""

from __future__ import annotations

import argparse
import sys
from collections.abc import Callable
from random import Random

from outsiders.monte_carlo import FlatMonteCarlo
from outsiders.tree_search import TreeSearch

from engine.players.bots.strengths import STRENGTHS
from engine.players.players import Bot, GreedyBot
from engine.players.simulation import new_match, play_round
from engine.rules.rulesets import RULE_SETS
from engine.rules.track import BySide, Side
from firmware.workshop.tournament.matches import Timed
from firmware.workshop.tournament.standings import wilson

OUTSIDERS: dict[str, Callable[[], Bot]] = {
    "monte-carlo": FlatMonteCarlo,
    "tree-search": TreeSearch,
    "greedy": GreedyBot,
}


def played(rules: str, bots: BySide[Bot], deal: str) -> float:
    """What White won in the round of this deal: 1, 0.5 or 0."""
    result = play_round(new_match(rules, 2), bots, Random(deal)).result
    assert result is not None
    return 0.5 if result.winner is None else float(result.winner is Side.WHITE)


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--rounds", type=int, default=200, help="of each pair (default: %(default)s)")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--bots", nargs="+", default=list(STRENGTHS), choices=list(STRENGTHS))
    parser.add_argument("--against", nargs="+", default=list(OUTSIDERS), choices=list(OUTSIDERS))
    parser.add_argument("--rules", default="ferti-advanced", choices=list(RULE_SETS))
    asked = parser.parse_args()
    print(f"{'bot':8} {'against':12} {'rounds':>6} {'won %':>6} {'limits':>14} {'longest ms':>10}   {asked.rules}")
    for name in asked.bots:
        for other in asked.against:
            won = longest_s = 0.0
            for number in range(asked.rounds):
                deal = f"{asked.seed}:{number // 2}"
                own = (Side.WHITE, Side.BLACK)[number % 2]
                timed = Timed(STRENGTHS[name]())
                bots: BySide[Bot] = BySide(timed, OUTSIDERS[other]())
                whites = played(asked.rules, bots if own is Side.WHITE else BySide(bots.black, bots.white), deal)
                won += whites if own is Side.WHITE else 1.0 - whites
                longest_s = max(longest_s, timed.thinking.longest_s)
            low, high = wilson(round(won), asked.rounds)
            print(
                f"{name:8} {other:12} {asked.rounds:6} {100 * won / asked.rounds:6.1f} "
                f"{f'{100 * low:.1f} to {100 * high:.1f}':>14} {1000 * longest_s:10.0f}",
                flush=True,
            )
    return 0


if __name__ == "__main__":
    sys.exit(main())
