"""The menu at a table: what is chosen happens to the match, is in the book, and holds while the menu is open."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from display.i18n import LANGUAGES, words
from display.menu.model import Act, Goto, Menu, MenuPlace
from engine.rules.track import BySide
from engine.table.presses import Button, Press
from firmware.core.config import SETTINGS, save
from firmware.ui.menu.errand import Making
from tests.display.menu_showcase import MenuContext, page_of
from tests.firmware.ui.menu.conftest import ByWindow
from tests.firmware.ui.scene_table import machine_of


def test_a_setting_that_cannot_be_kept_is_in_force_and_says_so(at: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("firmware.ui.menu.machine.save", lambda *_: False)
    at.go_to(Goto.SETTINGS)
    at.set_to(SETTINGS["sound.volume_percent"], "30%")
    assert (SETTINGS["sound.volume_percent"], 30) in at.applied
    assert words("en").say("menu.not_kept") in at.page.lines


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize(("lamps", "sound"), [(True, True), (True, False), (False, True), (False, False)])
def test_a_test_of_what_is_not_there_says_so(at: Any, language: str, lamps: bool, sound: bool) -> None:
    machine = machine_of(at.book, lamps=lamps, sound=lambda: sound)
    say = words(language).say
    told, health = machine.try_out(language), machine.health(None, language)
    assert (say("setup.lamps_none") in told, say("menu.no_sound") in told) == (not lamps, not sound)
    assert bool(told) is not (lamps and sound)
    assert health[1] == say("menu.health_lamps", what=say("menu.lamps_ready" if lamps else "menu.lamps_none"))


def test_where_there_is_no_first_start_no_line_opens_it() -> None:
    page = page_of(Menu((MenuPlace(Goto.SETTINGS),)), MenuContext("en"))
    assert not {Act("set_up"), Act("register"), Act("print_backs")} & {item.key for item in page.items}


def test_while_something_is_made_a_line_that_is_there_is_chosen(
    at: Any, tmp_path: Path, fill: Any, bot_match: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "media" / "STICK").mkdir(parents=True)
    number = fill(at.book, BySide("Ana", "Bo"), bot_match(1))
    begun: list[str] = []
    monkeypatch.setattr(Making, "busy", property(lambda making: bool(begun)))
    monkeypatch.setattr(Making, "begin", lambda making, what, command: begun.append(what))
    at.go_to(Goto.HISTORY, Goto.PAST.of(number), Act("gif", number))
    page, menu = at.menu.page, at.menu.menu
    assert page.items[menu.here.at].key == Act("stop_making", number)


@pytest.mark.slow
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


def test_a_setting_that_cannot_be_kept_says_so(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("")
    assert not save(tmp_path / "file" / "menu.toml", "sound.volume_percent", 10)
    assert save(tmp_path / "menu.toml", "sound.volume_percent", 10)
    assert save(tmp_path / "menu.toml", "players.language", 'nl"\\')
    assert not list(tmp_path.glob("*.part"))
