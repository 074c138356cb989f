"""The line that says what the camera sees: hands are no alarm, and what is wrong has one name everywhere."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace

import pygame
import pytest

from display.draw.picture import new_surface
from display.draw.theme import DEFAULT
from display.screens.areas import areas
from display.screens.duel import is_near
from display.spots import TroubleSpot
from display.view import Situation
from display.words.present import present
from engine.rules.track import Side
from engine.table.observation import Sight, Why
from tests.display.drawn import draw_table
from tests.display.showcase import table


def alarmed(situation: Situation) -> bool:
    """Whether anything of the line is in the colour that attacks and alarms have."""
    surface, view = new_surface(800, 480), present(situation)
    draw_table(surface, view)
    near = view.trouble is None and is_near(view, DEFAULT.print_scale)
    places = areas(surface.get_rect(), near=near)
    words = 0.25 if near else 0.5  # of the width; the piste as a strip may be as red as an attack
    line = surface.subsurface(pygame.Rect(*places.status.topleft, round(800 * words), places.status.height))
    return bool(pygame.mask.from_threshold(line, DEFAULT.attack, (8, 8, 8, 255)).count())


@pytest.mark.parametrize("why", [Why.HAND, Why.TAG_HIDDEN, None])
def test_hands_at_work_and_eyes_that_look_are_quiet(shown: Mapping[str, Situation], why: Why | None) -> None:
    side = Side.WHITE if why is Why.TAG_HIDDEN else None
    seen = replace(table(9, 19, "", Sight.CHECKING, why), why_side=side)
    working = replace(shown["advance"], table=replace(shown["advance"].table, observation=seen))
    assert present(working).eyes.text, "it is said, only not in red"
    assert not alarmed(working)
    lasting = why is Why.TAG_HIDDEN
    assert alarmed(replace(working, table=replace(working.table, trouble=(TroubleSpot(why, (), side),)))) is lasting
    assert alarmed(replace(working, table=replace(working.table, waiting=True))) is lasting


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
