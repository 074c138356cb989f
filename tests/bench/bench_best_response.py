"""What somebody wins who knows how the maestro judges: a local best response over whole rounds. A script.

He weighs every hand the maestro may hold by all the maestro's turns of the round, as likely as a player makes them who
judges as the maestro does and hardly ever errs; tries each of his own better turns in the same layouts against that
player's answer, and takes the best. What comes after is judged by the learned judgement. It is a lower bound: a player
who lost nothing to anybody would leave him 50 %. Source: V. Lisy and M. Bowling, Equilibrium approximation quality of
current no-limit poker bots (2017), for the local best response.
"""

from __future__ import annotations

import argparse
import sys
from collections.abc import Sequence
from random import Random
from typing import Final

from bench_ladder import OPPONENTS, TOLD_AFTER, line, of_a_deal

from engine.players.bots.beliefs import OpponentTurn, opponents_turns
from engine.players.bots.kinds import Judging, answer
from engine.players.bots.maestro import Contender, Maestro
from engine.players.bots.options import APART, DRAWN, PACKED, SIZES, Option, hand_of, packed
from engine.players.bots.sparring import Stand, can_do, sparring
from engine.rules.cards import HAND_SIZE
from engine.rules.possible import unseen_cards
from engine.rules.rulesets import RULE_SETS
from engine.rules.state import PlayerView

SPREAD: Final = 0.05
"""How sharply he takes the maestro to choose (``kinds.Judging``)."""
WHIM: Final = 0.02
"""The chance of any turn whatever: the maestro searches, and sometimes chooses otherwise."""
LAYOUTS: Final = 120
"""Hands and piles that every turn is tried in."""
SAMPLED: Final = 4
"""As many layouts are drawn for each that is used, the likelier ones."""
TURNS: Final = 5
"""How many of the maestro's last turns are weighed."""


class BestResponse(Maestro):
    """Knows how the other judges, and searches against that; ends a round as the maestro does."""

    def __init__(self, rules: str) -> None:
        self._rules = RULE_SETS[rules]
        self._mind = sparring(rules)
        self._other = Judging(self._mind, SPREAD)

    def search(self, view: PlayerView, stand: Stand, running: list[Contender], rng: Random) -> Option:
        options = [each.option for each in running]
        layouts = self._layouts(view, rng) if len(options) > 1 else []
        return max(options, key=lambda option: self._tried(view, stand, option, layouts))

    def _layouts(self, view: PlayerView, rng: Random) -> list[tuple[int, list[int], float]]:
        """Hands of the other and piles, likelier ones more often, each with a number that his answer is drawn by."""
        unseen = [card.value - 1 for card in unseen_cards(view.public, view.hand)]
        size = view.public.hands[view.side.other]
        past = opponents_turns(view, TURNS)
        found, weights = [], []
        for _ in range(LAYOUTS * SAMPLED):
            rng.shuffle(unseen)
            found.append((unseen[:size], unseen[size:]))
            weights.append(self._likely(unseen[:size], past, rng))
        return [(hand_of(held), pile, rng.random()) for held, pile in rng.choices(found, weights, k=LAYOUTS)]

    def _likely(self, held: Sequence[int], past: Sequence[OpponentTurn], rng: Random) -> float:
        cards, likely = list(held), 1.0
        for turn in past:
            rng.shuffle(cards)
            cards = [*cards[turn.drawn :], *turn.laid]
            stand = turn.stand._replace(hand=hand_of(cards))
            plays = [option.play for option in can_do(stand, self._rules)]
            chances = self._other.chances(stand, turn.unplayed - PACKED[stand.hand])
            likely *= WHIM + (chances[plays.index(turn.play)] if turn.play in plays else 0.0)
        return likely

    def _tried(
        self, view: PlayerView, stand: Stand, option: Option, layouts: Sequence[tuple[int, list[int], float]]
    ) -> float:
        """What the turn brings in all these layouts."""
        play, left, attack = option
        distance, theirs = stand.distance - play.move, APART - stand.distance - stand.gained
        unplayed = packed(tuple(view.public.unseen_counts.values())) - PACKED[stand.hand] + PACKED[left]
        total = 0.0
        for other, pile, luck in layouts:
            hand, cards = left, stand.pile
            while cards and SIZES[hand] < HAND_SIZE:
                cards -= 1
                hand = DRAWN[hand][pile[cards]]
            there = Stand(other, distance, theirs, attack, cards)
            reply = answer(self._other, there, unplayed, self._rules, Random(luck)) if cards else None
            total += self._mind.play_out(there, hand, pile, unplayed, 1, reply)
        return total


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--rounds", type=int, default=200, help="under each preset (default: %(default)s)")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--against", default="maestro", choices=list(OPPONENTS))
    parser.add_argument("--rules", nargs="+", default=list(RULE_SETS), choices=list(RULE_SETS))
    asked = parser.parse_args()
    print(f"{'bot':9} {'against':12} {'rounds':>6} {'won %':>6} {'Wilson':>14} {'by pairs':>14}", flush=True)
    for rules in asked.rules:
        own, other, won = BestResponse(rules), OPPONENTS[asked.against](), []
        for number in range(asked.rounds // 2):
            won.append(of_a_deal(rules, own, other, f"{asked.seed}:{number}"))
            if len(won) % TOLD_AFTER == 0:
                print(line(("response", asked.against), won), file=sys.stderr, flush=True)
        print(f"{line(('response', asked.against), won)}   {rules}", flush=True)
    return 0


if __name__ == "__main__":
    sys.exit(main())
