"""Reads QR codes in part of a picture: zxing-cpp first, pyzbar on what the first saw and could not read.

Either library may be missing. Wrong payloads were never seen of either (READING.md, "QR"): what is read counts as read.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable
from functools import cached_property
from typing import Final, NamedTuple

import cv2
import numpy as np

from engine.rules.cards import Card
from vision.frame import Picture
from vision.geometry import Box, Floats, middle_of
from vision.marks.denser import denser, sharpened
from vision.marks.foreign import ZBAR, ZXING, Run, Texts, in_process, is_there
from vision.marks.markers import Marker, box_around, is_narrow
from vision.printed.tags import FINDER_MODULES, QR_MODULES, parse_payload

_ENLARGE_BELOW_PX: Final = 5.0  # below that, twice the size is read better: READING.md, "QR"
_SHARPER: Final = 1.5  # measured: READING.md, "Made denser"
_MAX_SECOND_LOOKS: Final = 2  # pyzbar costs over ten times as much (READING.md, "QR"): not more of it in a frame
NEARER: Final = 1.7
"""So many times larger or smaller than in the middle of the play area a code may look, in any direction."""


class LabelReaderMissingError(OSError):
    """Neither zxing-cpp nor pyzbar can be loaded."""


class Label(NamedTuple):
    """A card's label seen: deck letter, card, and its corners (4, 2) px, from its top left, clockwise as printed.

    ``cut``: something lies across it; what was left of it was enough to know it.
    """

    deck: str
    card: Card
    corners: Floats
    cut: bool = False


class LabelReading(NamedTuple):
    """The codes of a region: our kind of labels, and places (4, 2) px where a code of their size was seen but not read.

    ``tried`` are the places on which pyzbar was tried.
    """

    labels: tuple[Label, ...]
    unread: tuple[Floats, ...]
    tried: tuple[Floats, ...] = ()


class LabelReader:
    """Reads labels with whichever of the two libraries there are.

    ``module_px`` is about how large a module appears; small ones are read in a picture twice as dense.
    Raises LabelReaderMissingError when there is neither.
    """

    def __init__(self, run: Run = in_process, *, use_zxing: bool = True, use_zbar: bool = True) -> None:
        """``run`` has one of the libraries look at a picture."""
        self._run = run
        self.failed = False
        """Whether a look had no answer from either library, since this was last set to False."""
        self._zxing, self._use_zbar = use_zxing and is_there(ZXING), use_zbar
        if not self._zxing and not self._zbar:
            raise LabelReaderMissingError(
                "reading cards needs zxing-cpp or pyzbar with its libzbar, and neither can be loaded; "
                "install one: pip install zxing-cpp, or apt-get install libzbar0 and pip install pyzbar"
            )

    @cached_property
    def _zbar(self) -> bool:
        """Whether pyzbar may be asked. It is loaded when it is needed first: that takes as long as two frames."""
        return self._use_zbar and is_there(ZBAR)

    def read(
        self,
        y: Picture,
        box: Box,
        module_px: float,
        *,
        thorough: bool = True,
        hopeless: Callable[[Floats], bool] = lambda place: False,
    ) -> LabelReading:
        """All labels in one part of a luminance picture, in the whole picture's pixels.

        ``thorough`` has pyzbar try what zxing-cpp saw and could not read; it costs several milliseconds a place, so it
        leaves out what is ``hopeless``.
        """
        if is_narrow(box):
            return LabelReading((), ())
        crop, scale = enlarged(y, box, module_px)
        answer = self._by_zxing(crop)
        if answer is None:
            only = self._run(ZBAR, crop) if self._zbar else None
            self.failed |= only is None
            return LabelReading(_parsed(only or [], box, scale), ())
        read, unread = answer
        labels = _parsed(read, box, scale)
        side_px = QR_MODULES * module_px
        places = [place for corners in unread if _may_be_whole(place := _placed(corners, box, scale), side_px)]
        if not thorough or not places or not self._zbar:
            return LabelReading(labels, tuple(places))
        return self._second_look(y, labels, places, hopeless)

    def plain(self, y: Picture) -> tuple[Label, ...]:
        """All labels in a luminance picture as the reader finds them by itself: with its own settings."""
        # zbar over a whole picture takes as long as a hundred frames.
        answer = self._run(ZXING, np.ascontiguousarray(y), True) if self._zxing else None
        return () if answer is None else _parsed(answer[0], Box(0, 0, y.shape[1], y.shape[0]), 1)

    def texts(self, y: Picture, box: Box, module_px: float) -> tuple[tuple[str, Floats], ...]:
        """Every code there that can be read, of whatever kind: what it says, and its corners (4, 2) px."""
        if is_narrow(box):
            return ()
        crop, scale = enlarged(y, box, module_px)
        answer = self._by_zxing(crop)
        read = self._by_zbar(crop) if answer is None else answer[0]
        return tuple((text, _placed(corners, box, scale)) for text, corners in read)

    def _second_look(
        self, y: Picture, labels: tuple[Label, ...], places: list[Floats], hopeless: Callable[[Floats], bool]
    ) -> LabelReading:
        """pyzbar on the first places that the other reader gave up on and that are not hopeless."""
        still_unread = [place for place in places if hopeless(place)]
        hopeful = [place for place in places if not hopeless(place)]
        still_unread += hopeful[_MAX_SECOND_LOOKS:]
        tried: list[Floats] = []
        for place in hopeful[:_MAX_SECOND_LOOKS]:
            side = float(np.linalg.norm(place[0] - place[2])) / 2
            box = box_around(place, side / 2, y.shape[1], y.shape[0])
            if is_narrow(box):
                continue
            tried.append(place)
            # zbar reads less of what is sharpened.
            crop = cv2.resize(box.of(y), None, fx=2, fy=2, interpolation=cv2.INTER_CUBIC)
            texts = self._by_zbar(np.asarray(crop, dtype=np.uint8))
            # Enlarged so, a pixel's corner and not its middle, half a pixel on, stays where it was.
            found = _parsed([(text, corners - 0.5) for text, corners in texts], box, 2)
            labels += found
            if not found:
                still_unread.append(place)
        return LabelReading(labels, tuple(still_unread), tuple(tried))

    def _by_zxing(self, crop: Picture) -> tuple[Texts, list[Floats]] | None:
        """The codes that zxing-cpp reads, and those it sees and cannot read; None without it, or without an answer."""
        return self._run(ZXING, crop, False) if self._zxing else None

    def _by_zbar(self, crop: Picture) -> Texts:
        return (self._run(ZBAR, crop) or []) if self._zbar else []


def as_before(label: Label, before: tuple[Label, ...]) -> Label:
    """The very label that was read at exactly this place before, if one was: what was made of it holds still."""
    half_module_px = math.dist(label.corners[0], label.corners[1]) / QR_MODULES / 2
    for other in before:
        if other[:2] == label[:2] and float(np.abs(other.corners - label.corners).max()) <= half_module_px:
            return other
    return label


def same_place(one: Label, other: Label) -> bool:
    """Whether both are of one card and in one place of the picture."""
    return one.card == other.card and same_code(one.corners, other.corners)


def same_tag(one: Marker, other: Marker) -> bool:
    """Whether both are one tag, and not two of the same number."""
    return one.id == other.id and same_code(one.corners, other.corners)


def same_code(one: Floats, other: Floats) -> bool:
    """Whether two outlines (4, 2) px are of one code: their middles are less apart than a finder pattern is wide."""
    return math.dist(middle_of(one), middle_of(other)) < math.dist(one[0], one[1]) * FINDER_MODULES / QR_MODULES


def enlarged(y: Picture, box: Box, module_px: float) -> tuple[Picture, int]:
    """A part of a picture, twice as dense where modules are small, and how much denser it is."""
    crop = np.ascontiguousarray(box.of(y))
    return (crop, 1) if module_px >= _ENLARGE_BELOW_PX else (denser(sharpened(crop, _SHARPER), 2), 2)


def _may_be_whole(corners: Floats, side_px: float) -> bool:
    """Whether an outline is about as large as a label; finder patterns of several codes taken for one's are not."""
    points = corners.tolist()
    sides = [math.dist(one, other) / side_px for one, other in zip(points, points[1:] + points[:1], strict=True)]
    return min(sides) >= 1 / NEARER and max(sides) <= NEARER


def _parsed(read: Iterable[tuple[str, Floats]], box: Box, scale: int) -> tuple[Label, ...]:
    labels = []
    for text, corners in read:
        known = parse_payload(text)
        if known is not None:
            labels.append(Label(*known, _placed(corners, box, scale)))
    return tuple(labels)


def _placed(corners: Floats, box: Box, scale: int) -> Floats:
    """From an enlarged crop's pixels to the picture's."""
    return corners / scale + (box.x0, box.y0)
