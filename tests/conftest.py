"""For all tests: none fails because a day is slow, and none waits for garbage."""

from __future__ import annotations

import gc
from collections.abc import Iterator
from typing import TYPE_CHECKING

import pytest
from hypothesis import HealthCheck, settings

if TYPE_CHECKING:
    from display.window import Window

# All else stays as the environment has it; but neither an example nor the making of it may be too slow.
settings.register_profile("any_day", settings.default, deadline=None, suppress_health_check=[HealthCheck.too_slow])
settings.load_profile("any_day")


# Left to itself Python goes through all that was made so often that taking sources apart takes three times as long.
gc.set_threshold(100_000, 20, 50)


@pytest.fixture
def window(monkeypatch: pytest.MonkeyPatch) -> Iterator[Window]:
    """A small window, of 800 by 480 pixels, on SDL's dummy driver: everything but the glass."""
    import pygame  # most tests draw nothing

    from display.window import Window

    monkeypatch.setenv("SDL_VIDEODRIVER", "dummy")
    pygame.display.init()
    yield Window(pygame.display.set_mode((800, 480)))
    pygame.display.quit()
