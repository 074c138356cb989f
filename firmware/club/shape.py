"""Whether what came is an event at all: every member there, each of them what it can be, and the sum right.

Whether a match can go like that is another question: ``firmware.club.believing``.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from typing import Final

from engine.rules.cards import HAND_SIZE
from engine.rules.events import TurnEvent
from engine.rules.rulesets import RULE_SETS
from engine.rules.rulings import ActionKind
from engine.rules.state import PILE_SIZE, AttackKind, Phase, Reason
from engine.rules.track import SPACES
from firmware.club.chain import SUM_LENGTH, is_sealed
from firmware.club.telling import KINDS
from firmware.club.topics import VERSION
from firmware.names import BadNameError, clean_name

MOST_BYTES: Final = 4096
"""Of an event; real ones have less than a thousand."""
MOST_SEQ: Final = 100_000
MOST_BOUT: Final = 40
_HEX: Final = re.compile(r"[0-9a-f]{32}")
_SIDES: Final = ("white", "black")


def _sum(value: object) -> bool:
    return isinstance(value, str) and len(value) == SUM_LENGTH and _HEX.fullmatch(value) is not None


def _whole(low: int, high: int) -> Callable[[object], bool]:
    return lambda value: type(value) is int and low <= value <= high


def _one_of(*known: object) -> Callable[[object], bool]:
    return lambda value: any(value is each or (type(value) is type(each) and value == each) for each in known)


def _both(holds: Callable[[object], bool]) -> Callable[[object], bool]:
    return lambda value: isinstance(value, dict) and set(value) == {*_SIDES} and all(map(holds, value.values()))


def _object(members: Mapping[str, Callable[[object], bool]]) -> Callable[[object], bool]:
    return lambda value: (
        isinstance(value, dict)
        and set(value) == set(members)
        and all(holds(value[name]) for name, holds in members.items())
    )


def _or_null(holds: Callable[[object], bool]) -> Callable[[object], bool]:
    return lambda value: value is None or holds(value)


def _number(value: object) -> bool:
    return isinstance(value, int | float) and type(value) is not bool and abs(value) < 1e12


def _name(value: object) -> bool:
    try:
        return isinstance(value, str) and clean_name(value) == value
    except BadNameError:
        return False


_ATTACK: Final = _object(
    {
        "by": _one_of(*_SIDES),
        "kind": _one_of(*(kind.value for kind in AttackKind)),
        "value": _whole(1, 5),
        "count": _whole(1, 5),
    }
)
_RESULT: Final = _object({"winner": _one_of(None, *_SIDES), "reason": _one_of(*(reason.value for reason in Reason))})
_STATE: Final = _object(
    {
        "round": _whole(0, 10**6),
        "phase": _one_of(*(phase.value for phase in Phase)),
        "to_act": _one_of(None, *_SIDES),
        "white": _whole(1, SPACES),
        "black": _whole(1, SPACES),
        "distance": _whole(1, SPACES - 1),
        "pile": _whole(0, PILE_SIZE),
        "hands": _both(_whole(0, HAND_SIZE)),
        "attack": _or_null(_ATTACK),
        "score": _both(_whole(0, 10**9)),
        "result": _or_null(_RESULT),
    }
)
_ANY: Final = _object({"ok": _one_of(True), "ruling": _one_of(*set(KINDS) - {TurnEvent.name}), "state": _STATE})
_TURN: Final = _object(
    {
        "ok": _one_of(True),
        "ruling": _one_of(TurnEvent.name),
        "player": _one_of(*_SIDES),
        "action": _one_of(None, *(kind.value for kind in ActionKind)),
        "parry": _or_null(_object({"value": _whole(1, 5), "count": _whole(1, 5)})),
        "state": _STATE,
    }
)


def _ruling(value: object) -> bool:
    """An answer of the referee, by which something happened and whose state contradicts itself nowhere."""
    if not isinstance(value, dict) or not (_TURN(value) or _ANY(value)):
        return False
    state, result = value["state"], value["state"]["result"]
    at_play = state["phase"] in (Phase.TURN.value, Phase.FINAL.value)
    over = state["phase"] in (Phase.ROUND_OVER.value, Phase.MATCH_OVER.value)
    return (
        (value["ruling"] != TurnEvent.name or value["action"] is not None or value["parry"] is not None)
        and state["distance"] == state["black"] - state["white"]
        and (state["to_act"] is not None) == at_play
        and (state["attack"] is None or at_play)
        and (result is not None) == over
        and (state["round"] == 0) == (state["phase"] == Phase.SETUP.value)
        and (result is None or result["reason"] == Reason.TIME.value or _is_draw(result) == (result["winner"] is None))
    )


def _is_draw(result: Mapping[str, object]) -> bool:
    return result["reason"] == Reason.DRAW.value


MEMBERS: Final[Mapping[str, Callable[[object], bool]]] = {
    "version": _one_of(VERSION),
    "table": lambda value: isinstance(value, str),
    "match": _sum,
    "seq": _whole(1, MOST_SEQ),
    "prev": _sum,
    "sum": _sum,
    "wall_s": _number,
    "t": _number,
    "bout": lambda value: isinstance(value, str) and len(value) <= MOST_BOUT,
    "names": _both(_name),
    "rules": _one_of(*RULE_SETS),
    "points": _whole(1, 10**9),
    "ruling": _ruling,
}
"""What each member of an event has to be."""


def wrong_shape(event: object, table: str) -> str:
    """What is wrong with this as an event of this table, for people; empty for nothing."""
    if not isinstance(event, dict):
        return "it is no JSON object"
    if wrong := set(event) ^ set(MEMBERS):
        return f"members are missing or too many: {', '.join(sorted(wrong, key=str))[:80]}"
    for name, holds in MEMBERS.items():
        if not holds(event[name]):
            return f"{name} cannot be {str(event[name])[:40]!r}"
    if event["table"] != table:
        return f"it speaks for table {event['table'][:20]!r}"
    return "" if is_sealed(event) else "its sum does not hold"
