"""What a table may tell of itself: what everybody in the room can see on its scoreboard, and never a card.

Events are made of what the referee ruled and where the match stands then. Neither the cards that were laid nor those
shown at the end are in them: their names would say what is still hidden. Source: engine/RULES.md ruling 11.
"""

from __future__ import annotations

from typing import Any, Final

from engine.record.corrections import Correction
from engine.rules.rulings import Ruling
from engine.rules.state import PublicState
from engine.rules.track import BySide, Side
from engine.table.desk import Entry
from firmware.club.topics import VERSION

RESUMED: Final = "resumed"
"""The kind of an event that begins to tell in the middle of a match."""
KINDS: Final = ("match", "round", "turn", "yield", "reveal", "time", "undo", "correct", RESUMED)


def told(entry: Entry, names: BySide[str], bout: str = "", leg: int | None = None) -> dict[str, Any] | None:
    """What an accepted entry of this ``bout`` tells; None for a refused one, of which nothing is told.

    ``leg``: the match is this leg of a relay.
    """
    if not entry.ruling.ok or entry.state is None:
        return None
    kind = "correct" if isinstance(entry.event, Correction) else entry.event.name
    return told_state(kind, entry.state, names, entry.ruling, bout, leg)


def told_state(
    kind: str,
    state: PublicState,
    names: BySide[str],
    ruling: Ruling | None = None,
    bout: str = "",
    leg: int | None = None,
) -> dict[str, Any]:
    """Where a match stands after something of this kind."""
    attack, result = state.attack, state.result
    action = ruling.action if ruling is not None else None
    return {
        "kind": kind,
        "player": _side(ruling.player if ruling is not None else None),
        "action": None if action is None else action.value,
        "parried": ruling is not None and ruling.parry is not None,
        "bout": bout,
        **({} if leg is None else {"leg": leg}),
        "names": _pair(names),
        "rules": state.rules.name,
        "points": state.points,
        "round": state.round,
        "phase": state.phase.value,
        "to_act": _side(state.to_act),
        "score": _pair(state.score),
        "spaces": _pair(state.spaces),
        "pile": state.pile,
        "attack": None
        if attack is None
        else {"by": attack.by.value, "kind": attack.kind.value, "value": attack.value, "count": attack.count},
        "result": None if result is None else {"winner": _side(result.winner), "reason": result.reason.value},
    }


def framed(table: str, match: str, seq: int, wall_s: float, body: dict[str, Any]) -> dict[str, Any]:
    """An event as it goes over the wire, but for its sums. ``wall_s`` is this table's clock, which may be wrong."""
    return {"version": VERSION, "table": table, "match": match, "seq": seq, "wall_s": round(wall_s, 3), **body}


def state_message(
    table: str, match: str, seq: int, shown: dict[str, Any], told_so_far: dict[str, int]
) -> dict[str, Any]:
    """What is shown now, kept by the broker for whoever comes later. ``seq`` is the last event that it knows of.

    ``told_so_far`` are the last matches with the number of events each has, so that the hall finds what is missing at
    the end of one that is over.
    """
    return {
        "version": VERSION,
        "table": table,
        "match": match,
        "seq": seq,
        "told": [{"match": name, "seq": count} for name, count in told_so_far.items()],
        "shown": shown,
    }


def online_message(table: str, online: bool) -> dict[str, Any]:
    """Whether a table is there; the broker says the other for one that is gone without a word."""
    return {"version": VERSION, "table": table, "online": online}


def _pair(pair: BySide[Any]) -> dict[str, Any]:
    return {side.value: value for side, value in pair.items()}


def _side(side: Side | None) -> str | None:
    return None if side is None else side.value
