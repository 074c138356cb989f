"""Marks in pixels become cards and fencers in millimetres; what is the same mark as before is worked out once."""

from __future__ import annotations

from dataclasses import dataclass
from statistics import fmean

from engine.rules.cards import Card
from engine.rules.track import BySide
from engine.table.observation import FigureReading
from vision.geometry import Camera
from vision.marks.labels import Label
from vision.marks.markers import Marker
from vision.memo import Memo
from vision.printed.card_shape import CardShapes
from vision.printed.table import Table
from vision.reading.detect import Detections
from vision.sights.card_cells import CardCells, card_cells
from vision.sights.flat import ANY_PRINT, PrintScale
from vision.sights.observe import (
    CardSight,
    LabelPlace,
    both_figures,
    both_labels,
    card_sights,
    figure_reading,
    label_place,
    tags_apart,
)


@dataclass(frozen=True, slots=True)
class Sights:
    """The cards of one frame, and where each fencer's tag stands, in millimetres of the board's frame.

    ``twice``: its tag is seen at two places of the track; then it is on none of them. ``askew`` are the labels that
    were read and lie on no level card, with no hand at them: bent, leaning on others or held by a hand out of sight.
    """

    cards: tuple[CardSight, ...]
    figures: BySide[FigureReading]
    twice: BySide[bool]
    askew: tuple[LabelPlace, ...] = ()


class Sightings:
    """``look`` gives what a frame shows, and learns the cards' shape on the way.

    ``shapes`` is what is known of the cards' size and of where their labels are.
    """

    def __init__(self, table: Table) -> None:
        self._table = table
        self._places: Memo[Label, LabelPlace | None] = Memo()
        self._figures: Memo[Marker, FigureReading] = Memo()
        self._cells: Memo[LabelPlace, CardCells] = Memo()
        self._scales: dict[Card, float] = {}  # of the labels of cards that showed both
        self._printed = ANY_PRINT
        self.shapes = CardShapes.of(table)

    def aim(self) -> None:
        """The camera sees the board from elsewhere: everything is worked out anew."""
        self._places.clear()
        self._cells.clear()
        self._figures.clear()

    def look(self, found: Detections, read: tuple[Label, ...], camera: Camera) -> Sights:
        """Places these labels and tags of a frame on the table."""
        places = self._places(read, lambda label: label_place(label, camera, self._table, self._printed))
        labels = [place for place in places if place is not None]
        cells = self._cells(labels, lambda label: card_cells(label, found.near_hand, self.shapes, camera))
        clear = [not under.meet(found.near_hand) for under in cells]
        cards = card_sights(labels, self.shapes, clear)
        level = {sight.card for sight in cards}
        askew = tuple(label for label, calm in zip(labels, clear, strict=True) if calm and label.card not in level)
        standing = self._figures(found.tags, lambda marker: figure_reading(marker, camera, self._table))
        sides = [self._table.side_of(marker.id) for marker in found.tags]
        stand = tuple(zip(sides, standing, strict=True))
        twice = tags_apart(stand)
        return Sights(cards, both_figures(one for one in stand if one[0] is None or not twice[one[0]]), twice, askew)

    def learn(self, cards: tuple[CardSight, ...]) -> bool:
        """Learns the shape of all cards from those that show both labels; True where it is another shape now."""
        whole = both_labels(cards, self.shapes.own)
        if whole:
            for sight in cards:
                if sight.card in {card for card, _, _ in whole} and not any(label.cut for label in sight.labels):
                    self._scales[sight.card] = fmean(label.scale for label in sight.labels)
            self._printed = PrintScale.of(self._scales.values())
        before, self.shapes = self.shapes, self.shapes.learned(whole)
        if all(round(was) == round(now) for was, now in zip(before.outline, self.shapes.outline, strict=True)):
            return False
        self._cells.clear()
        return True
