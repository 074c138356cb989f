"""Cards that lie face down, known by the labels on their backs: read only in the places that were asked for.

Outside those places nothing is read, so nobody's hand is known from its backs. Looks are taken where the table changed
and came to rest, as for labels on the fronts; two that agree make a reading, and three that lack it end it. A hand that
passes over, or rests there, changes nothing.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, replace

from engine.table.observation import BackReading
from vision.belief import STANDS, SURE, weighed
from vision.board.zones import Zones
from vision.cells import any_of, cells_under
from vision.frame import Picture
from vision.geometry import Camera, Floats
from vision.marks.labels import LabelReader
from vision.marks.markers import box_around
from vision.printed.card_shape import LABEL_MARGIN_MM, CardShapes
from vision.printed.table import PlayArea, Table
from vision.printed.tags import parse_back
from vision.reading.detect import READS_AFTER_CHANGE, Detections
from vision.sights.flat import flat_fit, lie_flat, pose_of
from vision.sights.observe import AT_REST_MM


def slot_areas(table: Table) -> tuple[PlayArea, ...]:
    """The areas in which backs are read when the companion plays: each of its slots, and a margin around."""
    size = CardShapes.of(table).outline
    wide, high = size.width_mm / 2 + LABEL_MARGIN_MM, size.height_mm / 2 + LABEL_MARGIN_MM
    return tuple(PlayArea(x - wide, x + wide, y - high, y + high) for x, y in table.slots_mm)


@dataclass(frozen=True, slots=True)
class _Back:
    """A back that was seen: its card's middle in mm and its turn, since when, and how sure it is, in nats.

    ``agreed``: two looks have shown it.
    """

    x_mm: float
    y_mm: float
    turn_deg: float
    since_s: float
    nats: float = 0.0
    agreed: bool = False


@dataclass(slots=True)
class _Place:
    """What was seen in one of the rectangles, by token, and the reads still owed there.

    ``codes`` are outlines (4, 2) px of the backs that were read there last.
    """

    held: dict[str, _Back]
    due: int = READS_AFTER_CHANGE
    codes: tuple[Floats, ...] = ()


class BackWatch:
    """Looks at some places of the table, frame by frame. It has none until it is told: then it costs nothing."""

    def __init__(self, table: Table, reader: LabelReader) -> None:
        self._shapes = CardShapes.of(table)
        self._reader = reader
        self._places: dict[PlayArea, _Place] = {}

    @property
    def areas(self) -> tuple[PlayArea, ...]:
        """The rectangles in which it looks."""
        return tuple(self._places)

    def watch(self, areas: Iterable[PlayArea]) -> None:
        """Look for backs in these rectangles from now on; what was known is forgotten."""
        self._places = {area: _Place({}) for area in areas}

    def again(self) -> None:
        """The camera sees them from elsewhere: they are read again; what lies there is kept."""
        for place in self._places.values():
            place.due, place.codes = READS_AFTER_CHANGE, ()

    @property
    def waiting(self) -> bool:
        """Whether some place is still to be looked at."""
        return any(place.due for place in self._places.values())

    @property
    def readings(self) -> tuple[BackReading, ...]:
        """The backs that are agreed on, place by place."""
        return tuple(
            BackReading(token, back.x_mm, back.y_mm, back.since_s)
            for place in self._places.values()
            for token, back in place.held.items()
            if back.agreed
        )

    @property
    def lying(self) -> tuple[_Back, ...]:
        """The cards that are known to lie face down."""
        return tuple(back for place in self._places.values() for back in place.held.values())

    @property
    def codes(self) -> tuple[Floats, ...]:
        """The codes of backs that were read in these places, (4, 2) px each."""
        return tuple(code for place in self._places.values() for code in place.codes)

    def look(self, y: Picture, t_s: float, found: Detections, zones: Zones, camera: Camera) -> None:
        """Take a look at a frame of which the detector ``found`` this."""
        stirred = any_of(found.changed) or any_of(found.settled)
        for area, place in ((area, place) for area, place in self._places.items() if stirred or place.due):
            corners = camera.project([(x, y_mm, 0.0) for x in (area.x0, area.x1) for y_mm in (area.y0, area.y1)])
            at = cells_under(corners)
            if found.changed[at].any() or found.settled[at].any():
                place.due = READS_AFTER_CHANGE
            if place.due and not (found.shaken or found.restless[at].any() or found.kept_back[at].any()):
                box = box_around(corners, 0.0, camera.width, camera.height)
                read = self._reader.texts(y, box, zones.module_px)
                place.codes = tuple(corners for text, corners in read if parse_back(text) is not None)
                backs = self._backs(read, t_s, camera)
                _agree(place, {token: back for token, back in backs if area.holds(back.x_mm, back.y_mm)})

    def _backs(self, read: Iterable[tuple[str, Floats]], t_s: float, camera: Camera) -> Iterator[tuple[str, _Back]]:
        """The cards whose backs these codes are on, whichever of the two labels it is, where they lie flat."""
        for text, corners in read:
            token, fit = parse_back(text), flat_fit(corners, camera, self._shapes.qr_mm)
            if token is not None and fit is not None and lie_flat(fit.misfit):
                pose = pose_of(fit.corners)
                yield token, _Back(*pose.towards(0.0, self._shapes.usual.down_mm / 2), pose.turn_deg % 180.0, t_s)


def _agree(place: _Place, seen: dict[str, _Back]) -> None:
    """Weighs one look at a place."""
    for token, back in list(place.held.items()):
        nats = weighed(back.nats, -STANDS)
        if token in seen:
            moved = math.dist((back.x_mm, back.y_mm), (seen[token].x_mm, seen[token].y_mm)) > AT_REST_MM
            place.held[token] = replace(seen[token] if moved else back, nats=SURE, agreed=True)
        elif back.agreed and nats > -SURE:
            place.held[token] = replace(back, nats=nats)
        else:
            del place.held[token]
    place.held |= {token: back for token, back in seen.items() if token not in place.held}
    place.due = max(place.due - 1, int(any(back.nats < SURE for back in place.held.values())))
