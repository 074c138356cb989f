"""A match taken up again, or corrected: the table is compared with it before play goes on, and the players choose."""

from __future__ import annotations

import pytest

from engine.record.corrections import Correction, CorrectionError, Remove, Replace, Setting
from engine.record.course import follow
from engine.rules.cards import Card
from engine.rules.events import Event, MatchEvent, RoundEvent, UndoEvent, YieldEvent
from engine.rules.state import Phase
from engine.rules.track import BySide, Side
from engine.table.desk import Entry, correct, take_up
from engine.table.notes import NoteKind
from engine.table.observation import CardReading, FigureProblem, Sight, Why
from engine.table.presses import Button
from engine.table.step import TABLE_IS_RIGHT
from tests.engine.table.conftest import AtTheTable
from tests.matches import course_of, turn

MATCH: tuple[Event, ...] = (MatchEvent("ferti-advanced"), RoundEvent(), turn("3a", 4, 23), turn("4a", 4, 19))
"""White on 4, Black on 19; White to act; 3a and 4a were played."""


class Resumed(AtTheTable):
    """A desk taken up again; what lies there lay there before."""

    def __init__(self, *events: Event, after_lesson: bool = False) -> None:
        super().__init__()
        self.desk = take_up(course_of(*(events or MATCH)), after_lesson=after_lesson)
        self.problem = FigureProblem.LYING
        self.put(self.state.spaces.white, self.state.spaces.black, " ".join(map(str, self.state.played)))

    def put(self, white: int | None, black: int | None, cards: str | None = None) -> None:
        self.stand(white, black)
        if cards is not None:
            self.cards = [CardReading(Card.parse(name), 300.0, -100.0, 0.0) for name in cards.split()]

    def wait(self, for_s: float = 1.5) -> list[Entry]:
        return super().wait(for_s)

    @property
    def note(self) -> NoteKind | None:
        return self.desk.note.kind if self.desk.note is not None else None


def test_an_equal_table_goes_on_by_itself_and_that_is_said_in_one_line() -> None:
    at = Resumed()
    at.look()
    assert at.desk.comparing is not None, "not before the table has stood still"
    assert at.wait() == []
    assert at.desk.comparing is None
    assert at.note is NoteKind.TABLE_AGREES
    at.put(9, 19, "3a 4a 5a")
    at.wait()
    (entry,) = (*at.look(Button.WHITE), *at.wait())
    assert entry.event == turn("5a", 9, 19)
    assert entry.ruling.ok


def test_cards_that_were_taken_off_differ_in_nothing() -> None:
    at = Resumed()
    at.put(4, 19, "")
    at.wait()
    assert at.desk.comparing is None


def test_nothing_falls_while_the_table_differs() -> None:
    at = Resumed()
    at.put(6, 18, "3a 4a 5d")
    assert at.wait(30.0) == []
    assert at.desk.comparing is not None
    difference = at.desk.comparing.difference
    assert difference is not None
    assert difference.figures == BySide(6, 18)
    assert difference.cards == (Card(5, "d"),)
    assert [*at.look(Button.ACT), *at.wait()] == [], "a touch or the space bar chooses nothing"
    assert at.desk.comparing is not None


def test_the_table_is_right_becomes_a_correction_with_its_reason() -> None:
    at = Resumed()
    at.put(6, 18, "3a 4a 5d")
    at.wait()
    entries = [*at.look(Button.WHITE), *at.wait()]
    assert [entry.event for entry in entries] == [
        Correction((Setting(BySide(6, 18), None, (Card(5, "d"),)),), TABLE_IS_RIGHT)
    ]
    assert entries[0].ruling.ok
    assert at.desk.comparing is None
    assert at.state.spaces == BySide(6, 18)
    assert Card(5, "d") in at.state.played
    assert at.state.to_act is Side.WHITE
    (undone,) = at.look(Button.UNDO)
    assert isinstance(undone.event, UndoEvent)
    assert at.state.spaces == BySide(4, 19)


def test_the_record_is_right_waits_until_the_table_agrees() -> None:
    at = Resumed()
    at.put(6, 19, "3a 4a")
    at.wait()
    assert at.look(Button.BLACK) == ()
    assert at.wait(5.0) == []
    assert at.desk.comparing is not None
    assert at.desk.comparing.insisted_s is not None
    at.put(4, 19)
    assert at.wait() == []
    assert at.desk.comparing is None
    assert at.state.spaces == BySide(4, 19)


def test_the_player_may_insist_and_a_bounce_is_no_second_press() -> None:
    at = Resumed()
    at.put(6, 19, "3a 4a")
    at.wait()
    at.look(Button.BLACK, Button.BLACK)
    at.wait()
    assert at.desk.comparing is not None
    assert at.look(Button.BLACK) == ()
    assert at.desk.comparing is None
    assert at.state.spaces == BySide(4, 19)


def test_a_blind_camera_does_not_hold_up_who_insists() -> None:
    at = Resumed()
    at.see(Why.CAMERA_LOST, Sight.BLIND)
    at.wait()
    at.look(Button.WHITE)
    assert at.desk.waiting is None, "nobody says that the table is right before he was shown what differs"
    at.look(Button.BLACK)
    at.wait(1.0)
    at.look(Button.BLACK)
    assert at.desk.comparing is None


def test_a_table_that_changed_since_it_was_shown_is_asked_about_again() -> None:
    at = Resumed()
    at.put(6, 19, "3a 4a")
    at.wait()
    at.put(7, 19)
    assert [*at.look(Button.WHITE), *at.wait()] == []
    assert at.desk.comparing is not None
    assert len([*at.look(Button.WHITE), *at.wait()]) == 1
    assert at.state.spaces == BySide(7, 19)


def test_a_press_the_eyes_cannot_answer_is_answered() -> None:
    at = Resumed()
    at.put(6, 19, "3a 4a")
    at.wait()
    at.see(Why.HAND)
    at.look(Button.WHITE)
    at.wait(5.0)
    assert at.note is NoteKind.CANNOT_SEE


def test_a_fencer_who_lies_is_named_and_not_corrected() -> None:
    at = Resumed()
    at.put(None, 19)
    at.wait()
    assert at.desk.comparing is not None
    assert [*at.look(Button.WHITE), *at.wait()] == []
    assert at.note is NoteKind.FIGURE_UNREADABLE
    at.put(4, 19)
    at.wait()
    assert at.desk.comparing is None


def test_fencers_who_changed_ends_cannot_be_right() -> None:
    at = Resumed()
    at.put(19, 4, "3a 4a")
    at.wait()
    assert [*at.look(Button.WHITE), *at.wait()] == []
    assert at.note is NoteKind.TABLE_IMPOSSIBLE
    assert at.state.spaces == BySide(4, 19)


def test_a_legal_turn_that_lies_there_is_named_and_then_left_open() -> None:
    at = Resumed()
    at.put(9, 19, "3a 4a 5a")
    assert at.wait() == []
    assert at.desk.comparing is not None
    assert [*at.look(Button.WHITE), *at.wait()] == []
    assert at.desk.comparing is None
    (entry,) = (*at.look(Button.WHITE), *at.wait())
    assert entry.event == turn("5a", 9, 19)


@pytest.mark.parametrize("events", [MATCH[:1], (*MATCH, YieldEvent())])
def test_between_rounds_the_table_is_set_up_anyway(events: tuple[Event, ...]) -> None:
    at = Resumed(*events)
    at.put(7, 8, "1a 1b")
    at.wait()
    assert at.desk.comparing is None
    assert at.state.phase in (Phase.SETUP, Phase.ROUND_OVER)
    at.put(1, 23, "")
    assert [type(entry.event) for entry in at.wait(3.0)] == [RoundEvent]


def test_after_a_lesson_no_button_puts_what_it_left_into_the_match() -> None:
    at = Resumed(after_lesson=True)
    before = at.desk.course
    at.put(9, 19, "3a 4a 5a")  # as a legal turn would leave it
    for button in (Button.WHITE, Button.BLACK, Button.BLACK, Button.ACT, Button.WHITE):
        at.wait()
        assert at.look(button) == ()
    assert at.wait(10.0) == []
    assert at.desk.comparing is not None
    assert at.note is None
    at.put(4, 19)
    at.wait()
    assert at.desk.comparing is not None, "one of its cards still lies there"
    at.put(4, 19, "3a 4a")
    assert at.wait() == []
    assert at.desk.comparing is None
    assert at.desk.course is before
    assert at.note is NoteKind.TABLE_AGREES


def test_after_a_lesson_the_match_can_be_corrected_to_the_table_in_the_menu() -> None:
    at = Resumed(after_lesson=True)
    at.put(6, 19, "3a 4a")
    at.wait()
    at.desk, _ = correct(at.desk, Correction((Setting(BySide(5, 19)),)), at.t_s)
    at.wait()
    assert [*at.look(Button.WHITE), *at.wait()] == []
    assert at.desk.comparing is not None
    at.desk, _ = correct(at.desk, Correction((Setting(BySide(6, 19)),)), at.t_s)
    at.wait()
    assert at.desk.comparing is None
    assert at.state.spaces == BySide(6, 19)


def test_undo_works_while_the_table_is_compared() -> None:
    at = Resumed()
    at.put(4, 23, "3a")
    at.wait()
    assert at.desk.comparing is not None
    assert len(at.look(Button.UNDO)) == 1
    at.wait()
    assert at.desk.comparing is None
    assert at.state.to_act is Side.BLACK


def test_a_correction_during_play_is_judged_and_compared() -> None:
    at = Resumed()
    at.wait()
    at.desk, entries = correct(at.desk, Correction((Replace(1, turn("4b", 5, 23)),), "misread"), at.t_s)
    assert len(entries) == 1
    assert at.state.spaces == BySide(5, 19)
    assert at.desk.comparing is not None
    at.put(5, 19, "4b 4a")
    at.wait()
    assert at.desk.comparing is None
    assert at.desk.ruling is not None
    assert at.desk.ruling.event == "correct"


def test_a_correction_that_no_longer_can_be_made_is_answered() -> None:
    at = Resumed()
    at.wait()
    at.desk, entries = correct(at.desk, Correction((Remove(7),), "misread"), at.t_s)
    assert entries == ()
    assert at.note is NoteKind.CORRECTION_REFUSED
    with pytest.raises(CorrectionError):
        follow(at.desk.course, Correction((Remove(7),), "misread"))
