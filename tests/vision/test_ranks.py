"""Values by their rank."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays
from numpy.typing import NDArray

from vision.cells import at_share, median


@given(st.lists(st.integers(0, 255), min_size=1, max_size=60), st.floats(0.0, 1.0))
def test_it_is_one_of_the_values_with_that_share_of_them_not_above(values: list[int], share: float) -> None:
    found = at_share(np.array(values), share)
    assert found == sorted(values)[min(int(share * len(values)), len(values) - 1)]


def test_the_shape_does_not_matter_and_nothing_is_changed() -> None:
    values = np.array([[3.0, 1.0], [2.0, 9.0]])
    assert at_share(values, 0.5) == 3.0
    assert values.tolist() == [[3.0, 1.0], [2.0, 9.0]]


def test_no_values_are_refused() -> None:
    with pytest.raises(ValueError, match="expected at least one value"):
        at_share(np.empty(0), 0.5)


SHAPES = st.tuples(st.integers(1, 6), st.integers(1, 9))


@given(arrays(np.float64, SHAPES, elements=st.integers(0, 200)), st.sampled_from(["f8", "f4", "u1"]))
def test_the_median_is_that_of_numpy(values: NDArray[Any], kind: str) -> None:
    given = values.astype(kind)
    for axis in (None, 0, 1):
        mine, of_numpy = median(given, axis), np.median(given, axis=axis)
        assert (mine.tolist(), mine.dtype) == (of_numpy.tolist(), np.asarray(of_numpy).dtype)
    assert median(given, 1, keepdims=True).shape == (len(given), 1)
