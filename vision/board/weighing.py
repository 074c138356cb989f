"""The cameras that may be the true one: one of the squares, nobody knows which, may lie only near its place.

A marker 5 mm off, where two markers and two figures are all that is in view, contradicts nobody clearly: figures are
not put down more exactly than that. So none is left out for it. Each in its turn is supposed to lie only near its
place, and what is seen then says how likely that is. The camera is the mean of those, each counting as much as it is
likely. What is told of the worst case is more careful, as if one of them did lie off: where many agree, all of these
cameras are the same anyway.
Source: Box and Tiao, "A Bayesian approach to some outlier problems", Biometrika 1968.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final, NamedTuple

import numpy as np

from vision.belief import UNLIKELY
from vision.board.lens_fit import CAMERA, Fit, Square, own_place, weight_of, with_parameters
from vision.geometry import Floats

_NEAR: Final = 8.0  # of a place's spread: a marker's is 6.4 mm then, of which 8 mm are nothing rare and 12 mm seldom


class Weighed(NamedTuple):
    """K cameras: ``parameters`` (K, 11) about the squares' centre, ``covariances`` (K, 11, 11); ``fit`` is their mean.

    ``likely`` (K,) says how likely each is, ``careful`` (K,) the same as if one of the squares did lie off; the first
    camera is that for which none does.
    """

    fit: Fit
    parameters: Floats
    covariances: Floats
    likely: Floats
    careful: Floats


def weighed(fit: Fit, squares: Sequence[Square]) -> Weighed:
    """The camera of a fit, and those next to it in which one of its squares lies only near its place.

    Of a square that lies farther than near it is known already: it is not believed in any of them.
    """
    freedom = np.array([square.freedom for square in squares])
    elsewhere = fit.place_squared > UNLIKELY * _NEAR**2
    suspects = np.flatnonzero(~elsewhere)
    # That Student's t has a place as far off, against all well.
    odds = np.append(1.0, (1 + _NEAR**2 / freedom[suspects]) ** (-freedom[suspects] / 2))
    fitted = weight_of(fit.place_squared, freedom)
    weights = np.tile(np.where(elsewhere, fitted, 1.0), (len(odds), 1))
    weights[np.arange(1, len(odds)), suspects] = 1 / _NEAR**2
    at = np.concatenate([np.arange(len(fit.parameters))[own_place(number)] for number in range(len(squares))])
    precision = np.repeat(weights / [square.place_sd_mm**2 for square in squares], 2, axis=1) / fit.factor
    before = np.repeat(fitted / [square.place_sd_mm**2 for square in squares], 2) / fit.factor
    # Cameras and places are those of a fit with other beliefs of the places, to the first order.
    curves = np.tile(np.linalg.inv(fit.known) / fit.factor, (len(odds), 1, 1))
    curves[:, at, at] += precision - before
    slopes = np.zeros((len(odds), len(fit.parameters)))
    slopes[:, at] = (precision - before) * fit.parameters[at]
    known = np.linalg.inv(curves)
    shifts = -np.einsum("kij,kj->ki", known, slopes)
    likely = np.log(precision).sum(axis=1) + np.linalg.slogdet(known)[1]
    likely -= np.einsum("ki,ki->k", slopes, shifts) + precision @ fit.parameters[at] ** 2
    shares = odds * np.exp((likely - likely.max()) / 2)
    shares /= shares.sum()
    careful = np.append(0.0, shares[1:]) / shares[1:].sum() if len(suspects) else shares
    mean = shares @ shifts
    whole = np.einsum("k,kij->ij", shares, known) + (shares * (shifts - mean).T) @ (shifts - mean)
    return Weighed(
        with_parameters(fit, fit.parameters + mean, whole / fit.factor, squares),
        (fit.parameters + shifts)[:, :CAMERA],
        known[:, :CAMERA, :CAMERA],
        shares,
        careful,
    )
