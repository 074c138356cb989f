"""What is darker than its surroundings is what OpenCV's adaptive threshold says, found in half the time."""

from __future__ import annotations

import cv2
import numpy as np
import pytest

from vision.marks.finders import _DARKER, darker_than_around


@pytest.mark.parametrize("window", [3, 23, 45, 81])
@pytest.mark.parametrize("spread", [3, 255])
def test_dark_pixels_are_those_of_the_adaptive_threshold(window: int, spread: int) -> None:
    y = np.random.default_rng(window).integers(0, spread + 1, (70, 90)).astype(np.uint8)
    y[20:50, 30:60] //= 2
    expected = cv2.adaptiveThreshold(y, 1, cv2.ADAPTIVE_THRESH_MEAN_C, cv2.THRESH_BINARY_INV, window, _DARKER)
    assert np.array_equal(darker_than_around(y, window), expected)
    assert expected.any() == (spread > 2 * _DARKER)
