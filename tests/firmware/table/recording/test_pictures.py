"""Which picture of a recording belongs to which entry of a match: undone ones to none, another match's to nobody."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from engine.record.course import Course, follow
from engine.rules.cards import Card
from engine.rules.events import Event, MatchEvent, RoundEvent, TurnEvent, event_to_json
from firmware.core.errors import EngardeError
from firmware.extras.film.making import _times

FIRST, WRONG, SECOND = (
    TurnEvent((Card(4, "a"),), 5, 23),
    TurnEvent((Card(3, "b"),), 5, 20),
    TurnEvent((Card(2, "b"),), 5, 21),
)
PLAYED: tuple[Event, ...] = (MatchEvent("ferti-advanced"), RoundEvent(), FIRST, SECOND)


def course() -> Course:
    made = None
    for event in PLAYED:
        made, ruling = follow(made, event)
        assert ruling.ok
    assert made is not None
    return made


def verdict(event: dict[str, Any], t_s: float, *, ok: bool = True) -> dict[str, Any]:
    return {"event": event, "t": t_s, "ruling": {"ok": ok}}


def test_what_was_refused_or_taken_back_has_no_picture() -> None:
    told = [verdict(event_to_json(event), 1.0 + number) for number, event in enumerate(PLAYED[:3])]
    told.append(verdict(event_to_json(SECOND), 4.0, ok=False))
    told += [verdict(event_to_json(WRONG), 5.0), verdict({"event": "undo"}, 6.0), verdict(event_to_json(SECOND), 7.0)]
    assert _times(Path("r"), told, course().steps) == {0: 1.0, 1: 2.0, 2: 3.0, 3: 7.0}
    assert _times(Path("r"), told[1:], course().steps) == {1: 2.0, 2: 3.0, 3: 7.0}, "recorded from the round on"


def test_a_recording_of_another_match_is_refused() -> None:
    told = [verdict(event_to_json(event), 1.0) for event in (*PLAYED[:2], WRONG)]
    with pytest.raises(EngardeError, match="entry 2 of it is not that of the match; it records another one"):
        _times(Path("r"), told, course().steps)
