"""The menu at the window of a game: opened by key and by touch, left again, and the game goes on."""

from __future__ import annotations

from dataclasses import replace
from types import SimpleNamespace
from typing import Any, cast

import pygame
import pytest

from display.menu.lines import Act, Goto, Line, Open
from display.menu.model import Menu, Page
from display.menu.settings import Setting
from display.screens.camera import CameraPicture
from display.screens.menu import MenuPart, draw_menu
from display.tabletop.hands import Hands
from display.window import Window, WindowRequest
from display.words.present import present
from engine.table.desk import Desk
from engine.table.presses import Button
from firmware.core.config import SETTINGS
from firmware.table.loop.moment import Moment, People
from firmware.table.loop.requests import Stop
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
    """A menu of whose lines nothing is done: what is chosen is kept for the test."""

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
        self.chosen: list[tuple[Line, Menu]] = []
        self.retold = 0

    def _retell(self) -> None:
        self.retold += 1

    def _showing(self, page: Open | None, *, unseen: bool = True) -> None: ...

    def page_of(self, menu: Menu) -> Page:
        return page_of(menu, MenuContext("en", ADVANCE.state, NAMES))

    def choose(self, key: Line, menu: Menu) -> Menu | None:
        self.chosen.append((key, menu))
        return None if key == Act("close") else menu


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

    @property
    def stopped(self) -> bool:
        return Stop() in self.audience.asks()

    def attend(self, *events: pygame.event.Event) -> tuple[Button, ...]:
        """A moment in which this is done at the window, and one more to see it; what was pressed for the game."""
        for event in events:
            pygame.event.post(event)
        for _ in range(2):
            self.frames += 1
            look = SimpleNamespace(table=ADVANCE.table.observation)
            frame = Frame(self.frames, self.frames / 10, GONE)
            moment: Any = SimpleNamespace(frame=frame, look=look, entries=(), view=present(ADVANCE))
            self.audience.attend(cast(Moment, moment))
        return tuple(press.button for press in self.menu.hear(self.presses.due(0.0), 0.0))

    def goes_to(self, *lines: Line) -> None:
        """Open the menu, and these pages from it, with the arrows and the space bar."""
        self.attend(key(pygame.K_m))
        for line in lines:
            for _ in range(self.keys.index(line)):
                self.attend(key(pygame.K_RIGHT))
            self.attend(key(pygame.K_SPACE, " "))

    def button(self, name: str) -> tuple[int, int]:
        return self.window.places.buttons[name].center

    def place(self, part: MenuPart, number: int = 0) -> tuple[int, int]:
        """Open this part of the page that is shown is."""
        assert self.menu.menu is not None
        drawn = draw_menu(pygame.Surface(SIZE), self.page, self.menu.menu, "en")
        target = next(target for target in drawn.targets if target.part is part and target.number == number)
        return (target.box.left + 8, target.box.centery)


def key(key: int, letters: str = "") -> pygame.event.Event:
    return pygame.event.Event(pygame.KEYDOWN, key=key, unicode=letters)


def tap(place: tuple[int, int]) -> pygame.event.Event:
    return pygame.event.Event(pygame.FINGERDOWN, x=place[0] / SIZE[0], y=place[1] / SIZE[1])


def picture(window: Window) -> bytes:
    return pygame.surfarray.array3d(window.surface).tobytes()


def test_m_opens_it_and_escape_closes_it_without_ending_the_game(window: Window) -> None:
    game = AtTheWindow(window)
    table = picture(window)
    game.attend(key(pygame.K_m, "m"))
    assert game.menu.menu is not None
    assert picture(window) != table
    game.attend(key(pygame.K_ESCAPE))
    assert game.menu.menu is None
    assert not game.stopped
    assert picture(window) == table
    game.attend(key(pygame.K_ESCAPE))  # the next one is the game's, which asks
    assert not game.stopped
    assert picture(window) != table
    game.attend(key(pygame.K_ESCAPE))
    assert picture(window) == table
    game.attend(key(pygame.K_q))
    game.attend(key(pygame.K_DOWN), key(pygame.K_RETURN))
    assert game.stopped


def test_a_finger_opens_it_goes_through_it_and_closes_it(window: Window) -> None:
    game = AtTheWindow(window)
    game.attend(tap(game.button("menu")))
    for line in (Goto.WRONG, Goto.CORRECT):
        game.attend(tap(game.place(MenuPart.ROW, game.keys.index(line))))
    assert game.here == Goto.CORRECT
    for _ in range(3):
        game.attend(tap(game.place(MenuPart.BACK)))
    assert game.menu.menu is None
    assert not game.stopped


def test_the_first_line_goes_back_to_the_game(window: Window) -> None:
    game = AtTheWindow(window)
    game.attend(key(pygame.K_F1))
    game.attend(key(pygame.K_RETURN, "\r"))
    assert [name for name, _ in game.menu.chosen] == [Act("close")]
    assert game.menu.menu is None


def test_an_arrow_beside_a_value_changes_it(window: Window) -> None:
    game = AtTheWindow(window)
    game.goes_to(Goto.MORE, Goto.SETTINGS)
    theme = game.keys.index(SETTINGS["screen.theme"])
    game.attend(tap(game.place(MenuPart.MORE, theme)))
    game.attend(tap(game.place(MenuPart.LESS, theme)))
    game.attend(tap(game.place(MenuPart.MORE, theme + 1)))
    game.attend(tap(game.place(MenuPart.MORE, theme)))
    values = [(each.name, menu.values[each]) for each, menu in game.menu.chosen if isinstance(each, Setting)]
    assert values == [("theme", "clear"), ("theme", "parchment"), ("print_size", "large"), ("theme", "clear")]


def test_what_is_pressed_in_the_menu_is_no_press_of_the_games(window: Window) -> None:
    game = AtTheWindow(window)
    assert game.attend(key(pygame.K_a, "a")) == (Button.WHITE,)
    game.attend(key(pygame.K_m, "m"))
    assert game.attend(key(pygame.K_a, "a"), key(pygame.K_SPACE, " "), tap((400, 240))) == ()


def test_a_name_is_written_on_the_keyboard(window: Window) -> None:
    game = AtTheWindow(window)
    game.goes_to(Goto.MORE, Goto.START)
    game.attend(key(pygame.K_DOWN))
    while game.page.items[1].value != "write a name …":
        game.attend(key(pygame.K_RIGHT))
    game.attend(key(pygame.K_RETURN, "\r"))
    assert game.menu.writing
    game.attend(*(key(ord(letter), letter) for letter in "Qima m"), key(pygame.K_BACKSPACE, "\b"))
    assert game.menu.menu is not None
    assert game.menu.menu.text == "Qima "
    assert not game.stopped


def test_without_a_menu_there_is_a_button_for_the_language(window: Window) -> None:
    game = AtTheWindow(window, with_menu=False)
    assert "menu" not in window.buttons
    game.attend(key(pygame.K_m, "m"))
    assert game.menu.menu is None
    game.attend(tap(game.button("language")))
    assert game.people.language == "de"


def test_closing_the_window_ends_the_game_from_the_menu_too(window: Window) -> None:
    game = AtTheWindow(window)
    game.attend(key(pygame.K_m))
    game.attend(pygame.event.Event(pygame.QUIT))
    assert game.stopped


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
    monkeypatch.setattr(screens, "camera_picture", lambda moment: CameraPicture(bytes(12), 2, 2))
    monkeypatch.setattr(window, "show_menu", lambda page, menu, language, camera: seen.append(camera))
    for page, pictured in ((Goto.SIGHT, True), (Goto.MAIN, False)):
        game.menu.menu = None
        game.menu.open_at(page)
        seen.clear()
        game.attend()
        assert [camera is not None for camera in seen] == [pictured, pictured], page
