"""A fit that does not believe everybody: what does not agree with the rest is left out.

A hand at a marker's edge pulls a corner; a marker lies where nobody measured it; a fencer stands between two spaces.
After each fit it is asked of every corner, and of what is believed of every square's place, how much better the rest
would agree without it. The worst of them is left out, and the rest fitted anew, until nobody stands out. Where two are
as likely to be wrong, neither is left out: ``vision.board.weighing`` weighs them.
Source: Baarda, "A testing procedure for use in geodetic networks", 1968.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

import numpy as np

from vision.belief import DOUBT, UNLIKELY
from vision.board.lens_fit import CAMERA, Fit, KeptPoints, LensBelief, Square, fit_camera
from vision.geometry import Floats
from vision.ranks import median

MAX_NOISE: Final = 4.0  # as a variance; corners noisier than this are taken for wrong ones


@dataclass(frozen=True, slots=True, eq=False)
class Agreement:
    """A fit, its squares, and of these which corners and whose places count."""

    fit: Fit
    squares: tuple[Square, ...]
    kept: KeptPoints
    free: frozenset[int]

    @property
    def believed(self) -> frozenset[int]:
        """The ids of the squares that count with place and corners."""
        return frozenset(
            square.id
            for number, square in enumerate(self.squares)
            if number not in self.free and bool(self.kept[number].any())
        )


def agree(squares: Sequence[Square], belief: LensBelief, size: tuple[int, int], pose: Floats) -> Agreement | None:
    """The fit of those that agree, from a first pose about the squares' centre; None when nothing explains them."""
    kept = np.ones((len(squares), 4), np.bool_)
    free: frozenset[int] = frozenset()
    doubted: frozenset[int] = frozenset()
    fit = fit_camera(squares, belief, size, pose, kept, free)
    while True:
        if fit is None:
            return None
        here = fit.parameters[:CAMERA]
        tests = fit.corner_tests / (UNLIKELY * _noise(fit, kept))
        places = fit.place_tests / UNLIKELY
        places[list(doubted)] = 0
        number, corner = np.unravel_index(int(tests.argmax()), tests.shape)
        place = int(places.argmax())
        if max(tests[number, corner], places[place]) <= 1.0:
            break
        if tests[number, corner] >= places[place]:
            kept = kept.copy()
            kept[number, corner] = False
            if kept[number].sum() < 3:
                kept[number] = False
        else:
            fits = _without_a_place(squares, belief, size, here, kept, free)
            ranked = sorted(fits, key=lambda each: fits[each].cost)
            if not ranked:
                return None
            best = ranked[0]
            rivals = [each for each in ranked if fits[each].cost < fits[best].cost - DOUBT]
            if len(rivals) == 1:
                free = free | {best}
            else:
                doubted = doubted | {place, *rivals}
        if not any(square.on_board and kept[each].any() for each, square in enumerate(squares)):
            return None
        fit = fit_camera(squares, belief, size, here, kept, free)
    if fit is None:
        return None
    return Agreement(fit, tuple(squares), kept, free)


def _without_a_place(
    squares: Sequence[Square],
    belief: LensBelief,
    size: tuple[int, int],
    pose: Floats,
    kept: KeptPoints,
    free: frozenset[int],
) -> dict[int, Fit]:
    """By the number of each square whose place may be the wrong one: the fit that does not believe it."""
    fits = {}
    for number in range(len(squares)):
        if number not in free and kept[number].any():
            fit = fit_camera(squares, belief, size, pose, kept, free | {number})
            if fit is not None:
                fits[number] = fit
    return fits


def _noise(fit: Fit, kept: KeptPoints) -> float:
    """How much noisier than believed the corners as a whole are, as a variance: 2 ln 2 is the median of chi-squared."""
    return float(np.clip(median(fit.corner_tests[kept]) / (2 * math.log(2)), 1.0, MAX_NOISE))
