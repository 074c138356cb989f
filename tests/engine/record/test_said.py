"""Rounds of which only the winner was said: kept, ended, counted and written like any other."""

from __future__ import annotations

import pytest

from engine.record.corrections import (
    Correction,
    CorrectionError,
    Setting,
    Won,
    correction_from_json,
    correction_to_json,
)
from engine.record.course import Course, follow
from engine.record.notation import parse_move, print_move
from engine.record.retelling import finished_round, retell
from engine.rules.events import EventError, MatchEvent, RoundEvent, UndoEvent
from engine.rules.state import Phase, Reason, Result
from engine.rules.track import BySide, Side


def said(won: Won) -> Correction:
    return Correction((Setting(won=won),), "said")


def played(*entries: object, points: int = 2) -> Course:
    course, _ = follow(None, MatchEvent("ferti-advanced", Side.WHITE, points))
    for entry in entries:
        course, ruling = follow(course, entry)  # type: ignore[arg-type]
        assert ruling.ok
    assert course is not None
    return course


def test_a_winner_that_is_said_ends_the_round_and_the_match() -> None:
    course = played(RoundEvent(), said(Won.BLACK))
    assert (course.state.phase, course.state.score) == (Phase.ROUND_OVER, BySide(0, 1))
    assert course.state.result == Result(Side.BLACK, Reason.SAID)
    course = played(RoundEvent(), said(Won.BLACK), RoundEvent(), said(Won.NOBODY), RoundEvent(), said(Won.BLACK))
    assert (course.state.phase, course.state.score, course.state.round) == (Phase.MATCH_OVER, BySide(0, 2), 3)
    over, _ = follow(course, UndoEvent())
    assert over is not None
    assert (over.state.phase, over.state.score) == (Phase.TURN, BySide(0, 1))


def test_a_drawn_round_is_said_too_and_nothing_is_told_of_it() -> None:
    course = played(RoundEvent(), said(Won.NOBODY))
    assert course.state.result == Result(None, Reason.DRAW)
    pages = retell(finished_round(course))
    assert [page.moments for page in pages] == [()] * len(pages)


def test_a_round_that_is_over_is_not_won_again() -> None:
    course = played(RoundEvent(), said(Won.WHITE))
    with pytest.raises(CorrectionError, match="over already"):
        follow(course, said(Won.BLACK))
    with pytest.raises(CorrectionError, match="No round has begun"):
        follow(played(), said(Won.WHITE))


@pytest.mark.parametrize("won", Won)
def test_it_is_written_and_read_again(won: Won) -> None:
    assert correction_from_json(correction_to_json(said(won))) == said(won)
    for setting in (Setting(won=won), Setting(BySide(4, 9), BySide(1, 0), won=won)):
        assert parse_move(print_move(setting)) == setting


def test_nobody_else_wins() -> None:
    with pytest.raises(EventError, match="white, black, nobody"):
        correction_from_json({"event": "correct", "changes": [{"change": "set", "won": "anna"}]})
