"""Exact values of whole games with a short piste and few cards, for others to check their programs against. A script.

Everything is played by the rules of a preset but for the piste, the values, the cards of each and the hand: the fencers
begin at both ends, nobody knows more than his own hand, and a round goes on to its end. Solved by minimising regret
(``hidden_hands``) until best replies to both are close. Printed: what a round is worth to whoever begins, 1 won and 0.5
drawn, as the two bounds that best replies leave.
"""

from __future__ import annotations

import argparse
import sys
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Final, NamedTuple

from hidden_hands import ROOT, Known, Level, Solver

from engine.rules.cards import HAND_SIZE, VALUES
from engine.rules.endings import end_of_pile
from engine.rules.legal import Counts, Play, plays_at
from engine.rules.possible import HiddenHand
from engine.rules.rulesets import RULE_SETS, RuleSet
from engine.rules.state import Attack, AttackKind
from engine.rules.track import Side


@dataclass(frozen=True)
class Size:
    """A cut-down game: spaces of the piste, the largest value, cards of each value, cards in a hand.

    Raises ValueError for what cannot be dealt, or is more than the game has.
    """

    spaces: int
    values: int
    copies: int
    hand: int

    def __post_init__(self) -> None:
        if not (2 <= self.spaces <= 23 and 1 <= self.values <= len(VALUES) and 1 <= self.copies <= 5):
            raise ValueError(f"expected 2 to 23 spaces, 1 to 5 values and 1 to 5 cards of each, found {self}")
        if not 1 <= self.hand <= min(HAND_SIZE, (self.values * self.copies - 1) // 2):
            raise ValueError(f"two hands and a pile cannot be dealt from {self.values * self.copies} cards: {self}")

    @property
    def deck(self) -> Counts:
        one, two, three, four, five = (self.copies * (value <= self.values) for value in VALUES)
        return one, two, three, four, five


TABLE: Final = tuple(
    Size(spaces, *cards) for cards in ((2, 4, 2), (3, 3, 3), (3, 3, 2), (3, 4, 4)) for spaces in (9, 10, 11)
)
"""What is solved where nothing else is asked for."""


class Place(NamedTuple):
    """All of a round: hands of the player to act and of the other, pile, distance, spaces gained by both, attack."""

    hand: Counts
    other: Counts
    pile: Counts
    distance: int
    gained: int
    theirs: int
    attack: Attack | None


class SmallGame:
    """All ways a round of this size can go, with who knows what. Player 0 begins, and 1 answers."""

    def __init__(self, rules: RuleSet, size: Size) -> None:
        self.rules, self.size = rules, size
        self.levels: list[Level] = [Level()]
        self.first: list[int] = []
        self.player: list[int] = []
        self._sets: dict[Known, int] = {}
        self._choices = 0
        self._waiting: list[tuple[int, Place, Known, Known]] = []
        for hand, chance, rest in _drawn(size.deck, size.hand):
            for other, likely, pile in _drawn(rest, size.hand):
                self.levels[0].add(ROOT, ROOT, chance * likely, None)
                place = Place(hand, other, pile, size.spaces - 1, 0, 0, None)
                self._waiting.append((len(self.levels[0].parent) - 1, place, (hand,), (other,)))
        player = 0
        while self._waiting:
            now, self._waiting = self._waiting, []
            self.levels.append(Level())
            for parent, place, own, other_knows in now:
                self._act(player, parent, place, own, other_knows)
            player = 1 - player
        self.first.append(self._choices)

    @property
    def positions(self) -> int:
        return sum(len(level.parent) for level in self.levels)

    def _plays(self, place: Place) -> tuple[Play, ...]:
        final = not any(place.pile)
        return plays_at(place.hand, place.distance, place.gained, place.attack, final, self.rules.indirect_attacks)

    def _act(self, player: int, parent: int, place: Place, own: Known, other: Known) -> None:
        plays = self._plays(place)
        number = self._sets.get((player, *own))
        if number is None:
            number = self._sets[player, *own] = len(self.first)
            self.first.append(self._choices)
            self.player.append(player)
            self._choices += len(plays)
        for slot, play in enumerate(plays, self.first[number]):
            for chance, hand, value, following in self._after(place, play):
                self.levels[-1].add(parent, slot, chance, value)
                if following is not None:
                    self._waiting.append(
                        (len(self.levels[-1].parent) - 1, following, (*other, play), (*own, play, hand))
                    )

    def _after(self, place: Place, play: Play) -> Iterator[tuple[float, Counts, float | None, Place | None]]:
        """Every draw: its chance, the hand then, and what the round brings whoever played, or how it goes on."""
        left, distance, gained = _laid(place, play), place.distance - play.move, place.gained + play.move
        attack = None
        if play.attack:
            kind = AttackKind.INDIRECT if play.move else AttackKind.DIRECT
            attack = Attack(Side.WHITE, kind, distance, play.attack)
        missing = min(self.size.hand - sum(left), sum(place.pile))
        for taken, chance, pile in _drawn(place.pile, missing):
            hand = _sum(left, taken)
            there = Place(place.other, hand, pile, distance, place.theirs, gained, attack)
            if attack is None and not any(pile):
                yield chance, hand, self._compared(hand, place.other, distance, gained - place.theirs, False), None
            elif not any(pile):  # the last defence: who makes it knows all cards
                ends = [
                    self._compared(
                        _laid(there, each), hand, distance - each.move, place.theirs + each.move - gained, each.move < 0
                    )
                    for each in self._plays(there)
                ]
                yield chance, hand, 1.0 - max(ends, default=0.0), None
            elif not self._plays(there):
                yield chance, hand, 1.0, None
            else:
                yield chance, hand, None, there

    def _compared(self, own: Counts, other: Counts, distance: int, further: int, retreated: bool) -> float:
        if distance > HAND_SIZE:  # no card is equal to it
            own = other = (0, 0, 0, 0, 0)
        return end_of_pile(self.rules, min(distance, HAND_SIZE), own, other, further, retreated).share


def _laid(place: Place, play: Play) -> Counts:
    """The hand once the play is made."""
    counts = list(place.hand)
    if play.parry:
        counts[place.distance - 1] -= play.parry
    if play.move:
        counts[abs(play.move) - 1] -= 1
    if play.attack:
        counts[place.distance - play.move - 1] -= play.attack
    return counts[0], counts[1], counts[2], counts[3], counts[4]


def _sum(one: Counts, more: Counts, sign: int = 1) -> Counts:
    first, second, third, fourth, fifth = (held + sign * other for held, other in zip(one, more, strict=True))
    return first, second, third, fourth, fifth


def _drawn(cards: Counts, count: int) -> Iterator[tuple[Counts, float, Counts]]:
    """Everything so many of these cards can be: with its chance, and what is left."""
    drawing = HiddenHand(cards, count)
    for taken, ways in drawing.hands():
        yield taken, ways / drawing.ways(), _sum(cards, taken, -1)


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--size", type=int, nargs=4, metavar=("SPACES", "VALUES", "COPIES", "HAND"), help="of one game")
    parser.add_argument("--rules", nargs="+", default=list(RULE_SETS), choices=list(RULE_SETS))
    parser.add_argument("--gap", type=float, default=2e-4, help="between best replies (default: %(default)s)")
    parser.add_argument("--rounds", type=int, default=2_000, help="of learning at most (default: %(default)s)")
    asked = parser.parse_args()
    print(f"{'spaces':>6} {'values':>6} {'copies':>6} {'hand':>4} {'positions':>9} {'sets':>6}  who begins wins")
    for size in [Size(*asked.size)] if asked.size else TABLE:
        for name in asked.rules:
            game = SmallGame(RULE_SETS[name], size)
            solution = Solver(game).solved(asked.gap, asked.rounds)
            print(
                f"{size.spaces:6} {size.values:6} {size.copies:6} {size.hand:4} {game.positions:9} {solution.sets:6}  "
                f"{1 - solution.high:.4f} to {1 - solution.low:.4f} {name}",
                flush=True,
            )
    return 0


if __name__ == "__main__":
    sys.exit(main())
