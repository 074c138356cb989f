"""The cameras that may be the true one: one of the squares, nobody knows which, may lie only near its place.

A marker 5 mm off, where two markers and two figures are all that is in view, contradicts nobody clearly: figures are
not put down more exactly than that. So none is left out for it. Each in its turn is supposed to lie only near its
place, and what is seen then says how likely that is. The camera is the mean of those, each counting as much as it is
likely: seldom a marker's fault, more often a figure's. What is told of the worst case is more careful, as if one of
them did lie off: where many agree, all of these cameras are the same anyway.
Source: Box and Tiao, "A Bayesian approach to some outlier problems", Biometrika 1968.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final, NamedTuple

import numpy as np

from vision.board.agreement import Agreement
from vision.board.lens_fit import CAMERA, Fit, own_place, with_parameters
from vision.geometry import Floats

# Of a place's spread: a marker's is 4 mm then, of which 5 mm are nothing rare and 12 mm are.
_NEAR: Final = 5.0
_MARKER_ODDS: Final = 0.02  # against all lying well: two of them together are less than the twentieth that is not told
_TAG_ODDS: Final = 0.15  # figures are put down in haste, and again and again; markers once


class Likely(NamedTuple):
    """How likely a camera is, 0 to 1; its parameters (11,) about the squares' centre, and their covariance (11, 11)."""

    share: float
    parameters: Floats
    covariance: Floats


class Weighed(NamedTuple):
    """The mean of the cameras by how likely they are, these, and the same as if one of the squares did lie off."""

    fit: Fit
    likely: tuple[Likely, ...]
    possible: tuple[Likely, ...]


class _Near(NamedTuple):
    """A square lying only near its place: the logarithm of how much likelier what is seen becomes, by how much all
    parameters (N,) change, and their covariance (N, N).
    """

    log: float
    shift: Floats
    known: Floats


def weighed(agreed: Agreement) -> Weighed:
    """The camera of a fit, and those next to it in which one of the squares it believes lies only near its place."""
    fit = agreed.fit
    found = [_Near(0.0, np.zeros(len(fit.parameters)), fit.known * fit.factor)]
    odds = [1.0]
    for number, square in enumerate(agreed.squares):
        if square.id in agreed.believed:
            found.append(_near_only(fit, number, square.place_sd_mm))
            odds.append(_MARKER_ODDS if square.on_board else _TAG_ODDS)
    logs = np.array([each.log for each in found])
    weights = np.exp(logs - logs.max())
    shares = weights * odds / (weights @ odds)
    careful = np.append(0.0, weights[1:] / weights[1:].sum()) if len(found) > 1 else shares
    mean = shares @ np.array([each.shift for each in found])
    apart = np.array([each.shift - mean for each in found])
    known = np.einsum("k,kij->ij", shares, [each.known for each in found]) + (shares * apart.T) @ apart
    return Weighed(
        with_parameters(fit, fit.parameters + mean, known / fit.factor, agreed.squares),
        _likely(fit, found, shares),
        _likely(fit, found, careful),
    )


def _likely(fit: Fit, found: Sequence[_Near], shares: Floats) -> tuple[Likely, ...]:
    return tuple(
        Likely(float(share), (fit.parameters + each.shift)[:CAMERA], each.known[:CAMERA, :CAMERA])
        for share, each in zip(shares, found, strict=True)
    )


def _near_only(fit: Fit, number: int, place_sd_mm: float) -> _Near:
    """What follows for a square where its place is believed that much less, to the first order."""
    at = own_place(number)
    known = fit.known * fit.factor
    less = (1 / _NEAR**2 - 1) / place_sd_mm**2 / fit.factor
    offset = fit.parameters[at]
    along = known[:, at]
    wider = known - along @ np.linalg.inv(np.eye(2) / less + known[at, at]) @ along.T
    spared = (less**2 * (offset @ wider[at, at] @ offset) - less * (offset @ offset)) / 2
    # What a wider belief costs: it would have allowed for much that is not seen.
    cost = np.log(np.linalg.det(np.eye(2) + less * known[at, at])) / 2 + 2 * np.log(_NEAR)
    return _Near(float(spared - cost), -wider[:, at] @ (less * offset), wider)
