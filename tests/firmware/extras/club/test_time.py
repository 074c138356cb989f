"""A bout within its time, from the desk's word to the competition's result: called, counted, told, believed, taken."""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path
from typing import Any, Final

import pytest

from display.view import DeviceSituation, Situation
from engine.competition.bouts import CompetitionError, Entrant, Terms, Tie
from engine.competition.events import (
    MatchFenced,
    Opened,
    PoolsBegun,
    event_from_json,
    event_to_json,
)
from engine.rules.cards import Card
from engine.rules.events import Event, Limit, MatchEvent, RoundEvent, TimeEvent, TurnEvent, YieldEvent
from engine.rules.state import Phase, Reason
from engine.rules.track import BySide, Side
from engine.table.desk import Desk, Entry, enter, open_match
from engine.table.presses import Button, Press
from firmware.extras.club.at_table import Called, Timekeeper
from firmware.extras.club.desk import event_of_words
from firmware.extras.club.hall_book import impossible
from firmware.extras.club.hooks import happened
from firmware.extras.club.messages import START, framed, read, sealed, told
from firmware.extras.club.wall import Wall
from firmware.table.loop.moment import Moment, People
from firmware.table.loop.requests import Begin, Enter
from tests.engine.competition.conftest import replay
from tests.firmware.extras.club.conftest import evening_of, next_call, wrong_shape
from vision.look import Look

NAMES: Final = BySide("Anna", "Ben")
LOOK: Look = None  # type: ignore[assignment]


def turn(card: str, white: int, black: int) -> TurnEvent:
    return TurnEvent((Card.parse(card),), white, black)


FIRST, SECOND, THIRD = turn("5a", 6, 23), turn("5b", 6, 18), turn("5c", 11, 18)
LAST, ATTACK = turn("2a", 11, 16), turn("5d", 11, 16)


class Table:
    """A desk with a clock beside it, a frame every half second."""

    def __init__(self, limit: Limit | None, folder: Path, points: int = 5) -> None:
        self.folder = folder
        self.desk, self.entries = open_match(MatchEvent("ferti-advanced", Side.WHITE, points, limit))
        self.clock = Timekeeper(folder / "clock.json", People(NAMES, "en"))
        self.now_s = 0.0
        self.show(*self.entries)

    def show(self, *entries: Entry, paused: bool = False) -> None:
        # While turns are entered by hand the loop is held, and the clock goes on.
        self.clock.advise(
            Situation(self.desk.state, paused=paused, devices=DeviceSituation(kept_by_hand=True)), LOOK, self.desk
        )
        moment: Any = type("Shown", (), {})()
        moment.frame, moment.desk, moment.entries = type("At", (), {"t_s": self.now_s}), self.desk, entries
        shown: Moment = moment
        self.clock.attend(shown)

    def wait(self, seconds: float, *, paused: bool = False) -> None:
        for _ in range(int(seconds * 2)):
            self.now_s += 0.5
            self.carry_out()
            self.show(paused=paused)

    def carry_out(self) -> None:
        for request in self.clock.asks():
            assert isinstance(request, Enter)
            self.do(request.entry)  # type: ignore[arg-type]

    def do(self, *events: Event) -> None:
        for event in events:
            self.desk, entries = enter(self.desk, event, self.now_s)
            assert entries[0].ruling.ok
            self.entries += entries
            self.show(*entries)

    @property
    def left_s(self) -> int | None:
        return self.clock.advise(Situation(self.desk.state), LOOK, self.desk).clock_s

    @property
    def state(self) -> tuple[Phase, BySide[int], Reason | None]:
        state = self.desk.state
        assert state is not None
        return state.phase, state.score, None if state.result is None else state.result.reason


def test_time_is_called_at_the_end_of_the_turn_and_an_attack_is_answered_first(tmp_path: Path) -> None:
    table = Table(Limit(10, 0, Side.BLACK), tmp_path)
    assert table.left_s == 10
    table.wait(5)
    assert table.left_s == 10, "no round has begun"
    table.do(RoundEvent())
    table.wait(3)
    assert table.left_s == 7
    table.do(FIRST, SECOND, THIRD, LAST)
    table.wait(30, paused=True)
    assert table.left_s == 7, "a pause stands still"
    table.wait(30)
    assert (table.left_s, table.state) == (0, (Phase.TURN, BySide(0, 0), None)), "the turn goes on"
    table.do(ATTACK)
    table.wait(1)
    assert table.state[0] is Phase.TURN, "the attack was begun in time"
    table.do(TurnEvent((Card.parse("5e"), Card.parse("1a")), 11, 17))
    table.wait(1)
    assert table.state == (Phase.MATCH_OVER, BySide(0, 0), Reason.PRIORITY)
    assert table.left_s is None
    assert [entry.by_hand for entry in table.entries if isinstance(entry.event, TimeEvent)] == [False]


def test_one_more_touch_takes_as_long_as_it_takes(tmp_path: Path) -> None:
    table = Table(Limit(10), tmp_path)
    table.do(RoundEvent())
    table.wait(11)
    table.do(FIRST)
    table.wait(60)
    assert (table.left_s, table.state) == (None, (Phase.TURN, BySide(0, 0), None))
    table.do(SECOND, YieldEvent())
    assert table.state == (Phase.MATCH_OVER, BySide(0, 1), Reason.NO_LEGAL_MOVE)


def test_the_minute_more_ends_by_the_lot(tmp_path: Path) -> None:
    table = Table(Limit(10, 60, Side.WHITE), tmp_path)
    table.do(RoundEvent())
    table.wait(11)
    table.do(FIRST)
    table.wait(1)
    assert table.left_s == 58
    table.wait(60)
    table.do(SECOND)
    table.wait(1)
    assert table.state == (Phase.MATCH_OVER, BySide(0, 0), Reason.PRIORITY)


def test_a_power_cut_gives_no_time_back_and_another_match_begins_anew(tmp_path: Path) -> None:
    table = Table(Limit(100), tmp_path)
    table.do(RoundEvent())
    table.wait(40)
    table.do(FIRST)
    again = Timekeeper(tmp_path / "clock.json", People(NAMES, "en"))
    assert again.advise(Situation(table.desk.state), LOOK, table.desk).clock_s == 60
    assert "Anna" not in (tmp_path / "clock.json").read_text()
    others = Timekeeper(tmp_path / "clock.json", People(BySide("Eve", "Ben"), "en"))
    assert others.advise(Situation(table.desk.state), LOOK, table.desk).clock_s == 100
    (tmp_path / "clock.json").write_text("[1]")
    spoiled = Timekeeper(tmp_path / "clock.json", People(NAMES, "en"))
    assert spoiled.advise(Situation(table.desk.state), LOOK, table.desk).clock_s == 100
    assert Table(None, tmp_path).left_s is None


def wire(table: Table) -> list[dict[str, Any]]:
    """What a table tells of all this."""
    events: list[dict[str, Any]] = []
    for seq, entry in enumerate(table.entries, 1):
        body = told(entry, NAMES, "1P1-1x2")
        assert body is not None
        before = events[-1]["sum"] if events else START
        events.append(sealed(before, framed("1", "a" * 32, seq, 0.0, body)))
    return events


def as_read(table: Table) -> list[dict[str, Any]]:
    """The same, as whoever works with it reads it."""
    return [read(event) for event in wire(table)]


def by_time(folder: Path, how: str) -> Table:
    limit = {
        "time": Limit(10),
        "priority": Limit(10, 0, Side.BLACK),
        "touch": Limit(10),
        "level": Limit(10, drawn=True),
    }[how]
    table = Table(limit, folder)
    table.do(RoundEvent())
    if how == "time":
        table.do(YieldEvent(), RoundEvent())
    table.wait(11)
    table.do(turn("5a", 1, 18) if how == "time" else FIRST)
    table.wait(1)
    if how == "touch":
        table.do(SECOND, YieldEvent())
    assert table.state[0] is Phase.MATCH_OVER
    return table


WAYS: Final = {"time": (0, 1, False), "priority": (0, 0, False), "touch": (0, 1, False), "level": (0, 0, None)}


@pytest.mark.parametrize("how", WAYS)
def test_the_hall_believes_it_and_takes_the_result(how: str, tmp_path: Path) -> None:
    came_all = wire(by_time(tmp_path, how))
    before, wall = None, Wall()
    for came in came_all:
        assert wrong_shape(came, "1") == ""
        event = read(came)
        assert impossible(before, event) == ""
        wall.take(event)
        assert (event["kind"] == "time" and "touch" in happened(before, event)) is False
        before = event
    assert len(wall.told()[0]["touches"]) == (how in ("time", "touch"))
    fencers = (Entrant(fencer[0].lower(), fencer, seed=ord(fencer[0])) for fencer in ("Anna", "Ben", "Cleo"))
    evening = evening_of(tmp_path / "log", fencers, PoolsBegun(1), Terms(5, time_s=10))
    call = {**evening.place(["1"])}["1"]
    last = {**read(came_all[-1]), "bout": call.id, "names": evening.call_of("1")["names"]}  # type: ignore[index]
    result = evening.result_of(last)
    if how == "level":
        assert result is None, "a match is somebody's"
        return
    assert isinstance(result, MatchFenced)
    first = evening.call_of("1")["names"]["white"] == evening.now.fencers[call.first or ""].name  # type: ignore
    white, black, won = WAYS[how]
    score = (white, black) if first else (black, white)
    assert (result.first, result.second, result.first_won) == (*score, won is first)
    evening.add(result)
    assert evening.result_of({**last, "points": 1, "score": {"white": 3, "black": 0}}) is None


@pytest.mark.parametrize(
    "lie",
    [
        {"phase": "turn", "to_act": "white"},
        {"result": {"winner": "white", "reason": "time"}},
        {"result": {"winner": "white", "reason": "hit"}},
        {"result": None},
        {"points": 1},
        {"score": {"white": 0, "black": 2}},
    ],
)
def test_time_that_cannot_have_ended_it_so_is_not_believed(lie: dict[str, Any], tmp_path: Path) -> None:
    *_, before, last = as_read(by_time(tmp_path, "time"))
    assert impossible(before, last) == ""
    assert impossible(before, {**last, **lie}) != ""


def test_a_touch_does_not_change_the_terms(tmp_path: Path) -> None:
    events = as_read(by_time(tmp_path, "touch"))
    changed = next(at for at, event in enumerate(events) if event["kind"] == "time")
    assert (events[changed - 1]["points"], events[changed]["points"]) == (5, 1)
    assert impossible(events[changed - 1], {**events[changed], "points": 2}) != ""
    assert impossible(events[changed], {**events[changed + 1], "points": 5}) != ""


CALL: Final = {
    "bout": "1P1-1x2",
    "names": {"white": "Anna", "black": "Ben"},
    "points": 5,
    "time_s": 180,
}


@pytest.mark.parametrize(
    ("more", "limit"),
    [
        ({"tie": "touch"}, Limit(180)),
        ({"tie": "lot"}, Limit(180, 0, Side.BLACK)),
        ({"tie": "extra"}, Limit(180, 60, Side.BLACK)),
        ({}, Limit(180, 60, Side.BLACK)),
        ({"time_s": None}, None),
    ],
)
def test_the_lot_is_drawn_once_before_the_match_and_kept_with_it(more: dict[str, Any], limit: Limit | None) -> None:
    drawn: list[Side] = []

    def lot() -> Side:
        drawn.append(Side.BLACK)
        return Side.BLACK

    asks = Called(lambda bout, names: None, lot=lot)
    asks.on_next(next_call({**CALL, **more}))
    asks.hear((), 0.0)
    shown = asks.advise(Situation(None), LOOK, Desk())
    assert shown.helped.panel is not None
    assert any("three minutes" in line.text for line in shown.helped.panel.lines) == (limit is not None)
    asks.hear((Press(1.0, Button.WHITE),), 1.0)
    asks.hear((Press(2.0, Button.BLACK),), 2.0)
    assert asks.asks() == (Begin(MatchEvent("ferti-advanced", Side.WHITE, 5, limit), NAMES),)
    assert len(drawn) == (limit is not None and limit.priority is not None)


def test_the_desk_says_the_time_and_the_tie() -> None:
    opened = event_of_words(["open", "Cup", "time=180", "tie=touch"])
    assert opened == Opened("Cup", Terms(5, 1, 180, tie=Tie.TOUCH))
    assert event_from_json(json.loads(json.dumps(event_to_json(opened)))) == opened
    assert event_from_json({"event": "opened", "name": "Cup", "terms": {"time_s": 180}}) == replace(
        Opened("Cup"), terms=Terms(time_s=180, tie=Tie.EXTRA)
    )
    with pytest.raises(CompetitionError, match="one of extra, touch, lot"):
        event_from_json({"event": "opened", "name": "Cup", "terms": {"tie": "dice"}})
    with pytest.raises(CompetitionError, match="1 to 86400 seconds"):
        replay([Opened("Cup", Terms(time_s=0))])
