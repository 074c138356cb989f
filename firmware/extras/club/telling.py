"""A table's messages: all that everybody in the room can see on its scoreboard, and never a card.

Events are made of what the referee ruled, in the form of ``engarde play --json``, and that names no card: neither
those that were laid nor those shown at the end. Their names would say what is still hidden. Source: engine/RULES.md
ruling 11.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Mapping
from typing import Any, Final

from engine.record.answers import answer_to_json
from engine.record.corrections import Correction
from engine.rules.events import MatchEvent, RevealEvent, RoundEvent, TimeEvent, TurnEvent, UndoEvent, YieldEvent
from engine.rules.rulings import Ruling
from engine.rules.state import PublicState
from engine.rules.track import BySide
from engine.table.desk import Entry
from firmware.extras.club.topics import VERSION

SUM_LENGTH: Final = 32
START: Final = "0" * SUM_LENGTH
"""The sum that the first event of a match continues."""


def dumped(value: object) -> str:
    """One value as one line of JSON, always the same."""
    return json.dumps(value, ensure_ascii=False, separators=(",", ":"), sort_keys=True)


def sum_of(before: str, body: Mapping[str, Any]) -> str:
    """The sum of an event that continues ``before``; ``body`` is the event without ``prev`` and ``sum``."""
    return hashlib.sha256(f"{before}{dumped(body)}".encode()).hexdigest()[:SUM_LENGTH]


def sealed(before: str, body: Mapping[str, Any]) -> dict[str, Any]:
    """The event with the sum it continues, and its own."""
    return {**body, "prev": before, "sum": sum_of(before, body)}


def is_sealed(event: Mapping[str, Any]) -> bool:
    """Whether nothing of it was changed since."""
    body = {key: value for key, value in event.items() if key not in ("prev", "sum")}
    return bool(event.get("sum") == sum_of(str(event.get("prev")), body))


RESUMED: Final = Ruling(True, "resumed")
"""Stands in the place of a ruling where a table begins to tell in the middle of a match."""
KINDS: Final = (
    *(each.name for each in (MatchEvent, RoundEvent, TurnEvent, YieldEvent, RevealEvent, TimeEvent, UndoEvent)),
    Correction.name,
    RESUMED.event,
)
"""The kinds of events that rulings are on."""


def told(entry: Entry, names: BySide[str], bout: str = "") -> dict[str, Any] | None:
    """The message about an accepted entry of this ``bout``; None for a refused one, of which nothing is told."""
    if not entry.ruling.ok or entry.state is None:
        return None
    return told_state(entry.ruling, entry.state, names, entry.t_s, bout)


def told_state(ruling: Ruling, state: PublicState, names: BySide[str], t_s: float, bout: str = "") -> dict[str, Any]:
    """A ruling at ``t_s`` of the table's own clock, the camera's, and where the match stands then."""
    return {
        "t": round(t_s, 3),
        "bout": bout,
        "names": {side.value: name for side, name in names.items()},
        "rules": state.rules.name,
        "points": state.points,
        "ruling": answer_to_json(state, ruling),
    }


def framed(table: str, match: str, seq: int, wall_s: float, body: Mapping[str, Any]) -> dict[str, Any]:
    """An event as it goes over the wire, but for its sums. ``wall_s`` is the time of day there, which may be wrong."""
    return {"version": VERSION, "table": table, "match": match, "seq": seq, "wall_s": round(wall_s, 3), **body}


def state_message(
    table: str, match: str, seq: int, t_s: float, shown: Mapping[str, Any], told_so_far: Mapping[str, int]
) -> dict[str, Any]:
    """The message about what is ``shown`` since ``t_s``, the object of ``/state.json``, kept by the broker.

    ``seq`` is the last event that it knows of. ``told_so_far`` are the last matches with the number of events each has,
    so that the hall finds what is missing at the end of one that is over.
    """
    return {
        **shown,
        "version": VERSION,
        "table": table,
        "match": match,
        "seq": seq,
        "t": round(t_s, 3),
        "told": [{"match": name, "seq": count} for name, count in told_so_far.items()],
    }
