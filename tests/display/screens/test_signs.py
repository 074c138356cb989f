"""Signs are files that take any colour and size."""

from __future__ import annotations

from pathlib import Path
from typing import Final

import pygame
import pytest
from hypothesis import given
from hypothesis import strategies as st

import display.draw
from display.draw.pictures import TONE_SIGNS, sign

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
