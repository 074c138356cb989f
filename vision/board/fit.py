"""From corner markers and fencers' tags in view to the camera that sees them, whoever of them is wrong."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Final

import numpy as np

from engine.rules.track import Side
from vision.belief import DOUBT, UNLIKELY
from vision.board.agreement import Agreement, agree
from vision.board.lens_fit import CAMERA, Fit, LensBelief, Square, centre_of, first_poses, fit_camera, parameters_about
from vision.board.weighing import weighed
from vision.board.worst_case import WorstCase, apart_mm, read_at_mm, spread_mm, tags_mm, worst_case
from vision.geometry import Camera, Floats
from vision.marks.markers import diagonals_meet
from vision.printed.table import Table

MARKER_SD_MM: Final = 0.8
"""How exactly people lay or measure a marker."""
_MARKER_TURN_SD: Final = math.radians(1.0)
_FIGURE_SD_MM: Final = 2.2  # of a base on its space
_FIGURE_TURN_SD: Final = math.radians(6.0)
_SAME_TURN: Final = 1e-4  # radians, less than 0.1 mm on a table: two starts that found one camera; chosen
_NO_TAG_MM: Final = 40.0  # further from every space, and it is no figure on the track


@dataclass(frozen=True, slots=True, eq=False)
class BoardFit:
    """The camera as found, what agreed on it, and how far off the spaces may be.

    ``worst`` is as careful as if one square lay off its place, ``likely_mm`` the worst of them by how likely that is.
    """

    agreement: Agreement
    worst: WorstCase
    likely_mm: float

    @property
    def fit(self) -> Fit:
        return self.agreement.fit


def fit_board(
    corners: Mapping[int, Floats],
    table: Table,
    belief: LensBelief,
    size: tuple[int, int],
    near: Camera | None = None,
) -> BoardFit | None:
    """The camera for corner markers and fencers' tags by id, (4, 2) px each.

    ``near`` is a camera to start from; without one it is found. None when there is no corner marker, or no camera sees
    them so.
    """
    markers = _markers(corners, table)
    if not markers:
        return None
    tags = {number: px for number, px in corners.items() if table.side_of(number) is not None}
    found: list[BoardFit] = []
    for pose in _starts(markers, belief, size, near):
        agreed = agree(markers, belief, size, pose)
        agreed = _without_a_gross_one(markers, belief, size, agreed)
        if agreed is None:
            continue
        if tags:
            agreed = _with_tags(agreed, markers, tags, table, belief, size)
        found.append(_told(agreed, table))
    if not found:
        return None
    found.sort(key=lambda each: each.fit.cost - each.agreement.kept.sum())
    best = found[0]
    for other in found[1:]:
        if other.fit.cost - best.fit.cost < -DOUBT:
            # Either may be right: as far as they differ, nobody knows.
            off = apart_mm(best.fit.camera, other.fit.camera, table)
            told = best.worst
            best = replace(
                best,
                worst=WorstCase(
                    tuple(max(a, float(b)) for a, b in zip(told.off_mm, off, strict=True)),
                    max(told.worst_mm, float(off.max())),
                ),
                likely_mm=max(best.likely_mm, float(off.max())),
            )
    return best


def _markers(corners: Mapping[int, Floats], table: Table) -> list[Square]:
    return [
        Square(
            corner.id,
            np.asarray(corners[corner.id], dtype=np.float64),
            np.array(corner[1:]),
            np.zeros(3),
            table.board_size_mm,
            MARKER_SD_MM,
            _MARKER_TURN_SD,
            on_board=True,
        )
        for corner in table.corners
        if corner.id in corners
    ]


def _tag(number: int, px: Floats, space: int, table: Table) -> Square:
    return Square(
        number,
        np.asarray(px, dtype=np.float64),
        np.array(table.space_mm(space)),
        np.array(table.fencer_offset_mm),
        table.fencer_size_mm,
        _FIGURE_SD_MM,
        _FIGURE_TURN_SD,
        on_board=False,
    )


def _starts(
    markers: Sequence[Square], belief: LensBelief, size: tuple[int, int], near: Camera | None
) -> tuple[Floats, ...]:
    if near is not None:
        return (parameters_about(near, centre_of(markers)),)
    found = (fit_camera(markers, belief, size, pose) for pose in first_poses(markers, belief))
    fits = [fit for fit in found if fit is not None]
    best = min((fit.cost for fit in fits), default=0.0)
    distinct: list[Fit] = []
    for fit in fits:
        if not any(np.allclose(fit.camera.R, other.camera.R, rtol=0.0, atol=_SAME_TURN) for other in distinct):
            distinct.append(fit)
    return tuple(fit.parameters[:CAMERA] for fit in distinct if fit.cost < 2 * best - DOUBT)


def _without_a_gross_one(
    markers: Sequence[Square], belief: LensBelief, size: tuple[int, int], agreed: Agreement | None
) -> Agreement | None:
    """Where nothing fits, one marker may be quite elsewhere: the one without which the others agree best."""
    if len(markers) < 3 or (agreed is not None and agreed.fit.factor <= UNLIKELY):
        return agreed
    best = agreed
    for out in range(len(markers)):
        rest = [marker for number, marker in enumerate(markers) if number != out]
        for pose in first_poses(rest, belief):
            found = agree(rest, belief, size, pose)
            if found is not None and (best is None or found.fit.factor < best.fit.factor):
                best = found
    return best


def _with_tags(
    agreed: Agreement,
    markers: Sequence[Square],
    tags: Mapping[int, Floats],
    table: Table,
    belief: LensBelief,
    size: tuple[int, int],
) -> Agreement:
    """The fit with those tags whose space is clear, the surer one first; without any when that fits no camera."""
    own = {square.id for square in agreed.squares}
    left = [marker for marker in markers if marker.id in own]
    best = agreed
    for side in sorted(Side, key=lambda side: side.value):
        number = table.fencer_ids[side]
        if number not in tags:
            continue
        tag = _tag_at_its_space(best, number, tags[number], table, belief, size)
        if tag is None:
            continue
        squares = [*left, tag]
        more = agree(squares, belief, size, parameters_about(best.fit.camera, centre_of(squares)))
        if more is not None:
            best, left = more, squares
    return best


def _tag_at_its_space(
    agreed: Agreement, number: int, px: Floats, table: Table, belief: LensBelief, size: tuple[int, int]
) -> Square | None:
    """The tag on the space where it lies by what is known so far; None where that may be two or none."""
    camera = agreed.fit.camera
    fit = agreed.fit
    middle = np.repeat(diagonals_meet(px)[None], len(table.spaces_mm), axis=0)
    apart = np.linalg.norm(read_at_mm(camera, middle, table) - tags_mm(table)[:, :2], axis=1)
    apart = np.nan_to_num(apart, nan=np.inf)
    nearest = int(apart.argmin())
    reach = 4.0 * float(spread_mm(fit, centre_of(agreed.squares), table)[nearest])
    if apart[nearest] > reach + _NO_TAG_MM:
        return None
    possible = (np.flatnonzero(apart < apart[nearest] + reach + 4.0) + 1).tolist()
    if len(possible) == 1:
        return _tag(number, px, possible[0], table)
    fits = {}
    for space in possible:
        squares = [*agreed.squares, _tag(number, px, space, table)]
        kept = np.vstack([agreed.kept, np.ones((1, 4), np.bool_)])
        pose = parameters_about(camera, centre_of(squares))
        tried = fit_camera(squares, belief, size, pose, kept, agreed.free)
        if tried is not None:
            fits[space] = tried.cost
    ranked = sorted(fits, key=lambda space: fits[space])
    if not ranked or (len(ranked) > 1 and fits[ranked[1]] < fits[ranked[0]] - DOUBT):
        return None
    return _tag(number, px, ranked[0], table)


def _told(agreed: Agreement, table: Table) -> BoardFit:
    fit, likely, possible = weighed(agreed)
    centre = centre_of(agreed.squares)
    worst = worst_case(fit, possible, centre, table)
    return BoardFit(replace(agreed, fit=fit), worst, worst_case(fit, likely, centre, table).worst_mm)
