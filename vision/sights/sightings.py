"""Marks in pixels become cards and fencers in millimetres; what is the same mark as before is worked out once."""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from statistics import fmean

from engine.rules.cards import Card
from engine.rules.track import BySide, Side
from engine.table.observation import FigureReading
from vision.cells import Mask, Thumb, cells_under
from vision.change.ground import GroundWatch
from vision.geometry import Camera
from vision.marks.labels import Label
from vision.marks.markers import Marker
from vision.memo import Memo
from vision.printed.card_shape import CardShapes, Place
from vision.printed.table import CardSize, Table
from vision.sights.card_cells import Lies, cards_at, cells_at_cards
from vision.sights.flat import ANY_PRINT, PrintScale
from vision.sights.observe import (
    AT_REST_MM,
    CardSight,
    FigureSight,
    LabelPlace,
    both_labels,
    card_sights,
    figure_reading,
    figure_sight,
    label_place,
)


@dataclass(frozen=True, slots=True)
class Sights:
    """The cards of one frame, and where each fencer's tag stands, in millimetres of the board's frame.

    ``askew`` are those that were read and do not lie level: bent, leaning on others or held by a hand. ``foreign`` are
    cards of other decks.
    """

    cards: tuple[CardSight, ...]
    figures: BySide[FigureSight]
    askew: tuple[CardSight, ...] = ()
    foreign: tuple[CardSight, ...] = ()


class Sightings:
    """``look`` gives what a frame shows, and ``learn`` the cards' shape from it.

    ``shapes`` is what is known of the cards' size and of where their labels are.
    """

    def __init__(self, table: Table, ground: GroundWatch) -> None:
        self._table, self._ground = table, ground
        self._places: Memo[Label, LabelPlace | None] = Memo()
        self._figures: Memo[Marker, FigureReading] = Memo()
        self._scales: dict[Card, float] = {}  # of the labels of cards that showed both
        self._printed = ANY_PRINT
        self.shapes = CardShapes.of(table)

    def aim(self) -> None:
        """The camera sees the board from elsewhere: everything is worked out anew."""
        self._places.clear()
        self._figures.clear()

    def look(
        self,
        tags: tuple[Marker, ...],
        read: tuple[Label, ...],
        near_hand: Mask,
        strip: Mask,
        camera: Camera,
        lying: Sequence[Lies] = (),
        thumb: Thumb | None = None,
        rested: Sequence[Place] = (),
    ) -> Sights:
        """Places these tags and labels of a frame on the table.

        ``near_hand`` are the cells near motion or an arm, ``strip`` those where tags can be. ``lying`` are the cards
        that are known to lie there, ``thumb`` is the frame's thumbnail, if others seem to come. ``rested``: where codes
        that do not lie level were seen for longer than a hand rests; what leans on cards there lies there, too.
        """

        def place(label: Label) -> LabelPlace | None:
            return label_place(label, camera, self._table, self._printed)

        own = self._places((label for label in read if label.deck == self._table.deck_letter), place)
        others = (place(label) for label in read if label.deck != self._table.deck_letter)
        sights = card_sights(filter(None, own), self.shapes)
        size = self.shapes.outline
        if near_hand.any():
            sights = _unclear_at(near_hand, sights, size, camera)
        foreign = card_sights(filter(None, others), self.shapes)
        if thumb is not None:
            # A card whose size is guessed may be 10 mm larger; half a card farther there is a hand, if one holds it. Of
            # what comes with a card that is laid nothing but other cards is so near.
            known = (*sights, *_other_way(sights), *foreign, *lying)
            cells = cells_at_cards(known, size, 2 * AT_REST_MM, camera, thumb.shape)
            sights = _unclear_at(self._ground.came(thumb, cells | strip), sights, size, camera, size.width_mm / 2)

        def leans(sight: CardSight) -> bool:
            if not any(math.dist(pose.place, place) <= AT_REST_MM for pose in sight.poses for place in rested):
                return False
            beneath = cells_at_cards(lying, size, 0.0, camera, near_hand.shape)
            return sight.clear and cards_at(beneath, [sight], size, camera)[0]

        askew = tuple(sight for sight in sights if not (sight.is_level or leans(sight)))
        cards = tuple(sight for sight in sights if sight not in askew)
        standing = self._figures(tags, lambda marker: figure_reading(marker, camera, self._table))

        def figure(side: Side) -> FigureSight:
            own = [
                (tag, stands) for tag, stands in zip(tags, standing, strict=True) if self._table.side_of(tag.id) is side
            ]
            at_tag = near_hand[cells_under(own[0][0].corners, 1)] if own else near_hand & strip
            return figure_sight([stands for _, stands in own], not at_tag.any())

        return Sights(cards, BySide(figure(Side.WHITE), figure(Side.BLACK)), askew, foreign)

    def learn(self, cards: tuple[CardSight, ...]) -> None:
        """Learns the shape of all cards from those that show both labels."""
        whole = both_labels(cards, self.shapes.own)
        if whole:
            shown = {card for card, _, _ in whole}
            measured = (sight for sight in cards if sight.card in shown and sight.is_whole)
            self._scales |= {sight.card: fmean(label.scale for label in sight.labels) for sight in measured}
            self._printed = PrintScale.of(self._scales.values())
        self.shapes = self.shapes.learned(whole)


def _unclear_at(
    cells: Mask, sights: tuple[CardSight, ...], size: CardSize, camera: Camera, margin_mm: float = 0.0
) -> tuple[CardSight, ...]:
    """The same cards; those that reach these cells, grown by a margin, are not clear."""
    at = cards_at(cells, sights, size, camera, margin_mm)
    return tuple(replace(sight, clear=sight.clear and not there) for sight, there in zip(sights, at, strict=True))


def _other_way(sights: Iterable[CardSight]) -> Iterator[CardSight]:
    """The cards of which one label is read, as they lie if that is stuck on upside down."""
    for sight in sights:
        if len(sight.labels) == 1:
            x_mm, y_mm = sight.poses[0].place
            yield replace(sight, x_mm=2 * x_mm - sight.x_mm, y_mm=2 * y_mm - sight.y_mm)
