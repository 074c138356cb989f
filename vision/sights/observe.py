"""From pixels to places on the table: fencers to spaces, labels to cards, for one frame alone."""

from __future__ import annotations

import math
from collections.abc import Container, Iterable, Sequence
from dataclasses import dataclass
from statistics import fmean
from typing import Final, NamedTuple

import numpy as np

from engine.rules.cards import Card
from engine.table.observation import FigureProblem, FigureReading
from vision.geometry import Camera, Floats
from vision.marks.labels import Label
from vision.marks.markers import Marker
from vision.printed.card_shape import USUAL_SIZE, CardShapes, LabelPose, Place, half_round, other_label_mm, way_between
from vision.printed.table import CardSize, Table, TablePoint
from vision.sights.flat import ANY_PRINT, SURELY_LEVEL, PrintScale, flat_fit, lie_flat, pose_of

ON_SPACE: Final = 0.3  # of the pitch
HIDDEN: Final = FigureReading(None, FigureProblem.HIDDEN)
OFF_MM: Final = 2.5
"""A place is read off by so much at most: a card's by 2.25 mm in hard light, a figure's by 2.7 (READING.md, "At
rest")."""
AT_REST_MM: Final = 2 * OFF_MM
"""Two readings of what lies still are no farther apart."""


class LabelPlace(NamedTuple):
    """One label on the table plane: its card, where it lies (millimetres, board frame), which way its top points.

    ``cut``: something lies across it; ``scale`` and ``misfit`` as for ``FlatFit``.
    """

    card: Card
    pose: LabelPose
    cut: bool = False
    scale: float = 1.0
    misfit: float = 0.0


@dataclass(frozen=True, slots=True)
class CardSight:
    """A card in one frame: its middle in mm, its turn (0 to 180 degrees, as both ends look alike), its labels.

    ``clear`` is False while a hand or anything that moves is at the card. ``size``: as far as it is known.
    """

    card: Card
    x_mm: float
    y_mm: float
    turn_deg: float
    labels: tuple[LabelPlace, ...]
    clear: bool = True
    size: CardSize = USUAL_SIZE

    @property
    def poses(self) -> tuple[LabelPose, ...]:
        """Where its labels lie and which way round."""
        return tuple(label.pose for label in self.labels)

    @property
    def is_whole(self) -> bool:
        """Whether nothing lies across any of its labels."""
        return not any(label.cut for label in self.labels)

    @property
    def is_level(self) -> bool:
        """Whether its labels lie flat on the table, as those of a card in a hand do not."""
        return lie_flat(*(label.misfit for label in self.labels))


@dataclass(frozen=True, slots=True)
class FigureSight:
    """A fencer in one frame; ``clear`` as for cards.

    ``twice``: its tag is seen at two places of the track, and nobody knows which is right.
    """

    reading: FigureReading
    clear: bool = True
    twice: bool = False


def figure_reading(marker: Marker, camera: Camera, table: Table) -> FigureReading:
    """The place of the fencer with this tag.

    The ray through the tag meets the height at which the tag lies, space by space where heights differ. The tag's own
    turn is taken out: it lies before the base however the fencer was put down.
    """
    offset, spaces = table.fencer_offset_mm, table.spaces_mm
    points = np.vstack([marker.corners, marker.centre])
    on_level = {z_mm: camera.at_height(points, z_mm + offset.z) for z_mm in {place.z for place in spaces}}
    bases = {z_mm: _base(seen[:4], seen[4], offset) for z_mm, seen in on_level.items() if np.isfinite(seen).all()}
    apart = [(math.dist(bases[place.z], place[:2]), space) for space, place in enumerate(spaces, 1) if place.z in bases]
    if not apart:
        return FigureReading(None, FigureProblem.OFF_TRACK)
    _, space = min(apart)
    base, height_mm = bases[spaces[space - 1].z], spaces[space - 1].z + offset.z
    fit = flat_fit(marker.corners, camera, table.fencer_size_mm, height_mm)
    if fit is None or not lie_flat(fit.misfit):
        return FigureReading(None, FigureProblem.LYING, base[0])
    return _on_track(base, space, spaces)


def surely_on(reading: FigureReading, off_mm: Sequence[float], table: Table) -> int | None:
    """The space of a figure that is read so far off at each space; None where its neighbour may be the one."""
    if reading.space is None or reading.x_mm is None:
        return None
    here = table.spaces_mm[reading.space - 1]
    apart_mm = min(math.dist(here[:2], other[:2]) for other in table.spaces_mm if other is not here)
    return reading.space if off_mm[reading.space - 1] + abs(reading.x_mm - here.x) < apart_mm / 2 else None


def label_place(label: Label, camera: Camera, table: Table, printed: PrintScale = ANY_PRINT) -> LabelPlace | None:
    """The place of a label in the play area, taken to lie flat; None for one elsewhere."""
    fit = flat_fit(label.corners, camera, table.qr_mm, 0.0, printed)
    if fit is None:
        return None
    pose = pose_of(fit.corners)
    if not table.play_area.holds(*pose.place):
        return None
    return LabelPlace(label.card, pose, label.cut, fit.scale, fit.misfit)


def card_sights(places: Iterable[LabelPlace], shapes: CardShapes) -> tuple[CardSight, ...]:
    """The cards with these labels. Two labels of a card that are near enough to each other are one card.

    The same card at two places that do not belong together (a spare label) gives two sights.
    """
    left = list(places)
    sights: list[CardSight] = []
    while left:
        labels = [left.pop(0)]
        card, pose, *_ = labels[0]
        others = [other for other in left if other.card == card and _one_card(pose, other.pose, shapes)]
        if others:
            labels.append(min(others, key=lambda other: other_label_mm(shapes, card, pose, other.pose)))
            left.remove(labels[1])
        sights.append(_sight_of(_without_bent(labels), shapes))
    return tuple(sights)


def both_labels(
    sights: Iterable[CardSight], known: Container[Card] = ()
) -> tuple[tuple[Card, LabelPose, LabelPose], ...]:
    """The cards that show both their labels while nothing moves there: whole ones, unless it is not yet ``known``."""
    return tuple(
        (sight.card, one, other)
        for sight in sights
        if len(sight.labels) == 2 and sight.clear
        if sight.is_whole or sight.card not in known
        for one, other in [sight.poses]
    )


def label_middle(label: LabelPose, card: Card, shapes: CardShapes) -> Place:
    """The middle of the card that a label belongs to: the label is near its top left corner as one reads it."""
    way = shapes.way_of(card)
    return label.towards(way.across_mm / 2, way.down_mm / 2)


def figure_sight(readings: Sequence[FigureReading], clear: bool) -> FigureSight:
    """A fencer whose tags say this: HIDDEN without one, and of two the one that stands on the track.

    Two at two places of the track, on spaces or between, are HIDDEN, and so are two of which none stands there: nobody
    knows which is spare.
    """
    on_track = [reading for reading in readings if reading.problem in (None, FigureProblem.BETWEEN_SPACES)] or readings
    places = [reading.x_mm for reading in on_track if reading.x_mm is not None]
    twice = bool(places) and max(places) - min(places) > AT_REST_MM
    believed = () if twice else sorted(on_track, key=lambda reading: reading.space is None)
    return FigureSight(believed[0] if believed else HIDDEN, clear, twice)


def _on_track(base: Place, space: int, spaces: tuple[TablePoint, ...]) -> FigureReading:
    here = spaces[space - 1]
    before, after = spaces[max(space - 2, 0)], spaces[min(space, len(spaces) - 1)]
    # The track's direction and pitch here; at an end its only neighbour gives both.
    length = math.dist((before.x, before.y), (after.x, after.y))
    pitch_mm = length / (2 if 1 < space < len(spaces) else 1)
    way = ((after.x - before.x) / length, (after.y - before.y) / length)
    dx, dy = base[0] - here.x, base[1] - here.y
    along, across = dx * way[0] + dy * way[1], dy * way[0] - dx * way[1]
    beyond_mm = -along if space == 1 else along if space == len(spaces) else 0.0
    if beyond_mm > pitch_mm / 2 or abs(across) > 2 * ON_SPACE * pitch_mm:
        return FigureReading(None, FigureProblem.OFF_TRACK, base[0])
    if abs(along) > ON_SPACE * pitch_mm:
        return FigureReading(None, FigureProblem.BETWEEN_SPACES, base[0])
    return FigureReading(space, None, base[0])


def _base(corners: Floats, middle: Floats, offset: TablePoint) -> Place:
    right = corners[1] + corners[2] - corners[0] - corners[3]
    angle = math.atan2(right[1], right[0])
    c, s = math.cos(angle), math.sin(angle)
    return float(middle[0] - (c * offset.x - s * offset.y)), float(middle[1] - (s * offset.x + c * offset.y))


def _one_card(one: LabelPose, other: LabelPose, shapes: CardShapes) -> bool:
    """Whether two labels of the same card are on one: there are no more than two, and no card is longer.

    They do not overlap: what is nearer is one label that was read twice.
    """
    return shapes.qr_mm - AT_REST_MM < math.dist(one.place, other.place) <= shapes.reach_mm


def _without_bent(labels: list[LabelPlace]) -> list[LabelPlace]:
    """The labels of a card, one or two; where both do not lie level and one surely does, that one: a corner is bent."""
    if lie_flat(*(label.misfit for label in labels)):
        return labels
    return [label for label in labels if label.misfit <= SURELY_LEVEL] or labels


def _sight_of(labels: list[LabelPlace], shapes: CardShapes) -> CardSight:
    """The card with these labels, one or two."""
    card, poses = labels[0].card, [label.pose for label in labels]
    # What lies across a label makes its turn uncertain.
    turn = next((label.pose.turn_deg for label in labels if not label.cut), poses[0].turn_deg)
    if len(labels) == 1:
        middle = label_middle(poses[0], card, shapes)
    else:
        middle = fmean(pose.place[0] for pose in poses), fmean(pose.place[1] for pose in poses)
        if half_round(way_between(*poses)) and not any(label.cut for label in labels):
            turn = poses[0].turn_deg + ((poses[1].turn_deg - 180.0 - turn + 180.0) % 360.0 - 180.0) / 2
    return CardSight(card, *middle, turn % 180.0, tuple(labels), size=shapes.outline)
