"""What is left of a match with a limit of time, on its way to the wall."""

from __future__ import annotations

from typing import Any

from display.view import Situation
from display.words.present import present
from engine.rules.events import MatchEvent
from engine.rules.referee import judge
from engine.rules.track import BySide
from firmware.club.telling import framed, told_state
from firmware.club.wall import Wall
from firmware.web.public import public


def test_the_wall_shows_what_is_left_of_the_match_that_is_played() -> None:
    state, _ = judge(None, MatchEvent("ferti-advanced"))
    assert state is not None
    wall = Wall()
    wall.take(framed("1", "a" * 32, 1, 0.0, told_state("match", state, BySide("Anna", "Ben"))))
    message: dict[str, Any] = {"match": "a" * 32, "seq": 1, "told": []}
    for shown, left_s in ((75, 75), (0, 0), (None, None), ("75", None), (True, None), (-1, None), (10**6, None)):
        wall.show("1", {**message, "shown": {"verdict": {"headline": ""}, "clock_s": shown}})
        assert wall.told()[0]["clock_s"] == left_s, shown
    wall.show("1", {**message, "match": "0" * 32, "shown": {"verdict": {"headline": ""}, "clock_s": 75}})
    assert wall.told()[0]["clock_s"] is None, "of another match"


def test_a_scoreboard_has_what_is_left() -> None:
    assert public(present(Situation(None, clock_s=125)))["clock_s"] == 125
    assert public(present(Situation(None)))["clock_s"] is None
