"""The first steps at a real table: language, play or learn, who plays; by fingers or the panel's buttons, each once."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any, cast

import pytest

from display.menu.model import Act, Menu, Page
from display.window import Window
from engine.rules.track import BySide
from engine.table.presses import Button, Press
from firmware.cli.first_start.answers import FirstStart
from firmware.cli.first_start.mark import StartMark
from firmware.cli.first_start.wifi import Wifi
from firmware.cli.sitting.first_steps import ask_first, is_the_first
from firmware.cli.sitting.sitting import Sitting
from firmware.core.config import load_config, own_table_path, saved_path
from firmware.table.panel.devices import no_panel
from firmware.ui.lessons.progress import Progress
from firmware.ui.screen.asking import Guests, Wanted


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
        self.seat, self.shown = None, True


@pytest.fixture(autouse=True)
def nothing_was_set(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("XDG_CONFIG_HOME", str(tmp_path / "settings"))


def at_the_panel(*buttons: Button) -> tuple[Sitting, Panel]:
    panel = Panel(*buttons)
    return cast(Sitting, Devices(panel)), panel


@pytest.mark.slow
def test_four_buttons_are_enough_and_all_is_kept(tmp_path: Path) -> None:
    choose, down = Button.MENU, Button.BLACK
    progress = Progress(tmp_path / "lessons.json")
    # Français is one down; to play; the fox, called so; of what is left the first but one, called so.
    sitting, panel = at_the_panel(down, choose, choose, choose, choose, down, choose, choose)
    assert is_the_first(sitting, Guests(), {})
    choice = ask_first(sitting, load_config(), progress)
    assert choice is not None
    assert (choice.wanted, choice.language) == (Wanted.PLAY, "fr")
    assert choice.names.white == "Renard"
    assert choice.names.black not in (None, "Renard")
    assert progress.portraits[choice.names.white] == "fox"
    assert panel.fed >= 8  # nobody is thrown out by the watchdog meanwhile
    assert load_config().language == "fr"
    assert not is_the_first(sitting, Guests(tuple(choice.portraits)), {})


def test_whoever_goes_back_is_asked_as_on_every_other_day(tmp_path: Path) -> None:
    sitting, _ = at_the_panel(Button.UNDO)
    assert ask_first(sitting, load_config(), Progress(tmp_path / "lessons.json")) is None
    assert load_config().language == "en"


def test_it_is_the_first_time_only_where_nobody_was_before() -> None:
    sitting, _ = at_the_panel()
    assert not is_the_first(sitting, Guests(("Ana",)), {})
    assert not is_the_first(sitting, Guests(), {"language": "de"})


@pytest.mark.slow
def test_learning_asks_for_one_name(tmp_path: Path) -> None:
    choose, down = Button.MENU, Button.BLACK
    sitting, _ = at_the_panel(choose, down, choose, choose, choose)
    choice = ask_first(sitting, load_config(), Progress(tmp_path / "lessons.json"))
    assert choice is not None
    assert (choice.wanted, choice.names) == (Wanted.LEARN, BySide("Fox", None))


def the_first_start() -> FirstStart:
    wifi, mark = Wifi(lambda words: (1, "")), StartMark(saved_path().with_name("first-start"))
    return FirstStart(load_config(), saved_path(), own_table_path(), wifi, None, no_panel(""), "no camera", mark=mark)


@pytest.mark.slow
def test_what_the_first_start_settled_is_not_asked_again(tmp_path: Path) -> None:
    first = the_first_start()
    assert first.do({"what": "language", "language": "de"})["ok"]
    assert first.do({"what": "names", "white": "Ana", "black": "Béla"})["ok"]
    assert first.do({"what": "play"})["ok"]
    choose, down = Button.MENU, Button.BLACK
    # To play; a picture for each: the fox, and of what is left the first but one.
    sitting, _ = at_the_panel(choose, choose, down, choose)
    choice = ask_first(sitting, load_config(), Progress(tmp_path / "lessons.json"))
    assert choice is not None
    assert (choice.wanted, choice.language, choice.names) == (Wanted.PLAY, "de", BySide("Ana", "Béla"))
    assert set(choice.portraits) == {"Ana", "Béla"}
    shown = cast(Shown, sitting.window).pages
    assert [page.title for page in shown[1:]] == ["Ein Bild für Ana", "Ein Bild für Béla"]
    assert Act("play") in [item.key for item in shown[0].items]


@pytest.mark.slow
def test_of_two_known_names_one_learns(tmp_path: Path) -> None:
    first = the_first_start()
    assert first.do({"what": "names", "white": "Ana", "black": "Béla"})["ok"]
    assert first.do({"what": "play"})["ok"]
    choose, down = Button.MENU, Button.BLACK
    # To learn; Béla; with the fox.
    sitting, _ = at_the_panel(down, choose, down, choose, choose)
    choice = ask_first(sitting, load_config(), Progress(tmp_path / "lessons.json"))
    assert choice is not None
    assert (choice.wanted, choice.names) == (Wanted.LEARN, BySide("Béla", None))
    assert choice.portraits == {"Béla": "fox"}


@pytest.mark.slow
def test_a_first_start_that_was_left_leaves_all_of_it_to_be_asked(tmp_path: Path) -> None:
    the_first_start().leave()
    down, choose = Button.BLACK, Button.MENU
    sitting, _ = at_the_panel(down, choose, choose, choose, choose, choose, choose)
    choice = ask_first(sitting, load_config(), Progress(tmp_path / "lessons.json"))
    assert choice is not None
    assert (choice.language, choice.names.white) == ("fr", "Renard")


def test_the_page_wants_two_names(tmp_path: Path) -> None:
    answer = the_first_start().do({"what": "names", "white": "Ana", "black": "ana "})
    assert answer == {"ok": False, "said": "White and Black need two different names."}
    assert load_config().names == BySide("White", "Black")
