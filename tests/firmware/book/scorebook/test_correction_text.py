"""A round of which only the winner was said, as the scorebook and the lists of turns tell it."""

from __future__ import annotations

import pytest

from display.i18n import words
from display.words.verdicts import step_text
from engine.record.corrections import Correction, Setting, Won
from engine.record.course import follow
from engine.rules.events import MatchEvent, RoundEvent
from firmware.book.scorebook.correction import change_text


@pytest.mark.parametrize(
    ("won", "told"),
    [
        (Won.WHITE, "White won the round"),
        (Won.BLACK, "Black won the round"),
        (Won.NOBODY, "the round was drawn"),
    ],
)
def test_the_scorebook_tells_it(won: Won, told: str) -> None:
    assert change_text(Setting(won=won)) == told
    course, _ = follow(None, MatchEvent("ferti-advanced"))
    for entry in (RoundEvent(), Correction((Setting(won=won),))):
        course, _ = follow(course, entry)
    assert course is not None
    assert ("wins the round" in step_text(words("en"), course.steps[-1])) is (won.side is not None)
