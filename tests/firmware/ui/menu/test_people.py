"""The players' pages, made of a real scorebook: what is known of it, levels, a name forgotten, tables to take home."""

from __future__ import annotations

import csv
import json
import threading
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from display.i18n import LANGUAGES
from display.menu.model import Act, Goto, Item, Menu, MenuPlace, Of, Pick
from engine.companion.companion import name_of
from engine.players.bots.strengths import OwnLevel, rival_name
from engine.record.course import follow
from engine.rules.events import Event
from engine.rules.track import BySide, Side
from firmware.book.scorebook.book import Scorebook, open_scorebook
from firmware.book.scorebook.schema import AT_A_TABLE
from firmware.book.scores.summaries import read_summaries
from firmware.core.config import Config
from firmware.table.loop.moment import People
from firmware.table.loop.requests import Begin
from firmware.ui.lessons.progress import Progress
from firmware.ui.menu import machine as module
from firmware.ui.menu.machine import OBJECT, TABLE, Matches
from firmware.ui.menu.people import Renaming
from firmware.ui.menu.state import MenuState
from firmware.ui.menu.table_menu import TableMenu
from tests.display.menu_showcase import MenuContext, page_of
from tests.firmware.ui.menu.conftest import AtTheTable, ByWindow
from tests.firmware.ui.scene_table import machine_of
from tests.waiting import HANG_S, until


def test_what_is_known_stays_until_a_newer_book_is_read_and_where_it_cannot_be(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, fill: Any, bot_match: Any
) -> None:
    may, book = threading.Event(), tmp_path / "book.sqlite"
    matches = Matches(book, AT_A_TABLE)
    assert matches.known.summaries == ()
    with open_scorebook(book) as opened:
        fill(opened, BySide("Ana", "Bo"), bot_match(1))
    monkeypatch.setattr(module, "read_summaries", lambda book: (may.wait(HANG_S), read_summaries(book))[1])
    monkeypatch.setattr(module, "SOON_S", 0.0)
    matches.look_again()
    assert matches.known.house.players == ()
    may.set()
    assert until(lambda: matches.known.summaries)
    before = matches.known
    book.write_bytes(b"no scorebook at all" * 100)
    matches.look_again()
    assert matches.known is before
    assert until(lambda: not matches.reading)
    assert matches.known is before


WHITE_NAME = Of(Pick.NAME, Side.WHITE)


def against(context: MenuContext, white: str) -> Item:
    """The line that asks against whom, while this name is chosen for White."""
    menu = Menu(path=(MenuPlace(Goto.START),), values={WHITE_NAME: white})
    (item,) = (item for item in page_of(menu, context).items if item.key == Pick.AGAINST)
    return item


def test_every_language_says_whose_level_it_is() -> None:
    for language in LANGUAGES:
        note = against(MenuContext(language, levels={"Ana": OwnLevel("club", 7)}), "Ana").note
        assert "Ana" in note
        assert "7" in note


def test_the_menu_finds_the_level_in_the_book(
    tmp_path: Path, whole_match: Callable[..., tuple[Event, ...]], fill: Callable[..., int]
) -> None:
    """Two matches won against the fencer, and the club player is hers: found when the menu is opened, not before."""
    by_winner = {winner_of(whole_match(seed, 1)): whole_match(seed, 1) for seed in range(6)}
    assert set(by_winner) == set(Side)
    with open_scorebook(tmp_path / "book.sqlite") as book:
        menu = menu_at(book)
        menu.now.opened()
        assert menu.now.machine.known.levels == {}
        fill(book, BySide("Ana", name_of("fencer")), by_winner[Side.WHITE])
        fill(book, BySide("Ben", "Ana"), by_winner[Side.WHITE])
        fill(book, BySide(rival_name("fencer"), "Ana"), by_winner[Side.BLACK])
        assert menu.now.machine.known.levels == {}, "as it was when the menu was opened"
        menu.now.opened()
        assert menu.now.machine.known.levels == {"Ana": OwnLevel("club", 2)}
        assert menu.now.begin(Menu(values={WHITE_NAME: "Ana", Pick.AGAINST: "club"})) is None
        (begun,) = (request for request in menu.asks() if isinstance(request, Begin))
        assert begun.names == BySide("Ana", name_of("club"))


def winner_of(events: tuple[Event, ...]) -> Side:
    course = None
    for event in events:
        course, _ = follow(course, event)
    assert course is not None
    score = course.state.score
    return Side.WHITE if score.white > score.black else Side.BLACK


def menu_at(book: Scorebook) -> TableMenu:
    return TableMenu(MenuState(People(BySide("Ana", "Ben"), "en"), machine_of(book), Config()))


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


def test_who_is_forgotten_is_nowhere_any_more(known: AtTheTable, tmp_path: Path) -> None:
    progress = Progress(tmp_path / "lessons.json")
    progress.learned(("Ana",), "moving")
    known.menu.now.renaming = Renaming(known.machine, known.menu.now.people, progress)
    old = tmp_path / "book.sqlite.v3-kept"
    old.write_bytes(b"Ana was here")
    known.menu.open_start()
    known.go_to(Goto.PEOPLE, Goto.PERSON.of("Ana"), Goto.FORGET.of("Ana"), Act("forget", "Ana"))
    assert "Ana" not in names_in(known)
    assert "Player 1" in names_in(known)
    assert known.menu.now.people.names == BySide("Player 1", "Dora"), "who plays next is called so, too"
    assert not progress.knows("Ana")
    assert not old.exists()
    assert not [file for file in tmp_path.glob("book.sqlite*") if b"Ana" in file.read_bytes()]


def test_all_results_are_taken_home_as_tables(known: AtTheTable, tmp_path: Path) -> None:
    known.machine.known_names()
    known.menu.open_start()
    stick = tmp_path / "media" / "STICK"
    stick.mkdir(parents=True)
    known.go_to(Goto.CARE, Act("tables"))
    rows = list(csv.DictReader((stick / TABLE).read_text(encoding="utf-8").splitlines()))
    assert [BySide(row["white"], row["black"]) for row in rows] == [each.names for each in known.book.matches()]
    told = json.loads((stick / OBJECT).read_text(encoding="utf-8"))
    assert {player["name"] for player in told["players"]} == names_in(known)
    (stick / TABLE).unlink()
    (stick / TABLE).mkdir()
    known.go_to(Act("tables"))
    assert known.page.lines[-1] == f"{TABLE} was not made."
