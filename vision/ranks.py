"""Values by their rank: one of them, where numpy's percentiles take what lies between two."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray


def at_share(values: NDArray[Any], share: float) -> float:
    """The value that this share of all of them (0 up to 1) lies below; one of them, nothing between two.

    Raises ValueError when there are no values.
    """
    if not values.size:
        raise ValueError("expected at least one value to take by its rank, found none; leave out what is empty")
    number = min(int(share * values.size), values.size - 1)
    return float(np.partition(values, number, axis=None)[number])


def median(values: ArrayLike, axis: int | None = None, *, keepdims: bool = False) -> NDArray[Any]:
    """The middle value, between the two middle ones of an even number, as ``np.median`` where nothing is nan.

    That one loads all of ``numpy.ma`` with its first call, and takes twice the time for a few values.
    """
    given = np.asarray(values)
    given, along = (given.ravel(), 0) if axis is None else (given, axis)
    middle = [(given.shape[along] - 1) // 2, given.shape[along] // 2]
    ordered = np.partition(given, middle, axis=along)
    return np.asarray(np.take(ordered, middle, axis=along).mean(axis=along, keepdims=keepdims))
