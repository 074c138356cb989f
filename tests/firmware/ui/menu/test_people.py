"""The first page and the players' pages, made of a real scorebook; names corrected and forgotten; tables."""

from __future__ import annotations

import csv
import json
import threading
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pygame
import pytest

from display.i18n import LANGUAGES, words
from display.menu.lines import Act, Goto, Line, Of, Pick, kind_of
from display.menu.model import Item, Menu, MenuPlace
from display.view import NO_NAMES
from engine.companion.companion import name_of
from engine.players.bots.strengths import OwnLevel, rival_name
from engine.record.course import follow
from engine.rules.events import Event
from engine.rules.state import Phase
from engine.rules.track import BySide, Side
from firmware.book.scorebook.book import Scorebook, open_scorebook
from firmware.book.scorebook.modes import AT_A_TABLE
from firmware.book.scores.summaries import read_summaries
from firmware.book.scores.telling import rating_text
from firmware.core.config import Config
from firmware.table.loop.moment import People
from firmware.table.loop.requests import Begin
from firmware.ui.lessons.progress import Progress
from firmware.ui.menu import machine as module
from firmware.ui.menu.machine import OBJECT, TABLE, Matches
from firmware.ui.menu.people import Home, Renaming
from firmware.ui.menu.state import MenuState
from firmware.ui.menu.table_menu import TableMenu
from tests.display.menu_showcase import MenuContext, page_of
from tests.firmware.conftest import BotMatch, Keep
from tests.firmware.ui.menu.conftest import AtTheTable, ByWindow
from tests.firmware.ui.scene_table import machine_of
from tests.waiting import HANG_S


def filled(table: AtTheTable, fill: Any, bot_match: Any) -> None:
    """Ana and Bo have met four times, and each of them Cem once."""
    for seed in range(1, 5):
        fill(table.book, BySide("Ana", "Bo"), bot_match(seed))
    fill(table.book, BySide("bo", "Cem"), bot_match(5))
    fill(table.book, BySide("Cem", "Ana"), bot_match(6))
    table.machine.known_names()


def home_of(table: AtTheTable, names: BySide[str], language: str = "en") -> Home:
    return Home(table.machine, People(names, language))


def test_without_a_match_nobody_is_a_rival(no_match: AtTheTable) -> None:
    assert home_of(no_match, NO_NAMES).rivalry() is None
    assert home_of(no_match, NO_NAMES).everybody() == ()
    assert home_of(no_match, NO_NAMES).person("Ana") is None


def test_home_is_where_a_press_leads_and_a_second_one_begins(no_match: AtTheTable) -> None:
    table = no_match
    table.menu.open_start()
    assert table.keys[0] == Act("begin")
    assert Goto.HISTORY in table.keys
    table.go_to(Act("begin"))
    table.wait(0.5)
    assert table.state.phase is not Phase.MATCH_OVER
    table.menu.open_start()
    assert table.keys[0] == Act("close"), "a match goes on"
    table.go_to(Act("close"))
    assert table.menu.menu is None


@pytest.mark.slow
def test_everything_is_reached_by_pointer(by_window: ByWindow, fill: Any, bot_match: Any) -> None:
    for seed in (1, 2):
        fill(by_window.book, BySide("Ana", "Bo"), bot_match(seed), time.time())  # nothing is due today
    by_window.wait(0.2)
    by_window.button("menu")
    by_window.tap(Goto.PEOPLE, Goto.PERSON.of("Ana"), Goto.HONOURS.of("Ana"))
    first = by_window.page.items[0]
    assert first.text == "First victory"
    by_window.tap(first.key)
    first = by_window.page.items[0]
    assert kind_of(first.key) == Goto.ROUND
    assert " began. " in first.note


@pytest.mark.slow
def test_everything_is_reached_and_left_by_keys(by_window: ByWindow, fill: Any, bot_match: Any) -> None:
    """A player's curve, form, honours and numbers, whom he met, past matches turn by turn: arrows, Enter, Esc."""
    for seed in (1, 2):
        fill(by_window.book, BySide("Ana", "Bo"), bot_match(seed), time.time())  # nothing is due today
    by_window.wait(0.2)
    by_window.key("m")
    read: list[str] = []

    def go(*lines: Line) -> None:
        for line in lines:
            page, menu = by_window.page, by_window.menu.menu
            assert menu is not None
            steps = by_window.keys.index(line) - menu.here.at
            by_window.key(*[pygame.K_DOWN if page.columns == 1 else pygame.K_RIGHT] * (steps % len(page.items)))
            by_window.key(pygame.K_RETURN)
            read.extend(text.text for text in by_window.drawn().texts)

    go(Goto.MORE, Goto.PEOPLE, Goto.PERSON.of("Ana"), Goto.NUMBERS.of("Ana"))
    by_window.key(pygame.K_ESCAPE)
    go(Goto.HONOURS.of("Ana"))
    by_window.key(pygame.K_ESCAPE)
    person = by_window.page.person
    assert person is not None
    assert person.curve
    assert person.form
    assert "Bo · 1 : 1" in read
    by_window.key(*[pygame.K_ESCAPE] * 2)
    go(Goto.HISTORY)
    go(by_window.keys[0])
    go(by_window.keys[0])
    before = by_window.page.past
    assert before is not None
    by_window.key(pygame.K_RIGHT)
    assert by_window.page.past != before, "the next turn"
    by_window.key(*[pygame.K_ESCAPE] * 3)
    assert by_window.here == Goto.MORE


class Slow:
    """Reads a book once it may, and counts how often."""

    def __init__(self) -> None:
        self.may = threading.Event()
        self.read = 0

    def __call__(self, book: Scorebook) -> Any:
        assert self.may.wait(HANG_S)
        self.read += 1
        return read_summaries(book)


@pytest.fixture
def slow(monkeypatch: pytest.MonkeyPatch) -> Slow:
    slow = Slow()
    monkeypatch.setattr(module, "read_summaries", slow)
    monkeypatch.setattr(module, "SOON_S", 0.0)
    return slow


def _done(matches: Matches) -> None:
    work = matches._work
    assert work is not None
    work.join(HANG_S)
    assert not matches.reading


def _another(book: Path, bot_match: BotMatch, keep: Keep, seed: int) -> None:
    with open_scorebook(book) as opened:
        keep(opened.begin(BySide("Ana", "Bo"), mode="play"), bot_match(seed, "ferti-advanced", 1, Side.WHITE))


def test_a_book_that_cannot_be_read_tells_nothing_new(
    tmp_path: Path, slow: Slow, bot_match: BotMatch, keep: Keep
) -> None:
    slow.may.set()
    book = tmp_path / "book.sqlite"
    matches = Matches(book, AT_A_TABLE)
    assert matches.known.summaries == ()
    _done(matches)
    _another(book, bot_match, keep, 1)
    slow.may.clear()
    matches.look_again()
    assert matches.known.house.players == ()
    slow.may.set()
    _done(matches)
    before = matches.known
    assert len(before.summaries) == 1
    book.write_bytes(b"no scorebook at all" * 100)
    matches.look_again()
    assert matches.known is before
    _done(matches)
    assert matches.known is before


WHITE_NAME = Of(Pick.NAME, Side.WHITE)


def against(context: MenuContext, white: str) -> Item:
    """The line that asks against whom, while this name is chosen for White."""
    menu = Menu(path=(MenuPlace(Goto.START),), values={WHITE_NAME: white})
    (item,) = (item for item in page_of(menu, context).items if item.key == Pick.AGAINST)
    return item


@pytest.mark.parametrize("language", LANGUAGES)
def test_who_finished_no_match_has_no_rating(language: str) -> None:
    told = rating_text(words(language), None)
    assert told
    assert not any(letter.isdigit() for letter in told)


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
    table.go_to(Act("take_name", name))


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
    known.go_to(Act("forget", "Ana"))
    assert "Ana" not in names_in(known)
    assert "Player 1" in names_in(known)
    assert known.menu.now.people.names == BySide("Player 1", "Dora"), "who plays next is called so, too"
    assert not progress.knows("Ana")
    assert not old.exists()
    assert not [file for file in tmp_path.glob("book.sqlite*") if b"Ana" in file.read_bytes()]


def test_a_book_that_cannot_be_written_is_said_and_left(known: AtTheTable, monkeypatch: pytest.MonkeyPatch) -> None:
    def full(*_: object, **__: object) -> None:
        raise OSError("no space left")

    monkeypatch.setattr("firmware.ui.menu.machine.make_change", full)
    write(known, "Bo", "Boris")
    known.go_to(Act("rename", "Bo"))
    assert known.page.lines[-1] == "The scorebook could not be changed."
    assert "Bo" in names_in(known)


def test_all_results_are_taken_home_as_tables(known: AtTheTable, tmp_path: Path) -> None:
    known.machine.known_names()
    known.menu.open_start()
    known.go_to(Goto.CARE, Act("tables"))
    assert known.page.lines[-1] == "No stick was found: put one in and try again."
    stick = tmp_path / "media" / "STICK"
    stick.mkdir(parents=True)
    known.go_to(Act("tables"))
    assert known.page.lines[-1] == f"{TABLE} is on the stick STICK. {OBJECT} is on the stick STICK."
    rows = list(csv.DictReader((stick / TABLE).read_text(encoding="utf-8").splitlines()))
    assert [BySide(row["white"], row["black"]) for row in rows] == [each.names for each in known.book.matches()]
    told = json.loads((stick / OBJECT).read_text(encoding="utf-8"))
    assert {player["name"] for player in told["players"]} == names_in(known)
    (stick / TABLE).unlink()
    (stick / TABLE).mkdir()
    known.go_to(Act("tables"))
    assert known.page.lines[-1] == f"{TABLE} was not made."
