"""Cards that lie face down, known by the labels on their backs: read only in the places that were asked for.

Outside those places nothing is read, so nobody's hand is known from its backs. Looks are taken where the table changed
and came to rest, as for labels on the fronts; two that agree make a reading, and three that lack it end it. A hand that
passes over, or rests there, changes nothing.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Final

from engine.table.observation import BackReading
from vision.belief import STANDS, SURE, weighed
from vision.board.zones import Zones
from vision.change.gate import CELL_PX, Mask
from vision.frame import Picture
from vision.geometry import Box, Camera, Floats
from vision.marks.labels import LabelReader
from vision.marks.markers import box_around
from vision.printed.card_shape import CardShapes, Place
from vision.printed.table import PlayArea, Table
from vision.printed.tags import parse_back
from vision.reading.detect import READS_AFTER_CHANGE, Detections
from vision.sights.card_cells import Lies
from vision.sights.flat import flat_fit, lie_flat, pose_of
from vision.sights.observe import AT_REST_MM, in_footprint

_AROUND_MM: Final = 8.0  # of a card laid askew in its slot


def slot_areas(table: Table) -> tuple[PlayArea, ...]:
    """The areas in which backs are read when the companion plays: each of its slots, and a little around."""
    size = CardShapes.of(table).outline
    wide, high = size.width_mm / 2 + _AROUND_MM, size.height_mm / 2 + _AROUND_MM
    return tuple(PlayArea(x - wide, x + wide, y - high, y + high) for x, y in table.slots_mm)


@dataclass(frozen=True, slots=True, eq=False)
class _Sight:
    """A back in one frame: the card's middle in mm, its turn in degrees, and in px its label and its front's."""

    x_mm: float
    y_mm: float
    turn_deg: float
    code: Floats
    front: Floats


@dataclass(slots=True)
class _Held:
    """A back that was seen, since when, and how sure it is that it lies there, in nats; whether that was ``agreed``.

    ``codes`` are the labels on it that were read last, (4, 2) px each.
    """

    sight: _Sight
    since_s: float
    codes: tuple[Floats, ...]
    nats: float = 0.0
    agreed: bool = False


@dataclass(slots=True)
class _Place:
    """A rectangle of the table where backs are looked for, and what was seen there."""

    area: PlayArea
    box: Box
    cells: tuple[slice, slice]
    due: int = READS_AFTER_CHANGE
    held: dict[str, _Held] = field(default_factory=dict)


class BackWatch:
    """Looks at some places of the table, frame by frame. It has none until it is told: then it costs nothing."""

    def __init__(self, table: Table, reader: LabelReader) -> None:
        self._table = table
        self._shapes = CardShapes.of(table)
        self._reader = reader
        self._places: list[_Place] = []
        self.areas: tuple[PlayArea, ...] = ()

    def watch(self, areas: Sequence[PlayArea]) -> None:
        """Look for backs in these rectangles from the next ``aim`` on; what was known is forgotten."""
        self.areas, self._places = tuple(areas), []

    def aim(self, camera: Camera) -> None:
        """See them through this camera from now on. What lies there is kept."""
        for place in self._places:
            for known in place.held.values():
                known.codes = ()
        held = [place.held for place in self._places] or [{} for _ in self.areas]
        self._places = [
            _Place(area, box, _cells(box), held=known)
            for area, known in zip(self.areas, held, strict=True)
            for box in [_box(area, camera)]
        ]

    @property
    def aimed(self) -> bool:
        """Whether every place it was told of is known in the picture."""
        return len(self._places) == len(self.areas)

    @property
    def waiting(self) -> bool:
        """Whether some place is still to be looked at."""
        return any(place.due for place in self._places)

    @property
    def readings(self) -> tuple[BackReading, ...]:
        """The backs that are agreed on, place by place."""
        return tuple(
            BackReading(token, held.sight.x_mm, held.sight.y_mm, held.since_s)
            for place in self._places
            for token, held in place.held.items()
            if held.agreed
        )

    @property
    def lying(self) -> tuple[Lies, ...]:
        """The cards that are known to lie face down."""
        return tuple(held.sight for place in self._places for held in place.held.values())

    @property
    def fronts(self) -> tuple[Floats, ...]:
        """The places of the labels on these cards' fronts, (4, 2) px each: a card lies there and no hand."""
        return tuple(held.sight.front for place in self._places for held in place.held.values())

    @property
    def codes(self) -> tuple[Floats, ...]:
        """The labels that were read on these cards' backs, (4, 2) px each."""
        return tuple(code for place in self._places for held in place.held.values() for code in held.codes)

    def explains(self, at_mm: Place) -> bool:
        """Whether a code seen here belongs to a card that is known to lie face down."""
        return any(
            in_footprint(held.sight.x_mm, held.sight.y_mm, held.sight.turn_deg, at_mm, AT_REST_MM, self._shapes.outline)
            for place in self._places
            for held in place.held.values()
        )

    def look(self, y: Picture, t_s: float, found: Detections, zones: Zones, camera: Camera) -> None:
        """Take a look at a frame of which the detector ``found`` this."""
        for place in self._places:
            if _any(found.changed, place) or _any(found.settled, place):
                place.due = READS_AFTER_CHANGE
            if place.due and not (found.shaken or _any(found.restless, place) or _any(found.kept_back, place)):
                self._read(y, t_s, place, zones, camera)

    def _read(self, y: Picture, t_s: float, place: _Place, zones: Zones, camera: Camera) -> None:
        sights: dict[str, list[_Sight]] = {}
        for text, corners in self._reader.texts(y, place.box, zones.module_px):
            token = parse_back(text)
            sight = _sight(corners, camera, self._shapes) if token is not None else None
            if token is not None and sight is not None and place.area.holds(sight.x_mm, sight.y_mm):
                sights.setdefault(token, []).append(sight)
        for token, held in list(place.held.items()):
            if token not in sights:
                held.nats = weighed(held.nats, -STANDS)
                if held.nats <= -SURE or not held.agreed:
                    del place.held[token]
        for token, seen in sights.items():
            known, sight, codes = place.held.get(token), seen[0], tuple(each.code for each in seen)
            if known is None:
                place.held[token] = _Held(sight, t_s, codes)
                continue
            known.nats, known.agreed, known.codes = SURE, True, codes
            was = known.sight
            if math.dist((was.x_mm, was.y_mm), (sight.x_mm, sight.y_mm)) > AT_REST_MM:
                known.sight, known.since_s = sight, t_s
        unsettled = any(held.nats < SURE for held in place.held.values())
        place.due = max(place.due - 1, int(unsettled))


def _sight(corners: Floats, camera: Camera, shapes: CardShapes) -> _Sight | None:
    """The card that a label on a back belongs to, whichever of its two; None where it does not lie flat."""
    qr_mm, way = shapes.qr_mm, shapes.usual
    fit = flat_fit(corners, camera, qr_mm)
    if fit is None or not lie_flat(fit.misfit):
        return None
    pose = pose_of(fit.corners)
    ends = ((-1, -1), (1, -1), (1, 1), (-1, 1))
    square = [pose.towards((across * qr_mm - way.across_mm) / 2, down * qr_mm / 2) for across, down in ends]
    front = camera.project([(*place, 0.0) for place in square])
    return _Sight(*pose.towards(0.0, way.down_mm / 2), pose.turn_deg % 180.0, corners, front)


def _box(area: PlayArea, camera: Camera) -> Box:
    corners = [(x, y, 0.0) for x in (area.x0, area.x1) for y in (area.y0, area.y1)]
    return box_around(camera.project(corners), 0.0, camera.width, camera.height)


def _cells(box: Box) -> tuple[slice, slice]:
    rows = slice(max(0, box.y0 // CELL_PX), max(0, -(-box.y1 // CELL_PX)))
    return rows, slice(max(0, box.x0 // CELL_PX), max(0, -(-box.x1 // CELL_PX)))


def _any(cells: Mask, place: _Place) -> bool:
    return bool(cells[place.cells].any())
