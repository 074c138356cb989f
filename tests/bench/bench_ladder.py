"""How strong each strength is against players of another kind, who judge nothing and play rounds out. A script.

Each bot plays rounds against flat Monte Carlo, an information-set tree search, the greedy bot, or another strength:
every deal twice, once on each side. Printed: rounds won (a drawn one counts half), 95 % limits by Wilson as if every
round were a deal of its own, and the same limits from how far the pairs of one deal differ. With ``--ladder`` every
strength plays the one below it instead, under every preset, and the weakest plays random play; exit status 1 where a
share lies outside what ``engine.players.bots.strengths`` says.
"""

from __future__ import annotations

import argparse
import sys
from collections.abc import Callable, Sequence
from itertools import pairwise
from math import sqrt
from random import Random
from statistics import stdev

from outsiders.monte_carlo import FlatMonteCarlo
from outsiders.tree_search import TreeSearch

from engine.players.bots.people import Mistake, habits_at
from engine.players.bots.strengths import PLACES, STRENGTHS
from engine.players.players import Bot, GreedyBot, RandomBot
from engine.players.simulation import new_match, play_round
from engine.review.chance import limits
from engine.rules.rulesets import RULE_SETS
from engine.rules.track import BySide, Side

OUTSIDERS: dict[str, Callable[[], Bot]] = {
    "monte-carlo": FlatMonteCarlo,
    "tree-search": TreeSearch,
    "greedy": GreedyBot,
}
OPPONENTS: dict[str, Callable[[], Bot]] = {**OUTSIDERS, **STRENGTHS}
SURE = 1.96
"""So many standard errors are 95 %."""
STEP = 0.60, 0.66
"""What a strength wins against the one below it."""
RANDOM = 0.40, 0.45
"""What random play wins against the weakest."""
TOLD_AFTER = 50
"""Deals, on the error stream: a run that is stopped has said something."""


def played(rules: str, bots: BySide[Bot], deal: str) -> float:
    """What White won in the round of this deal: 1, 0.5 or 0."""
    result = play_round(new_match(rules, 2), bots, Random(deal)).result
    assert result is not None
    return 0.5 if result.winner is None else float(result.winner is Side.WHITE)


def of_a_deal(rules: str, bot: Bot, other: Bot, deal: str) -> float:
    """What the bot won of two rounds with the same cards, once on each side."""
    return played(rules, BySide(bot, other), deal) + 1.0 - played(rules, BySide(other, bot), deal)


def share(rules: str, bot: Bot, other: Bot, rounds: int, seed: str) -> float:
    """The share of so many rounds that the bot won, every deal twice."""
    return sum(of_a_deal(rules, bot, other, f"{seed}:{number}") for number in range(rounds // 2)) / (rounds // 2 * 2)


def paired(won: Sequence[float]) -> tuple[float, float]:
    """95 % limits of the share of rounds won, from what was won of every deal."""
    shares = [each / 2 for each in won]
    mean = sum(shares) / len(shares)
    error = SURE * stdev(shares) / sqrt(len(shares)) if len(shares) > 1 else 1.0
    return max(0.0, mean - error), min(1.0, mean + error)


def ahead(won: Sequence[float], before: Sequence[float]) -> str:
    """By how many points a bot wins more than the one before it of the same deals, with 95 % limits."""
    gaps = [50 * (each - other) for each, other in zip(won, before, strict=True)]
    mean = sum(gaps) / len(gaps)
    error = SURE * stdev(gaps) / sqrt(len(gaps)) if len(gaps) > 1 else 100.0
    return f"{mean:+.1f} points ({mean - error:+.1f} to {mean + error:+.1f})"


def line(names: tuple[str, str], won: Sequence[float]) -> str:
    rounds = 2 * len(won)
    told = [f"{100 * low:.1f} to {100 * high:.1f}" for low, high in (limits(sum(won) / rounds, rounds), paired(won))]
    bot, other = names
    return f"{bot:9} {other:12} {rounds:6} {100 * sum(won) / rounds:6.1f} {told[0]:>14} {told[1]:>14}"


def mistakes(rules: str) -> str:
    """How often each mistake is made by each strength, as lines of a table."""
    lines = [f"{'':16}" + "".join(f"{name:>10}" for name in PLACES)]
    for kind in Mistake:
        rates = (habits_at(places[rules]).rates[kind] for places in PLACES.values())
        lines.append(f"{kind.value:16}" + "".join(f"{rate:10.2f}" for rate in rates))
    return "\n".join(lines)


def climbed(rules: str, rounds: int, seed: int, names: Sequence[str]) -> bool:
    """Print what each of these strengths wins against the one below it; whether all is as it should be."""
    ladder: list[tuple[str, Bot]] = [("random", RandomBot()), *((name, make()) for name, make in STRENGTHS.items())]
    good = True
    for (below, weaker), (above, stronger) in pairwise(ladder):
        if above not in names:
            continue
        first, other = (weaker, stronger) if below == "random" else (stronger, weaker)
        low, high = RANDOM if below == "random" else STEP
        won = [of_a_deal(rules, first, other, f"{seed}:{number}") for number in range(rounds // 2)]
        good &= low <= sum(won) / rounds <= high
        print(line((below, above) if below == "random" else (above, below), won), flush=True)
    return good


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--rounds", type=int, default=200, help="of each pair (default: %(default)s)")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--bots", nargs="+", default=list(STRENGTHS), choices=list(STRENGTHS))
    parser.add_argument("--against", nargs="+", default=list(OUTSIDERS), choices=list(OPPONENTS))
    parser.add_argument("--rules", default="ferti-advanced", choices=list(RULE_SETS))
    parser.add_argument("--ladder", action="store_true", help="each of the bots against the one below it")
    asked = parser.parse_args()
    columns = f"{'bot':9} {'against':12} {'rounds':>6} {'won %':>6} {'Wilson':>14} {'by pairs':>14}"
    if asked.ladder:
        good = True
        for rules in RULE_SETS:
            print(f"{columns}   {rules}", flush=True)
            print(mistakes(rules), flush=True)
            good &= climbed(rules, asked.rounds, asked.seed, asked.bots)
        return 0 if good else 1
    print(f"{columns}   {asked.rules}", flush=True)
    before: dict[str, tuple[str, list[float]]] = {}
    for bot in asked.bots:
        for other in asked.against:
            own, opponent = STRENGTHS[bot](), OPPONENTS[other]()
            won: list[float] = []
            for number in range(asked.rounds // 2):
                won.append(of_a_deal(asked.rules, own, opponent, f"{asked.seed}:{number}"))
                if len(won) % TOLD_AFTER == 0:
                    print(line((bot, other), won), file=sys.stderr, flush=True)
            print(line((bot, other), won), flush=True)
            if other in before:
                one, less = before[other]
                print(f"{bot} over {one} against {other}, by the same deals: {ahead(won, less)}", flush=True)
            before[other] = bot, won
    return 0


if __name__ == "__main__":
    sys.exit(main())
