"""Colours that can be read."""

from __future__ import annotations

import pytest

from display.theme import DEFAULT, contrast, mix
from display.view import Tone


def test_contrast_of_known_colours() -> None:
    assert contrast((0, 0, 0), (255, 255, 255)) == pytest.approx(21.0)
    assert contrast((255, 255, 255), (255, 255, 255)) == pytest.approx(1.0)
    # W3C's own example of a grey that just passes on white.
    assert contrast((118, 118, 118), (255, 255, 255)) == pytest.approx(4.54, abs=0.01)
    assert contrast((10, 20, 30), (200, 190, 180)) == contrast((200, 190, 180), (10, 20, 30))


def test_every_text_can_be_read() -> None:
    weak = [(text, ground, contrast(text, ground)) for text, ground in DEFAULT.readable if contrast(text, ground) < 4.5]
    assert weak == []


def test_every_tone_has_a_band_of_its_own() -> None:
    assert set(DEFAULT.bands) == set(Tone)
    assert len({band.mark for band in DEFAULT.bands.values()}) == len(Tone)


def test_the_fencers_stand_out_from_the_paper_and_from_each_other() -> None:
    white, black = DEFAULT.figures.white, DEFAULT.figures.black
    assert contrast(white.outline, DEFAULT.paper) > 4.5
    assert contrast(black.cloth, DEFAULT.paper) > 4.5
    assert contrast(white.cloth, black.cloth) > 7


def test_mix() -> None:
    assert mix((0, 0, 0), (200, 100, 50), 0.5) == (100, 50, 25)
    assert mix((9, 9, 9), (200, 100, 50), 0.0) == (9, 9, 9)
