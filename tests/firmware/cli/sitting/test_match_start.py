"""Where ``engarde play`` begins: when the players are asked, and when a match begins by itself."""

from __future__ import annotations

import pytest

from engine.record.course import follow
from engine.rules.events import MatchEvent
from engine.rules.track import Side
from firmware.cli.commands.declared import parsed
from firmware.cli.commands.play import Play, is_chosen_on_screen
from firmware.cli.sitting.wish import MatchWish

OPENING = MatchEvent("ferti-advanced", Side.WHITE, 5)


def _match(*words: str) -> MatchWish:
    match: MatchWish = parsed(Play, words).wish().match
    return match


def test_whoever_can_press_is_asked() -> None:
    assert is_chosen_on_screen(_match(), None, somebody_presses=True)


def test_a_table_without_anything_to_press_begins_by_itself() -> None:
    assert not is_chosen_on_screen(_match(), None, somebody_presses=False)


@pytest.mark.parametrize("words", ["--new", "--white Ana", "--points 3", "--starter lot"])
def test_a_match_that_was_named_is_not_asked_for(words: str) -> None:
    assert not is_chosen_on_screen(_match(*words.split()), None, somebody_presses=True)


def test_one_that_goes_on_is_not_asked_for_either() -> None:
    course, _ = follow(None, OPENING)
    assert not is_chosen_on_screen(_match(), course, somebody_presses=True)


def test_a_table_may_count_at_once() -> None:
    """Nought is a number of seconds, and not a setting that was left out."""
    assert _match("--settle", "0").settle_s == 0.0
    assert _match().settle_s is None
