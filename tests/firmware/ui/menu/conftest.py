"""A table with a menu, for the tests beside this: without a camera or a panel, with a window and without."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import numpy as np
import pygame
import pytest

from display.menu.model import Goto, Line, Open, Page
from display.menu.settings import Setting
from display.screens.menu import DrawnMenu, MenuPart
from display.window import Window
from engine.rules.cards import Card
from engine.rules.events import MatchEvent
from engine.rules.state import Phase, PublicState
from engine.rules.track import BySide, Side
from engine.table.desk import Settings
from engine.table.presses import Button
from firmware.book.scorebook.book import Scorebook, open_scorebook
from firmware.core.config import Config
from firmware.table.loop.loop import Loop
from firmware.table.loop.moment import Moment, People
from firmware.table.panel.buttons import LivePresses
from firmware.ui.lessons.progress import Progress
from firmware.ui.menu.state import MenuState
from firmware.ui.menu.sticks import Stick
from firmware.ui.menu.table_menu import TableMenu
from firmware.ui.screen.recall import Recall
from firmware.ui.screen.screens import WindowAudience
from tests.display.drawn import draw_menu
from tests.firmware.conftest import SetClock
from tests.firmware.ui.scene_table import SetTable, machine_of, sticks_in
from tests.tables import TABLE
from vision.camera.settling import CameraFeedback
from vision.eyes import Eyes
from vision.frame import GONE, Frame


def behind(page: Page, key: Line) -> Line | None:
    """The tile behind which this line is found, where it does not stand on the page itself."""
    keys = [item.key for item in page.items]
    if key in keys:
        return None
    wrong = key in (Goto.CORRECT, Goto.MANUAL, Goto.PLAIN, Goto.SIGHT, Goto.HEALTH) and Goto.WRONG in keys
    return Goto.WRONG if wrong else Goto.MORE if Goto.MORE in keys else None


class AtAMenu:
    """What the page that is shown holds; as Any, for it is another one after each key."""

    menu: TableMenu

    @property
    def page(self) -> Any:
        assert self.menu.page is not None
        return self.menu.page

    @property
    def board(self) -> Any:
        assert self.page.board is not None
        return self.page.board

    @property
    def keys(self) -> list[Any]:
        return [item.key for item in self.page.items]

    @property
    def here(self) -> Open | None:
        """The page that is open."""
        return None if self.menu.menu is None else self.menu.menu.here.page

    def item(self, key: Line) -> Any:
        return next(item for item in self.page.items if item.key == key)

    def value(self, key: Line) -> Any:
        """What is shown beside this line."""
        return self.item(key).value


class AtTheTable(SetTable, AtAMenu):
    """A table with a menu; the test lays cards, moves figures and presses the four buttons."""

    def __init__(self, folder: Path, volume_percent: int = Config().volume_percent) -> None:
        super().__init__()
        self.tested = 0
        self.moment: Moment | None = None
        self.applied: list[tuple[Setting, str | int]] = []
        self.feedback = CameraFeedback()
        self.book = open_scorebook(folder / "book.sqlite", SetClock(wall=1_800_000_000.0))
        self.settings_file = folder / "menu.toml"
        people = People(BySide("Ana", "Bo"), "en")
        journal = self.book.begin(people.names, mode="play")
        settings = Settings(settle_s=0.5, quiet_s=0.2)
        self.sticks: Callable[[], list[Stick]] = lambda: sticks_in(folder / "media")
        self.machine = machine = machine_of(
            self.book,
            apply=lambda name, value: self.applied.append((name, value)),
            test=lambda: setattr(self, "tested", self.tested + 1),
            lamps=True,
            sticks=lambda: self.sticks(),
            power_off=("false",),
            camera=self.feedback,
        )
        config = Config(starter="lot", points=7, volume_percent=volume_percent)
        self.menu = TableMenu(MenuState(people, machine, config, can_set_up=True))
        given: Any = (self, self, self, journal, [], settings, people, [self.menu])
        self.loop = Loop(*given, mode="play", new_journal=lambda names: self.book.begin(names, mode="play"))

    def begin(self) -> AtTheTable:
        self.loop.open(MatchEvent("ferti-advanced", Side.WHITE, 5))
        self.wait(1.0)
        assert self.loop.desk.state is not None
        assert self.loop.desk.state.phase is Phase.TURN
        return self

    def lay(self, cards: str) -> None:
        """These cards lie there, and no others."""
        self.lying = dict.fromkeys(map(Card.parse, cards.split()), (300.0, -100.0))

    def put(self, white: int, black: int, cards: str) -> None:
        self.lay(cards)
        self.spaces, self.since_s = BySide(white, black), self.t_s

    def play(self, white: int, black: int, cards: str) -> None:
        """Whoever is to act does this and presses."""
        side = self.state.to_act
        self.put(white, black, cards)
        self.press(Button.WHITE if side is Side.WHITE else Button.BLACK)
        self.wait(1.0)

    def press(self, *buttons: Button) -> None:
        for button in buttons:
            self.pressed.append(button)
            self.loop.advance()
            self.moment = self.loop.advance()  # what was asked for is done

    def go_to(self, *keys: Line) -> None:
        """Open the menu and choose these lines, one page after the other, with the four buttons."""
        if self.menu.menu is None:
            self.press(Button.MENU)
        for key in keys:
            for tile in (behind(self.page, key), key):
                if tile is not None:
                    self.to(tile)
                    self.press(Button.MENU)

    def to(self, key: Line) -> None:
        wanted = self.keys.index(key)
        while self.menu.menu is not None and self.menu.menu.here.at != wanted:
            self.press(Button.BLACK)

    def tap(self, *keys: Line) -> None:
        """Tap these lines of the page that is shown, one after the other."""
        for key in keys:
            for tile in (behind(self.page, key), key):
                if tile is not None:
                    self.menu.tap(self.keys.index(tile))
                    self.moment = self.loop.advance()

    def set_to(self, key: Line, value: str) -> None:
        """Adjust a line until it shows this value."""
        self.to(key)
        self.press(Button.MENU)
        for _ in range(60):
            assert self.item(key).options
            if self.value(key) == value:
                break
            self.press(Button.WHITE)
        else:
            raise AssertionError(f"{key} never showed {value}")
        self.press(Button.MENU)


@pytest.fixture(autouse=True)
def errands_are_waited_for(monkeypatch: pytest.MonkeyPatch) -> None:
    """However busy the machine is."""
    monkeypatch.setattr("firmware.ui.menu.errand.SOON_S", 60.0)


@pytest.fixture
def no_match(tmp_path: Path) -> Iterator[AtTheTable]:
    """Open no match has begun."""
    table = AtTheTable(tmp_path)
    with table.book:
        yield table


@pytest.fixture
def at(no_match: AtTheTable) -> AtTheTable:
    """Open White is to act in the first round."""
    return no_match.begin()


class WithoutCamera:
    """A ``Source`` that gives empty frames, until somebody puts a picture there."""

    def __init__(self) -> None:
        self.t_s = 0.0
        self.picture: np.ndarray[Any, np.dtype[np.uint8]] | None = None

    def read(self) -> Frame | None:
        self.t_s += 0.05
        return Frame(round(self.t_s * 20), self.t_s, GONE if self.picture is None else self.picture)

    def close(self) -> None: ...


class ByWindow(AtAMenu):
    """The whole program at this window, but for devices: loop, menu, scorebook and screen, and no camera."""

    def __init__(self, window: Window, book: Scorebook, folder: Path) -> None:
        self.window, self.book = window, book
        self.people = People(BySide("Ana", "Bo"), "en")
        self.camera, presses = WithoutCamera(), LivePresses()
        self.progress = Progress(folder / "lessons.json")
        self.menu = TableMenu(MenuState(self.people, machine_of(book), Config(), progress=self.progress))
        audience = WindowAudience(window, presses, self.people, Recall(1.0, 1.0), self.menu)
        self.begin: Callable[[BySide[str]], Any] = lambda names: book.begin(names, mode="play")
        journal = self.begin(self.people.names)
        helpers = [self.menu, audience]
        given: Any = (self.camera, Eyes(TABLE), presses, journal, [], Settings(), self.people, helpers)
        self.loop = Loop(*given, mode="play", new_journal=self.begin)
        self.moment: Moment | None = None

    @property
    def state(self) -> PublicState:
        state = self.loop.desk.state
        assert state is not None
        return state

    def wait(self, seconds: float) -> None:
        for _ in range(round(seconds * 20)):
            self.moment = self.loop.advance()

    def drawn(self) -> DrawnMenu:
        """Open everything on the page that is shown was drawn."""
        assert self.menu.menu is not None
        surface = pygame.Surface(self.window.surface.get_size())
        return draw_menu(surface, self.page, self.menu.menu, self.people.language)

    def touch(self, place: tuple[int, int]) -> None:
        """A finger goes down here; two frames later it is seen what came of it."""
        width, height = self.window.surface.get_size()
        x, y = (place[0] + 0.5) / width, (place[1] + 0.5) / height
        pygame.event.post(pygame.event.Event(pygame.FINGERDOWN, x=x, y=y))
        self.wait(0.1)

    def tap(self, *lines: Line) -> None:
        """Touch these lines of the page, one after the other."""
        tiles = [(behind(self.menu.page, line), line) for line in lines[:1] if self.menu.page is not None]
        for line in (*(tile for tile, _ in tiles if tile is not None), *lines):
            number = self.keys.index(line)
            target = next(each for each in self.drawn().targets if (each.part, each.number) == (MenuPart.ROW, number))
            self.touch(target.box.center)

    def button(self, name: str) -> None:
        """Touch this button of the table's screen."""
        places = self.window.places
        self.touch({**places.buttons, **places.offers}[name].center)

    def key(self, *keys: int | str) -> None:
        """Press these keys; letters and digits as text."""
        for key in keys:
            letters = key if isinstance(key, str) else ""
            code = ord(key) if isinstance(key, str) else key
            pygame.event.post(pygame.event.Event(pygame.KEYDOWN, key=code, unicode=letters))
            self.wait(0.1)


@pytest.fixture
def by_window(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[ByWindow]:
    """A match to one point that was begun, at a window of 800 x 480, and a camera that never was there."""
    monkeypatch.setenv("SDL_VIDEODRIVER", "dummy")
    pygame.display.init()
    with open_scorebook(tmp_path / "book.sqlite") as book:
        game = ByWindow(Window(pygame.display.set_mode((800, 480))), book, tmp_path)
        game.loop.open(MatchEvent("ferti-advanced", Side.WHITE, 1))
        yield game
    pygame.display.quit()
