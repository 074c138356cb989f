"""What a player can do, by small numbers: the moves of the rounds a bot plays in its head.

An attack is one number: 0 none, 1 to 5 a direct one with so many cards, 6 to 10 an indirect one with that many less
five. Its value is the distance. The rules are ``engine.rules.legal``'s: nothing about them is said here again.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache, lru_cache
from itertools import product
from typing import Final, NamedTuple

from engine.rules.cards import HAND_SIZE, Card
from engine.rules.legal import Counts, Play, counts_of, plays_at
from engine.rules.state import Attack, AttackKind
from engine.rules.track import SPACES, Side

HANDS: Final[tuple[Counts, ...]] = tuple(
    (one, two, three, four, five)
    for one, two, three, four, five in product(range(HAND_SIZE + 1), repeat=5)
    if one + two + three + four + five <= HAND_SIZE
)
"""Every hand by values. The first is empty."""

INDEX: Final[dict[Counts, int]] = {counts: index for index, counts in enumerate(HANDS)}
SIZES: Final[tuple[int, ...]] = tuple(sum(counts) for counts in HANDS)
HELD: Final[tuple[tuple[int, ...], ...]] = tuple((0, *counts, *(0,) * (SPACES - 1 - len(counts))) for counts in HANDS)
"""``HELD[hand][distance]``: how many cards equal to the distance a hand holds; none where no card is as large."""


def _changed(counts: Counts, place: int, by: int) -> int:
    changed = list(counts)
    changed[place] += by
    return INDEX.get((changed[0], changed[1], changed[2], changed[3], changed[4]), -1)


DRAWN: Final[tuple[tuple[int, ...], ...]] = tuple(
    tuple(_changed(counts, place, +1) for place in range(5)) for counts in HANDS
)
"""``DRAWN[hand][value - 1]``: the hand with one card more; -1 for a hand that is full."""


def packed(counts: Sequence[int]) -> int:
    """Counts of each value, at most seven, as one number: three bits each, so that such numbers add up and subtract."""
    return sum(count << 3 * place for place, count in enumerate(counts))


PACKED: Final[tuple[int, ...]] = tuple(packed(counts) for counts in HANDS)
"""Every hand as one number that can be taken away from what is not played."""

BY_PACKED: Final[dict[int, int]] = {whole: index for index, whole in enumerate(PACKED)}
"""The number of the hand that such a number says."""


def hand_index(hand: Sequence[Card]) -> int:
    """The number of the hand these cards are."""
    return INDEX[counts_of(hand)]


def hand_of(places: Sequence[int]) -> int:
    """The number of the hand that cards of these values less one are; five at most."""
    hand = 0
    for place in places:
        hand = DRAWN[hand][place]
    return hand


def drawn_to(hand: int, values: Sequence[int]) -> int:
    """The number of this hand with cards of these values drawn to it."""
    for value in values:
        hand = DRAWN[hand][value - 1]
    return hand


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
    """Every turn of a player with this hand; empty where hit or stuck. ``room``: the spaces behind."""
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
