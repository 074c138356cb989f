"""Lamps: the right ones shine, and they are drawn so that they differ by more than colour."""

from __future__ import annotations

from collections.abc import Mapping

import pygame
import pytest

from display.draw.pictures import new_surface
from display.lamps import LAMPS, lamp_state
from display.screens.lamps import draw_lamps
from display.view import Situation
from display.words.present import present
from engine.rules.track import BySide


def test_every_lamp_has_a_state_always(shown: Mapping[str, Situation]) -> None:
    for situation in shown.values():
        assert tuple(present(situation).lamps) == tuple(LAMPS)
    assert len(LAMPS) == 23


def test_more_than_five_points_show_five(shown: Mapping[str, Situation]) -> None:
    state = shown["round"].state
    assert state is not None
    lamps = lamp_state(state._replace(score=BySide(7, 0), points=9), amber=False)
    assert [lamps[f"score_left_{number}"] for number in range(1, 6)] == [True] * 5
    assert tuple(lamps) == tuple(LAMPS)


def grey(surface: pygame.Surface) -> bytes:
    """The picture without its colours."""
    small = pygame.transform.smoothscale(surface, (160, 60))
    return bytes(sum(small.get_at((x, y))[:3]) // 3 for y in range(60) for x in range(160))


@pytest.mark.slow
def test_left_is_left_and_right_is_right() -> None:
    dark = dict.fromkeys(LAMPS, False)
    off = new_surface(480, 200)
    draw_lamps(off, dark, off.get_rect())
    for name in LAMPS:
        surface = new_surface(480, 200)
        draw_lamps(surface, {**dark, name: True}, surface.get_rect())
        lit = [x for x in range(480) if any(surface.get_at((x, y)) != off.get_at((x, y)) for y in range(200))]
        assert lit, name
        if "left" in name:
            assert max(lit) < 240, name
        if "right" in name:
            assert min(lit) >= 240, name


@pytest.mark.slow
def test_each_lamp_can_be_told_without_colour() -> None:
    dark = dict.fromkeys(LAMPS, False)
    pictures = set()
    for name in LAMPS:
        surface = new_surface(480, 200)
        draw_lamps(surface, {**dark, name: True}, surface.get_rect())
        pictures.add(grey(surface))
    assert len(pictures) == len(LAMPS)
