"""The judgement while it learns: a table of weights, one row for each feature, moved towards what rounds brought."""

from __future__ import annotations

from typing import Final

import numpy as np
from numpy.typing import NDArray

from engine.players.bots.features import NONE, ROWS
from engine.players.bots.judgement import UNITS

NetWeights = NDArray[np.float32]
"""``(ROWS, 1 + UNITS)``: what each feature says straight away, and what it says to each unit."""
FeatureRows = NDArray[np.int16]
"""``(positions, features)``: the rows that count for each position."""

SIGNS: Final = np.repeat(np.array([1, -1], np.float32), UNITS // 2)
"""Half of the units speak for the player, half against him."""

_FASTEST: Final = 0.9
_STEADIEST: Final = 0.999
_TINY: Final = 1e-8


def beginner(rng: np.random.Generator) -> NetWeights:
    """Weights that know nothing."""
    weights = np.zeros((ROWS, 1 + UNITS), np.float32)
    weights[:, 1:] = rng.normal(0, 0.1, (ROWS, UNITS))
    weights[NONE] = 0
    return weights


def logits(weights: NetWeights, rows: FeatureRows) -> NDArray[np.float32]:
    """The logarithm of the odds of each position."""
    return _spoken(_sums(weights, rows))


def _spoken(sums: NetWeights) -> NDArray[np.float32]:
    said: NDArray[np.float32] = sums[:, 0] + (np.maximum(sums[:, 1:], 0) * SIGNS).sum(1)
    return said


def chances(logit: NDArray[np.float32]) -> NDArray[np.float32]:
    """The chance of winning that these odds are."""
    return (1 / (1 + np.exp(-np.clip(logit, -30, 30)))).astype(np.float32)


def _sums(weights: NetWeights, rows: FeatureRows) -> NDArray[np.float32]:
    total = weights[rows[:, 0]]
    for column in range(1, rows.shape[1]):
        total += weights[rows[:, column]]
    return total


class LearningNet:
    """Weights that move, and their slow mean, by which is played.

    Each step goes down the slope of the cross entropy, measured by its own past. Source: D. Kingma and J. Ba, Adam
    (2015); B. Polyak and A. Juditsky, Acceleration of stochastic approximation by averaging (1992), for the mean.
    """

    def __init__(self, rng: np.random.Generator, patience: int) -> None:
        """``patience``: over how many steps the slow mean goes."""
        self.weights = beginner(rng)
        self.mean = self.weights.copy()
        self._patience = patience
        self._steps = 0
        self._slope = np.zeros_like(self.weights)
        self._square = np.zeros_like(self.weights)

    def step(self, rows: FeatureRows, targets: NDArray[np.float32], pace: float) -> None:
        """Moves the weights so that these positions look more like what came of them."""
        sums = _sums(self.weights, rows)
        error = (chances(_spoken(sums)) - targets) / np.float32(len(targets))
        each = np.empty_like(sums)
        each[:, 0] = error
        each[:, 1:] = error[:, None] * SIGNS * (sums[:, 1:] > 0)
        slope = self._added_up(rows, each)
        self._steps += 1
        self._slope = (_FASTEST * self._slope + (1 - _FASTEST) * slope).astype(np.float32)
        self._square = (_STEADIEST * self._square + (1 - _STEADIEST) * slope**2).astype(np.float32)
        straight = self._slope / np.float32(1 - _FASTEST**self._steps)
        size = np.sqrt(self._square / np.float32(1 - _STEADIEST**self._steps)) + np.float32(_TINY)
        self.weights -= np.float32(pace) * straight / size
        share = np.float32(max(1 / self._patience, 1 / self._steps))
        self.mean += share * (self.weights - self.mean)

    def _added_up(self, rows: FeatureRows, each: NDArray[np.float32]) -> NDArray[np.float32]:
        width = each.shape[1]
        places = (rows.astype(np.int64)[:, :, None] * width + np.arange(width)).ravel()
        shares = np.broadcast_to(each[:, None, :], (*rows.shape, width)).ravel()
        total = np.bincount(places, shares, minlength=ROWS * width).reshape(ROWS, width)
        total[NONE] = 0
        return total.astype(np.float32)
