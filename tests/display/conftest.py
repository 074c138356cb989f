"""What the display's tests share."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from itertools import combinations

import pygame
import pytest

from display.canvas import DrawnText
from display.showcase import situations
from display.view import Situation

SMALLEST_PX = 9


@pytest.fixture(scope="session")
def shown() -> Mapping[str, Situation]:
    """One situation of every kind, by name."""
    return situations()


@pytest.fixture(scope="session")
def check_texts() -> Callable[[Sequence[DrawnText], pygame.Rect, object], None]:
    """Asserts that all texts are whole, inside the box, legible, and on no other text."""

    def check(texts: Sequence[DrawnText], box: pygame.Rect, where: object) -> None:
        for text in texts:
            assert not text.cut, (where, text)
            assert box.contains(text.rect), (where, text)
            assert text.size_px >= SMALLEST_PX, (where, text)
        for one, other in combinations(texts, 2):
            shared = one.rect.clip(other.rect)
            assert shared.width <= 1 or shared.height <= 1, (where, one, other)

    return check
