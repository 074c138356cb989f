"""The wall: every table as far as the hall knows, and its doubts, said as such."""

from __future__ import annotations

from collections import deque
from dataclasses import dataclass, field
from typing import Any, Final

from firmware.extras.club.messages import MAX_TOLD, ShownTold

TOUCHES: Final = 5
"""The last touches of a table that the wall shows."""
RESULT_S: Final = 20.0
"""How long the end of a match stands, here and at its table, before whoever is called there next."""


_OF_EVENT: Final = (
    *("match", "wall_s", "names", "score", "points", "round", "phase", "to_act", "spaces", "pile", "attack", "result"),
)


@dataclass(slots=True)
class Piste:
    """One table on the wall. ``event``: the last that is believed, as read. ``shown``: the last ``state`` of its table.

    ``ended``: its match ended a moment ago, at ``ended_s`` of the hall's own time.

    ``doubts`` are codes: ``gone``, ``gap``, ``doubted``, ``floods``,
    ``unknown``, ``differs``."""

    table: str
    online: bool | None = None
    event: dict[str, Any] | None = None
    shown: ShownTold | None = None
    told: dict[str, int] = field(default_factory=dict)
    touches: deque[dict[str, Any]] = field(default_factory=lambda: deque(maxlen=TOUCHES))
    doubts: set[str] = field(default_factory=set)
    next: dict[str, Any] | None = None
    ended: bool = False
    ended_s: float | None = None

    @property
    def busy(self) -> bool:
        """Whether a match is being played, as far as is known."""
        return self.event is not None and self.event["phase"] not in ("match_over", "setup")


class Wall:
    """All pistes. ``take`` is told of every event that is believed."""

    def __init__(self) -> None:
        self.pistes: dict[str, Piste] = {}
        self.version = 0

    def piste(self, table: str) -> Piste:
        """The piste of this table."""
        if table not in self.pistes:
            self.pistes[table] = Piste(table)
            self.pistes = dict(sorted(self.pistes.items(), key=lambda each: _by_number(each[0])))
        return self.pistes[table]

    def take(self, event: dict[str, Any]) -> None:
        """A believed event of a table."""
        piste = self.piste(event["table"])
        before = piste.event
        if before is None or before["match"] != event["match"]:
            piste.touches.clear()
        elif event["result"] is not None and before["result"] is None and event["kind"] not in ("undo", "time"):
            piste.touches.append({**event["result"], "score": event["score"], "round": event["round"]})
        elif event["kind"] in ("undo", "correct"):
            held = [touch for touch in piste.touches if sum(touch["score"].values()) <= sum(event["score"].values())]
            piste.touches = deque(held, maxlen=TOUCHES)
        over = event["phase"] == "match_over"
        if before is not None and over != (before["phase"] == "match_over"):
            piste.ended, piste.ended_s = over, None
        piste.event = event
        self.version += 1

    def pass_on(self, now_s: float) -> None:
        """Let go of the ends that were to be read long enough."""
        for piste in self.pistes.values():
            if not piste.ended:
                continue
            if piste.ended_s is None:
                piste.ended_s = now_s
            elif now_s - piste.ended_s >= RESULT_S:
                piste.ended = False
                self.version += 1

    def show(self, table: str, message: ShownTold) -> None:
        """Note the state that a table shows now."""
        piste = self.piste(table)
        piste.shown = message
        piste.told = {each.match: each.seq for each in message.told}
        self.version += 1

    def note_told(self, table: str, match: str, seq: int) -> None:
        """A table has told so much of a match, though not all of it came."""
        told = self.piste(table).told
        told[match] = max(seq, told.get(match, 0))
        while len(told) > MAX_TOLD:
            del told[next(iter(told))]

    def online(self, table: str, online: bool) -> None:
        """Whether a table is there."""
        piste = self.piste(table)
        piste.online = online
        self.doubt(table, "gone", not online)
        self.version += 1

    def doubt(self, table: str, code: str, holds: bool) -> None:
        """Something about a table that the hall does not know, or no longer does not."""
        piste = self.piste(table)
        if holds != (code in piste.doubts):
            (piste.doubts.add if holds else piste.doubts.discard)(code)
            self.version += 1

    def told(self) -> list[dict[str, Any]]:
        """Every piste as plain values."""
        return [_told(piste) for piste in self.pistes.values()]


def _told(piste: Piste) -> dict[str, Any]:
    event, shown = piste.event, piste.shown
    if shown is not None and (event is None or shown.match != event["match"]):
        shown = None  # of another match than the last event: it is not of now
    return {
        "table": piste.table,
        "online": piste.online,
        "doubts": sorted(piste.doubts),
        **{key: None if event is None else event[key] for key in _OF_EVENT},
        "seq": 0 if event is None else event["seq"],
        "said": "" if shown is None else shown.verdict.headline,
        "clock_s": None if shown is None else shown.clock_s,
        "touches": list(piste.touches),
        "next": piste.next,
        "ended": piste.ended,
    }


def _by_number(table: str) -> tuple[bool, int, str]:
    return (not table.isdigit(), int(table) if table.isdigit() else 0, table)
