"""What a game's window does without a menu and beside one; the menu itself is in ``window.txt``."""

from __future__ import annotations

from dataclasses import replace
from types import SimpleNamespace
from typing import Any, cast

import pygame
import pytest

from display.menu.model import Goto
from display.screens.camera import CameraPicture
from display.tabletop.hands import Hands
from display.window import WindowRequest
from display.words.present import present
from engine.table.presses import Button, Press
from firmware.ui.screen import screens
from firmware.ui.screen.screens import WindowAudience
from tests.display.showcase import situations
from tests.firmware.ui.menu.conftest import ByWindow

pytestmark = pytest.mark.slow


def test_without_a_menu_there_is_a_button_for_the_language_and_nothing_is_told_again(by_window: ByWindow) -> None:
    window, people = by_window.window, by_window.people
    audience = WindowAudience(window, None, people)
    moment: Any = by_window.loop.advance()
    audience.attend(moment)
    assert "menu" not in window.buttons
    place = window.places.buttons["language"].center
    pygame.event.post(pygame.event.Event(pygame.MOUSEBUTTONDOWN, pos=place, button=1, touch=False))
    for letter in "me":
        pygame.event.post(pygame.event.Event(pygame.KEYDOWN, key=ord(letter), unicode=letter))
    audience.attend(moment)
    assert people.language == "de"
    assert by_window.menu.menu is None


def test_a_round_that_is_over_has_a_button_to_tell_it_again(by_window: ByWindow) -> None:
    window, touch = by_window.window, situations()["touch"]
    window.has_menu = True
    window.show(present(replace(touch, helped=replace(touch.helped, can_retell=True))), None, 0.0)
    x, y = window.places.buttons["retell"].center
    pygame.event.post(pygame.event.Event(pygame.FINGERDOWN, x=x / 800, y=y / 480))
    assert window.poll() == (WindowRequest.RETELL,)


def test_what_the_camera_sees_is_pictured_where_people_play_at_the_screen_too(
    by_window: ByWindow, monkeypatch: pytest.MonkeyPatch
) -> None:
    """There it was words alone, though there are frames to be shown."""
    window = by_window.window
    by_window.wait(0.1)  # the match is there before anybody's hands are
    window.hands = cast(Hands, SimpleNamespace(shown=True, leave=lambda: None, take=lambda event, size: False))
    assert window.at_table
    seen: list[object] = []
    monkeypatch.setattr(screens, "drawn_picture", lambda frame, look: CameraPicture(bytes(12), 2, 2))
    monkeypatch.setattr(window, "show_menu", lambda page, menu, language, camera: seen.append(camera))
    for page, pictured in ((Goto.SIGHT, True), (Goto.OFF, False)):
        by_window.menu.menu = None
        by_window.menu.open_at(page)
        seen.clear()
        by_window.wait(0.1)
        assert [camera is not None for camera in seen] == [pictured, pictured], page


def test_where_no_score_is_kept_nothing_opens_and_no_press_is_lost(
    by_window: ByWindow, monkeypatch: pytest.MonkeyPatch
) -> None:
    """As in a lesson."""
    monkeypatch.setattr(type(by_window.menu), "by_hand_page", None)
    by_window.wait(3.0)
    assert by_window.menu.menu is None
    assert by_window.moment is not None
    assert by_window.moment.view.offered == ""
    press = Press(by_window.camera.t_s, Button.WHITE)
    assert by_window.menu.hear((press,), by_window.camera.t_s) == (press,)
    by_window.key("h")
    assert by_window.menu.menu is None
