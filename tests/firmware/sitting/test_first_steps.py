"""The very first start at a real table: language, play or learn, who plays; by fingers or the panel's buttons, once."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any, cast

import pytest

from display.menu.lines import Wanted
from display.menu.model import Menu, Page
from display.window import Window
from engine.rules.track import BySide
from engine.table.presses import Button, Press
from firmware.config import load_config
from firmware.lessons.progress import Progress
from firmware.screen.asking import Guests
from firmware.sitting.first_steps import ask_first, is_the_first
from firmware.sitting.sitting import Sitting


class Shown:
    """A window without keys or fingers: it shows pages."""

    alive = True

    def __init__(self) -> None:
        self.pages: list[Page] = []

    def show_menu(self, page: Page, menu: Menu, language: str) -> None:
        if not self.pages or self.pages[-1].title != page.title:
            self.pages.append(page)

    def poll_menu(self, *, writing: bool) -> tuple[Any, ...]:
        return ()


class Panel:
    """Buttons that are pressed one after the other, one a picture."""

    def __init__(self, *buttons: Button) -> None:
        self._buttons: Iterator[Button] = iter(buttons)
        self.fed = 0

    def due(self, now_s: float) -> tuple[Press, ...]:
        return tuple(Press(now_s, button) for button in [next(self._buttons, Button.UNDO)])

    def wait(self) -> None:
        self.fed += 1


class Devices:
    """As much of a sitting as is asked at."""

    def __init__(self, panel: Panel) -> None:
        self.window = cast(Window, Shown())
        self.presses = self.watchdog = panel
        self.seat = None


@pytest.fixture(autouse=True)
def nothing_was_set(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("XDG_CONFIG_HOME", str(tmp_path / "settings"))


def at_the_panel(*buttons: Button) -> tuple[Sitting, Panel]:
    panel = Panel(*buttons)
    return cast(Sitting, Devices(panel)), panel


def test_four_buttons_are_enough_and_all_is_kept(tmp_path: Path) -> None:
    choose, down = Button.MENU, Button.BLACK
    progress = Progress(tmp_path / "lessons.json")
    # Français is one down; to play; the fox, called so; of what is left the first but one, called so.
    sitting, panel = at_the_panel(down, choose, choose, choose, choose, down, choose, choose)
    assert is_the_first(sitting, Guests(), {})
    choice = ask_first(sitting, "en", progress)
    assert choice is not None
    assert (choice.wanted, choice.language) == (Wanted.PLAY, "fr")
    assert choice.names.white == "Renard"
    assert choice.names.black not in (None, "Renard")
    assert progress.portraits[choice.names.white] == "fox"
    assert panel.fed >= 8  # nobody is thrown out by the watchdog meanwhile
    assert load_config().language == "fr"
    assert not is_the_first(sitting, Guests(), {})


def test_whoever_goes_back_is_asked_as_on_every_other_day(tmp_path: Path) -> None:
    sitting, _ = at_the_panel(Button.UNDO)
    assert ask_first(sitting, "en", Progress(tmp_path / "lessons.json")) is None
    assert load_config().language == "en"


def test_it_is_the_first_time_only_where_nobody_was_before() -> None:
    sitting, _ = at_the_panel()
    assert not is_the_first(sitting, Guests(("Ana",)), {})
    assert not is_the_first(sitting, Guests(), {"language": "de"})


def test_learning_asks_for_one_name(tmp_path: Path) -> None:
    choose, down = Button.MENU, Button.BLACK
    sitting, _ = at_the_panel(choose, down, choose, choose, choose)
    choice = ask_first(sitting, "en", Progress(tmp_path / "lessons.json"))
    assert choice is not None
    assert (choice.wanted, choice.names) == (Wanted.LEARN, BySide("Fox", None))
