"""A name corrected or forgotten at the menu, and all results as tables: what ``engarde scores`` does at a terminal."""

from __future__ import annotations

import csv
import json
import sqlite3
from contextlib import closing
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest

from display.i18n import LANGUAGES, words
from display.menu.lines import Do, Goto, Of
from display.menu.model import MenuPlace
from engine.players.bots.strengths import rival_name
from engine.rules.track import BySide
from engine.table.presses import Button
from firmware.table.loop.moment import People
from firmware.ui.lessons.progress import Progress
from firmware.ui.menu.errand import Renaming
from firmware.ui.menu.home import Home
from firmware.ui.menu.machine import OBJECT, TABLE

if TYPE_CHECKING:
    from tests.firmware.ui.menu.conftest import AtTheTable, ByWindow


def names_in(table: AtTheTable | ByWindow) -> set[str]:
    return {name for row in table.book.matches() for _, name in row.names.items()}


@pytest.fixture
def known(no_match: AtTheTable, fill: Any, bot_match: Any) -> AtTheTable:
    """Ana and Bo have met, Ann and Cem, Bo and a bot."""
    fill(no_match.book, BySide("Ana", "Bo"), bot_match(1))
    fill(no_match.book, BySide("Ann", "Cem"), bot_match(2))
    fill(no_match.book, BySide("Bo", rival_name("master")), bot_match(3))
    no_match.menu.now.people.names = BySide("Ana", "Dora")
    return no_match


def to_person(table: AtTheTable, name: str) -> None:
    """With the four buttons from the menu to somebody's page."""
    table.menu.open_start()
    table.go_to(Goto.PEOPLE)
    table.go_to(Goto.PERSON.of(name))


def write(table: AtTheTable, name: str, new: str) -> None:
    """His page, and another name written there on a keyboard, up to what that would change."""
    to_person(table, name)
    table.go_to(Goto.WRITE.of(name))
    assert table.menu.writing
    table.menu.write(new)
    table.go_to(Of(Do.TAKE_NAME, name))


def test_nobody_becomes_what_could_not_be_shown(known: AtTheTable) -> None:
    write(known, "Bo", "Bo \U0001f93a")
    assert known.page.lines[-1] == words("en").say("menu.other_letters", letters="\U0001f93a")
    assert "Bo" in names_in(known)


def test_a_name_is_corrected_in_every_match_once_that_was_said_and_chosen(known: AtTheTable) -> None:
    write(known, "Bo", "Boris")
    assert known.page.lines == ("Bo becomes Boris in 2 matches.",)
    assert "Bo" in names_in(known), "nothing is changed before it is chosen"
    known.go_to(Of(Do.RENAME, "Bo"))
    assert names_in(known) == {"Ana", "Boris", "Ann", "Cem", rival_name("master")}
    assert known.page.lines[-1] == "Done: from now on it is Boris."
    assert Goto.PERSON.of("Boris") in known.keys
    to_person(known, "Boris")


def test_two_spellings_become_one_player_and_two_who_met_do_not(known: AtTheTable) -> None:
    write(known, "Ann", "Ana")
    assert known.page.lines[1].startswith("Somebody is called Ana already")
    known.go_to(Of(Do.RENAME, "Ann"))
    assert names_in(known) == {"Ana", "Bo", "Cem", rival_name("master")}
    write(known, "Bo", "ana")
    assert known.page.lines[-1] == "Bo and ana have fenced each other, so they are two players: choose another name."
    assert known.here == Goto.PERSON.of("Bo")


@pytest.mark.parametrize("new", ["", " ", "Bo"])
def test_no_name_or_the_same_changes_nothing(known: AtTheTable, new: str) -> None:
    write(known, "Bo", new)
    assert known.here == Goto.PERSON.of("Bo")
    assert "Bo" in names_in(known)


def test_who_is_forgotten_is_nowhere_any_more(known: AtTheTable, tmp_path: Path) -> None:
    progress = Progress(tmp_path / "lessons.json")
    progress.learned(("Ana",), "moving")
    known.menu.now.renaming = Renaming(known.machine, known.menu.now.people, progress)
    old = tmp_path / "book.sqlite.v3-kept"
    old.write_bytes(b"Ana was here")
    to_person(known, "Ana")
    known.go_to(Goto.FORGET.of("Ana"))
    told = known.page.lines
    assert told[0] == "Ana becomes Player 1 in 1 match."
    assert "can\u2019t be undone" in told[1]
    known.go_to(Of(Do.FORGET, "Ana"))
    assert "Ana" not in names_in(known)
    assert "Player 1" in names_in(known)
    assert known.menu.now.people.names == BySide("Player 1", "Dora"), "who plays next is called so, too"
    assert not progress.knows("Ana")
    assert not old.exists()
    assert not [file for file in tmp_path.glob("book.sqlite*") if b"Ana" in file.read_bytes()]


def test_who_plays_now_keeps_the_name_until_the_match_is_over(known: AtTheTable) -> None:
    known.menu.now.people.names = BySide("Ana", "Bo")
    known.begin()
    for do, page in ((Do.TAKE_NAME, Goto.WRITE), (Do.RENAME, Goto.RENAME), (Do.FORGET, Goto.FORGET)):
        known.go_to(Goto.PEOPLE, Goto.PERSON.of("Ana"))
        menu = known.menu.menu
        assert menu is not None
        menu = replace(menu, path=(*menu.path, MenuPlace(page.of("Ana"))))
        known.menu.choose(Of(do, "Ana"), menu)
        assert known.menu.now.told == "Ana is in the match that goes on: finish it first."
        while known.menu.menu is not None:
            known.press(Button.UNDO)
    assert "Ana" in names_in(known)
    write(known, "Cem", "Cemal")
    known.go_to(Of(Do.RENAME, "Cem"))
    assert "Cemal" in names_in(known), "who does not play is called otherwise at once"


def test_a_bot_keeps_its_name(known: AtTheTable) -> None:
    known.machine.known_names()
    home = Home(known.machine, People(BySide("Ana", "Bo"), "en"))
    named = {
        name: person.named for name in ("Ana", "Bo", rival_name("master")) if (person := home.person(name)) is not None
    }
    assert named == {"Ana": True, "Bo": True, rival_name("master"): False}
    to_person(known, "Bo")
    assert {Goto.WRITE.of("Bo"), Goto.FORGET.of("Bo")} <= set(known.keys)


def test_a_book_that_cannot_be_written_is_said_and_left(known: AtTheTable, monkeypatch: pytest.MonkeyPatch) -> None:
    def full(*_: object, **__: object) -> None:
        raise OSError("no space left")

    monkeypatch.setattr("firmware.ui.menu.machine.make_change", full)
    write(known, "Bo", "Boris")
    known.go_to(Of(Do.RENAME, "Bo"))
    assert known.page.lines[-1] == "The scorebook could not be changed."
    assert "Bo" in names_in(known)


@pytest.mark.parametrize("language", LANGUAGES)
def test_points_against_each_and_under_each_preset_are_told(known: AtTheTable, language: str) -> None:
    machine = known.machine
    machine.known_names()
    person = Home(machine, People(BySide("Ana", "Bo"), language)).person("Bo")
    assert person is not None
    player = machine.house().player("Bo")
    assert player is not None
    told = " | ".join(person.numbers)
    for key, each in player.against.items():
        assert f"{each.points_for} " in told, key
    assert sum(" : " in line or ": " in line or "\u00a0: " in line for line in person.numbers) >= 3


def test_all_results_are_taken_home_as_tables(known: AtTheTable, tmp_path: Path) -> None:
    known.machine.known_names()
    known.menu.open_start()
    known.go_to(Goto.CARE, Do.TABLES)
    assert known.page.lines[-1] == "No stick was found: put one in and try again."
    stick = tmp_path / "media" / "STICK"
    stick.mkdir(parents=True)
    known.go_to(Do.TABLES)
    assert known.page.lines[-1] == f"{TABLE} is on the stick STICK. {OBJECT} is on the stick STICK."
    rows = list(csv.DictReader((stick / TABLE).read_text(encoding="utf-8").splitlines()))
    assert [BySide(row["white"], row["black"]) for row in rows] == [each.names for each in known.book.matches()]
    told = json.loads((stick / OBJECT).read_text(encoding="utf-8"))
    assert {player["name"] for player in told["players"]} == names_in(known)
    (stick / TABLE).unlink()
    (stick / TABLE).mkdir()
    known.go_to(Do.TABLES)
    assert known.page.lines[-1] == f"{TABLE} was not made."


def test_the_book_is_whole_after_a_change(known: AtTheTable) -> None:
    write(known, "Bo", "Boris")
    known.go_to(Of(Do.RENAME, "Bo"))
    with closing(sqlite3.connect(known.book.path)) as file, file:
        assert file.execute("PRAGMA integrity_check").fetchone() == ("ok",)
    assert all(not played.problem for played in known.book.replay_all())
