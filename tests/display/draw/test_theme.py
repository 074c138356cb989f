"""Colours that can be read, and told apart by whoever sees colours otherwise."""

from __future__ import annotations

import math
from collections.abc import Sequence
from itertools import combinations
from typing import Final

import pytest

from display.draw.theme import CLEAR, LOOKS, PARCHMENT, Colour, Theme, contrast
from display.view import Tone

every_theme = pytest.mark.parametrize("theme", LOOKS.values(), ids=LOOKS)

Matrix = tuple[tuple[float, float, float], ...]
SIGHTS: Final[dict[str, Matrix]] = {
    "usual": ((1.0, 0.0, 0.0), (0.0, 1.0, 0.0), (0.0, 0.0, 1.0)),
    "protanopia": ((0.152286, 1.052583, -0.204868), (0.114503, 0.786281, 0.099216), (-0.003882, -0.048116, 1.051998)),
    "deuteranopia": ((0.367322, 0.860646, -0.227968), (0.280085, 0.672501, 0.047413), (-0.011820, 0.042940, 0.968881)),
    "tritanopia": ((1.255528, -0.076749, -0.178779), (-0.078411, 0.930809, 0.147602), (0.004733, 0.691367, 0.303900)),
}
"""What becomes of linear RGB. Source: Machado, Oliveira and Fernandes 2009, severity 1.0."""
_XYZ: Final[Matrix] = (
    (0.4124564, 0.3575761, 0.1804375),
    (0.2126729, 0.7151522, 0.0721750),
    (0.0193339, 0.1191920, 0.9503041),
)
_WHITE: Final = (0.95047, 1.0, 1.08883)
APART: Final = 12.0
"""Two colours this far apart in CIE L*a*b* are told apart at a glance; 2.3 is just noticed."""


def _times(matrix: Matrix, vector: Sequence[float]) -> list[float]:
    return [sum(factor * part for factor, part in zip(row, vector, strict=True)) for row in matrix]


def _lab(colour: Colour, sight: str) -> tuple[float, float, float]:
    shares = [part / 255 for part in colour]
    linear = [share / 12.92 if share <= 0.04045 else ((share + 0.055) / 1.055) ** 2.4 for share in shares]
    seen = [min(1.0, max(0.0, part)) for part in _times(SIGHTS[sight], linear)]
    ratios = [part / white for part, white in zip(_times(_XYZ, seen), _WHITE, strict=True)]
    x, y, z = (ratio ** (1 / 3) if ratio > 0.008856 else 7.787 * ratio + 16 / 116 for ratio in ratios)
    return 116 * y - 16, 500 * (x - y), 200 * (y - z)


def distance(first: Colour, second: Colour, sight: str) -> float:
    """How far apart two colours are for somebody who sees so: CIE 1976 colour difference."""
    pairs = zip(_lab(first, sight), _lab(second, sight), strict=True)
    return math.sqrt(sum((a - b) ** 2 for a, b in pairs))


def test_contrast_of_known_colours() -> None:
    assert contrast((0, 0, 0), (255, 255, 255)) == pytest.approx(21.0)
    assert contrast((255, 255, 255), (255, 255, 255)) == pytest.approx(1.0)
    # W3C's own example of a grey that just passes on white.
    assert contrast((118, 118, 118), (255, 255, 255)) == pytest.approx(4.54, abs=0.01)
    assert contrast((10, 20, 30), (200, 190, 180)) == contrast((200, 190, 180), (10, 20, 30))


def test_distances_of_known_colours() -> None:
    assert distance((0, 0, 0), (255, 255, 255), "usual") == pytest.approx(100.0, abs=0.01)
    # What red-green blindness is: a red and a green that others keep well apart.
    assert distance((196, 48, 42), (110, 100, 20), "usual") > 50
    assert distance((196, 48, 42), (110, 100, 20), "deuteranopia") < 25


def readable(theme: Theme) -> tuple[tuple[Colour, Colour], ...]:
    """Every pair (text, ground) that is drawn."""
    pairs = [
        (theme.ink, theme.paper),
        (theme.ink_soft, theme.paper),
        (theme.on_header, theme.header),
        (theme.on_header_soft, theme.header),
        (theme.on_header, theme.header_active),
        (theme.on_header_soft, theme.header_active),
        (theme.gold, theme.header),
        (theme.gold, theme.header_active),
        (theme.ink, theme.card),
        (theme.attack, theme.paper),
        (theme.attack, theme.card),
        (theme.ink, theme.space_light),
        (theme.ink, theme.space_dark),
        (theme.card, theme.space_middle),
    ]
    for band in theme.bands.values():
        pairs += [(theme.ink, band.ground), (theme.ink_soft, band.ground), (theme.card, band.mark)]
    best = [max(theme.ink, theme.card, key=lambda ink: contrast(ink, ground)) for ground in theme.bold.values()]
    return (*pairs, *zip(best, theme.bold.values(), strict=True))


@every_theme
def test_every_text_can_be_read(theme: Theme) -> None:
    weak = [(text, ground, contrast(text, ground)) for text, ground in readable(theme) if contrast(text, ground) < 4.5]
    assert weak == []


@every_theme
def test_every_tone_has_a_band_of_its_own(theme: Theme) -> None:
    assert set(theme.bands) == set(Tone)
    assert len({band.mark for band in theme.bands.values()}) == len(Tone)


@every_theme
def test_the_fencers_stand_out_from_the_paper_and_from_each_other(theme: Theme) -> None:
    white, black = theme.figures.white, theme.figures.black
    assert contrast(white.outline, theme.paper) > 4.5
    assert contrast(black.cloth, theme.paper) > 4.5
    assert contrast(white.cloth, black.cloth) > 7


@pytest.mark.parametrize("sight", SIGHTS)
def test_the_clear_theme_is_clear_to_everybody(sight: str) -> None:
    figures, lamps = CLEAR.figures, CLEAR.lamps
    sets = {
        "accents": [figures.white.accent, figures.black.accent],
        "bands": [band.mark for band in CLEAR.bands.values()],
        "lamps": [lamps.touch.white, lamps.touch.black, lamps.attack, lamps.refused],
    }
    for name, colours in sets.items():
        near = [(one, other) for one, other in combinations(colours, 2) if distance(one, other, sight) < APART]
        assert near == [], name
    # Whose is what matters most: from across the room.
    assert distance(figures.white.accent, figures.black.accent, sight) > 50
    assert distance(lamps.touch.white, lamps.touch.black, sight) > 50


def test_usual_and_large_print_keep_the_lamps_of_fencing() -> None:
    for theme in (PARCHMENT, LOOKS["large"]):
        (left_red, left_green, _), (right_red, right_green, _) = theme.lamps.touch.white, theme.lamps.touch.black
        assert left_red > 2 * left_green
        assert right_green > 2 * right_red
