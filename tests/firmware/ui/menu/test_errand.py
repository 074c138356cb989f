"""Work beside the game: on sticks that are slow, hang or are pulled out, and sheets made by another program."""

from __future__ import annotations

import subprocess
import threading
from collections.abc import Iterator
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest

from display.i18n import LANGUAGES, words
from display.menu.model import Act, Goto
from engine.lessons.lesson import LESSONS
from engine.rules.track import BySide
from engine.table.presses import Button
from firmware.book.scorebook.book import open_scorebook
from firmware.core.config import Config
from firmware.table.loop.moment import People
from firmware.table.readers.progress import Limits
from firmware.ui.lessons.progress import Progress
from firmware.ui.menu import errand
from firmware.ui.menu.errand import Errand, Making
from firmware.ui.menu.machine import Household
from firmware.ui.menu.pages.learning import taught
from firmware.ui.menu.state import MenuState
from firmware.ui.menu.sticks import Stick, StickWork
from tests.firmware.ui.scene_table import machine_of
from tests.waiting import HANG_S, until


def test_what_comes_soon_is_told_at_once() -> None:
    done = Errand()
    assert done.do(lambda: "copied", lambda: "not copied") == "copied"
    assert done.told("en") == ""
    assert done.do(lambda: str(1 // 0), lambda: "not copied") == "not copied"


def test_a_stick_that_hangs_is_not_waited_for_and_nothing_is_begun_beside_it(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(errand, "SOON_S", 0.01)
    lets_go, began = threading.Event(), list[str]()

    def hangs() -> str:
        began.append("once")
        lets_go.wait()
        return "copied"

    done = Errand()
    assert done.do(hangs, str) == ""
    assert done.told("en")
    assert done.do(hangs, str) == ""
    assert began == ["once"]
    done.leave()
    assert done.told("en"), "it is still at work"
    lets_go.set()
    while done.told("en") != "copied":
        pass
    done.leave()
    assert done.told("en") == ""


@pytest.mark.slow
def test_a_stick_that_answers_no_look_takes_neither_menu_nor_game(at: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    """As a dead network mount does: stat never comes back, and no signal breaks it off."""
    lets_go, machine = threading.Event(), at.machine
    monkeypatch.setattr(machine, "on_stick", StickWork(Limits(cpu_s=10.0, asleep_s=0.1, wait_s=0.0)))

    def never() -> list[Stick]:
        lets_go.wait()
        return []

    at.sticks = never
    assert not machine.has_stick(), "the watch that asks for it goes on, too"
    at.go_to(Goto.CARE)
    told = machine.no_stick("en")
    assert told != words("en").say("menu.no_stick")
    assert at.menu.page.lines[-1] == told
    at.go_to(Act("backup"))
    assert at.menu.page.lines[-1] == told
    before = len(at.loop.desk.course.steps)
    while at.menu.menu is not None:
        at.press(Button.UNDO)
    at.put(4, 23, "3a")
    at.wait(1.0)
    at.press(Button.WHITE)
    assert len(at.loop.desk.course.steps) == before + 1
    lets_go.set()
    while machine.on_stick.hangs:
        pass
    assert machine.no_stick("en") == words("en").say("menu.no_stick")


@pytest.fixture
def machine(tmp_path: Path) -> Iterator[Household]:
    with open_scorebook(tmp_path / "book.sqlite") as book:
        yield machine_of(book)


def told_in_the_end(making: Making) -> str:
    assert until(lambda: not making.busy)
    return making.told("en")


@pytest.mark.slow
def test_sheets_come_onto_the_stick(machine: Household, tmp_path: Path) -> None:
    now, stick = MenuState(People(BySide("Ana", "Bo"), "de"), machine, Config()), tmp_path / "media" / "STICK"
    sheets = now.sheets
    assert sheets.told("en") == ""
    now.print_sheet("certificate", ("Zoë", "-Bo"))
    assert sheets.told("en") == "No stick was found: put one in and try again."
    stick.mkdir(parents=True)
    now.print_sheet("certificate", ("Zoë", "-Bo"))
    assert sheets.told("en") == "certificate-a4.pdf is being made: 0 seconds so far."
    sheets.leave()
    assert sheets.told("en"), "what is being made is told until it is done"
    assert told_in_the_end(sheets) == "The sheet is on the stick STICK, as a PDF to print."
    assert {path.name for path in stick.iterdir()} == {"certificate-a4.pdf", "certificate-letter.pdf"}
    sheets.leave()
    assert sheets.told("en") == ""
    now.print_sheet("backs")
    assert told_in_the_end(sheets) == "The sheet is on the stick STICK, as a PDF to print."
    assert {"backs-a4.pdf", "backs-letter.pdf", "backs-A.txt"} < {path.name for path in stick.iterdir()}


def test_what_cannot_be_made_is_told_and_only_one_is_made_at_a_time(
    machine: Household, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "media" / "STICK").mkdir(parents=True)
    asked: list[tuple[str, ...]] = []
    fails = tmp_path / "fails"
    program = ["sh", "-c", f"until [ -e {fails} ]; do sleep 0.02; done; exit 1"]

    def noted(*command: str) -> list[str]:
        asked.append(command)
        return program

    monkeypatch.setattr(errand, "yielding", noted)
    making = Making(machine)
    making.begin("a.pdf", lambda stick: ["print", str(stick)])
    making.begin("b.pdf", lambda stick: ["print", str(stick)])
    assert asked == [("firmware", "print", str(tmp_path / "media" / "STICK"))]
    fails.touch()
    assert told_in_the_end(making) == "a.pdf was not made."


def test_it_is_theirs_who_have_learned_every_lesson(tmp_path: Path) -> None:
    progress = Progress(tmp_path / "lessons.json")
    for lesson in LESSONS:
        progress.learned(("Ana", "White"), lesson.id)
    for lesson in LESSONS[:-1]:
        progress.learned(("Bo",), lesson.id)
    assert taught(progress, BySide("Ana", "Bo")) == ("Ana",)
    assert taught(progress, BySide("White", "Black")) == ()
    progress.learned(("Bo",), LESSONS[-1].id)
    assert taught(progress, BySide("Bo", "Ana")) == ("Bo", "Ana")


def test_the_menu_has_slips_made(at: Any, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    begun: list[subprocess.Popen[bytes]] = []

    def noted(command: list[str], **more: Any) -> subprocess.Popen[bytes]:
        begun.append(subprocess.Popen(command, **more))
        return begun[-1]

    monkeypatch.setattr(errand, "yielding", lambda *command: ["true"])
    monkeypatch.setattr(errand, "subprocess", SimpleNamespace(**{**vars(subprocess), "Popen": noted}))
    at.go_to(Goto.SETTINGS, Act("print_backs"))
    assert "No stick was found: put one in and try again." in at.menu.page.lines
    (tmp_path / "media" / "STICK").mkdir(parents=True)
    at.go_to(Act("print_backs"))
    assert any("backs-a4.pdf" in line or line.startswith("The sheet is") for line in at.menu.page.lines)
    assert [made.wait(HANG_S) for made in begun] == [0]


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize(("lamps", "sound"), [(True, True), (True, False), (False, True), (False, False)])
def test_a_test_of_what_is_not_there_says_so(at: Any, language: str, lamps: bool, sound: bool) -> None:
    machine = machine_of(at.book, lamps=lamps, sound=lambda: sound)
    say = words(language).say
    told, health = machine.try_out(language), machine.health(None, language)
    assert (say("setup.lamps_none") in told, say("menu.no_sound") in told) == (not lamps, not sound)
    assert bool(told) is not (lamps and sound)
    assert health[1] == say("menu.health_lamps", what=say("menu.lamps_ready" if lamps else "menu.lamps_none"))


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
