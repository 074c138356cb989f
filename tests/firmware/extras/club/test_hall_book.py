"""The club's book and wall: what is believed of what a table tells, what is kept of the rest, and what is shown."""

from __future__ import annotations

import json
from contextlib import closing
from pathlib import Path
from random import Random
from typing import Any, Final

import pytest

from engine.rules.events import Limit, MatchEvent, RoundEvent, TimeEvent, YieldEvent
from engine.rules.referee import judge
from engine.rules.rulings import Ruling
from engine.rules.state import Phase, PublicState
from engine.rules.track import BySide, Side
from engine.strict.text import MalformedError
from firmware.extras.club.demo import judged_match, told_step
from firmware.extras.club.hall_book import MAX_ASIDE, MAX_REASONS, HallBook, Reception, impossible
from firmware.extras.club.messages import framed, read, sealed, shown_of, told_state
from firmware.extras.club.wall import RESULT_S, Wall
from tests.firmware.extras.club.conftest import NAMES, bodies_of, chained, unsealed
from tests.matches import turn

PLAYED: Final = chained(told_step(step, NAMES) for step in judged_match(Random(1), points=3))
OPENING: Final = MatchEvent("ferti-advanced", Side.WHITE, 5, Limit(10))
AHEAD: Final = chained(
    bodies_of(OPENING, RoundEvent(), YieldEvent(), RoundEvent(), turn("5a", 1, 18), TimeEvent()), match="b" * 32
)
LEVEL: Final = chained(
    bodies_of(OPENING, RoundEvent(), turn("5a", 6, 23), TimeEvent(), turn("5b", 6, 18)), match="c" * 32
)
LIES: Final = [
    (PLAYED, 0, {"kind": "turn"}, "it does not begin with a match"),
    (PLAYED, 0, {"score": {"white": 1, "black": 0}}, "it does not begin with a match"),
    (PLAYED, 1, {"kind": "match"}, "a match begins once"),
    (PLAYED, 1, {"kind": "resumed"}, "a match begins once"),
    (PLAYED, 1, {"round": 2}, "rounds are left out"),
    (PLAYED, 2, {"round": 2}, "rounds are left out"),
    (PLAYED, 2, {"rules": "ferti-classic"}, "its terms change in the middle"),
    (PLAYED, 2, {"points": 5}, "its terms change in the middle"),
    (PLAYED, 2, {"bout": "1P1-1x2"}, "its terms change in the middle"),
    (PLAYED, 2, {"pile": 16}, "the pile grows"),
    (PLAYED, 2, {"score": {"white": 2, "black": 0}}, "touches come from nowhere"),
    (PLAYED, 2, {"score": {"white": 1, "black": -1}}, "touches come from nowhere"),
    (PLAYED, 2, {"score": {"white": 1, "black": 0}}, "a touch without a round that is won"),
    (PLAYED, 2, {"score": {"white": 4, "black": 0}, "phase": "match_over"}, "more touches than the match has"),
    (PLAYED, 2, {"score": {"white": 3, "black": 0}}, "the match is over and is not"),
    (PLAYED, 2, {"phase": "match_over"}, "the match is over and is not"),
    (AHEAD, 5, {"phase": "turn", "to_act": "white"}, "time does not end it so"),
    (AHEAD, 5, {"result": {"winner": "white", "reason": "time"}}, "time does not end it so"),
    (AHEAD, 5, {"result": {"winner": "white", "reason": "hit"}}, "time does not end it so"),
    (AHEAD, 5, {"result": {"winner": None, "reason": "time"}}, "time does not end it so"),
    (AHEAD, 5, {"result": None}, "time does not end it so"),
    (AHEAD, 5, {"points": 1}, "time does not end it so"),
    (AHEAD, 5, {"score": {"white": 0, "black": 2}}, "time does not end it so"),
    (LEVEL, 3, {"points": 2}, "time does not end it so"),
    (LEVEL, 3, {"phase": "final"}, "time does not end it so"),
    (LEVEL, 4, {"points": 5}, "its terms change in the middle"),
]


@pytest.mark.parametrize(("sent", "at", "lie", "why"), LIES)
def test_a_match_that_cannot_go_so_is_not_believed(
    sent: list[dict[str, Any]], at: int, lie: dict[str, Any], why: str
) -> None:
    before = read(sent[at - 1]) if at else None
    assert impossible(before, read(sent[at])) == ""
    assert impossible(before, {**read(sent[at]), **lie}) == why


def test_after_its_end_a_match_is_only_put_right() -> None:
    end = read(PLAYED[-1])
    assert impossible(end, end) == "it goes on after its end"
    for kind in ("correct", "undo"):
        assert impossible(end, {**read(PLAYED[2]), "kind": kind}) == ""


def test_an_event_is_taken_once_in_its_order_and_from_its_own_table(tmp_path: Path) -> None:
    first, second, third = PLAYED[:3]
    otherwise = sealed(first["prev"], {**unsealed(first), "t": 9.0})
    stolen = sealed(second["prev"], {**unsealed(second), "table": "2"})
    unchained = sealed("0" * 32, unsealed(second))
    path = tmp_path / "book.sqlite"
    with closing(HallBook(path)) as book, book.together():
        assert book.take(second) == (Reception.EARLY, {})
        assert book.take(first) == (Reception.NEW, read(first))
        assert book.take(first) == (Reception.KNOWN, {})
        for lie in (otherwise, stolen, unchained, second):  # after one that does not continue it nothing is believed
            assert book.take(lie) == (Reception.REFUSED, {})
    with closing(HallBook(path)) as again:
        assert again.events("a" * 32) == [read(first)]
        assert again.doubts() == {"a" * 32: "it continues something else"}
        assert again.take(third)[0] is Reception.REFUSED
        assert again.refusals() == {
            "1": {"it told this otherwise before": 1, "it continues something else": 1},
            "2": {"it speaks of another table's match": 1},
        }


def test_what_cannot_be_used_is_kept_within_bounds(tmp_path: Path) -> None:
    with closing(HallBook(tmp_path / "book.sqlite")) as book, book.together():
        for number in range(MAX_ASIDE + 20):
            book.put_aside("1", "event", b"\xff%d" % number, f"reason {number}")
    with closing(HallBook(tmp_path / "book.sqlite")) as again:
        assert len(again.aside()) == MAX_ASIDE
        assert again.aside()[-1] == ("1", "event", b"\xff%d" % (MAX_ASIDE + 19), f"reason {MAX_ASIDE + 19}")
        counts = again.refusals()["1"]
        assert sum(counts.values()) == MAX_ASIDE + 20
        assert len(counts) == MAX_REASONS + 1


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
