"""What a game's window does without a menu and beside one; the menu itself is in ``window.txt``."""

from __future__ import annotations

from dataclasses import replace
from types import SimpleNamespace
from typing import Any, cast

import pygame
import pytest

from display.menu.lines import Goto, Open
from display.menu.model import Menu, Page
from display.screens.camera import CameraPicture
from display.tabletop.hands import Hands
from display.window import Window, WindowRequest
from display.words.present import present
from engine.table.desk import Desk
from firmware.table.loop.moment import Moment, People
from firmware.table.panel.buttons import LivePresses
from firmware.ui.menu.table_menu import TableMenu
from firmware.ui.screen import screens
from firmware.ui.screen.recall import Recall
from firmware.ui.screen.screens import WindowAudience
from tests.display.menu_showcase import MenuContext, page_of
from tests.display.showcase import NAMES, situations
from tests.firmware.ui.menu.conftest import AtAMenu
from vision.frame import GONE, Frame

SIZE = (800, 480)
ADVANCE = situations()["advance"]


class Chooser(TableMenu):
    """A menu that tells a round again whenever it is asked to."""

    by_hand_page = Goto.MANUAL

    def __init__(self) -> None:
        now: Any = SimpleNamespace(
            asked=[],
            paused=False,
            waits_for_a_match=False,
            coach=None,
            told="",
            desk=Desk(),
            opened=lambda: None,
            retell=self._retell,
        )
        super().__init__(now)
        self.retold = 0

    def _retell(self) -> None:
        self.retold += 1

    def _showing(self, page: Open | None, *, unseen: bool = True) -> None: ...

    def page_of(self, menu: Menu) -> Page:
        return page_of(menu, MenuContext("en", ADVANCE.state, NAMES))


class AtTheWindow(AtAMenu):
    """A game's window; every moment shows the same table."""

    def __init__(self, window: Window, *, with_menu: bool = True) -> None:
        self.window = window
        self.presses = LivePresses()
        self.menu: Chooser = Chooser()
        self.people = People(NAMES, "en")
        menu = self.menu if with_menu else None
        recall = Recall(10.0, 10.0)
        self.audience = WindowAudience(window, self.presses, self.people, recall, menu)
        self.frames = 0
        self.attend()

    def attend(self, *events: pygame.event.Event) -> None:
        """A moment in which this is done at the window, and one more to see it."""
        for event in events:
            pygame.event.post(event)
        for _ in range(2):
            self.frames += 1
            look = SimpleNamespace(table=ADVANCE.table.observation)
            frame = Frame(self.frames, self.frames / 10, GONE)
            moment: Any = SimpleNamespace(frame=frame, look=look, entries=(), view=present(ADVANCE))
            self.audience.attend(cast(Moment, moment))
        self.menu.hear(self.presses.due(0.0), 0.0)

    def button(self, name: str) -> tuple[int, int]:
        return self.window.places.buttons[name].center


def key(key: int, letters: str = "") -> pygame.event.Event:
    return pygame.event.Event(pygame.KEYDOWN, key=key, unicode=letters)


def tap(place: tuple[int, int]) -> pygame.event.Event:
    return pygame.event.Event(pygame.FINGERDOWN, x=place[0] / SIZE[0], y=place[1] / SIZE[1])


def test_without_a_menu_there_is_a_button_for_the_language(window: Window) -> None:
    game = AtTheWindow(window, with_menu=False)
    assert "menu" not in window.buttons
    game.attend(key(pygame.K_m, "m"))
    assert game.menu.menu is None
    game.attend(tap(game.button("language")))
    assert game.people.language == "de"


def test_a_round_is_told_again_by_its_key_and_its_button(window: Window) -> None:
    at = AtTheWindow(window)
    at.attend(key(pygame.K_e))
    assert at.menu.retold == 1
    assert "retell" not in window.buttons
    over = replace(situations()["touch"], helped=replace(situations()["touch"].helped, can_retell=True))
    window.show(present(over), None, 0.0)
    assert "retell" in window.buttons
    place = at.button("retell")
    pygame.event.post(tap(place))
    assert window.poll() == (WindowRequest.RETELL,)
    without = AtTheWindow(window, with_menu=False)
    without.attend(key(pygame.K_e))  # where nobody can tell it, the key does nothing
    assert without.menu.retold == 0


def test_what_the_camera_sees_is_pictured_where_people_play_at_the_screen_too(
    window: Window, monkeypatch: pytest.MonkeyPatch
) -> None:
    """There it was words alone, though there are frames to be shown."""
    game = AtTheWindow(window)
    window.hands = cast(Hands, SimpleNamespace(shown=True, leave=lambda: None, take=lambda event, size: False))
    assert window.at_table
    seen: list[object] = []
    monkeypatch.setattr(screens, "drawn_picture", lambda frame, look: CameraPicture(bytes(12), 2, 2))
    monkeypatch.setattr(window, "show_menu", lambda page, menu, language, camera: seen.append(camera))
    for page, pictured in ((Goto.SIGHT, True), (Goto.MAIN, False)):
        game.menu.menu = None
        game.menu.open_at(page)
        seen.clear()
        game.attend()
        assert [camera is not None for camera in seen] == [pictured, pictured], page
