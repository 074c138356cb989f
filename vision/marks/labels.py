"""Reads QR codes in part of a picture: with zxing-cpp, or with pyzbar where that is missing or gives no answer.
Wrong payloads were never seen of either (READING.md, "QR"): what is read counts as read.
"""

from __future__ import annotations

import math
from collections.abc import Iterable
from functools import cached_property
from typing import Final, NamedTuple

import numpy as np

from engine.rules.cards import Card
from vision.frame import Picture
from vision.geometry import Box, Floats, middle_of
from vision.marks.denser import darker_than_around
from vision.marks.foreign import ZBAR, ZXING, Run, Texts, in_process, is_there
from vision.marks.markers import Marker, is_narrow
from vision.printed.tags import FINDER_MODULES, QR_MODULES, parse_payload

_ENLARGE_BELOW_PX: Final = 5.0  # below that, twice the size is read better: READING.md, "QR"
_DARKER: Final = 3  # grey levels, than its surroundings: READING.md, "Made denser"
_AROUND_MODULES: Final = 5.0  # of its surroundings, were modules a pixel less: READING.md, "Made denser"
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
    """The codes of a region: our kind of labels, and places (4, 2) px of codes of their size that nobody can read."""

    labels: tuple[Label, ...]
    unread: tuple[Floats, ...]


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

    def read(self, y: Picture, box: Box, module_px: float) -> LabelReading:
        """All labels in one part of a luminance picture, in the whole picture's pixels."""
        if is_narrow(box):
            return LabelReading((), ())
        crop, scale = binarized(y, box, module_px)
        answer = self._answer(crop)
        self.failed |= answer is None
        read, unread = answer or ([], [])
        labels = _parsed(read, box, scale)
        side_px = QR_MODULES * module_px
        places = [place for corners in unread if _may_be_whole(place := _placed(corners, box, scale), side_px)]
        return LabelReading(labels, tuple(places))

    def plain(self, y: Picture) -> tuple[Label, ...]:
        """All labels in a luminance picture as the reader finds them by itself: with its own settings."""
        # zbar over a whole picture takes as long as a hundred frames.
        answer = self._run(ZXING, np.ascontiguousarray(y), True) if self._zxing else None
        return () if answer is None else _parsed(answer[0], Box(0, 0, y.shape[1], y.shape[0]), 1)

    def texts(self, y: Picture, box: Box, module_px: float) -> tuple[tuple[str, Floats], ...]:
        """Every code there that can be read, of whatever kind: what it says, and its corners (4, 2) px."""
        if is_narrow(box):
            return ()
        crop, scale = binarized(y, box, module_px)
        read, _ = self._answer(crop) or ([], [])
        return tuple((text, _placed(corners, box, scale)) for text, corners in read)

    def _answer(self, crop: Picture) -> tuple[Texts, list[Floats]] | None:
        """The codes that a library reads, and those that zxing-cpp sees and cannot read; None without an answer."""
        answer: tuple[Texts, list[Floats]] | None = self._run(ZXING, crop, False) if self._zxing else None
        if answer is None and self._zbar:
            texts = self._run(ZBAR, crop)
            answer = None if texts is None else (texts, [])
        return answer


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


def binarized(y: Picture, box: Box, module_px: float) -> tuple[Picture, int]:
    """A part of a picture after an adaptive threshold, and how many times denser it is than the picture.

    Black (0) where it is darker than its surroundings, else white (255); twice as dense where modules are small.
    """
    scale = 1 if module_px >= _ENLARGE_BELOW_PX else 2
    around_px = max(3, 2 * int(_AROUND_MODULES * (module_px - 1.0) / 2) + 1)
    dark = darker_than_around(np.ascontiguousarray(box.of(y)), around_px, _DARKER, scale)
    return np.asarray(255 * (1 - dark), dtype=np.uint8), scale


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
