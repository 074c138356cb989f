"""Reads a label from what is left of it, where something lies across it or glares on it.

One finder pattern that is still whole says where the code's modules must be, up to twelve ways in which it can belong
to one; the codebook says whether one of them is a label of ours, and which.
"""

from __future__ import annotations

import math
from collections.abc import Generator, Sequence
from functools import lru_cache
from typing import Final, NamedTuple

import cv2
import numpy as np
from numpy.typing import NDArray

from engine.rules.cards import Card
from vision.cells import at_share
from vision.frame import Picture
from vision.geometry import Box, Camera, Floats, middle_of
from vision.marks.codebook import AHEAD, ENOUGH, Codebook, Match, Signs, codebook
from vision.marks.finders import HEART, MIN_CONTRAST, Finder, find_finders
from vision.marks.labels import Label, LabelReader
from vision.marks.markers import box_around
from vision.marks.work import FINDERS_PER_MEGAPIXEL, FIT, FIT_AT_CORNERS
from vision.printed.table import Table
from vision.printed.tags import FINDER_MODULES, QR_MODULES

_CORNER: Final = FINDER_MODULES / 2  # modules from a code's edges to a finder pattern's middle
_BETWEEN: Final = QR_MODULES - FINDER_MODULES  # from one finder pattern's middle to the next one's
_OFF_MODULES: Final = HEART / 2  # a finder pattern's middle lies within its heart, where it is expected
_CORNERS: Final = ((_CORNER, _CORNER), (QR_MODULES - _CORNER, _CORNER), (_CORNER, QR_MODULES - _CORNER))
_SHARES: Final = tuple((across / QR_MODULES, below / QR_MODULES) for across, below in _CORNERS)
_STEP: Final = 0.25  # modules: the fine poses lie so far from the best rough one, or turned by as much at the far end
_STEPS: Final = np.array([-1.0, 0.0, 1.0])
_FINE_TURNS_DEG: Final = np.degrees(_STEPS * _STEP / _BETWEEN)
_ROUGH_TURNS_DEG: Final = np.concatenate([4 * _FINE_TURNS_DEG, 2 * _FINE_TURNS_DEG[::2]])
_POSES_ALONE: Final = 4 * len(_CORNERS) * len(_ROUGH_TURNS_DEG)  # of a finder pattern that has no other to go with
_UNTOLD: Final = 0.28  # share of the way from the middle grey to black or white that tells nothing
_WORTH_MORE: Final = ENOUGH / 2  # the best fit was never more than 13 nats better than the first
_ALL: Final = np.arange(QR_MODULES**2)  # the modules of a code
GROWN: Final = 1 + HEART / QR_MODULES  # a code with its very edge, a module and a half


class Remnant(NamedTuple):
    """A code that lies flat and that no reader read: its outline (4, 2) px, and its label where enough is left of it.

    Without a label the outline is that of one finder pattern, and ``hint`` the card that what is left of it speaks for,
    if for any: not enough to call it read, but enough to tell it from another card's.
    """

    outline: Floats
    label: Label | None
    hint: Card | None = None


class _Pose(NamedTuple):
    """How a label may lie: its top left corner in mm, and the direction of its upper edge."""

    x_mm: float
    y_mm: float
    turn_deg: float


class _Fitted(NamedTuple):
    """The label of a book that fits best, and its corners (4, 2) px; whether it is that one for certain."""

    match: Match
    corners: Floats

    @property
    def hint(self) -> Card | None:
        """The card that it may be."""
        return self.match.card if self.match.ahead >= AHEAD else None


class _Near:
    """Where the table about a point appears: a quadratic map, as good as the camera itself within a card's length and
    far cheaper for thousands of points."""

    def __init__(self, camera: Camera, pivot_mm: tuple[float, float], reach_mm: float) -> None:
        self.pivot_mm = pivot_mm
        x_mm, y_mm = _grid(reach_mm)
        px = camera.project(np.column_stack([x_mm + pivot_mm[0], y_mm + pivot_mm[1], np.zeros(len(x_mm))]))
        self._factors = (_fitting(reach_mm) @ px).T.astype(np.float32)

    def px(self, x_mm: Signs, y_mm: Signs) -> tuple[Signs, Signs]:
        """The pixels of points given from the pivot on: across and down."""
        across, down = (
            a + x_mm * (b + d * x_mm + e * y_mm) + y_mm * (c + f * y_mm) for a, b, c, d, e, f in self._factors
        )
        return across, down


def _grid(reach_mm: float) -> tuple[Floats, Floats]:
    """Points all around a pivot, as far as this: across and up."""
    steps = np.linspace(-reach_mm, reach_mm, 3)
    x_mm, y_mm = (part.ravel() for part in np.meshgrid(steps, steps))
    return x_mm, y_mm


@lru_cache(maxsize=4)
def _fitting(reach_mm: float) -> Floats:
    """The matrix (6, 25) that gives a quadratic map from the pixels of the grid's points, by least squares."""
    x_mm, y_mm = _grid(reach_mm)
    terms = np.column_stack([np.ones(len(x_mm)), x_mm, y_mm, x_mm * x_mm, x_mm * y_mm, y_mm * y_mm])
    return np.linalg.pinv(terms)


def search_remnants(
    y: Picture,
    box: Box,
    camera: Camera,
    table: Table,
    module_px: float,
    read: Sequence[Label],
    unread: Sequence[Floats],
    reader: LabelReader,
    backs: Codebook | None = None,
    foreign: Sequence[Floats] = (),
    cut: Sequence[Remnant] = (),
    vain: list[Remnant] | None = None,
) -> Generator[float, None, tuple[Remnant, ...]]:
    """Returns the codes in a part of the picture that are none of those ``read``; yields what each step costs before
    it is taken, in units of ``vision.marks.work``, so that the steps may be spread over frames.

    ``unread`` are corners (4, 2) px of codes that a reader saw without reading them. A code of another kind that can
    be read, as those with corners in ``foreign`` were, is nothing to us and is left out, and so is what is left of one
    of these ``backs``: whose is not told. What earlier looks found where nothing changed since: ``cut`` labels, which
    are returned as they are, and finder patterns in ``vain``, which are not fitted again; new ones are added there.
    """
    fitter, book = _Fitter(y, camera, table), codebook(table.deck_letter)
    vain = [] if vain is None else vain
    found = list(cut)
    turned: list[Floats] = []
    others = list(foreign)
    for corners in unread:
        known = (*(label.corners for label in read), *(remnant.outline for remnant in found))
        if not any(inside(middle_of(corners), outline) for outline in known):
            yield FIT_AT_CORNERS
            fitted = fitter.at_corners(corners, book)
            if fitted is not None and fitted.match.certain:
                found.append(_cut_label(fitted, table))
    whole = [label.corners for label in read]
    yield FINDERS_PER_MEGAPIXEL * box.area / 1e6
    finders = find_finders(y, box, camera, fitter.module_mm, module_px, whole)
    left = [finder for finder in finders if not any(inside(finder.px, corners) for corners in whole)]
    while left:
        finder = left.pop(0)
        if any(_is_of(finder, remnant) for remnant in found) or any(inside(finder.px, back) for back in turned):
            continue
        if any(_is_own(finder, code) for code in others):
            continue
        known_in_vain = next((code for code in vain if inside(finder.px, code.outline)), None)
        if known_in_vain is not None:
            found.append(known_in_vain)
            continue
        poses = _poses(finder, left, fitter.module_mm)
        work = FIT * len(poses) / _POSES_ALONE
        yield work
        fitted = fitter.at_finder(finder, poses, book)
        if fitted is not None and fitted.match.certain:
            found.append(_cut_label(fitted, table))
            continue
        yield work
        back = None if backs is None else fitter.at_finder(finder, poses, backs)
        if back is not None and back.match.certain:
            turned.append(back.corners)
            continue
        around = box_around(np.array([finder.px]), 2 * QR_MODULES * module_px, y.shape[1], y.shape[0])
        readable = [corners for _, corners in reader.texts(y, around, module_px) if inside(finder.px, corners)]
        others += readable
        if not readable:
            hint = None if fitted is None else fitted.hint
            found.append(Remnant(fitter.around(finder), None, hint))
            vain.append(found[-1])
    return fitter.one_each(found)


def inside(px: Sequence[float], corners: Floats) -> bool:
    """Whether a pixel lies in a code with these corners (4, 2) px, or at its very edge."""
    (ax, ay), (bx, by), (cx, cy), (dx, dy) = corners.tolist()
    x, y = (ax + bx + cx + dx) / 4, (ay + by + cy + dy) / 4
    across, down = float(px[0]) - x, float(px[1]) - y
    # Most codes are nowhere near: that is told without their shape.
    if abs(across) > GROWN * max(abs(ax - x), abs(bx - x), abs(cx - x), abs(dx - x)):
        return False
    if abs(down) > GROWN * max(abs(ay - y), abs(by - y), abs(cy - y), abs(dy - y)):
        return False
    shape = GROWN * (corners - (x, y))
    return bool(cv2.pointPolygonTest(shape.astype(np.float32), (across, down), False) >= 0)


def _is_of(finder: Finder, remnant: Remnant) -> bool:
    """Whether a finder pattern is a part of this code, of which others were used.

    One within a cut label where that has none is on what lies across it.
    """
    if not inside(finder.px, remnant.outline):
        return False
    return remnant.label is None or _is_own(finder, remnant.outline)


def _is_own(finder: Finder, outline: Floats) -> bool:
    """Whether a finder pattern is in one of the three places where a code with this outline (4, 2) px has its own."""
    start, right, _, down = outline
    own = (start + across * (right - start) + below * (down - start) for across, below in _SHARES)
    module_px = math.sqrt(cv2.contourArea(outline.astype(np.float32))) / QR_MODULES
    return any(math.dist(finder.px, place) <= _OFF_MODULES * module_px for place in own)


def _cut_label(fitted: _Fitted, table: Table) -> Remnant:
    """A label of our deck, of which only a part was left."""
    return Remnant(fitted.corners, Label(table.deck_letter, fitted.match.card, fitted.corners, cut=True))


class _Fitter:
    """Fits labels to what a camera shows of a table in one frame."""

    def __init__(self, y: Picture, camera: Camera, table: Table) -> None:
        self._y, self._camera, self._side_mm = y, camera, table.qr_mm
        self.module_mm = table.qr_mm / QR_MODULES

    def at_finder(self, finder: Finder, poses: list[_Pose], book: Codebook) -> _Fitted | None:
        """The label of this book that this finder pattern may belong to, lying in one of these ways."""
        return self._fit(poses, (finder.x_mm, finder.y_mm), (finder.black, finder.white), book)

    def at_corners(self, corners: Floats, book: Codebook) -> _Fitted | None:
        """The label of this book that may lie at about these corners (4, 2) px."""
        on_table = self._camera.at_height(corners, 0.0)
        if not np.isfinite(on_table).all():
            return None
        across = on_table[1] - on_table[0] + on_table[2] - on_table[3]
        turn = math.degrees(math.atan2(across[1], across[0]))
        x_mm, y_mm = on_table.mean(axis=0).tolist()
        pose = _around(x_mm, y_mm, turn, self._side_mm)
        grey = self._greys([pose], _Near(self._camera, (x_mm, y_mm), self._side_mm), _ALL)
        black, white = at_share(grey, 0.25), at_share(grey, 0.75)
        if white - black < MIN_CONTRAST:
            return None
        return self._fit(self._neighbours(pose, (x_mm, y_mm), 2), (x_mm, y_mm), (black, white), book)

    def around(self, finder: Finder) -> Floats:
        """The outline of a finder pattern, (4, 2) px."""
        side_mm = FINDER_MODULES * self.module_mm
        return self._corners_px(_around(finder.x_mm, finder.y_mm, finder.turn_deg, side_mm), side_mm)

    def one_each(self, found: list[Remnant]) -> tuple[Remnant, ...]:
        """A code of which several finder patterns are left and nothing can be read is one code all the same."""
        kept, places = list[Remnant](), list[Floats]()
        for remnant in found:
            if remnant.label is None:
                place = self._camera.at_height(remnant.outline.mean(axis=0), 0.0)[0]
                if any(float(np.linalg.norm(other - place)) < self._side_mm for other in places):
                    continue
                places.append(place)
            kept.append(remnant)
        return tuple(kept)

    def _fit(
        self, poses: list[_Pose], pivot: tuple[float, float], levels: tuple[float, float], book: Codebook
    ) -> _Fitted | None:
        """The label of this book that one of these poses shows best, None where nothing much speaks for any.

        The likeliest pose is shifted and turned a little for the best fit.
        """
        near = _Near(self._camera, pivot, math.sqrt(2) * self._side_mm)
        rough, number = book.best(signs(self._greys(poses, near, book.telling), *levels))
        if rough.evidence < _WORTH_MORE:
            return None
        fine = self._neighbours(poses[number], pivot)
        best, number = book.best(signs(self._greys(fine, near, book.telling), *levels), rough.mask)
        return _Fitted(best, self._corners_px(fine[number], self._side_mm))

    def _neighbours(self, pose: _Pose, pivot: tuple[float, float], steps: int = 1) -> list[_Pose]:
        """The pose itself and all poses shifted and turned from it by ``steps`` fine steps."""
        return [
            _moved(pose, pivot, steps * turn, steps * across * self.module_mm, steps * along * self.module_mm)
            for turn in _FINE_TURNS_DEG
            for across in _STEPS * _STEP
            for along in _STEPS * _STEP
        ]

    def _greys(self, poses: list[_Pose], near: _Near, modules: NDArray[np.int_]) -> Signs:
        """What lies where the middles of some modules, by their numbers (M,) row by row, would be: (poses, M)."""
        at = (np.arange(QR_MODULES, dtype=np.float32) + np.float32(0.5)) * np.float32(self.module_mm)
        ways = np.array([_axes(pose.turn_deg) for pose in poses], np.float32)
        starts = np.array([pose[:2] for pose in poses], np.float32) - np.array(near.pivot_mm, np.float32)
        rows, columns = at[modules // QR_MODULES], at[modules % QR_MODULES]
        x_mm, y_mm = (starts[:, n, None] + columns * ways[:, 0, n, None] + rows * ways[:, 1, n, None] for n in range(2))
        grey = cv2.remap(self._y, *near.px(x_mm, y_mm), cv2.INTER_LINEAR, borderMode=cv2.BORDER_REPLICATE)
        return np.asarray(grey, dtype=np.float32)

    def _corners_px(self, pose: _Pose, side_mm: float) -> Floats:
        """The corners (4, 2) px of a square that lies so."""
        right, down = (np.array([*axis, 0.0]) * side_mm for axis in _axes(pose.turn_deg))
        start = np.array([pose.x_mm, pose.y_mm, 0.0])
        return self._camera.project([start, start + right, start + right + down, start + down])


def _poses(finder: Finder, others: list[Finder], module_mm: float) -> list[_Pose]:
    """Every way in which a label can lie so that this is one of its finder patterns.

    Another finder pattern at the right distance tells the turn much better than one alone does.
    """
    turns = [
        math.degrees(math.atan2(other.y_mm - finder.y_mm, other.x_mm - finder.x_mm)) % 90.0
        for other in others
        if abs(math.dist(other[:2], finder[:2]) - _BETWEEN * module_mm) <= _OFF_MODULES * module_mm
    ]
    poses = []
    for turn in [*turns, *(finder.turn_deg + off for off in _ROUGH_TURNS_DEG)]:
        for quarter in range(4):
            way = turn + 90.0 * quarter
            right, down = _axes(way)
            for across, below in _CORNERS:
                x_mm = finder.x_mm - module_mm * (across * right[0] + below * down[0])
                y_mm = finder.y_mm - module_mm * (across * right[1] + below * down[1])
                poses.append(_Pose(x_mm, y_mm, way))
    return poses


def signs(grey: Signs, black: float, white: float) -> Signs:
    """These grey levels as modules of a label whose black and white are so bright."""
    darkness = ((black + white) / 2 - grey) / ((white - black) / 2)
    return np.asarray(np.sign(darkness) * (np.abs(darkness) >= _UNTOLD), dtype=np.float32)


def _axes(turn_deg: float) -> tuple[tuple[float, float], tuple[float, float]]:
    """Unit vectors to the right and down of a label whose upper edge runs in this direction (board frame)."""
    c, s = math.cos(math.radians(turn_deg)), math.sin(math.radians(turn_deg))
    return (c, s), (s, -c)


def _moved(pose: _Pose, pivot: tuple[float, float], turn_deg: float, dx_mm: float, dy_mm: float) -> _Pose:
    """The pose turned about a point, then shifted."""
    c, s = math.cos(math.radians(turn_deg)), math.sin(math.radians(turn_deg))
    x_mm, y_mm = pose.x_mm - pivot[0], pose.y_mm - pivot[1]
    return _Pose(
        pivot[0] + c * x_mm - s * y_mm + dx_mm, pivot[1] + s * x_mm + c * y_mm + dy_mm, pose.turn_deg + turn_deg
    )


def _around(x_mm: float, y_mm: float, turn_deg: float, side_mm: float) -> _Pose:
    """A square around a place, its upper edge running in this direction."""
    (right_x, right_y), (down_x, down_y) = _axes(turn_deg)
    return _Pose(x_mm - (right_x + down_x) * side_mm / 2, y_mm - (right_y + down_y) * side_mm / 2, turn_deg)
