"""Whether what the review calls a mistake was one: ``PYTHONPATH=. python tests/bench/bench_mistakes.py``.

Bots play rounds against themselves; every turn is judged as the review does, by what the table saw. Each mistake with
cards in the pile is then priced by another solver (``tests.bench.hidden_hands.priced``) with the hand the bot really
held and nothing else. Prints a line for each bot: turns, signs, mistakes, how many of them were the best turn by price,
and how many of the turns called better were worth less than the turn made. Exit status 1 where there is one of either.
"""

from __future__ import annotations

import argparse
import sys
from collections import Counter
from random import Random
from statistics import fmean

from hidden_hands import priced

from engine.players.bots.sparring import can_do, stand_of
from engine.players.bots.strengths import STRENGTHS
from engine.players.players import choice_event
from engine.players.simulation import new_match, play, reveal, start_round
from engine.record.course import CourseStep
from engine.review.judging import Judged, Kind, judged_turn
from engine.review.own_puzzle import own_hands
from engine.review.proof import Basis, fitting
from engine.rules.legal import counts_of
from engine.rules.possible import unseen_cards
from engine.rules.rulesets import FERTI_ADVANCED, RULE_SETS
from engine.rules.state import FullState, PlayerView

WITHIN = 0.002
"""What two solvers may differ by."""


def main(arguments: list[str] | None = None) -> int:
    """Print it; 1 where a mistake was none."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").split("\n")[0])
    parser.add_argument("--bots", nargs="*", choices=STRENGTHS, default=list(STRENGTHS), help="(all)")
    parser.add_argument("--rounds", type=int, default=600, help="of each (%(default)s)")
    parser.add_argument("--seed", type=int, default=1, help="(%(default)s)")
    parser.add_argument("--rules", choices=RULE_SETS, default=FERTI_ADVANCED.name, help="(%(default)s)")
    asked = parser.parse_args(arguments)
    wrong = 0
    for name in asked.bots:
        counts, losses = checked(name, asked.rounds, asked.seed, asked.rules)
        wrong += counts["was the best"] + counts["advice is worse"]
        signs = ", ".join(f"{sign} {counts[sign]}" for sign in ("!!", "!", "ok", "?", "??", "none"))
        kinds = ", ".join(f"{kind.value} {counts[kind.value]}" for kind in Kind)
        mean = f"mean loss {fmean(losses):.3f}" if losses else "no loss"
        anew = ", ".join(f"{what} {counts[what]}" for what in ("priced anew", "was the best", "advice is worse"))
        print(f"{name}: {asked.rounds} rounds, {counts['turns']} turns; {signs}; {kinds}; {anew}, {mean}", flush=True)
    return int(wrong > 0)


def checked(name: str, rounds: int, seed: int, rules: str) -> tuple[Counter[str], list[float]]:
    """What was found in so many rounds of this bot against itself, and what its mistakes lost by price."""
    counts: Counter[str] = Counter()
    losses: list[float] = []
    for number in range(rounds):
        steps, hidden = round_of(name, rules, f"{seed} {number}")
        fits, hands = fitting(steps), own_hands(steps)
        for place, step in enumerate(steps):
            judged = judged_turn(step, hands[place], fits.get(place, ()))
            if judged is None:
                continue
            counts["turns"] += 1
            counts[judged.sign.value if judged.sign is not None else "none"] += 1
            if judged.kind is not None:
                counts[judged.kind.value] += 1
            if judged.kind is Kind.MISTAKE:
                _check(hidden[place].view(judged.side), judged, counts, losses)
    return counts, losses


def round_of(name: str, rules: str, seed: str) -> tuple[list[CourseStep], list[FullState]]:
    """A round of this bot against itself: its steps, and all cards before each."""
    rng, bot = Random(seed), STRENGTHS[name]()
    full = start_round(new_match(rules, 99), rng)
    steps, hidden = [], []
    while full.public.result is None:
        side = full.public.to_act
        event = reveal(full) if side is None else choice_event(full.public, bot.choose(full.view(side), rng))
        hidden.append(full)
        full, ruling = play(full, event)
        steps.append(CourseStep(event, ruling, full.public))
    return steps, hidden


def _check(view: PlayerView, judged: Judged, counts: Counter[str], losses: list[float]) -> None:
    better, pile = judged.better, view.public.pile
    assert better is not None
    if not 0 < pile <= 3:
        counts["every hand" if better.basis is Basis.EVERY_HAND else "no pile"] += 1
        return
    stand, unseen = stand_of(view), counts_of(unseen_cards(view.public, view.hand))
    prices = {
        option.play: priced(view.public.rules, stand, option, unseen).value
        for option in can_do(stand, view.public.rules)
    }
    loss = max(prices.values()) - prices[judged.taken]
    losses.append(loss)
    counts["priced anew"] += 1
    counts["was the best"] += loss < WITHIN
    counts["advice is worse"] += prices[better.play] < prices[judged.taken] + WITHIN


if __name__ == "__main__":
    sys.exit(main())
