"""Portraits: every one another picture, told apart without its colours, round, and named in every language."""

from __future__ import annotations

from itertools import combinations

import numpy as np
import pygame

from display.draw.pictures import PORTRAITS, portrait
from display.i18n import LANGUAGES, words


def _grey(name: str, size_px: int) -> np.ndarray[tuple[int, ...], np.dtype[np.float64]]:
    colours = pygame.surfarray.array3d(portrait(name, size_px)).astype(np.float64)
    grey: np.ndarray[tuple[int, ...], np.dtype[np.float64]] = colours @ (0.299, 0.587, 0.114)
    return grey


def test_no_two_are_mixed_up_even_without_colours() -> None:
    for one, other in combinations(PORTRAITS, 2):
        # Evened out: what is left is shape, not how light the whole is.
        first, second = (_grey(name, 40) - _grey(name, 40).mean() for name in (one, other))
        assert np.abs(first - second).mean() > 12, (one, other)


def test_each_is_round_and_as_large_as_asked_for() -> None:
    for name in PORTRAITS:
        drawn = portrait(name, 48)
        assert drawn.get_size() == (48, 48)
        assert [drawn.get_at(corner).a for corner in ((0, 0), (47, 0), (0, 47), (47, 47))] == [0, 0, 0, 0]
        assert drawn.get_at((24, 24)).a > 250


def test_each_has_a_name_of_its_own_in_every_language() -> None:
    for language in LANGUAGES:
        assert len({words(language).say(f"portrait.{name}") for name in PORTRAITS}) == len(PORTRAITS)
