"""How good a position is for the player who has just made a turn, from what that player knows.

A small network: every feature of the position that holds (``engine.players.bots.judgement``) says something of the odds
straight away, and something to each of a few units, which speak up, for the player or against, where enough comes
together. The sum is the logarithm of the odds of winning the round. The weights are learned from rounds the bots played
against themselves (``tests/bench/bot_school.cpp``): nobody chose them by hand. They are whole numbers, so that the same
position has the same judgement on every machine.
Source: G. Tesauro, Temporal difference learning and TD-Gammon (1995), for the idea; L. Lamport, Multiple byte
processing with full-word instructions (1975), for adding up many numbers as one.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from importlib.resources import files
from math import exp
from typing import Final

from engine.players.bots.options import APART, HANDS, INDIRECT
from engine.rules.cards import HAND_SIZE, VALUES
from engine.rules.state import PILE_SIZE

# Features: the rows of the table of weights that count for a position as a player has just left it (the hand before it
# is refilled). Rows of the hand and of unseen cards depend on the distance, or on the attack made from there.

FAR: Final = 11
"""Distances from here on are one situation: nobody can attack before coming nearer by a turn."""
SITUATIONS: Final = FAR + 2 * HAND_SIZE
_HELD: Final = HAND_SIZE + 1
_STAGES: Final = 7
_MAX_LEAD: Final = 7


class _Layout:
    """Where each group of rows begins."""

    def __init__(self) -> None:
        self.size = 0

    def group(self, *sizes: int) -> int:
        begin = self.size
        count = 1
        for size in sizes:
            count *= size
        self.size += count
        return begin


_layout = _Layout()
_LEFT = _layout.group(SITUATIONS, len(VALUES), _HELD)
_UNSEEN = _layout.group(SITUATIONS, len(VALUES), _HELD)
_STRIKE = _layout.group(2 * HAND_SIZE + 1, _HELD)
_REACH = _layout.group(HAND_SIZE, _HELD, _HELD)
_APART = _layout.group(APART + 1)
_GAINED = _layout.group(APART + 1)
_THEIRS = _layout.group(APART + 1)
_PILE = _layout.group(PILE_SIZE + 1)
_LEAD = _layout.group(_STAGES, 2 * _MAX_LEAD + 1)
NONE: Final = _layout.group(1)
"""A row without weight, for what is not there."""
ROWS: Final = _layout.size


def situation_of(distance: int, attack: int) -> int:
    """The number of the situation: of the distance alone, or with a direct or an indirect attack from there."""
    if attack:
        return FAR + (HAND_SIZE if attack > INDIRECT else 0) + distance - 1
    return min(distance, FAR) - 1


def left_rows(situation: int, left: int) -> tuple[int, ...]:
    """For the hand a player keeps, by number."""
    return tuple(_LEFT + (situation * 5 + place) * _HELD + held for place, held in enumerate(HANDS[left]))


def unseen_rows(situation: int, unseen: int) -> tuple[int, int, int, int, int]:
    """For how many cards of each value (``hands.packed``) are in the opponent's hand or in the pile."""
    first = _UNSEEN + situation * 5 * _HELD
    return (
        first + (unseen & 7),
        first + _HELD + (unseen >> 3 & 7),
        first + 2 * _HELD + (unseen >> 6 & 7),
        first + 3 * _HELD + (unseen >> 9 & 7),
        first + 4 * _HELD + (unseen >> 12 & 7),
    )


def meeting_row(distance: int, attack: int, kept: int, there: int) -> int:
    """For the cards equal to the distance: ``kept`` in the own hand, ``there`` unseen, that could answer or attack."""
    if attack:
        return _STRIKE + attack * _HELD + there
    if distance > HAND_SIZE:
        return NONE
    return _REACH + ((distance - 1) * _HELD + kept) * _HELD + there


def place_rows(distance: int, gained: int, pile: int) -> tuple[int, ...]:
    """For where both stand, and for how much is left to draw."""
    theirs = APART - distance - gained
    lead = max(-_MAX_LEAD, min(_MAX_LEAD, gained - theirs)) + _MAX_LEAD
    stage = min(pile, _STAGES - 1)
    return (
        _APART + distance,
        _GAINED + gained,
        _THEIRS + theirs,
        _PILE + pile,
        _LEAD + stage * (2 * _MAX_LEAD + 1) + lead,
    )


LEARNED: Final = {
    "ferti-classic": "classic.txt",
    "ferti-advanced": "advanced.txt",
    "brettspielnetz": "brettspielnetz.txt",
}
"""The file of what was learned under each preset, as ``bot_school`` writes it."""
MAESTRO: Final = "maestro_"
"""Before the name of each file: what was learned in part against a player of another kind, too."""
WEIGHT_UNIT: Final = 1 / 1024

REMEMBERED: Final = 1 << 13
"""How many sums of one kind are kept, some MB in all. Beyond it they are forgotten and made anew."""

Weights = Sequence[Sequence[int]]
"""``ROWS`` rows of whole numbers, all as wide: one for the odds, then one for each unit. The first half of the units
speaks for the player, the second against."""

# A row of weights is one large number with a lane of bits for each, so that Python adds up rows in one go. The units
# for the player come first, then those against, then the odds. In the end every lane is raised by the same, so
# that none borrows from the next, and its highest bit says that the sum is not negative.
_LANE: Final = 30
_WHOLE: Final = 1 << 22
_FLAG_BIT: Final = _WHOLE.bit_length() - 1
_ALL_LANES: Final = (1 << _LANE) - 1

_DIGITS: Final = 91
_SIGNS: Final = "".join(sign for sign in map(chr, range(ord("#"), ord("~") + 1)) if sign != "\\")
"""The digits as text: none of them means anything between quotation marks."""
_DIGIT_OF: Final = bytes.maketrans(_SIGNS.encode("ascii"), bytes(range(_DIGITS)))
_ZERO: Final = _DIGITS * _DIGITS // 2


class Judgement:
    """The judgement with one set of weights. It keeps the sums it has made; the same position has always the same."""

    def __init__(self, weights: Weights) -> None:
        """Raises ValueError where there are not as many rows as features, or not all as wide."""
        if len(weights) != ROWS or len({len(row) for row in weights}) != 1:
            raise ValueError(f"a judgement takes {ROWS} rows, all as wide, but {len(weights)} rows were given")
        units = len(weights[0]) - 1
        self._half = units // 2 * _LANE
        self._odds = units * _LANE
        self._flags = sum(_WHOLE << unit * _LANE for unit in range(units))
        self._raised = self._flags + (_WHOLE << self._odds)
        self._first_half = (1 << self._half) - 1
        self._rows = _Rows(weights)
        self._left: dict[int, int] = {}
        self._unseen: dict[int, int] = {}
        self._places: dict[int, int] = {}

    def logit(self, left: int, distance: int, gained: int, attack: int, pile: int, unseen: int) -> float:
        """The logarithm of the odds: 0 is even, 1 about 73 in a hundred.

        ``left``: the player's hand after the turn, not refilled. ``gained``: the spaces the player has come forward;
        the opponent has come the rest of the way. ``attack``: the one just made. ``pile``: its size after the draw.
        ``unseen``: the cards of each value neither played nor in that hand (``hands.packed``).
        """
        situation = situation_of(distance, attack)
        key, hidden_key = situation << 8 | left, situation << 15 | unseen
        place_key = (distance << 5 | gained) << 4 | pile
        kept = self._left.get(key)
        if kept is None:
            kept = self._left[key] = self._sum(left_rows(situation, left))
        hidden = self._unseen.get(hidden_key)
        if hidden is None:
            hidden = self._kept(self._unseen, hidden_key, unseen_rows(situation, unseen))
        place = self._places.get(place_key)
        if place is None:
            place = self._kept(self._places, place_key, place_rows(distance, gained, pile))
        if distance <= HAND_SIZE:
            there = unseen >> 3 * (distance - 1) & 7
            meeting = self._rows[meeting_row(distance, attack, HANDS[left][distance - 1], there)]
        else:
            meeting = self._rows[NONE]
        total = kept + hidden + place + meeting + self._raised
        flags = total & self._flags
        speaking = total & (flags - (flags >> _FLAG_BIT))
        said = (speaking & self._first_half) % _ALL_LANES - (speaking >> self._half) % _ALL_LANES
        return WEIGHT_UNIT * ((total >> self._odds) - _WHOLE + said)

    def _sum(self, rows: Iterable[int]) -> int:
        """What these features say in all, as one number."""
        return sum(map(self._rows.__getitem__, rows))

    def _kept(self, sums: dict[int, int], key: int, rows: Iterable[int]) -> int:
        if len(sums) >= REMEMBERED:
            sums.clear()
        found = sums[key] = self._sum(rows)
        return found


class _Rows(dict[int, int]):
    """The rows as one number each, made when first asked for: nobody waits for those that no position needs."""

    def __init__(self, weights: Weights) -> None:
        super().__init__()
        self._weights = weights

    def __missing__(self, row: int) -> int:
        made = self[row] = _packed(self._weights[row])
        return made


def _packed(row: Sequence[int]) -> int:
    """A row as one number."""
    odds, *units = row
    return sum(said << lane * _LANE for lane, said in enumerate((*units, odds)))


def chance_of(logit: float) -> float:
    """The chance of winning that these odds are."""
    return 1.0 / (1.0 + exp(-logit)) if logit > -700 else 0.0


def learned(rules_name: str, whose: str = "") -> Weights:
    """The weights that come with the program for this preset: everybody's, or the ``MAESTRO``'s.

    Raises KeyError for a name that is no preset's.
    """
    return read(files(__package__).joinpath(whose + LEARNED[rules_name]).read_text(encoding="ascii"))


def read(text: str) -> Weights:
    """The weights in a file: after a line that says how they were made two digits each, ``ROWS`` rows."""
    digits = text.partition("\n")[2].replace("\n", "").encode("ascii").translate(_DIGIT_OF)
    numbers = [high * _DIGITS + low - _ZERO for high, low in zip(digits[::2], digits[1::2], strict=True)]
    width = len(numbers) // ROWS
    return [numbers[begin : begin + width] for begin in range(0, len(numbers), width)]
