"""What the table was read as, with the ruling on it, as JSON. Source: CONTRACT, "Cameras see"."""

from __future__ import annotations

from typing import Any

from engine.record.answers import answer_to_json, entry_to_json
from engine.table.desk import Entry


def ruled_to_json(entry: Entry) -> dict[str, Any]:
    """An event with its ruling as an object. Source: FORMATS.md, "Matches read off a table".

    What was entered by hand says so, and what was confirmed by a press, so that whoever has the presses has it too.
    """
    ruled = {
        "t": round(entry.t_s, 3),
        "event": entry_to_json(entry.event),
        "ruling": answer_to_json(entry.state, entry.ruling),
    }
    if entry.confirmed:
        return {**ruled, "by_hand": True, "confirmed": True}
    return {**ruled, "by_hand": True} if entry.by_hand else ruled
