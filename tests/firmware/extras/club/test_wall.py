"""What the wall is told of a piste: what is left of a match with a limit of time, and how one ended."""

from __future__ import annotations

import json
from typing import Any

import pytest

from display.view import Situation
from display.words.present import present
from engine.rules.events import MatchEvent
from engine.rules.referee import judge
from engine.rules.rulings import Ruling
from engine.rules.state import Phase, PublicState
from engine.rules.track import BySide
from engine.strict.text import MalformedError
from firmware.extras.club.shape import read, shown_of
from firmware.extras.club.telling import framed, told_state
from firmware.extras.club.wall import RESULT_S, Wall
from firmware.web.scoreboard import public


def test_the_wall_shows_what_is_left_of_the_match_that_is_played() -> None:
    state, ruling = judge(None, MatchEvent("ferti-advanced"))
    assert state is not None
    wall = Wall()
    wall.take(read(framed("1", "a" * 32, 1, 0.0, told_state(ruling, state, BySide("Anna", "Ben"), 0.0))))
    message: dict[str, Any] = {"table": "1", "match": "a" * 32, "seq": 1, "told": [], "verdict": {"headline": ""}}

    def show(**more: Any) -> None:
        wall.show("1", shown_of(json.dumps({**message, **more}).encode(), "1"))

    for shown in (75, 0, None):
        show(clock_s=shown)
        assert wall.told()[0]["clock_s"] == shown
    for wrong in ("75", True, -1, 10**6):
        with pytest.raises(MalformedError, match="clock_s"):
            show(clock_s=wrong)
    show(match="0" * 32, clock_s=75)
    assert wall.told()[0]["clock_s"] is None, "of another match"


def test_how_a_match_ended_stands_before_whoever_is_next() -> None:
    state, _ = judge(None, MatchEvent("ferti-advanced"))
    assert state is not None
    over = state._replace(phase=Phase.MATCH_OVER)
    wall, names = Wall(), BySide("Anna", "Ben")

    def take(kind: str, now: PublicState) -> bool:
        wall.take(read(framed("1", "a" * 32, 1, 0.0, told_state(Ruling(True, kind), now, names, 0.0))))
        return bool(wall.told()[0]["ended"])

    assert not take("turn", over), "it was over before the hall was started"
    assert not take("match", state)
    assert take("turn", over)
    wall.pass_on(100.0)
    version = wall.version
    wall.pass_on(99.9 + RESULT_S)
    assert (wall.told()[0]["ended"], wall.version) == (True, version)
    wall.pass_on(100.0 + RESULT_S)
    assert (wall.told()[0]["ended"], wall.version) == (False, version + 1)
    assert not take("undo", state)
    assert take("turn", over)


def test_a_scoreboard_has_what_is_left() -> None:
    assert public(present(Situation(None, clock_s=125)))["clock_s"] == 125
    assert public(present(Situation(None)))["clock_s"] is None
