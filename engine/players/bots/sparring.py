"""Rounds played in the head: by values, both players by the learned judgement, each seeing only their own hand.

A position is a handful of small numbers, as the player to act sees it: ``gained`` is the spaces come forward
from their end, ``distance`` what lies between the fencers; the opponent has gained the rest. Attacks are numbers
(``engine.players.bots.options``), cards in a pile are values less one.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache, lru_cache
from math import exp
from typing import Final, NamedTuple

from engine.players.bots.judgement import Judgement, chance_of, learned
from engine.players.bots.options import (
    APART,
    BY_PACKED,
    DRAWN,
    HANDS,
    HELD,
    INDEX,
    PACKED,
    SIZES,
    Option,
    attack_number,
    hand_index,
    options,
)
from engine.rules.cards import HAND_SIZE
from engine.rules.endings import Ended, end_of_pile
from engine.rules.legal import Counts, Play, minus, plus
from engine.rules.possible import HiddenHand
from engine.rules.rulesets import RULE_SETS, RuleSet
from engine.rules.state import PlayerView, room_behind

REMEMBERED: Final = 1 << 12
"""How many positions a bot keeps its thoughts about, an MB and more. Beyond it forgets all and begins anew: more,
let go at once, would hold an answer up for as long as all the rest of it."""


class Stand(NamedTuple):
    """A position as the player to act knows it, besides the cards played. Pile 0: the last defence."""

    hand: int
    distance: int
    gained: int
    attack: int
    pile: int


class Valued(NamedTuple):
    """A possible turn and how good it is: the logarithm of the odds."""

    option: Option
    logit: float


Shares = tuple[tuple[tuple[float, ...], ...], ...]
"""What the end of the pile brings, by the distance, the spaces gained, and how many cards equal to the distance the
player holds more than the other: 1 won, 0.5 drawn, 0 lost."""

End = tuple[int, int, tuple[float, ...]]
"""A way a round can end, but for the other's hand: the distance, how many cards equal to it the player holds, and what
each number more than the other's brings."""

Reply = tuple[int, int, int, float]
"""A choice as the rounds in the head need it: the hand left, the spaces moved, the attack made, its chance.

A plain tuple of numbers, as all that is remembered here: collecting garbage passes it by, and no answer waits for it.
"""


class Sparring:
    """Choices by judgement. It remembers what it has thought out, and answers the same with or without that.

    ``unseen`` is everywhere what the player to act has not seen (``engine.players.bots.hands.packed``).
    """

    def __init__(self, rules: RuleSet, mind: Judgement) -> None:
        self.rules = rules
        self._logit = mind.logit
        self._shares = last_shares(rules.name)[0]
        self._replies: dict[tuple[int, ...], Reply | None] = {}

    def valued(self, stand: Stand, unseen: int) -> list[Valued]:
        """All that can be done, judged. Empty where the player is hit or stuck."""
        return [Valued(option, self.logit(option, stand, unseen)) for option in can_do(stand, self.rules)]

    def logit(self, option: Option, stand: Stand, unseen: int) -> float:
        """How good it is to do this: the logarithm of the odds."""
        move = option.play.move
        pile = after_drawing(option.left, stand.pile)
        return self._logit(option.left, stand.distance - move, stand.gained + move, option.attack, pile, unseen)

    def likelihoods(self, stand: Stand, unseen: int, spread: float) -> dict[Play, float]:
        """How likely a player of about this judgement makes each play: the less sharp the larger ``spread``."""
        valued = self.valued(stand, unseen)
        if not valued:
            return {}
        best = max(each.logit for each in valued)
        weights = [exp((each.logit - best) / spread) for each in valued]
        total = sum(weights)
        return {each.option.play: weight / total for each, weight in zip(valued, weights, strict=True)}

    def play_out(
        self, stand: Stand, hand: int, pile: Sequence[int], unplayed: int, turns: int, first: Option | None = None
    ) -> float:
        """How the round ends for the player who is **not** to act: 1 won, 0 lost, 0.5 drawn.

        ``stand`` is the opponent's, who is to act; ``hand`` that player's own. The pile is drawn from its end.
        ``unplayed``: all cards in hands and pile, packed. After so many turns the round is not played on but judged, by
        whoever is to act then. ``first``: what the opponent does, one of the turns; None for the best by judgement.
        """
        replies = self._replies
        mine = False
        one, distance, gained, attack, left = stand
        other = hand
        while left:
            if first is None:
                # A plain tuple finds what is kept as well as a Stand does, and is made in half the time.
                key = (one, distance, gained, attack, left, unplayed)
                reply = replies[key] if key in replies else self._reply(*key)
                if reply is None:
                    return 0.0 if mine else 1.0
                kept, move, attack, chance = reply
                if turns == 0:
                    return chance if mine else 1.0 - chance
            else:
                (_, move, _), kept, attack = first
                first = None
            turns -= 1
            unplayed -= PACKED[one] - PACKED[kept]
            one = kept
            distance -= move
            gained += move
            while left and SIZES[one] < HAND_SIZE:
                left -= 1
                one = DRAWN[one][pile[left]]
            if not left and not attack:
                won = self._shares[distance][gained][HELD[one][distance] - HELD[other][distance]]
                return won if mine else 1.0 - won
            one, other = other, one
            gained = APART - distance - gained
            mine = not mine
        won = last_defence(self.rules, Stand(one, distance, gained, attack, 0), other)
        return won if mine else 1.0 - won

    def _reply(self, hand: int, distance: int, gained: int, attack: int, pile: int, unplayed: int) -> Reply | None:
        """The best by judgement; None where nothing can be done."""
        unseen = unplayed - PACKED[hand]
        best: Reply | None = None
        highest = 0.0
        for (_, move, _), left, made in can_do(Stand(hand, distance, gained, attack, pile), self.rules):
            logit = self._logit(left, distance - move, gained + move, made, after_drawing(left, pile), unseen)
            if best is None or logit > highest:
                best, highest = (left, move, made, 0.0), logit
        if best is not None:
            best = (*best[:3], chance_of(highest))
        if len(self._replies) >= REMEMBERED:
            self._replies.clear()
        self._replies[hand, distance, gained, attack, pile, unplayed] = best
        return best


@cache
def sparring(rules_name: str, whose: str = "") -> Sparring:
    """The one for a preset, with everybody's weights or the ``MAESTRO``'s: all bots of a program think with it, and it
    keeps no secrets.

    Raises KeyError for a name that is no preset's.
    """
    return Sparring(RULE_SETS[rules_name], Judgement(learned(rules_name, whose)))


def stand_of(view: PlayerView) -> Stand:
    """What the player to act knows, by values."""
    public = view.public
    gained = room_behind(public.spaces, view.side)
    return Stand(hand_index(view.hand), public.distance, gained, attack_number(public.attack), public.pile)


def can_do(stand: Stand, rules: RuleSet) -> tuple[Option, ...]:
    """All the player to act can do."""
    distance, room = min(stand.distance, 2 * HAND_SIZE + 1), min(stand.gained, HAND_SIZE)
    return options(stand.hand, distance, room, stand.attack, stand.pile == 0, rules.indirect_attacks)


def last_defence(rules: RuleSet, stand: Stand, other: int) -> float:
    """How the round ends for the player who makes the last defence: 1, 0.5 or 0.

    The pile is empty, so the opponent's hand, ``other``, is known by counting, and the best turn is chosen.
    """
    held, best = HELD[other], 0.0
    for distance, own, shares in _defences(rules.name, stand):
        share = shares[own - held[distance]]
        if share > best:
            best = share
    return best


@lru_cache(maxsize=REMEMBERED)
def _defences(rules_name: str, stand: Stand) -> tuple[End, ...]:
    """All that a last defence can lead to."""
    shares = last_shares(rules_name)
    _, there, gained, _, _ = stand
    return tuple(
        [
            (there - move, HELD[left][there - move], shares[move < 0][there - move][gained + move])
            for (_, move, _), left, _ in can_do(stand, RULE_SETS[rules_name])
        ]
    )


def after_drawing(left: int, pile: int) -> int:
    """The cards in the pile once a hand is refilled from it."""
    return max(0, pile - (HAND_SIZE - SIZES[left]))


def compared(rules: RuleSet, hand: int, other: int, distance: int, gained: int, retreated: bool) -> Ended:
    """How the end of the pile decides for the player with ``hand``, ``gained`` spaces forward.

    ``retreated``: from the final attack.
    """
    further = 2 * gained - (APART - distance)
    return end_of_pile(rules, distance, HANDS[hand], HANDS[other], further, retreated)


@cache
def last_shares(rules_name: str) -> tuple[Shares, Shares]:
    """What ``compared`` says of every end of a round, as tables: not retreated, and retreated, from the final attack.

    Raises KeyError for a name that is no preset's.
    """
    rules = RULE_SETS[rules_name]
    most = range(HAND_SIZE + 1)
    # What is fewer comes last, the most fewer first: where a negative place of a tuple is looked up.
    more = [*((own, 0) for own in most), *((0, other) for other in reversed(most[1:]))]

    def shares(distance: int, gained: int, retreated: bool) -> tuple[float, ...]:
        if not 0 < distance <= HAND_SIZE:  # no card is equal to the distance
            return (compared(rules, 0, 0, distance, gained, retreated).share,) * len(more)
        one = PACKED[DRAWN[0][distance - 1]]
        return tuple(
            compared(rules, BY_PACKED[own * one], BY_PACKED[other * one], distance, gained, retreated).share
            for own, other in more
        )

    def table(retreated: bool) -> Shares:
        return tuple(
            tuple(shares(distance, gained, retreated) for gained in range(APART - distance + 1))
            for distance in range(APART + 1)
        )

    return table(retreated=False), table(retreated=True)


# A turn that draws the last card is counted exactly: the opponent holds all unseen cards but the draw, and knows it, so
# every draw counts by its ways, against the best last defence. Source: RULES.md, "When the last card is drawn".


def is_last(option: Option, stand: Stand) -> bool:
    """Whether nothing is left in the pile after this turn."""
    return after_drawing(option.left, stand.pile) == 0


def last_chance(rules: RuleSet, stand: Stand, option: Option, unseen: Counts) -> float:
    """The chance of winning by a turn after which the pile is empty; a drawn round counts half.

    ``unseen``: how many cards of each value the player has not seen, all of them in the pile or the opponent's hand.
    """
    move = option.play.move
    distance, gained = stand.distance - move, stand.gained + move
    draws = HiddenHand(unseen, stand.pile)
    total = 0.0
    for drawn, ways in draws.hands():
        mine, theirs = INDEX[plus(HANDS[option.left], drawn)], INDEX[minus(unseen, drawn)]
        if option.attack:
            there = Stand(theirs, distance, APART - distance - gained, option.attack, 0)
            total += ways * (1.0 - last_defence(rules, there, mine))
        else:
            retreated = stand.pile == 0 and move < 0
            total += ways * compared(rules, mine, theirs, distance, gained, retreated).share
    return total / draws.ways()
