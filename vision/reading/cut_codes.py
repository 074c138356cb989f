"""Codes that something lies across, over time: looked for wherever the table changed and came to rest."""

from __future__ import annotations

import math
from collections.abc import Generator
from dataclasses import dataclass
from typing import Final

import cv2
import numpy as np

from vision.board.zones import Zones
from vision.cells import CELL_PX, Mask, both, box_of, cells_under, grown, parts_of, wide
from vision.change.gate import due_within
from vision.change.regions import may_hold_codes
from vision.frame import Picture
from vision.geometry import Box, Camera, Floats, middle_of
from vision.marks.codebook import Codebook, back_book, codebook
from vision.marks.labels import LabelReader
from vision.marks.remnants import GROWN, Remnant, inside, search_remnants
from vision.marks.work import Work
from vision.printed.table import Table
from vision.printed.tags import QR_MODULES
from vision.reading.detect import Detections, touched

_OWN_WORK: Final = 25.0  # two parts, whatever else a frame brings: else a table that is laid anew waits. Chosen
_PART_CELLS: Final = 48
_FINDER_CELLS: Final = 2  # a finder pattern that can be found is larger


Cells = tuple[slice, slice]


@dataclass(slots=True)
class _Search:
    """A look at a part of the table, as far as it went. ``cost``: what its next step takes."""

    cells: Cells
    box: Box
    steps: Generator[float, None, tuple[Remnant, ...]]
    cost: float


class CutCodes:
    """Codes that were found stand until their place changes and comes to rest; agreement weighs how sure they are.

    A look at a part of the table that takes more than a frame has left goes on in the next, in the same picture.
    """

    def __init__(self, table: Table, reader: LabelReader, work: Work) -> None:
        self._table = table
        self._reader = reader
        self._work = work
        self._search: _Search | None = None
        codebook(table.deck_letter)  # made now: it takes as long as some fifty looks
        self._play: Mask = np.zeros((1, 1), np.uint8)
        self._due: Mask = np.zeros((1, 1), np.uint8)
        self._found: tuple[Remnant, ...] = ()
        self._likely: tuple[Floats, ...] = ()  # where labels were found or read before their places changed
        self._unsifted = True
        self._vain: list[Remnant] = []  # finder patterns fitted in vain, with nothing changed as far as a label reaches
        self._backs: Codebook | None = None
        self._backs_read: tuple[Floats, ...] = ()

    def know_backs(self, tokens: tuple[str, ...]) -> None:
        """From now on what is left of a back with one of these tokens is nothing to us: it hides no card played."""
        self._backs = back_book(tokens)

    def aim(self, zones: Zones, there: Floats | None = None) -> None:
        """Look here from now on; everything is looked at afresh.

        ``there`` (3, 3) takes pixels of the table from where they were to where they are now.
        """
        cut = [code.outline for code in self._found if code.label is not None]
        before, self._likely = (*self._likely, *cut), ()
        if there is not None:
            self._likely = tuple(cv2.perspectiveTransform(outline[None], there)[0] for outline in before)
        self._found = ()
        self._due, self._unsifted = zones.play.copy(), True
        self._search, self._vain, self._play = None, [], zones.play

    def refine(self, zones: Zones) -> None:
        """Look here from now on, in a picture that did not move: finds stand, new cells are due."""
        self._due, self._unsifted = due_within(self._due, self._play, zones.play, 1), True
        self._search, self._vain, self._play = None, [], zones.play

    @property
    def waiting(self) -> bool:
        """Whether some part of the table is still to be looked at."""
        return bool(self._due.any())

    def waits_at(self, px: Floats) -> bool:
        """Whether the place at a pixel (2,) is still to be looked at."""
        return bool(self._due[cells_under(px[None], 1)].any())

    def look(
        self, y: Picture, found: Detections, zones: Zones, camera: Camera, backs: tuple[Floats, ...], *, spare: bool
    ) -> tuple[Remnant, ...]:
        """The codes known after this frame, in which the detector ``found`` this, and codes on cards' ``backs``.

        ``spare``: this frame has cost enough already, nothing is looked at in it.
        """
        self._backs_read = backs
        settled, changed = wide(found.settled), wide(found.changed)
        if settled.any():
            near = grown(settled, round(QR_MODULES * zones.module_px / CELL_PX))
            # As far around what changed a label may have been cut that was whole.
            self._due[both(near, zones.play) > 0] = 1
            self._vain = [code for code in self._vain if not near[cells_under(code.outline)].any()]
            if self._search is not None and near[self._search.cells].any():
                self._search = None
        # A reader fails now and then where nothing changed; what is whole is found from one finder pattern, too.
        gone = [Remnant(label.corners, label) for label in found.lost]
        if found.settled.any():
            gone += [code for code in self._found if touched(found.settled, code.outline)]
            self._found = tuple(code for code in self._found if not touched(found.settled, code.outline))
        for code in gone:
            under = cells_under(code.outline, 1)
            self._due[under] = zones.play[under]
        self._likely += tuple(code.outline for code in gone if code.label is not None)
        if (self._unsifted or settled.any()) and not found.shaken:
            self._sift(y, found)
            self._unsifted = False
        if not self._due.any():
            self._likely = ()
        elif not found.shaken and not spare:
            self._look_around(y, found, zones, camera)
        # Where a hand or its shadow only passes, what was found stands again once the place looks as it did.
        passed = changed.any()
        standing = (code for code in self._found if not (passed and changed[cells_under(code.outline)].any()))
        middles = ((code, middle_of(code.outline)) for code in standing)
        return tuple(code for code, at in middles if not any(inside(at, label.corners) for label in found.labels))

    def _sift(self, y: Picture, found: Detections) -> None:
        """Leaves of what is due only where a code may lie that nobody read: each look elsewhere delays the others."""
        x, top, width, height = cv2.boundingRect(self._due)
        if not width:
            return
        cells = (slice(top, top + height), slice(x, x + width))
        inside_labels = np.zeros(self._due.shape, np.uint8)
        for label in found.labels:
            middle = label.corners.mean(axis=0)
            grown_px = middle + GROWN * (label.corners - middle)
            cv2.fillConvexPoly(inside_labels, np.round((grown_px + 0.5) / CELL_PX - 0.5).astype(np.int32), 1)
        uneven = both(may_hold_codes(y, cells, _FINDER_CELLS), (inside_labels[cells] == 0).view(np.uint8))
        # Of a label that was read its edge alone is left.
        whole = cv2.morphologyEx(uneven, cv2.MORPH_OPEN, np.ones((_FINDER_CELLS, _FINDER_CELLS), np.uint8))
        worth = grown(np.asarray(whole, dtype=np.uint8), _FINDER_CELLS) | found.restless[cells]
        self._due[cells] *= worth

    def _look_around(self, y: Picture, found: Detections, zones: Zones, camera: Camera) -> None:
        """Looks at parts of what is due, as far as this frame has time for it."""
        parts: list[Cells] | None = None
        spent_before = self._work.spent
        if self._search is not None and found.restless[self._search.cells].any():
            self._search = None
        while True:
            if self._search is None:
                parts = self._calm_parts(found) if parts is None else parts
                if not parts:
                    break
                self._search = self._begin(y, parts.pop(0), found, zones, camera)
            search = self._search
            own = self._work.spent - spent_before
            if own and own + search.cost > _OWN_WORK and not self._work.allows(search.cost):
                break
            self._work.spent += search.cost
            try:
                search.cost = next(search.steps)
            except StopIteration as end:
                self._search = None
                self._note(search, end.value)

    def _calm_parts(self, found: Detections) -> list[Cells]:
        """The parts of what is due in which nothing moves and no hand is, in cells.

        First where codes wait to be read.
        """
        calm: list[Cells] = []
        for x, y, width, height in parts_of(self._due):
            for down in range(y, y + height, _PART_CELLS):
                for across in range(x, x + width, _PART_CELLS):
                    rows = slice(down, min(down + _PART_CELLS, y + height))
                    part = (rows, slice(across, min(across + _PART_CELLS, x + width)))
                    if self._due[part].any() and not found.restless[part].any():
                        calm.append(part)
        return sorted(calm, key=lambda part: not _in(box_of(part), found.unread))

    def _begin(self, y: Picture, cells: Cells, found: Detections, zones: Zones, camera: Camera) -> _Search:
        """Begins the look that a part is due; finder patterns on its edge are found all the same."""
        box = box_of(cells)
        edge_px = round(7 / math.sqrt(2) * zones.module_px)  # half of a slanting finder pattern
        wider = Box(max(0, box.x0 - edge_px), max(0, box.y0 - edge_px), box.x1 + edge_px, box.y1 + edge_px)
        steps = search_remnants(
            y,
            wider,
            camera,
            self._table,
            zones.module_px,
            found.labels,
            [*_in(box, found.unread), *_in(box, self._likely)],
            self._reader,
            self._backs,
            self._backs_read,
            [code for code in self._found if code.label is not None and _holds(box, code.outline)],
            self._vain,
        )
        return _Search(cells, box, steps, next(steps))

    def _note(self, search: _Search, all_seen: tuple[Remnant, ...]) -> None:
        """Keeps what a look saw."""
        box = search.box
        seen = tuple(code for code in all_seen if _holds(box, code.outline))
        self._due[search.cells] = 0
        kept = (
            code
            for code in self._found
            if not _holds(box, code.outline)
            or (code.label is not None and not any(inside(middle_of(code.outline), other.outline) for other in seen))
        )
        self._found = (*kept, *seen)


def _in(box: Box, outlines: tuple[Floats, ...]) -> list[Floats]:
    return [outline for outline in outlines if _holds(box, outline)]


def _holds(box: Box, outline: Floats) -> bool:
    x, y = middle_of(outline)
    return bool(box.x0 <= x < box.x1 and box.y0 <= y < box.y1)
