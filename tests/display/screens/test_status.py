"""The line that says what the camera sees: hands are no alarm, and what is wrong has one name everywhere."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace

import pygame

from display.draw.pictures import new_surface
from display.draw.theme import DEFAULT
from display.view import Situation
from display.words.present import present
from tests.display.drawn import draw_table


def test_no_eye_stands_before_a_line_that_no_camera_says(shown: Mapping[str, Situation]) -> None:
    """Who keeps the score by hand read "the camera is not used" beside an eye."""

    def has_eye(situation: Situation) -> bool:
        surface, view = new_surface(800, 480), present(situation)
        (words,) = (text for text in draw_table(surface, view) if text.text == view.eyes.text)
        before = pygame.Rect(0, words.rect.top, words.rect.left, words.rect.height)
        inked = pygame.mask.from_threshold(surface.subsurface(before), DEFAULT.ink_soft, (40, 40, 40, 255))
        return inked.count() > 0

    assert has_eye(shown["advance"])
    assert not has_eye(replace(shown["advance"], devices=replace(shown["advance"].devices, kept_by_hand=True)))
