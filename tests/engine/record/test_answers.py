"""Answers: the text that is written, its members and their order."""

from __future__ import annotations

import json
from collections.abc import Callable
from typing import TYPE_CHECKING, Any

import pytest

from engine.record.answers import answer_text, answer_to_json, state_text
from engine.rules.events import EventError
from engine.rules.referee import judge_unreadable
from engine.rules.rulings import Ruling, RulingCode

if TYPE_CHECKING:
    from tests.engine.conftest import NewMatch, Position, Table


def test_before_the_first_match() -> None:
    ruling = judge_unreadable(None, EventError("it is not JSON"))
    assert json.loads(answer_text(state_text(None), ruling)) == {
        "ok": False,
        "code": "bad_event",
        "message": "This line isn't an event: it is not JSON.",
        "state": None,
    }


STATE = (
    '{{"round":1,"phase":"{phase}","to_act":{to_act},"white":{white},"black":23,"distance":{distance},"pile":{pile},'
    '"hands":{{"white":5,"black":5}},"attack":{attack},"score":{{"white":0,"black":{black_points}}},"result":{result}}}'
)
BEGUN: dict[str, Any] = {
    "phase": "turn",
    "to_act": '"white"',
    "white": 1,
    "distance": 22,
    "pile": 15,
    "attack": "null",
    "black_points": 0,
    "result": "null",
}
ADVANCED = {"white": 4, "distance": 19, "pile": 14, "to_act": '"black"'}
LOST = {"phase": "round_over", "to_act": "null", "black_points": 1}


@pytest.mark.parametrize(
    ("does", "said", "state"),
    [
        (
            lambda table: table.turn("3b", 3),
            '"ok":true,"ruling":"turn","player":"white","action":"advance","parry":null',
            ADVANCED,
        ),
        (
            lambda table: table.turn("3b", 2),
            '"ok":false,"code":"wrong_distance","message":"White\'s fencer moved 2 spaces, but the card says 3."',
            {},
        ),
        (
            lambda table: table.give_up(),
            '"ok":true,"ruling":"yield"',
            LOST | {"result": '{"winner":"black","reason":"no_legal_move"}'},
        ),
    ],
)
def test_an_answer_is_one_line_with_its_members_in_their_order(
    new_match: NewMatch, does: Callable[[Table], Ruling], said: str, state: dict[str, Any]
) -> None:
    """What each member says is held against the second referee, in ``test_judge``."""
    table = new_match()
    ruling = does(table)
    text = answer_text(state_text(table.state), ruling)
    assert text == f'{{{said},"state":{STATE.format(**BEGUN | state)}}}'
    assert answer_to_json(table.state, ruling) == json.loads(text)


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
