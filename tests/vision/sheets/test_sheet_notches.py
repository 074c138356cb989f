"""Strips to feel: as many notches as the card says, apart enough for a fingertip, and the number in Braille."""

from __future__ import annotations

from collections import Counter
from itertools import pairwise
from typing import Any

import pytest

from vision.sheets.notches import BRAILLE, NOTCH_MM, OUTSIDE_MM, braille_dots, notch_places, strip
from vision.sheets.shapes import Disc, Path


def cut(value: int, wide: float) -> Path:
    return next(shape for shape in strip((0.0, 0.0), wide, value) if isinstance(shape, Path))


@pytest.mark.parametrize("wide", [44.0, 57.0, 63.0, 90.0])
@pytest.mark.parametrize("value", range(1, 6))
def test_a_strip_has_as_many_notches_as_its_card_says_and_a_finger_tells_them_apart(value: int, wide: float) -> None:
    lowest = [x for x, y in cut(value, wide).points if y == NOTCH_MM]
    assert len(lowest) == value
    assert lowest == list(notch_places(value, wide))
    assert all(after - before >= NOTCH_MM + 0.5 for before, after in pairwise(lowest))
    dots = [shape for shape in strip((0.0, 0.0), wide, value) if isinstance(shape, Disc)]
    assert min(dot.middle[0] for dot in dots) > lowest[-1] + NOTCH_MM / 2, "a notch would cut a dot off"
    assert all(0.0 < dot.middle[1] < OUTSIDE_MM for dot in dots), "a finger cannot feel them in the sleeve"


def test_the_dots_are_those_of_the_digits() -> None:
    """A to e after the number sign: dots 1, 12, 14, 145 and 15."""
    assert {value: {*dots} for value, dots in BRAILLE.items()} == {
        1: {1},
        2: {1, 2},
        3: {1, 4},
        4: {1, 4, 5},
        5: {1, 5},
    }
    assert [len(braille_dots(value)) for value in range(1, 6)] == [5, 6, 6, 7, 6]
    assert braille_dots(1)[-1] == (6.0, 0.0)


@pytest.mark.parametrize("paper", ["a4", "letter"])
def test_all_25_cards_get_one(make: Any, paper: str) -> None:
    sheet = make("notches", paper=paper)
    cuts = [shape for page in sheet.pages for shape in page.shapes if isinstance(shape, Path) and shape.closed]
    counted = Counter(len(one.points) // 3 - 1 for one in cuts)  # four corners, and three points for each notch
    assert {value: counted[value] for value in range(1, 6)} == dict.fromkeys(range(1, 6), 5)
