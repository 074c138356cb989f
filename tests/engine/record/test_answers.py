"""Answers: the text that is written, its members and their order."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

from engine.record.answers import answer_text, answer_to_json, state_text
from engine.rules.events import EventError
from engine.rules.referee import judge_unreadable
from engine.rules.rulings import Ruling, RulingCode

if TYPE_CHECKING:
    from tests.engine.conftest import NewMatch, Position


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


def test_an_attack_and_a_parry_are_told_with_value_and_count(position: Position) -> None:
    table = position(4, 9, attack="direct 5 2")
    answer = answer_to_json(table.state, table.turn("5a 5b 4a 1a", 1))
    assert answer["parry"] == {"value": 5, "count": 2}
    assert answer["action"] == "indirect_attack"
    assert answer_to_json(table.state, Ruling(True, "round"))["state"]["attack"] == {
        "by": "white",
        "kind": "indirect",
        "value": 4,
        "count": 1,
    }


def test_an_unknown_card_waits_for_its_turn(new_match: NewMatch) -> None:
    error = EventError("no card", RulingCode.UNKNOWN_CARD, "turn", "'9z'")
    assert judge_unreadable(None, error).code is RulingCode.NOT_NOW
    table = new_match()
    assert judge_unreadable(table.state, error).code is RulingCode.UNKNOWN_CARD
    shown = EventError("no card", RulingCode.UNKNOWN_CARD, "reveal", "'9z'")
    assert judge_unreadable(table.state, shown).code is RulingCode.NOT_NOW
    table.give_up()
    assert judge_unreadable(table.state, error).code is RulingCode.NOT_NOW
