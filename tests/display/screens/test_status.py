"""The line that says what the camera sees: hands at work are no alarm, hands that stay are."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace

import pygame
import pytest

from display.draw.picture import new_surface
from display.draw.theme import DEFAULT
from display.screens.table import draw_table
from display.trouble import TroubleSpot
from display.view import Situation
from display.words.present import present
from display.workshop.showcase import table
from engine.rules.track import Side
from engine.table.observation import Sight, Why


def alarmed(situation: Situation) -> bool:
    """Whether anything of the line is in the colour that attacks and alarms have."""
    surface = new_surface(800, 480)
    draw_table(surface, present(situation))
    line = surface.subsurface(pygame.Rect(0, 310, 420, 32))
    return bool(pygame.mask.from_threshold(line, DEFAULT.attack, (8, 8, 8, 255)).count())


@pytest.mark.parametrize("why", [Why.HAND, Why.TAG_HIDDEN])
def test_hands_at_work_are_quiet_until_they_have_to_be_told_of(shown: Mapping[str, Situation], why: Why) -> None:
    side = Side.WHITE if why is Why.TAG_HIDDEN else None
    seen = replace(table(9, 19, "", Sight.CHECKING, why), why_side=side)
    working = replace(shown["advance"], observation=seen)
    assert present(working).eyes.text, "it is said, only not in red"
    assert not alarmed(working)
    assert alarmed(replace(working, trouble=(TroubleSpot(why, (), side),)))
    assert alarmed(replace(working, waiting=True))


def test_light_is_no_hand(shown: Mapping[str, Situation]) -> None:
    assert alarmed(replace(shown["advance"], observation=table(9, 19, "", Sight.CHECKING, Why.GLARE)))
