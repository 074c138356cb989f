"""Rulings and states as JSON: FORMATS.md, "Cards".

``answer_to_json`` is the readable definition. ``answer_text`` writes the same as text several times faster, from
ready-made pieces; tests/engine/test_answers.py holds the two together.
"""

from __future__ import annotations

import json
from typing import Any, Final

from engine.messages import message
from engine.rulings import Ruling
from engine.state import Attack, PublicState, Result
from engine.track import Side


def state_to_json(state: PublicState | None) -> dict[str, Any] | None:
    """``state`` of an answer; None before the first match."""
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


def answer_to_json(state: PublicState | None, ruling: Ruling) -> dict[str, Any]:
    """The answer to an event: the ruling on it and the state after it."""
    if not ruling.ok:
        code = ruling.code.value if ruling.code else None
        return {"ok": False, "code": code, "message": message(ruling), "state": state_to_json(state)}
    answer: dict[str, Any] = {"ok": True, "ruling": ruling.event}
    if ruling.event == "turn":
        answer["player"] = ruling.player.value if ruling.player else None
        answer["action"] = ruling.action.value if ruling.action else None
        answer["parry"] = ruling.parry and {"value": ruling.parry.value, "count": ruling.parry.count}
    answer["state"] = state_to_json(state)
    return answer


def state_text(state: PublicState | None) -> str:
    """``state_to_json`` as compact JSON text."""
    if state is None:
        return "null"
    to_act, spaces, hands, score = state.to_act, state.spaces, state.hands, state.score
    return (
        f'{{"round":{state.round},"phase":"{state.phase.value}","to_act":{_QUOTED[to_act]},'
        f'"white":{spaces.white},"black":{spaces.black},"distance":{state.distance},"pile":{state.pile},'
        f'"hands":{{"white":{hands.white},"black":{hands.black}}},"attack":{_attack_text(state.attack)},'
        f'"score":{{"white":{score.white},"black":{score.black}}},"result":{_result_text(state.result)}}}'
    )


def answer_text(state: str, ruling: Ruling) -> str:
    """``answer_to_json`` as compact JSON text, around the text of its state (from ``state_text``)."""
    if not ruling.ok:
        code = ruling.code.value if ruling.code else ""
        return f'{{"ok":false,"code":"{code}","message":{json.dumps(message(ruling))},"state":{state}}}'
    if ruling.event != "turn":
        return f'{{"ok":true,"ruling":"{ruling.event}","state":{state}}}'
    action, parry = ruling.action, ruling.parry
    return (
        f'{{"ok":true,"ruling":"turn","player":{_QUOTED[ruling.player]},'
        f'"action":{"null" if action is None else json.dumps(action.value)},'
        f'"parry":{"null" if parry is None else _PARRY % (parry.value, parry.count)},"state":{state}}}'
    )


_QUOTED: Final[dict[Side | None, str]] = {Side.WHITE: '"white"', Side.BLACK: '"black"', None: "null"}
_PARRY: Final = '{"value":%d,"count":%d}'


def _attack_text(attack: Attack | None) -> str:
    if attack is None:
        return "null"
    by, kind = attack.by.value, attack.kind.value
    return f'{{"by":"{by}","kind":"{kind}","value":{attack.value},"count":{attack.count}}}'


def _result_text(result: Result | None) -> str:
    if result is None:
        return "null"
    return f'{{"winner":{_QUOTED[result.winner]},"reason":"{result.reason.value}"}}'
