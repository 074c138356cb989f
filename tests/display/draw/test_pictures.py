"""Portraits and signs: each another picture, told apart without colours, of any size, named in every language."""

from __future__ import annotations

from itertools import combinations
from pathlib import Path
from typing import Final

import numpy as np
import pygame
import pytest
from hypothesis import given
from hypothesis import strategies as st

import display.draw
from display.draw.pictures import PORTRAITS, TONE_SIGNS, portrait, sign
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


FILES: Final = {file.stem: file for file in (Path(display.draw.__path__[0]) / "signs").glob("*.png")}
COLOURS = st.tuples(*(st.integers(0, 255),) * 3)


@pytest.mark.parametrize("name", FILES)
def test_a_sign_is_a_white_square(name: str) -> None:
    drawn = pygame.image.load(FILES[name])
    wide, high = drawn.get_size()
    assert wide == high
    assert (pygame.surfarray.array3d(drawn) == 255).all(), "what is clear is white too, or edges are dark"
    alpha = pygame.surfarray.array_alpha(drawn)
    assert alpha.min() == 0
    assert alpha.max() == 255


@given(st.sampled_from(sorted(FILES)), st.integers(12, 400), COLOURS)
def test_a_sign_has_the_size_and_colour_asked_for(name: str, side_px: int, colour: tuple[int, int, int]) -> None:
    image = sign(name, side_px, colour)
    assert image.get_size() == (side_px, side_px)
    seen = pygame.surfarray.array3d(image)[pygame.surfarray.array_alpha(image) > 0]
    assert len(seen)
    assert (seen == colour).all()


def test_every_tone_has_a_sign_of_its_own() -> None:
    assert set(TONE_SIGNS.values()) <= set(FILES)
    assert len(set(TONE_SIGNS.values())) == len(TONE_SIGNS)
    with pytest.raises(FileNotFoundError):
        sign("nothing", 20, (0, 0, 0))
