"""Rulings and states as JSON: FORMATS.md, "Cards".

They are written once, as compact text from ready-made pieces: a judge answers tens of thousands of events a second, and
building values first takes half of that away. Whoever wants values has the text read.
"""

from __future__ import annotations

import json
from typing import Any, Final

from engine.record.corrections import Correction, correction_from_json, correction_to_json
from engine.record.course import JournalEntry
from engine.rules.events import event_from_json, event_to_json
from engine.rules.messages import message
from engine.rules.rulings import Ruling
from engine.rules.state import Attack, PublicState, Result
from engine.rules.track import Side
from engine.strict.text import json_of


def entry_to_json(entry: JournalEntry) -> dict[str, Any]:
    """A journal entry as the book writes it."""
    return correction_to_json(entry) if isinstance(entry, Correction) else event_to_json(entry)


def entry_from_json(obj: object) -> JournalEntry:
    """A journal entry as the book has it. Raises EventError."""
    if isinstance(obj, dict) and obj.get("event") == Correction.name:
        return correction_from_json(obj)
    return event_from_json(obj)


def ruling_to_json(ruling: Ruling) -> dict[str, Any]:
    """A ruling as the book writes it: without the state, which follows from replay."""
    written = answer_to_json(None, ruling)
    del written["state"]
    return written


def state_text(state: PublicState | None) -> str:
    """``state`` of an answer; null before the first match."""
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
    """The answer to an event: the ruling on it, around the text of the state after it (from ``state_text``)."""
    if not ruling.ok:
        code = ruling.code.value if ruling.code else ""
        return f'{{"ok":false,"code":"{code}","message":{json.dumps(message(ruling))},"state":{state}}}'
    if ruling.event != "turn":
        return f'{{"ok":true,"ruling":"{ruling.event}","state":{state}}}'
    parry = ruling.parry
    action = "null" if ruling.action is None else f'"{ruling.action.value}"'
    return (
        f'{{"ok":true,"ruling":"turn","player":{_QUOTED[ruling.player]},'
        f'"action":{action},'
        f'"parry":{"null" if parry is None else _PARRY % (parry.value, parry.count)},"state":{state}}}'
    )


def answer_to_json(state: PublicState | None, ruling: Ruling) -> dict[str, Any]:
    """``answer_text`` as values."""
    read: dict[str, Any] = json_of(answer_text(state_text(state), ruling))
    return read


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
