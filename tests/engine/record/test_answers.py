"""Answers: the text that is written, its members and their order."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

from engine.record.answers import answer_text, state_text
from engine.rules.events import EventError
from engine.rules.referee import judge_unreadable
from engine.rules.rulings import RulingCode

if TYPE_CHECKING:
    from tests.engine.conftest import NewMatch


def test_before_the_first_match() -> None:
    ruling = judge_unreadable(None, EventError("it is not JSON"))
    assert json.loads(answer_text(state_text(None), ruling)) == {
        "ok": False,
        "code": "bad_event",
        "message": "This line isn't an event: it is not JSON.",
        "state": None,
    }


ADVANCED = {"white": 4, "distance": 19, "pile": 14, "to_act": '"black"'}
LOST = {"phase": "round_over", "to_act": "null", "black_points": 1}


def test_an_unknown_card_waits_for_its_turn(new_match: NewMatch) -> None:
    error = EventError("no card", RulingCode.UNKNOWN_CARD, "turn", "'9z'")
    assert judge_unreadable(None, error).code is RulingCode.NOT_NOW
    table = new_match()
    assert judge_unreadable(table.state, error).code is RulingCode.UNKNOWN_CARD
    shown = EventError("no card", RulingCode.UNKNOWN_CARD, "reveal", "'9z'")
    assert judge_unreadable(table.state, shown).code is RulingCode.NOT_NOW
    table.give_up()
    assert judge_unreadable(table.state, error).code is RulingCode.NOT_NOW
