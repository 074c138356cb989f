"""Entries of a match's journal, and the rulings on them, as JSON. Source: CONTRACT."""

from __future__ import annotations

from typing import Any

from engine.record.answers import answer_to_json
from engine.record.corrections import Correction, correction_from_json, correction_to_json
from engine.record.course import JournalEntry
from engine.rules.events import event_from_json, event_to_json
from engine.rules.rulings import Ruling


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
