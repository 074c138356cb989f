"""Values by their rank: one of them, where numpy's percentiles take what lies between two."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray


def at_share(values: NDArray[Any], share: float) -> float:
    """The value that this share of all of them (0 up to 1) lies below; one of them, nothing between two.

    Raises ValueError when there are no values.
    """
    if not values.size:
        raise ValueError("expected at least one value to take by its rank, found none; leave out what is empty")
    number = min(int(share * values.size), values.size - 1)
    return float(np.partition(values, number, axis=None)[number])
