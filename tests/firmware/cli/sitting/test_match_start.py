"""Where ``engarde play`` begins: when the players are asked, and when a match begins by itself."""

from __future__ import annotations

import pytest

from engine.record.course import follow
from engine.rules.events import MatchEvent
from engine.rules.track import Side
from firmware.cli.commands.declared import parsed
from firmware.cli.commands.play import Play

OPENING = MatchEvent("ferti-advanced", Side.WHITE, 5)


def _match(*words: str) -> Play:
    wish: Play = parsed(Play, words).wish()
    return wish


@pytest.mark.parametrize(
    ("words", "goes_on", "presses", "asked"),
    [
        ("", False, True, True),
        ("", False, False, False),
        ("--new", False, True, False),
        ("--white Ana", False, True, False),
        ("--points 3", False, True, False),
        ("--starter lot", False, True, False),
        ("", True, True, False),
    ],
)
def test_the_players_are_asked_where_they_can_press_and_nothing_says_which_match(
    words: str, goes_on: bool, presses: bool, asked: bool
) -> None:
    course = follow(None, OPENING)[0] if goes_on else None
    assert _match(*words.split()).is_asked_for(course, somebody_presses=presses) is asked


def test_a_table_may_count_at_once() -> None:
    """Nought is a number of seconds, and not a setting that was left out."""
    assert _match("--settle", "0").settings["settle_s"] == 0.0
    assert "settle_s" not in _match().settings
