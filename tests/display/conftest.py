"""What the display's tests share."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence

import pygame
import pytest

from display.draw.canvas import DrawnText
from display.view import Situation
from tests.display.drawn import text_faults
from tests.display.showcase import situations
from tests.display.trouble_showcase import trouble_situations


@pytest.fixture(scope="session")
def shown() -> Mapping[str, Situation]:
    """One situation of every kind, by name."""
    return {**situations(), **trouble_situations()}


@pytest.fixture(scope="session")
def check_texts() -> Callable[[Sequence[DrawnText], pygame.Rect, object], None]:
    """Asserts that all texts are whole, inside the box, legible, and on no other text."""

    def check(texts: Sequence[DrawnText], box: pygame.Rect, where: object) -> None:
        assert list(text_faults(texts, box)) == [], where

    return check
