"""Exact chances, as fractions, of what the opponent can do, from the public cards and one hand.

Every set of unseen cards is an equally likely hand (hypergeometric): how the opponent played is not weighed.
Source: the deck (RULES.md, "The game"); N. L. Johnson and S. Kotz, Urn Models, for the distribution.
"""

from __future__ import annotations

from collections.abc import Callable
from fractions import Fraction
from math import comb

from engine.rules.legal import Counts
from engine.rules.possible import HiddenHand, hidden_hand
from engine.rules.state import PlayerView, room_behind


def at_least(good: int, unseen: int, drawn: int, wanted: int) -> Fraction:
    """The chance that ``drawn`` of ``unseen`` cards, ``good`` of which are good, hold at least ``wanted`` good ones."""
    hits = range(max(wanted, 0), min(good, drawn) + 1)
    return Fraction(sum(comb(good, hit) * comb(unseen - good, drawn - hit) for hit in hits), comb(unseen, drawn))


def chance(hand: HiddenHand, holds: Callable[[Counts], bool]) -> Fraction:
    """The chance that a hidden hand is one for which ``holds`` is true."""
    return Fraction(sum(ways for counts, ways in hand.hands() if holds(counts)), hand.ways())


def opponent_hand(view: PlayerView) -> HiddenHand:
    """What the opponent can hold, as this player sees it."""
    return hidden_hand(view.public, view.side.other, view.hand)


def can_attack(view: PlayerView, distance: int) -> Fraction:
    """The chance that the opponent can attack from ``distance``: directly, or indirectly where the rules allow it."""
    indirect = view.public.rules.indirect_attacks
    return chance(opponent_hand(view), lambda counts: attacks(counts, distance, indirect))


def can_answer(view: PlayerView, value: int, count: int, *, indirect: bool) -> Fraction:
    """The chance that the opponent can parry an attack or, if it is ``indirect``, retreat from it."""
    room = room_behind(view.public.spaces, view.side.other) if indirect else 0

    def answers(counts: Counts) -> bool:
        return counts[value - 1] >= count or any(counts[: min(room, 5)])

    return chance(opponent_hand(view), answers)


def attacks(counts: Counts, distance: int, indirect: bool) -> bool:
    """Whether a hand with these cards can attack from this distance."""
    if 1 <= distance <= 5 and counts[distance - 1]:
        return True
    if not indirect:
        return False
    for step in range(1, 6):
        left = distance - step
        if 1 <= left <= 5 and counts[step - 1] and counts[left - 1] > (left == step):
            return True
    return False
