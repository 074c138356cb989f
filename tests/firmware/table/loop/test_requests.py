"""What is asked of the loop: as notes of a recording and back, and as those before it noted it."""

from __future__ import annotations

import json
from typing import Any

import pytest

from engine.record.corrections import Correction, Setting
from engine.rules.cards import Card
from engine.rules.events import MatchEvent, RoundEvent, TurnEvent
from engine.rules.track import BySide, Side
from engine.table.desk import Desk, EndTurn
from engine.table.notes import NoteKind
from firmware.table.loop.requests import (
    PAUSE,
    Agree,
    Announce,
    Begin,
    Compare,
    EndTurns,
    Enter,
    Hold,
    LookAfresh,
    Release,
    Request,
    Stop,
    TakeUp,
    Watch,
    note_of,
    request_of,
)

MATCH = MatchEvent("ferti-classic", Side.BLACK, 3)


@pytest.mark.parametrize(
    ("request_", "note"),
    [
        (Enter(RoundEvent()), {"enter": {"event": "round"}}),
        (
            Enter(TurnEvent((Card.parse("3b"),), 4, 23)),
            {"enter": {"event": "turn", "cards": ["3b"], "white": 4, "black": 23}},
        ),
        (
            Enter(Correction((Setting(score=BySide(1, 0)),), "by hand")),
            {
                "enter": {
                    "event": "correct",
                    "changes": [{"change": "set", "score": {"white": 1, "black": 0}}],
                    "why": "by hand",
                }
            },
        ),
        (
            Begin(MATCH),
            {"begin": {"match": {"event": "match", "rules": "ferti-classic", "starter": "black", "points": 3}}},
        ),
        (
            Begin(MATCH, BySide("Ana", "Bo")),
            {
                "begin": {
                    "match": {"event": "match", "rules": "ferti-classic", "starter": "black", "points": 3},
                    "names": {"white": "Ana", "black": "Bo"},
                }
            },
        ),
        (Hold(PAUSE), {"hold": "pause"}),
        (Release(PAUSE), {"release": "pause"}),
        (EndTurns(EndTurn.AUTO), {"end_turn": "auto"}),
        (Agree(("help", "open")), {"agreed": ["help", "open"]}),
        (LookAfresh(), {"afresh": True}),
        (Compare(), {"compare": True}),
    ],
)
def test_a_request_is_a_note_and_a_note_the_request(request_: Request, note: dict[str, Any]) -> None:
    assert note_of(request_) == note
    assert request_of(json.loads(json.dumps(note))) == request_


@pytest.mark.parametrize("request_", [Stop(), TakeUp(Desk()), Watch(()), Announce(NoteKind.BOOK_LOST)])
def test_what_changes_no_ruling_is_not_noted(request_: Request) -> None:
    assert note_of(request_) is None


@pytest.mark.parametrize(
    ("note", "request_"),
    [
        ({"held": True}, Hold("recording")),
        ({"held": False}, Release("recording")),
        ({"press": {"t": 1.0, "button": "white"}}, None),
        ({"of a later program": 1}, None),
    ],
)
def test_other_notes(note: dict[str, Any], request_: Request | None) -> None:
    assert request_of(note) == request_


@pytest.mark.parametrize(
    "note", [{}, {"enter": {"event": "dance"}}, {"begin": {"match": {"event": "round"}}}, {"begin": {}}]
)
def test_what_was_never_asked_for_is_refused(note: dict[str, Any]) -> None:
    with pytest.raises((KeyError, TypeError, ValueError)):
        request_of(note)
