"""How strong each strength is against players of another kind, who judge nothing and play rounds out. A script.

Each bot plays rounds against flat Monte Carlo, an information-set tree search and the greedy bot: every deal twice,
once on each side. Printed: rounds won (a drawn one counts half) with 95 % limits by Wilson, and the longest answer.
"""

from __future__ import annotations

import argparse
import sys
import time
from collections.abc import Callable
from random import Random

from outsiders.monte_carlo import FlatMonteCarlo
from outsiders.tree_search import TreeSearch

from engine.players.bots.strengths import STRENGTHS
from engine.players.players import Bot, GreedyBot, choice_event
from engine.players.simulation import play, reveal, start_round
from engine.rules.events import MatchEvent
from engine.rules.referee import judge
from engine.rules.rulesets import RULE_SETS
from engine.rules.state import Phase
from engine.rules.track import BySide, Side
from firmware.workshop.tournament.standings import wilson

OUTSIDERS: dict[str, Callable[[], Bot]] = {
    "monte-carlo": FlatMonteCarlo,
    "tree-search": TreeSearch,
    "greedy": GreedyBot,
}


def played(rules: str, bots: BySide[Bot], deal: str) -> tuple[float, BySide[float]]:
    """What White won in the round of this deal, and each player's longest answer in seconds."""
    dealer = Random(deal)
    public, _ = judge(None, MatchEvent(rules))
    assert public is not None
    full = start_round(public, dealer)
    longest_s = BySide(0.0, 0.0)
    while full.public.result is None:
        side = full.public.to_act
        if side is None:
            assert full.public.phase is Phase.REVEAL
            full, ruling = play(full, reveal(full))
        else:
            begun = time.thread_time()
            choice = bots[side].choose(full.view(side), dealer)
            longest_s = longest_s.put(side, max(longest_s[side], time.thread_time() - begun))
            full, ruling = play(full, choice_event(full.public, choice))
        assert ruling.ok
    winner = full.public.result.winner
    return 0.5 if winner is None else float(winner is Side.WHITE), longest_s


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
                bots: BySide[Bot] = BySide(STRENGTHS[name](), OUTSIDERS[other]())
                whites, took_s = played(
                    asked.rules, bots if own is Side.WHITE else BySide(bots.black, bots.white), deal
                )
                won += whites if own is Side.WHITE else 1.0 - whites
                longest_s = max(longest_s, took_s[own])
            low, high = wilson(round(won), asked.rounds)
            print(
                f"{name:8} {other:12} {asked.rounds:6} {100 * won / asked.rounds:6.1f} "
                f"{f'{100 * low:.1f} to {100 * high:.1f}':>14} {1000 * longest_s:10.0f}",
                flush=True,
            )
    return 0


if __name__ == "__main__":
    sys.exit(main())
