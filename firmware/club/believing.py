"""What of a table's words can be true: their shape, that they hang together, and that a match can go like this.

A hostile table can lie about its own match within these bounds, and about nothing else. What is not believed is told.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from typing import Any, Final

from engine.competition.relay import ORDER
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
        value is None
        or (
            isinstance(value, dict)
            and set(value) == set(members)
            and all(holds(value[name]) for name, holds in members.items())
        )
    )


def _name(value: object) -> bool:
    try:
        return isinstance(value, str) and clean_name(value) == value
    except BadNameError:
        return False


MEMBERS: Final[Mapping[str, Callable[[object], bool]]] = {
    "version": _one_of(VERSION),
    "table": lambda value: isinstance(value, str),
    "match": _sum,
    "seq": _whole(1, MOST_SEQ),
    "prev": _sum,
    "sum": _sum,
    "wall_s": lambda value: isinstance(value, int | float) and type(value) is not bool and abs(value) < 1e12,
    "kind": _one_of(*KINDS),
    "player": _one_of(None, *_SIDES),
    "action": _one_of(None, *(kind.value for kind in ActionKind)),
    "parried": _one_of(True, False),
    "bout": lambda value: isinstance(value, str) and len(value) <= MOST_BOUT,
    "leg": _whole(1, len(ORDER)),
    "names": _both(_name),
    "rules": _one_of(*RULE_SETS),
    "points": _whole(1, 10**9),
    "round": _whole(0, 10**6),
    "phase": _one_of(*(phase.value for phase in Phase)),
    "to_act": _one_of(None, *_SIDES),
    "score": _both(_whole(0, 10**9)),
    "spaces": _both(_whole(1, SPACES)),
    "pile": _whole(0, PILE_SIZE),
    "attack": _object(
        {
            "by": _one_of(*_SIDES),
            "kind": _one_of(*(kind.value for kind in AttackKind)),
            "value": _whole(1, 5),
            "count": _whole(1, 5),
        }
    ),
    "result": _object({"winner": _one_of(None, *_SIDES), "reason": _one_of(*(reason.value for reason in Reason))}),
}
"""What each member of an event has to be."""
OPTIONAL: Final = frozenset({"leg"})
"""Of these the ones that are there only where they mean something."""


def wrong_shape(event: object, table: str) -> str:
    """What is wrong with this as an event of this table, for people; empty for nothing."""
    if not isinstance(event, dict):
        return "it is no JSON object"
    if set(event) - OPTIONAL != set(MEMBERS) - OPTIONAL:
        wrong = set(event) - OPTIONAL ^ set(MEMBERS) - OPTIONAL
        return f"members are missing or too many: {', '.join(sorted(wrong, key=str))[:80]}"
    for name, holds in MEMBERS.items():
        if name in event and not holds(event[name]):
            return f"{name} cannot be {str(event[name])[:40]!r}"
    if event["table"] != table:
        return f"it speaks for table {event['table'][:20]!r}"
    return "" if is_sealed(event) else "its sum does not hold"


def impossible(before: Mapping[str, Any] | None, event: Mapping[str, Any]) -> str:
    """Why no match can go from ``before`` (None: the beginning) to this; empty where one can."""
    score, kind = event["score"], event["kind"]
    if not event["spaces"]["white"] < event["spaces"]["black"]:
        return "the fencers stand in one another's place"
    over = max(score.values()) >= event["points"]
    if kind not in ("correct", "undo", "time") and over != (event["phase"] == "match_over"):
        return "the match is over and is not"
    if max(score.values()) > event["points"]:
        return "more touches than the match has"
    if before is None:
        begins = kind == "resumed" or (kind == "match" and score == {"white": 0, "black": 0})
        return "" if begins else "it does not begin with a match"
    if kind in ("match", "resumed"):
        return "a match begins once"
    terms = ("rules", "bout", "leg") if kind in ("time", "undo") else ("rules", "points", "bout", "leg")  # see _by_time
    if [event.get(name) for name in terms] != [before.get(name) for name in terms]:
        return "its terms change in the middle"
    if kind in ("correct", "undo"):  # people may put right anything, and it stays told
        return ""
    gained = sum(score.values()) - sum(before["score"].values())
    if gained not in (0, 1) or any(score[side] < before["score"][side] for side in _SIDES):
        return "touches come from nowhere"
    if gained and (event["result"] is None or event["result"]["winner"] is None):
        return "a touch without a round that is won"
    if event["round"] != before["round"] + (kind == "round"):
        return "rounds are left out"
    if before["phase"] == "match_over":
        return "it goes on after its end"
    if kind == "time" and (gained or not _by_time(before, event)):
        return "time does not end it so"
    return "" if kind == "round" or event["pile"] <= before["pile"] else "the pile grows"


def _by_time(before: Mapping[str, Any], event: Mapping[str, Any]) -> bool:
    """Whether time can have been called so: the match over, or one more touch to be played where it is level."""
    (low, high), result = sorted(event["score"].values()), event["result"]
    if event["phase"] == "match_over":
        ahead = "white" if event["score"]["white"] == high else "black"
        drawn = {"winner": None, "reason": Reason.TIME.value}
        level = low == high and result is not None and (result["reason"] == Reason.PRIORITY.value or result == drawn)
        timed = low < high and result == {"winner": ahead, "reason": Reason.TIME.value}
        return bool(event["points"] == before["points"] and (level or timed))
    return bool(low == high and event["points"] == low + 1 <= before["points"] and event["phase"] == before["phase"])
