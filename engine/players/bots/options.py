"""What a player can do, by small numbers: the moves of the rounds a bot plays in its head.

An attack is one number: 0 none, 1 to 5 a direct one with so many cards, 6 to 10 an indirect one with that many less
five. Its value is the distance. The rules are ``engine.rules.legal``'s: nothing about them is said here again.
"""

from __future__ import annotations

from functools import cache, lru_cache
from typing import Final, NamedTuple

from engine.players.bots.hands import BY_PACKED, HANDS, PACKED
from engine.rules.cards import HAND_SIZE
from engine.rules.legal import Play, plays_at
from engine.rules.state import Attack, AttackKind
from engine.rules.track import SPACES, Side

APART: Final = SPACES - 1
"""The distance at the start. The distance and the spaces both have gained always add up to it."""

INDIRECT: Final = HAND_SIZE
"""An attack's number is its count of cards, and this much more for an indirect one."""


_ONE: Final = (0, *(1 << 3 * place for place in range(HAND_SIZE)), *(0,) * (SPACES - HAND_SIZE))
"""A card of each value, as ``hands.packed`` has them; 0 for no card, and for distances that are no card's."""


class Option(NamedTuple):
    """One thing a player can do: the play, the hand it leaves before drawing, the attack it makes."""

    play: Play
    left: int
    attack: int


@lru_cache(maxsize=1 << 14)
def options(hand: int, distance: int, room: int, attack: int, final: bool, indirect: bool) -> tuple[Option, ...]:
    """All a player with this hand can do; empty where he is hit or stuck. ``room`` spaces lie behind him."""
    counts = HANDS[hand]
    pending = _attack(attack, distance)
    plays = plays_at(counts, distance, room, pending, final, indirect)
    return tuple(_option(hand, distance, play) for play in plays)


def attack_number(attack: Attack | None) -> int:
    """The number of an attack that waits for its answer."""
    if attack is None:
        return 0
    return attack.count + (INDIRECT if attack.kind is AttackKind.INDIRECT else 0)


@cache
def _attack(number: int, distance: int) -> Attack | None:
    if not number:
        return None
    kind = AttackKind.INDIRECT if number > INDIRECT else AttackKind.DIRECT
    # Whose attack it is makes no difference to what answers it.
    return Attack(Side.WHITE, kind, distance, number - INDIRECT if number > INDIRECT else number)


def _option(hand: int, distance: int, play: Play) -> Option:
    parry, move, attack = play
    gone = parry * _ONE[distance] + _ONE[abs(move)] + attack * _ONE[distance - move]
    made = attack + (INDIRECT if attack and move else 0)
    return _shared(play, BY_PACKED[PACKED[hand] - gone], made)


@lru_cache(maxsize=1 << 15)
def _shared(play: Play, left: int, attack: int) -> Option:
    """The one option of these numbers, as ``engine.rules.legal`` shares its plays."""
    return Option(play, left, attack)
