"""The coach at the table: agreement, hints without hidden cards, hands laid open, a round told again."""

from __future__ import annotations

from typing import Any

import pytest

from engine.rules.state import Phase
from engine.table.presses import Button
from firmware.table.loop.requests import MENU, Hold
from firmware.ui.coach.coach import Mode

W, B, UNDO = Button.WHITE, Button.BLACK, Button.UNDO
PLAYED_AT, WHITE_AT, BLACK_AT = (308.0, -116.0), (120.0, -208.0), (400.0, -208.0)
"""Millimetres in the board frame: among the played cards, and in each player's own part."""


WHITE, BLACK = "1a 2a 3a 4a 5a", "1b 2b 3b 4b 5b"


def test_hands_shown_at_the_end_are_the_referees(at: Any) -> None:
    at.agree(Mode.OPEN)
    at.lay(WHITE, WHITE_AT)
    at.wait()
    assert at.seen_cards == ()
    desk = at.loop.desk
    assert desk.course is not None
    step = desk.course.steps[-1]
    shown = step.state._replace(phase=Phase.REVEAL, to_act=None)
    course = type(desk.course)((*desk.course.steps[:-1], step._replace(state=shown)))
    at.loop.desk = type(desk)(course, verdicts=desk.verdicts)
    at.loop.ask(Hold(MENU))
    at.wait()
    assert len(at.seen_cards) == 5


@pytest.mark.parametrize("names", ["1b 2b 3b 4b 5b", "5b 5c 5d 5e 1e", "3a 3b 3c 3d 3e"])
def test_hints_uses_no_card_of_a_hand_that_may_not_be_seen(at: Any, names: str) -> None:
    """Only hints were agreed to: cards that somebody shows all the same change nothing of what is said."""
    at.agree(Mode.HINTS)
    at.play("5a", 6, 23, W)
    at.play("4a", 6, 19, B)
    before = at.said
    assert "White can attack" not in before
    at.lay(names, BLACK_AT)
    at.wait()
    assert at.said == before
