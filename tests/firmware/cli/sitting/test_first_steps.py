"""The first steps at a real table: language, play or learn, who plays; by fingers or the panel's buttons, each once."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from display.menu.model import Menu, Page
from engine.rules.track import BySide
from engine.table.presses import Button, Press
from firmware.cli.first_start.answers import FirstStart
from firmware.cli.first_start.mark import StartMark
from firmware.cli.first_start.wifi import Wifi
from firmware.cli.sitting.first_steps import ask_first, is_the_first
from firmware.core.config import load_config, own_table_path, saved_path
from firmware.table.panel.devices import no_panel
from firmware.ui.lessons.progress import Progress
from firmware.ui.screen.asking import Guests, Wanted


class Shown:
    """A window without keys or fingers: it shows pages."""

    alive = True

    def __init__(self) -> None:
        self.titles: list[str] = []

    def show_menu(self, page: Page, menu: Menu, language: str) -> None:
        if self.titles[-1:] != [page.title]:
            self.titles.append(page.title)

    def poll_menu(self, *, writing: bool) -> tuple[Any, ...]:
        return ()


class Devices:
    """As much of a sitting as is asked at: buttons that are pressed one after the other, one a picture."""

    seat, shown = None, True

    def __init__(self, buttons: str) -> None:
        self.window, self.presses, self.watchdog = Shown(), self, self
        self._buttons = iter(buttons)
        self.fed = 0

    def due(self, now_s: float) -> tuple[Press, ...]:
        return (Press(now_s, {"c": Button.MENU, "d": Button.BLACK, "b": Button.UNDO}[next(self._buttons, "b")]),)

    def wait(self) -> None:
        self.fed += 1


@pytest.fixture(autouse=True)
def nothing_was_set(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("XDG_CONFIG_HOME", str(tmp_path / "settings"))


LEAVES: Any = None
NAMED = ({"what": "names", "white": "Ana", "black": "Béla"}, {"what": "play"})


@pytest.mark.slow
@pytest.mark.parametrize(
    ("before", "pressed", "wanted", "language", "names", "faces"),
    [
        # Français is one down; to play; the fox, called so; of what is left the first but one, called so.
        ((), "dccccdcc", Wanted.PLAY, "fr", ("Renard", ...), ("fox", ...)),
        ((), "cdccc", Wanted.LEARN, "en", ("Fox", None), ("fox",)),  # one name is enough
        # What the first start settled is not asked again: a picture for each is.
        (({"what": "language", "language": "de"}, *NAMED), "ccdc", Wanted.PLAY, "de", ("Ana", "Béla"), ("fox", ...)),
        (NAMED, "dcdcc", Wanted.LEARN, "en", ("Béla", None), ("fox",)),
        ((LEAVES,), "dcccccc", Wanted.PLAY, "fr", ("Renard", ...), ("fox", ...)),
        ((), "b", None, "en", ("White", "Black"), ()),  # who goes back is asked as on every other day
    ],
)
def test_four_buttons_are_enough_and_what_is_known_is_not_asked(
    before: tuple[Any, ...],
    pressed: str,
    wanted: Wanted | None,
    language: str,
    names: tuple[Any, ...],
    faces: tuple[Any, ...],
    tmp_path: Path,
) -> None:
    first = the_first_start()
    for deed in before:
        if deed is LEAVES:
            first.leave()
        else:
            assert first.do(deed)["ok"]
    devices: Any = Devices(pressed)
    assert is_the_first(devices, Guests(), {})
    progress = Progress(tmp_path / "lessons.json")
    choice = ask_first(devices, load_config(), progress)
    assert load_config().language == language
    if choice is None:
        assert wanted is None
        return
    assert (choice.wanted, choice.language) == (wanted, language)
    found = (choice.names.white, choice.names.black)
    assert all(name in (found[at], ...) for at, name in enumerate(names)), found
    assert len({*found}) == 2
    assert len(choice.portraits) == len(faces)
    assert all(face in (found, ...) for found, face in zip(choice.portraits.values(), faces, strict=True))
    assert all(progress.portraits[name] == face for name, face in choice.portraits.items())
    assert devices.fed >= len(pressed), "nobody is thrown out by the watchdog meanwhile"
    if language == "de":
        assert devices.window.titles[1:] == ["Ein Bild für Ana", "Ein Bild für Béla"]


def test_it_is_the_first_time_only_where_nobody_was_before() -> None:
    devices: Any = Devices("")
    assert not is_the_first(devices, Guests(("Ana",)), {})
    assert not is_the_first(devices, Guests(), {"language": "de"})


def the_first_start() -> FirstStart:
    wifi, mark = Wifi(lambda words: (1, "")), StartMark(saved_path().with_name("first-start"))
    return FirstStart(load_config(), saved_path(), own_table_path(), wifi, None, no_panel(""), "no camera", mark=mark)


def test_the_page_wants_two_names() -> None:
    answer = the_first_start().do({"what": "names", "white": "Ana", "black": "ana "})
    assert answer == {"ok": False, "said": "White and Black need two different names."}
    assert load_config().names == BySide("White", "Black")
