"""A match taken up again, or corrected: the table is compared with it before play goes on, and the players choose.

Stories in the words of ``AtTheTable.tell``; before the note it says whether the table is still compared.
"""

from __future__ import annotations

from typing import Final

import pytest

from engine.record.corrections import Correction, CorrectionError, Remove, Setting
from engine.record.course import follow
from engine.rules.events import Event, YieldEvent
from engine.rules.track import BySide
from engine.table.presses import Button
from tests.engine.table.conftest import MATCH, Resumed

AGREES: Final = "+1.5 ? playing table_agrees"
DIFFERS: Final = "+1.5 ? comparing -"


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


def test_a_correction_that_no_longer_can_be_made_is_answered() -> None:
    at = Resumed()
    at.tell(AGREES)
    at.corrected(Remove(7))
    at.tell("+0.1 ? playing correction_refused")
    with pytest.raises(CorrectionError):
        follow(at.desk.course, Correction((Remove(7),), "misread"))
