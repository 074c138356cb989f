"""A screen that hangs turned shows the upright picture turned, and a touch is where a person sees it."""

from __future__ import annotations

from collections.abc import Iterator

import pygame
import pytest
from hypothesis import given
from hypothesis import strategies as st

from display.draw.screen import TurnedScreen

PANEL = (72, 128)  # upright by itself, as a Touch Display 2 is
DEGREES = (0, 90, 180, 270)


@pytest.fixture(autouse=True)
def panel(monkeypatch: pytest.MonkeyPatch) -> Iterator[pygame.Surface]:
    monkeypatch.setenv("SDL_VIDEODRIVER", "dummy")
    pygame.display.init()
    yield pygame.display.set_mode(PANEL)
    pygame.display.quit()


def on_screen() -> pygame.Surface:
    surface = pygame.display.get_surface()
    assert surface is not None
    return surface


def upright(degrees: int) -> TurnedScreen:
    return TurnedScreen(on_screen(), degrees)


def test_a_quarter_turn_is_clockwise(panel: pygame.Surface) -> None:
    turned = upright(90)
    turned.surface.set_at((0, 0), (255, 255, 255))
    turned.show()
    assert panel.get_at((PANEL[0] - 1, 0)) == pygame.Color(255, 255, 255)


@given(degrees=st.sampled_from(DEGREES), x=st.floats(0, 1), y=st.floats(0, 1))
def test_a_touch_is_where_a_person_sees_it(degrees: int, x: float, y: float) -> None:
    turned = upright(degrees)
    drawn, panel = turned.surface, on_screen()
    width, height = drawn.get_size()
    place = min(int(x * width), width - 1), min(int(y * height), height - 1)
    drawn.fill((0, 0, 0))
    drawn.set_at(place, (255, 255, 255))
    turned.show()
    lit = pygame.mask.from_threshold(panel, (255, 255, 255), (1, 1, 1)).outline()[0]
    for kind in (pygame.MOUSEBUTTONDOWN, pygame.MOUSEBUTTONUP):
        assert turned.event(pygame.event.Event(kind, pos=lit, button=1)).pos == place
    finger = {"x": (lit[0] + 0.5) / PANEL[0], "y": (lit[1] + 0.5) / PANEL[1], "dx": 0.0, "dy": 0.0}
    touched = turned.event(pygame.event.Event(pygame.FINGERDOWN, finger))
    assert (int(touched.x * width), int(touched.y * height)) == place


@given(degrees=st.sampled_from(DEGREES), by=st.tuples(st.integers(-9, 9), st.integers(-9, 9)))
def test_a_movement_goes_from_where_it_began_to_where_it_ended(degrees: int, by: tuple[int, int]) -> None:
    turned = upright(degrees)
    end = pygame.event.Event(pygame.MOUSEMOTION, pos=(30 + by[0], 40 + by[1]), rel=by, buttons=(1, 0, 0))
    before = turned.event(pygame.event.Event(pygame.MOUSEMOTION, pos=(30, 40), rel=(0, 0), buttons=(1, 0, 0)))
    moved = turned.event(end)
    assert tuple(a + b for a, b in zip(before.pos, moved.rel, strict=True)) == moved.pos


def test_a_key_is_left_as_it_is() -> None:
    key = pygame.event.Event(pygame.KEYDOWN, key=pygame.K_u, unicode="u")
    assert upright(90).event(key) is key
