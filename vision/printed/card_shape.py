"""The shape of the cards: how large they are and where on them the labels are, as given or as seen.

Nobody measures a card. One that shows both its labels tells the way from one to the other; every card's own way is
kept, for labels are stuck by hand, and what most cards have in common is expected of those that showed only one.
Source: FORMATS.md, "The table file".
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field, replace
from functools import cached_property
from statistics import median
from typing import Final, NamedTuple

from engine.rules.cards import Card
from vision.printed.table import CardSize, LabelMargin, Table
from vision.printed.tags import QR_MODULES

USUAL_SIZE: Final = CardSize(63.0, 88.0)
LABEL_MARGIN_MM: Final = 6.0  # from the card's edges to the label's modules: four quiet modules and a little more
USUAL_MARGIN: Final = LabelMargin(LABEL_MARGIN_MM, LABEL_MARGIN_MM)

# Cards and margins that are looked for before any card has shown its own: about those `bench_cards.py` draws.
WIDTHS_MM: Final = (44.0, 70.0)
HEIGHTS_MM: Final = (63.0, 120.0)
_MARGINS_MM: Final = (4.0, 8.0)

LEARNED_LOOKS: Final = 8
"""As many looks at both labels of a card are enough."""
_ANOTHER_MM: Final = 5.0  # the same two labels are never found so much otherwise: they were stuck on anew
_OWN_SLACK_MM: Final = 3.5  # of a card that showed both: nearly three times what a reading at rest jumps by; chosen
_SLACK_MM: Final = (5.0, 17.0)  # at least and at most, however alike or unlike cards are; chosen
_GUESSED_SLACK_MM: Final = 6.0  # beyond all sizes of cards and all margins that are usual
# Labels stuck by hand: two of them 4 mm off each, any way, and 4 degrees askew at the end of 57 mm.
_BY_HAND_MM: Final = 4.7
_BY_HAND_CARDS: Final = 2.0  # what is known beforehand counts as much as so many cards
_SPREADS: Final = 2.6  # standard deviations: beyond lies one in a hundred
SAME_WAY_DEG: Final = 40.0
"""Labels that are turned to each other by less than this read the same way round."""

FINDER_OFF: Final = 7.0 / QR_MODULES  # from a label's middle to a finder pattern's, in label sides, each way

Place = tuple[float, float]


class LabelPose(NamedTuple):
    """Where a label lies: its middle, in mm, and which way its top points, 0 to 360 degrees."""

    place: Place
    turn_deg: float

    def towards(self, across_mm: float, down_mm: float) -> Place:
        """The place so far to the right of its middle and below it, as one reads it."""
        c, s = math.cos(math.radians(self.turn_deg)), math.sin(math.radians(self.turn_deg))
        return (self.place[0] + across_mm * s - down_mm * c, self.place[1] - across_mm * c - down_mm * s)

    def to(self, place: Place) -> tuple[float, float]:
        """How far to the right of its middle and below it a place lies, as one reads it."""
        c, s = math.cos(math.radians(self.turn_deg)), math.sin(math.radians(self.turn_deg))
        x, y = place[0] - self.place[0], place[1] - self.place[1]
        return x * s - y * c, -x * c - y * s


class Way(NamedTuple):
    """The way from a label to the other one of its card, as one reads the first: to the right, down, and its turn.

    180 degrees for a label that is turned half round to the first, as it should be.
    """

    across_mm: float
    down_mm: float
    turn_deg: float = 180.0


class Region(NamedTuple):
    """Where the other label's middle may be: a way, give or take so much across and down, and slack all around."""

    way: Way
    across_mm: float
    down_mm: float
    slack_mm: float

    def beyond_mm(self, across_mm: float, down_mm: float) -> float:
        """How far a place, as seen from the first label, lies outside; 0 within."""
        off = (
            max(0.0, abs(across_mm - self.way.across_mm) - self.across_mm),
            max(0.0, abs(down_mm - self.way.down_mm) - self.down_mm),
        )
        return max(0.0, math.hypot(*off) - self.slack_mm)

    def holds_finder(self, label: LabelPose, place: Place, qr_mm: float) -> bool:
        """Whether a finder pattern of the other label, as seen from this one, may lie at a place."""
        across_mm, down_mm = label.to(place)
        off, end = qr_mm * FINDER_OFF, -1.0 if 90.0 < self.way.turn_deg < 270.0 else 1.0
        return any(
            self.beyond_mm(across_mm - end * right, down_mm - end * below) <= 0.0
            for right, below in ((-off, -off), (off, -off), (-off, off))
        )


class OwnWay(NamedTuple):
    """A card's own way between its labels, seen from either, the mean of so many looks."""

    there: Way
    back: Way
    looks: int


def way_between(one: LabelPose, other: LabelPose) -> Way:
    """The way from one label to another."""
    return Way(*one.to(other.place), (other.turn_deg - one.turn_deg) % 360.0)


def half_round(way: Way) -> bool:
    """Whether a way leads to a label that is turned half round, or about so."""
    return _between_deg(way.turn_deg, 180.0) <= SAME_WAY_DEG


@dataclass(frozen=True)
class CardShapes:
    """The shape of the deck's cards. ``size`` and ``margin`` are given in the table file, or None; then both hold.

    ``own`` are the cards that showed both their labels.
    """

    qr_mm: float = 25.0
    size: CardSize | None = None
    margin: LabelMargin | None = None
    own: Mapping[Card, OwnWay] = field(default_factory=dict)

    @classmethod
    def of(cls, table: Table) -> CardShapes:
        """The shape that the table file gives."""
        return cls(table.qr_mm, table.card_size, table.label_margin)

    @cached_property
    def known(self) -> bool:
        """Whether more than a guess is known of the way between two labels."""
        return (self.size is not None and self.margin is not None) or bool(self._half_round())

    @cached_property
    def usual(self) -> Way:
        """The way between the labels of most cards: as given, else what they showed, else of a common size."""
        shown = self._half_round()
        if shown and (self.size is None or self.margin is None):
            return Way(median(way.across_mm for way in shown), median(way.down_mm for way in shown))
        size = self.size or USUAL_SIZE
        across_mm, down_mm = self.margin or USUAL_MARGIN
        return Way(size.width_mm - 2 * across_mm - self.qr_mm, size.height_mm - 2 * down_mm - self.qr_mm)

    @cached_property
    def outline(self) -> CardSize:
        """The cards' size: as given, else what lies between the labels and a margin around them."""
        if self.size is not None:
            return self.size
        across_mm, down_mm = self.margin or USUAL_MARGIN
        way = self.usual
        return CardSize(way.across_mm + self.qr_mm + 2 * across_mm, way.down_mm + self.qr_mm + 2 * down_mm)

    @cached_property
    def slack_mm(self) -> float:
        """How far a card's label may lie from where most cards have it: less, the more cards showed theirs alike."""
        if not self.known:
            return _GUESSED_SLACK_MM
        usual, shown = self.usual, self._half_round()
        given = self.size is not None and self.margin is not None
        # What most cards have in common is itself known from a few only, where it is not given.
        free, unsure = (len(shown), 0.0) if given else (len(shown) - 1, 1.0 / len(shown))
        squares = sum(_off(way, usual) ** 2 for way in shown)
        spread = math.sqrt((_BY_HAND_CARDS * _BY_HAND_MM**2 + squares) / (_BY_HAND_CARDS + free))
        return min(max(_SPREADS * spread * math.sqrt(1.0 + unsure), _SLACK_MM[0]), _SLACK_MM[1])

    @cached_property
    def reach_mm(self) -> float:
        """No two labels of a card are farther from each other than this."""
        if not self.known:
            return math.hypot(*(high - self.qr_mm - 2 * _MARGINS_MM[0] for _, high in (WIDTHS_MM, HEIGHTS_MM))) + 10.0
        return math.hypot(self.usual.across_mm, self.usual.down_mm) + 2 * _SLACK_MM[1]

    def way_of(self, card: Card) -> Way:
        """The way from the label of a card that is in sight to the other, for all that is known."""
        own = self.own.get(card)
        return self.usual if own is None else own.there

    def regions(self, card: Card | None) -> tuple[Region, ...]:
        """Where the other label of a card may lie, as seen from one of them, and so for a card that is not known.

        A label may have been stuck on upside down.
        """
        own = self.own.get(card) if card is not None else None
        if own is not None:
            return tuple(Region(way, 0.0, 0.0, _OWN_SLACK_MM) for way in (own.there, own.back))
        usual, across_mm, down_mm = self.usual, 0.0, 0.0
        if not self.known:
            (narrow, wide), (low, high) = self._range(0, WIDTHS_MM), self._range(1, HEIGHTS_MM)
            usual = Way((narrow + wide) / 2, (low + high) / 2)
            across_mm, down_mm = (wide - narrow) / 2, (high - low) / 2
        upside_down = (usual._replace(turn_deg=0.0), Way(-usual.across_mm, -usual.down_mm, 0.0))
        return tuple(Region(way, across_mm, down_mm, self.slack_mm) for way in (usual, *upside_down))

    def learned(self, pairs: Iterable[tuple[Card, LabelPose, LabelPose]]) -> CardShapes:
        """The shapes with these cards learned, which showed both their labels, whole and at rest."""
        fresh: dict[Card, OwnWay] = {}
        for card, one, other in pairs:
            known = self.own.get(card)
            there, back = way_between(one, other), way_between(other, one)
            if known is None:
                fresh[card] = OwnWay(there, back, 1)
                continue
            # Which of its labels is named first is by chance.
            same, turned = _off(known.there, there), _off(known.there, back)
            if turned < same:
                there, back, same = back, there, turned
            if same > _ANOTHER_MM:
                fresh[card] = OwnWay(there, back, 1)
            elif known.looks < LEARNED_LOOKS:
                share = 1.0 / (known.looks + 1)
                fresh[card] = OwnWay(_mean(known.there, there, share), _mean(known.back, back, share), known.looks + 1)
        return replace(self, own={**self.own, **fresh}) if fresh else self

    def _half_round(self) -> list[Way]:
        """The ways of the cards whose labels are turned to each other as they should be.

        As if none were stuck on upside down: where both of a card are, the way from each leads up and to the left.
        """
        shown = []
        for own in self.own.values():
            if half_round(own.there):
                across_mm = (own.there.across_mm + own.back.across_mm) / 2
                down_mm = (own.there.down_mm + own.back.down_mm) / 2
                shown.append(Way(across_mm, down_mm) if down_mm >= 0.0 else Way(-across_mm, -down_mm))
        return shown

    def _range(self, axis: int, sides_mm: tuple[float, float]) -> tuple[float, float]:
        """The shortest and the longest way along an axis of a card, for cards of these sides."""
        low, high = (self.size[axis],) * 2 if self.size is not None else sides_mm
        near, far = (self.margin[axis],) * 2 if self.margin is not None else _MARGINS_MM
        return max(0.0, low - 2 * far - self.qr_mm), high - 2 * near - self.qr_mm


def other_label_mm(shapes: CardShapes, card: Card, label: LabelPose, other: LabelPose) -> float:
    """How far a label lies from where the other one of this card may be; 0 where it may, infinite if askew."""
    across_mm, down_mm = label.to(other.place)
    turn = (other.turn_deg - label.turn_deg) % 360.0
    return min(
        (
            region.beyond_mm(across_mm, down_mm)
            for region in shapes.regions(card)
            if _between_deg(region.way.turn_deg, turn) <= SAME_WAY_DEG
        ),
        default=math.inf,
    )


def turned_deg(one: LabelPose, other: LabelPose) -> float:
    """By how many degrees two labels are turned to each other, 0 to 180."""
    return _between_deg(one.turn_deg, other.turn_deg)


def shift_mm(before: Iterable[LabelPose], now: Iterable[LabelPose], card: Card, shapes: CardShapes) -> float:
    """How far a card has moved between two looks that each showed one of its labels or both.

    The same label is compared where both looks showed it, whatever is thought of the card around it; otherwise the one
    is compared with where it may be by the other.
    """
    pairs = [(one, other) for one in before for other in now]
    off = [math.dist(one.place, other.place) for one, other in pairs if turned_deg(one, other) <= SAME_WAY_DEG]
    if len(pairs) == 1:
        off += [other_label_mm(shapes, card, one, other) for one, other in pairs]
    return min(off, default=math.inf)


def finder_places(label: LabelPose, qr_mm: float) -> tuple[Place, ...]:
    """The places of a label's three finder patterns."""
    off = qr_mm * FINDER_OFF
    return tuple(label.towards(across, down) for across, down in ((-off, -off), (off, -off), (-off, off)))


def rectangle_mm(place: Place, turn_deg: float, along_mm: float, across_mm: float) -> list[tuple[float, float, float]]:
    """The corners of a rectangle with this middle: so far along the direction given, and across it, each way."""
    c, s = math.cos(math.radians(turn_deg)), math.sin(math.radians(turn_deg))
    return [
        (place[0] + a * along_mm * c - b * across_mm * s, place[1] + a * along_mm * s + b * across_mm * c, 0.0)
        for a, b in ((1, 1), (1, -1), (-1, -1), (-1, 1))
    ]


def _between_deg(one: float, other: float) -> float:
    return abs((one - other + 180.0) % 360.0 - 180.0)


def _off(one: Way, other: Way) -> float:
    return math.hypot(one.across_mm - other.across_mm, one.down_mm - other.down_mm)


def _mean(before: Way, now: Way, share: float) -> Way:
    turned = (now.turn_deg - before.turn_deg + 180.0) % 360.0 - 180.0
    return Way(
        before.across_mm + share * (now.across_mm - before.across_mm),
        before.down_mm + share * (now.down_mm - before.down_mm),
        (before.turn_deg + share * turned) % 360.0,
    )
