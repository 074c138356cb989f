"""A match taken up again, or corrected: the table is compared with it before play goes on, and the players choose.

Stories in the words of ``AtTheTable.tell``; before the note it says whether the table is still compared.
"""

from __future__ import annotations

from typing import Final

import pytest

from engine.record.corrections import Correction, CorrectionError, Remove, Replace, Setting
from engine.record.course import follow
from engine.rules.events import Event, MatchEvent, RoundEvent, YieldEvent
from engine.rules.track import BySide, Side
from engine.table.desk import correct, take_up
from engine.table.observation import FigureProblem
from engine.table.presses import Button
from tests.engine.table.conftest import AtTheTable
from tests.matches import course_of, turn

MATCH: Final[tuple[Event, ...]] = (
    MatchEvent("ferti-advanced"),
    RoundEvent(),
    turn("3a", 4, 23),
    turn("4a", 4, 19),
)
"""White on 4, Black on 19; White to act; 3a and 4a were played."""


class Resumed(AtTheTable):
    """A desk taken up again; what lies there lay there before."""

    def __init__(self, *events: Event, after_lesson: bool = False) -> None:
        super().__init__()
        self.desk = take_up(course_of(*(events or MATCH)), after_lesson=after_lesson)
        self.problem = FigureProblem.LYING
        self.stand(self.state.spaces.white, self.state.spaces.black)
        self.tell(f"lain {' '.join(map(str, self.state.played))}")

    def corrected(self, *changes: Setting | Replace | Remove) -> None:
        self.desk, _ = correct(self.desk, Correction(changes, "misread"), self.t_s)

    def _noted(self) -> str:
        return f"{'playing' if self.desk.comparing is None else 'comparing'} {super()._noted()}"


AGREES: Final = "+1.5 ? playing table_agrees"
DIFFERS: Final = "+1.5 ? comparing -"
STORIES: Final[dict[str, tuple[str, ...]]] = {
    "an equal table goes on by itself once it has stood still, and that is said in one line": (
        *("+0.1 ? comparing -", AGREES, "5a 9-19", "+1.5", "white = 5a 9-19"),
    ),
    "cards that were taken off differ in nothing": ("take", AGREES),
    "nothing falls while the table differs, and a touch or the space bar chooses nothing": (
        *("lain 3a 4a 5d", "6-18", "+30 ? comparing -", "act ? comparing -"),
    ),
    "the table is right: that is a correction, which can be taken back": (
        *("lain 3a 4a 5d", "6-18", DIFFERS, "white = correct !6/18,5d ? playing -", "undo+0 = undo"),
    ),
    "the record is right: it waits until the table agrees": (
        *("6-19", DIFFERS, "black+5 ? comparing -", "4-19", AGREES),
    ),
    "a blind camera does not hold up who insists, and nobody chooses before it was shown what differs": (
        *("camera_lost", DIFFERS, "white+5 ? comparing -", "black ? comparing -", "black+0 ? playing -"),
    ),
    "a table that changed since it was shown is asked about again": (
        *("6-19", DIFFERS, "7-19", "white ? comparing -", "white = correct !7/19 ? playing -"),
    ),
    "a press the eyes cannot answer is answered": ("6-19", DIFFERS, "hand", "white+5 ? comparing cannot_see hand"),
    "a fencer who lies is named and not corrected": (
        *("x-19", DIFFERS, "white ? comparing figure_unreadable white lying", "4-19", AGREES),
    ),
    "fencers who changed ends cannot be right": ("19-4", DIFFERS, "white ? comparing table_impossible"),
    "a legal turn that lies there is named and then left open": (
        *("5a 9-19", DIFFERS, "white ? playing -", "white = 5a 9-19"),
    ),
    "undo works meanwhile": ("lain 3a", "4-23", DIFFERS, "undo+0 = undo", AGREES, "black = ! no_cards"),
}


@pytest.mark.parametrize("story", STORIES.values(), ids=STORIES.keys())
def test_it_is_compared_so(story: tuple[str, ...]) -> None:
    Resumed().tell(*story)


def test_a_bounce_is_no_second_press() -> None:
    at = Resumed()
    at.tell("6-19", DIFFERS)
    at.look(Button.BLACK, Button.BLACK)
    at.tell(DIFFERS, "black+0 ? playing -")
    assert at.state.spaces == BySide(4, 19)


@pytest.mark.parametrize(("events", "told"), [(MATCH[:1], "-"), ((*MATCH, YieldEvent()), "table_agrees")])
def test_between_rounds_the_table_is_set_up_anyway(events: tuple[Event, ...], told: str) -> None:
    Resumed(*events).tell("lain 1a 1b", "7-8", f"+1.5 ? playing {told}", "take", "1-23", "+3 = round")


def test_after_a_lesson_no_button_puts_what_it_left_into_the_match() -> None:
    at = Resumed(after_lesson=True)
    before = at.desk.course
    at.tell("5a 9-19")  # as a legal turn would leave it
    for button in ("white", "black", "black", "act", "white"):
        at.tell("+1.5", f"{button}+0")
    at.tell("+10 ? comparing -", "4-19", "+1.5 ? comparing -")  # one of its cards still lies there
    at.tell("take 5a", AGREES)
    assert at.desk.course is before


def test_after_a_lesson_the_match_can_be_corrected_to_the_table_in_the_menu() -> None:
    at = Resumed(after_lesson=True)
    at.tell("6-19", "+1.5")
    at.corrected(Setting(BySide(5, 19)))
    at.tell("+1.5", "white ? comparing -")
    at.corrected(Setting(BySide(6, 19)))
    at.tell("+1.5 ? playing -")
    assert at.state.spaces == BySide(6, 19)


def test_a_correction_during_play_is_judged_and_compared() -> None:
    at = Resumed()
    at.tell(AGREES)
    at.corrected(Replace(1, turn("4b", 5, 23)))
    assert at.state.spaces == BySide(5, 19)
    at.tell("lain 4b 4a", "+0.1 ? comparing -", "5-19", "+1.5 ? playing -")
    assert at.desk.ruling is not None
    assert at.desk.ruling.event == "correct"
    assert at.state.to_act is Side.WHITE


def test_a_correction_that_no_longer_can_be_made_is_answered() -> None:
    at = Resumed()
    at.tell(AGREES)
    at.corrected(Remove(7))
    at.tell("+0.1 ? playing correction_refused")
    with pytest.raises(CorrectionError):
        follow(at.desk.course, Correction((Remove(7),), "misread"))
