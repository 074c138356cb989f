"""Answers: the text that is written, against states and rulings member by member."""

from __future__ import annotations

import json
from random import Random
from typing import TYPE_CHECKING, Any

import pytest

from engine.record.answers import answer_text, answer_to_json, state_text
from engine.rules.events import EventError, RevealEvent, RoundEvent, TurnEvent, YieldEvent
from engine.rules.messages import message
from engine.rules.referee import judge, judge_unreadable
from engine.rules.rulesets import RULE_SETS
from engine.rules.rulings import Ruling, RulingCode
from engine.rules.state import PublicState

if TYPE_CHECKING:
    from tests.engine.conftest import NewMatch, RandomMatch


def state_as_it_is(
    state: PublicState | None,
) -> dict[str, Any] | None:
    """The members of ``state``, read off one by one."""
    if state is None:
        return None
    attack, result = state.attack, state.result
    return {
        "round": state.round,
        "phase": state.phase.value,
        "to_act": state.to_act.value if state.to_act else None,
        "white": state.spaces.white,
        "black": state.spaces.black,
        "distance": state.distance,
        "pile": state.pile,
        "hands": {"white": state.hands.white, "black": state.hands.black},
        "attack": attack
        and {"by": attack.by.value, "kind": attack.kind.value, "value": attack.value, "count": attack.count},
        "score": {"white": state.score.white, "black": state.score.black},
        "result": result and {"winner": result.winner.value if result.winner else None, "reason": result.reason.value},
    }


def answer_as_it_is(state: PublicState | None, ruling: Ruling) -> Any:
    """The members of an answer, likewise."""
    if not ruling.ok:
        code = ruling.code.value if ruling.code else None
        return {"ok": False, "code": code, "message": message(ruling), "state": state_as_it_is(state)}
    answer = {"ok": True, "ruling": ruling.event}
    if ruling.event == "turn":
        answer["player"] = ruling.player.value if ruling.player else None
        answer["action"] = ruling.action.value if ruling.action else None
        answer["parry"] = ruling.parry and {"value": ruling.parry.value, "count": ruling.parry.count}
    answer["state"] = state_as_it_is(state)
    return answer


@pytest.mark.slow
@pytest.mark.parametrize("rules", RULE_SETS)
def test_the_text_says_what_is_so(rules: str, random_match: RandomMatch) -> None:
    seen = set()
    for seed in range(30):
        for event, before, state in random_match(rules, Random(seed), points=1):
            previous = before.public if before else state.previous
            for tried in (event, RoundEvent(), YieldEvent(), TurnEvent((), 0, 0), RevealEvent((), ())):
                after, ruling = judge(previous, tried)
                seen.add((ruling.ok, ruling.event, ruling.action, ruling.parry is None))
                assert json.loads(state_text(after)) == state_as_it_is(after)
                expected = answer_as_it_is(after, ruling)
                text = answer_text(state_text(after), ruling)
                assert json.loads(text) == expected
                assert answer_to_json(after, ruling) == expected
                assert list(json.loads(text)) == list(expected)
                assert "\n" not in text
    assert len(seen) > 12


def test_before_the_first_match() -> None:
    ruling = judge_unreadable(None, EventError("it is not JSON"))
    assert json.loads(answer_text(state_text(None), ruling)) == {
        "ok": False,
        "code": "bad_event",
        "message": "This line isn't an event: it is not JSON.",
        "state": None,
    }


def test_the_members_and_their_order(new_match: NewMatch) -> None:
    table = new_match()
    ruling = table.turn("3b", 3)
    assert answer_to_json(table.state, ruling) == {
        "ok": True,
        "ruling": "turn",
        "player": "white",
        "action": "advance",
        "parry": None,
        "state": {
            "round": 1,
            "phase": "turn",
            "to_act": "black",
            "white": 4,
            "black": 23,
            "distance": 19,
            "pile": 14,
            "hands": {"white": 5, "black": 5},
            "attack": None,
            "score": {"white": 0, "black": 0},
            "result": None,
        },
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
