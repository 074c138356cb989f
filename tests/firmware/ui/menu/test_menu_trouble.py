"""What goes wrong around the menu: full disks, bad copies, corrections that cannot be, presses that come too late."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from display.menu.lines import Do, Goto, Of, Pick
from engine.rules.events import MatchEvent, YieldEvent
from engine.rules.state import Phase
from engine.rules.track import BySide, Side
from engine.table.desk import take_up
from engine.table.notes import NoteKind
from engine.table.observation import Sight
from engine.table.presses import Button
from firmware.book.scorebook.book import open_scorebook
from firmware.book.scorebook.file import NotKeptError
from firmware.core.config import save
from firmware.table.loop.requests import PAUSE, Announce, Begin, Enter, TakeUp
from firmware.ui.menu.machine import Household


def test_a_correction_that_cannot_be_is_said_and_changes_nothing(at: Any) -> None:
    before = at.state
    at.go_to(Goto.CORRECT, Goto.FIGURES)
    at.set_to(Of(Pick.SPACE, Side.WHITE), "23")
    at.go_to(Do.SET_FIGURES)
    page = at.menu.page
    assert page is not None
    assert page.lines[-1] == "That isn’t possible: nothing was changed. White stands left of Black."
    at.press(Button.UNDO)
    at.go_to(Goto.SCORE)
    at.set_to(Of(Pick.SCORE, Side.WHITE), "5")
    at.go_to(Do.SET_SCORE)
    page = at.menu.page
    assert page is not None
    assert page.lines[-1].endswith("5 points are reached only by winning a round.")
    assert at.state is before


def test_a_setting_that_cannot_be_kept_says_so(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("")
    assert not save(tmp_path / "file" / "menu.toml", "sound.volume_percent", 10)
    assert save(tmp_path / "menu.toml", "sound.volume_percent", 10)
    assert save(tmp_path / "menu.toml", "players.language", 'nl"\\')
    assert not list(tmp_path.glob("*.part"))


@pytest.mark.parametrize("how", ["pulled out", "damaged", "half written"])
def test_a_copy_that_cannot_be_read_changes_nothing(at: Any, tmp_path: Path, how: str) -> None:
    stick = tmp_path / "media" / "STICK"
    stick.mkdir(parents=True)
    copy = stick / "engarde-scorebook-0001.sqlite"
    at.go_to(Goto.CARE, Do.BACK_UP, Goto.RESTORE.of(0))
    if how == "pulled out":
        stick.rename(tmp_path / "gone")
        at.press(Button.MENU)
    else:
        data = copy.read_bytes()
        copy.write_bytes(data[:2000] if how == "half written" else data[:1000] + b"x" * 3000 + data[4000:])
        at.go_to(Of(Do.BRING_BACK, 0))
    page = at.menu.page
    assert page is not None
    if how == "pulled out":
        assert page.lines == ("This backup can’t be read: nothing was changed.",)
    else:
        assert "This backup can’t be read: nothing was changed." in page.lines
    assert at.choices.now.wanted is None
    assert at.loop.advance() is not None


def test_a_match_that_cannot_be_written_down_does_not_begin(at: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    before = at.state

    def full(*_: object) -> int:
        raise NotKeptError("the disk is full.")

    monkeypatch.setattr(at.book, "add", full)
    at.go_to(Goto.START)
    at.set_to(Of(Pick.NAME, Side.WHITE), "write a name …")
    at.menu.write("Zoë")
    at.go_to(Of(Do.TAKE_NAME, Side.WHITE), Do.BEGIN)
    assert at.moment.trouble == "the disk is full."
    assert (at.state, at.loop.people.names) == (before, BySide("Ana", "Bo"))
    monkeypatch.undo()
    at.put(4, 23, "3a")
    at.press(Button.WHITE)
    at.wait(1.0)  # the match so far goes on, in its own journal
    assert at.state.spaces == BySide(4, 23)
    (match,) = at.book.matches()
    assert at.book.replay(match.id).state == at.state


def test_a_match_to_eleven_is_followed_by_one_to_eleven(at: Any) -> None:
    at.loop.ask(Begin(MatchEvent("ferti-classic", Side.BLACK, 10**9)))
    at.wait(1.0)
    at.go_to(Goto.CORRECT, Goto.SCORE)
    at.set_to(Of(Pick.SCORE, Side.WHITE), "3")
    at.go_to(Do.SET_SCORE)
    at.wait(0.5)
    assert at.state.score == BySide(3, 0)
    at.go_to(Goto.START, Do.BEGIN)
    at.wait(0.5)
    assert at.state.points == 10**9


def test_a_press_that_waited_for_the_eyes_is_over_with_the_menu(at: Any) -> None:
    at.sight = Sight.BLIND
    at.put(4, 23, "3a")
    at.press(Button.WHITE)
    assert at.loop.desk.waiting is not None
    at.go_to(Do.PAUSE)
    at.sight = Sight.STEADY
    at.press(Button.WHITE)
    at.wait(2.0)
    assert at.state.played == ()


@pytest.mark.slow
def test_news_wait_until_the_menu_is_closed(no_match: Any) -> None:
    no_match.choices.now.config = replace(no_match.choices.now.config, starter="black")
    no_match.loop.ask(Announce(NoteKind.BOOK_SALVAGED, 12))
    no_match.menu.open_start()
    no_match.wait(30.0)
    no_match.press(Button.MENU)
    moment = no_match.loop.advance()
    assert moment is not None
    assert "12" in moment.view.verdict.headline
    no_match.wait(5.0)
    moment = no_match.loop.advance()
    assert moment is not None
    assert no_match.state.phase is Phase.TURN
    assert "12" in moment.view.verdict.headline
    no_match.put(1, 20, "3a")
    no_match.press(Button.BLACK)
    no_match.wait(1.0)
    moment = no_match.loop.advance()
    assert moment is not None
    assert "12" not in moment.view.verdict.headline


def three_turns(at: Any) -> None:
    for side, white, black, cards in (("white", 4, 23, "3a"), ("black", 4, 21, "3a 2a"), ("white", 9, 21, "3a 2a 5b")):
        at.put(white, black, cards)
        at.press(Button.WHITE if side == "white" else Button.BLACK)
        at.wait(1.0)
    assert at.state.spaces == BySide(9, 21)


def test_turns_that_would_fall_are_named_before_they_do(at: Any) -> None:
    three_turns(at)
    at.go_to(Goto.CORRECT, Goto.TURN.of(1), Of(Do.REMOVE, 1))
    page = at.menu.page
    assert page is not None
    assert page.lines[-1] == (
        "Choose it again to confirm. These 2 turns would no longer be valid: Bo advances 2; Ana advances 5."
    )
    assert len(at.state.played) == 3
    at.press(Button.UNDO)  # to the turns, and not this one after all
    at.go_to(Goto.TURN.of(3), Of(Do.REMOVE, 3))  # nothing follows it: nothing falls
    at.wait(0.1)
    assert (at.menu.menu, len(at.state.played)) == (None, 2)
    at.go_to(Goto.CORRECT, Goto.TURN.of(1), Of(Do.REMOVE, 1), Of(Do.REMOVE, 1))
    at.wait(0.1)
    assert at.state.played == ()
    course = at.loop.desk.course
    assert course is not None
    assert [fallen.turn for fallen in course.fallen] == [2]


def test_a_correction_the_rules_do_not_allow_says_why(at: Any) -> None:
    three_turns(at)
    before = at.state
    at.go_to(Goto.CORRECT, Goto.TURN.of(3))
    at.set_to(Of(Pick.CARD, 3, 0), "2a")
    at.go_to(Of(Do.REPLACE, 3))
    page = at.menu.page
    assert page is not None
    assert page.lines[-1].startswith("That isn’t possible: nothing was changed. ")
    assert "2a" in page.lines[-1]
    assert at.state is before


def test_only_what_happened_by_hand_ends_the_comparison(at: Any) -> None:
    three_turns(at)
    at.sight = Sight.BLIND
    at.loop.ask(TakeUp(take_up(at.loop.desk.course)))
    at.wait(1.0)
    at.go_to(Do.UNDO)
    at.wait(0.1)
    assert at.state.spaces == BySide(4, 21)
    assert at.loop.desk.comparing is not None
    at.go_to(Goto.MANUAL)
    at.tap(Of(Do.LAY, 1), Of(Do.WAY, 0), Do.TURN)
    at.wait(0.1)
    assert at.state.spaces == BySide(5, 21)
    assert at.loop.desk.comparing is None


def test_what_was_entered_and_nobody_saw_is_compared_with_the_table(at: Any) -> None:
    at.by_hand(Of(Do.LAY, 3), Do.TURN)
    at.wait(1.0)
    assert at.loop.desk.comparing is not None  # White's fencer still stands where he stood
    assert at.loop.desk.comparing.difference.figures == BySide(1, None)
    at.put(4, 23, "3a")
    at.wait(1.0)
    assert at.loop.desk.comparing is None
    at.put(4, 21, "3a 2c")
    at.press(Button.BLACK)
    at.wait(1.0)
    assert at.state.spaces == BySide(4, 21)


def test_without_a_screen_nothing_opens_that_nobody_sees(no_match: Any) -> None:
    at = no_match
    at.menu._shown = lambda: False
    at.loop.open(MatchEvent("ferti-classic", Side.WHITE, 1))
    at.wait(1.0)
    at.press(Button.MENU)
    assert (at.menu.menu, at.loop.held) == (None, {PAUSE})
    at.put(4, 23, "3a")
    at.press(Button.MENU)
    assert not at.loop.held
    at.press(Button.WHITE)
    at.wait(1.0)
    assert at.state.spaces == BySide(4, 23)
    at.loop.ask(Enter(YieldEvent()))
    at.wait(0.2)
    assert at.state.phase is Phase.MATCH_OVER
    at.put(1, 23, "")
    at.press(Button.WHITE)
    at.wait(1.0)
    assert (at.menu.menu, at.loop.held) == (None, set())
    assert (at.state.phase, at.state.rules.name, at.state.points) == (Phase.TURN, "ferti-classic", 1)
    assert [match.names for match in at.book.matches()] == [BySide("Ana", "Bo")] * 2


@pytest.mark.parametrize("wall_s", [1e300, -1e18, 0.0])
def test_a_match_of_a_day_no_calendar_has_is_listed_without_one(
    wall_s: float, tmp_path: Path, fill: Any, bot_match: Any
) -> None:
    with open_scorebook(tmp_path / "book.sqlite") as book:
        fill(book, BySide("Ana", "Bo"), bot_match(1), wall_s=wall_s)
        household = Household(
            book, tmp_path / "menu.toml", apply=lambda *_: None, test=lambda: None, lamps=False, sound=lambda: False
        )
        (line,) = household.history("en")
    assert "Ana" in line.text
    assert "19" not in line.text
    assert "-" in line.text
