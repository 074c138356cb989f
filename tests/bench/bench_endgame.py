"""What the bots lose at the end of a round, decision by decision, by an exact solver with hidden hands. A script.

Positions with two to four cards in the pile are drawn from rounds of one bot against itself. Every turn of every one is
priced by minimising regret (``hidden_hands``), and each bot's loss is how much less its turn is worth than the best.
The other is taken to know the hand of whoever acts, or with ``--own-hidden`` not to know it either. Printed with the
standard error of the mean, and with the processor's time that solving a position took.
"""

from __future__ import annotations

import argparse
import sys
from collections.abc import Callable, Iterator
from math import sqrt
from random import Random
from statistics import stdev
from time import process_time

from hidden_hands import priced, priced_own_hidden

from engine.players.bots.options import Option
from engine.players.bots.sparring import can_do, stand_of
from engine.players.bots.strengths import STRENGTHS
from engine.players.players import Bot, GreedyBot, RandomBot, choice_event
from engine.players.simulation import new_match, play_round
from engine.rules.events import Event
from engine.rules.legal import counts_of, play_event
from engine.rules.possible import unseen_cards
from engine.rules.rulesets import RULE_SETS
from engine.rules.state import PlayerView
from engine.rules.track import BySide

BOTS: dict[str, Callable[[], Bot]] = {"random": RandomBot, "greedy": GreedyBot, **STRENGTHS}
AIMS = {2: 0.003, 3: 0.003, 4: 0.003}
"""The maestro's largest mean loss, by cards in the pile."""


def positions(rules: str, by: str, rounds: int, seed: int) -> Iterator[PlayerView]:
    """What the players saw who had more than one turn to choose from, with two to four cards in the pile."""
    rng, public = Random(seed), new_match(rules, rounds + 1)
    for _ in range(rounds):
        seen: list[tuple[PlayerView, Event]] = []
        public = play_round(public, BySide(BOTS[by](), BOTS[by]()), rng, seen)
        for view, _ in seen:
            if view.public.pile in AIMS and len(can_do(stand_of(view), view.public.rules)) > 1:
                yield view


def drawn(asked: argparse.Namespace) -> Iterator[tuple[int, int, PlayerView]]:
    """The positions that are asked for, each with its seed and its number."""
    for seed in range(asked.seed, asked.seed + asked.seeds):
        for number, view in enumerate(positions(asked.rules, asked.by, asked.rounds, seed)):
            if view.public.pile in asked.piles:
                yield seed, number, view


def prices(view: PlayerView, own_hidden: bool = False) -> dict[Event, float]:
    """What every turn is worth for certain, or when nobody sees the hand of whoever acts."""
    stand, unseen = stand_of(view), counts_of(unseen_cards(view.public, view.hand))
    rules = view.public.rules

    if own_hidden:
        worths = priced_own_hidden(rules, stand, unseen)
        return {play_event(view.public, view.hand, play): worth for play, worth in worths.items()}

    def price(option: Option) -> float:
        return priced(rules, stand, option, unseen).value

    return {play_event(view.public, view.hand, each.play): price(each) for each in can_do(stand, rules)}


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--rounds", type=int, default=100, help="that positions come from (default: %(default)s)")
    parser.add_argument("--by", default="greedy", choices=list(BOTS), help="who plays them (default: %(default)s)")
    parser.add_argument("--bots", nargs="+", default=list(BOTS), choices=list(BOTS))
    parser.add_argument("--rules", default="ferti-advanced", choices=list(RULE_SETS))
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--seeds", type=int, default=1, help="in a row, as many rounds of each (default: %(default)s)")
    parser.add_argument("--piles", type=int, nargs="+", default=list(AIMS), choices=list(AIMS), help="default: all")
    parser.add_argument("--own-hidden", action="store_true", help="the hand of whoever acts is hidden, too")
    parser.add_argument("--show", type=float, default=2.0, help="say which positions cost the maestro so much")
    asked = parser.parse_args()
    losses: dict[tuple[str, int], list[float]] = {(name, pile): [] for name in asked.bots for pile in asked.piles}
    solved_s: dict[int, list[float]] = {pile: [] for pile in asked.piles}
    for seed, number, view in drawn(asked):
        began_s = process_time()
        worths = prices(view, asked.own_hidden)
        solved_s[view.public.pile].append(process_time() - began_s)
        best = max(worths.values())
        for name in asked.bots:
            event = choice_event(view.public, BOTS[name]().choose(view, Random(f"{seed}:{number}")))
            losses[name, view.public.pile].append(best - worths[event])
            if name == "maestro" and best - worths[event] >= asked.show:
                print(seed, number, view.public.pile, stand_of(view), sorted(worths.values()), worths[event])
    print(f"{'mean loss':10}" + "".join(f"{f'pile {pile}':>26}" for pile in asked.piles) + f"   {asked.rules}")
    over = False
    for name in asked.bots:
        line = f"{name:10}"
        for pile in asked.piles:
            found = losses[name, pile]
            mean = sum(found) / max(1, len(found))
            error = stdev(found) / sqrt(len(found)) if len(found) > 1 else 0.0
            over |= name == "maestro" and mean > AIMS[pile]
            line += f"{f'{mean:.4f} +- {error:.4f} ({len(found)})':>26}"
        print(line, flush=True)
    print(
        f"{'solved in':10}"
        + "".join(
            f"{f'{sum(took) / max(1, len(took)):.3f} s, at most {max(took, default=0):.3f}':>26}"
            for took in solved_s.values()
        )
    )
    return 1 if over else 0


if __name__ == "__main__":
    sys.exit(main())
