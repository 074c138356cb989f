"""An event of a table as whoever works with it reads it: what its ruling says stands beside the rest."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from engine.rules.events import YieldEvent
from engine.rules.track import Side
from engine.strict.text import json_of
from engine.strict.values import read as read_as
from firmware.extras.club.shape import EventTold


def read(event: Mapping[str, Any]) -> dict[str, Any]:
    """Its own members, and instead of ``ruling``: ``kind`` and ``player`` of what was ruled, what a turn did
    (``action``, ``parried``), and where the match stands then (``spaces``, ``score`` and so on)."""
    ruling = event["ruling"]
    state, kind = ruling["state"], ruling["ruling"]
    return {
        **{name: value for name, value in event.items() if name != "ruling"},
        "kind": kind,
        "player": _who_gave_up(state["result"]) if kind == YieldEvent.name else ruling.get("player"),
        "action": ruling.get("action"),
        "parried": ruling.get("parry") is not None,
        "spaces": {side.value: state[side.value] for side in Side},
        **{name: state[name] for name in ("round", "phase", "to_act", "score", "pile", "attack", "result")},
    }


def read_text(text: str) -> dict[str, Any]:
    """The same of an event that was kept as text. Raises MalformedError where the disk has spoiled it."""
    event = json_of(str(text))
    read_as(EventTold, event)
    return read(event)


def _who_gave_up(result: Mapping[str, Any] | None) -> str | None:
    """Whoever gives up loses the round by it, and no ruling names him otherwise."""
    winner = None if result is None else result["winner"]
    return None if winner is None else Side(winner).other.value
