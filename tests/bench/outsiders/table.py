"""A round by values, played on in the head by nobody's judgement."""

from __future__ import annotations

from functools import cache
from random import Random
from typing import NamedTuple

from engine.players.bots.options import APART, DRAWN, SIZES, Option, hand_of, options
from engine.players.bots.sparring import compared, stand_of
from engine.rules.cards import HAND_SIZE
from engine.rules.possible import unseen_cards
from engine.rules.rulesets import RuleSet
from engine.rules.state import PlayerView

FAR = 2 * HAND_SIZE + 1
"""From here on the distance makes no difference to what can be done."""


@cache
def allowed(hand: int, distance: int, room: int, attack: int, final: bool, indirect: bool) -> tuple[Option, ...]:
    """``engine.players.bots.options.options``, none of them ever forgotten: rounds at random come to all of them."""
    return options(hand, distance, room, attack, final, indirect)


class Round(NamedTuple):
    """All of a round: the hands of the player to act and of the other, by number, and the pile, drawn from its end."""

    rules: RuleSet
    hand: int
    other: int
    distance: int
    gained: int
    attack: int
    pile: tuple[int, ...]

    def options(self) -> tuple[Option, ...]:
        far, room = min(self.distance, FAR), min(self.gained, HAND_SIZE)
        return allowed(self.hand, far, room, self.attack, not self.pile, self.rules.indirect_attacks)

    def after(self, option: Option) -> Round | float:
        """The round as the other sees it, or how it has ended for the player who did this: 1, 0.5 or 0."""
        rules, _, other, distance, gained, _, pile = self
        (_, move, _), hand, attack = option
        distance -= move
        gained += move
        if not pile:
            return compared(rules, hand, other, distance, gained, retreated=move < 0).share
        need = min(HAND_SIZE - SIZES[hand], len(pile))
        for _ in range(need):
            hand, pile = DRAWN[hand][pile[-1]], pile[:-1]
        if not pile and not attack:
            return compared(rules, hand, other, distance, gained, retreated=False).share
        return Round(rules, other, hand, distance, APART - distance - gained, attack, pile)

    def played_out(self, rng: Random) -> float:
        """How it ends for the player to act when both take any turn."""
        rules, hand, other, distance, gained, attack, pile = self
        indirect, left, mine, luck = rules.indirect_attacks, len(pile), True, rng.random
        while True:
            far = distance if distance < FAR else FAR
            room = gained if gained < HAND_SIZE else HAND_SIZE
            choices = allowed(hand, far, room, attack, left == 0, indirect)
            if not choices:
                return 0.0 if mine else 1.0
            (_, move, _), hand, attack = choices[int(luck() * len(choices))]
            distance -= move
            gained += move
            if not left:
                won = compared(rules, hand, other, distance, gained, retreated=move < 0).share
                return won if mine else 1.0 - won
            while left and SIZES[hand] < HAND_SIZE:
                left -= 1
                hand = DRAWN[hand][pile[left]]
            if not left and not attack:
                won = compared(rules, hand, other, distance, gained, retreated=False).share
                return won if mine else 1.0 - won
            hand, other = other, hand
            gained = APART - distance - gained
            mine = not mine


class Hidden:
    """What the player of this view has not seen, to be laid out as often as wished."""

    def __init__(self, view: PlayerView) -> None:
        self._rules = view.public.rules
        self._stand = stand_of(view)
        self._unseen = [card.value - 1 for card in unseen_cards(view.public, view.hand)]
        self._size = view.public.hands[view.side.other]

    def laid_out(self, rng: Random) -> Round:
        """One way the hidden cards may lie, each as likely as another."""
        hand, distance, gained, attack, _ = self._stand
        luck = rng.random
        unseen = sorted(self._unseen, key=lambda _: luck())  # any order; quicker than shuffling
        other, pile = hand_of(unseen[: self._size]), tuple(unseen[self._size :])
        return Round(self._rules, hand, other, distance, gained, attack, pile)
