"""A table in a club: a whole match is told, card-free; the pair that is called plays at once."""

from __future__ import annotations

import json
import re
import sqlite3
import threading
from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest

from display.view import Situation
from engine.companion.companion import name_of
from engine.rules.events import Event, MatchEvent, RoundEvent
from engine.rules.referee import judge
from engine.rules.state import Phase, PublicState, Reason, Result
from engine.rules.track import BySide, Side
from engine.table.desk import Desk, ruled_to_json
from engine.table.presses import Button, Press
from firmware.extras.club import publisher as club_publisher
from firmware.extras.club.called import Called
from firmware.extras.club.card import JoinCard
from firmware.extras.club.hooks import happened
from firmware.extras.club.outbox import Outbox
from firmware.extras.club.publisher import Publisher, said
from firmware.extras.club.shape import read
from firmware.extras.club.telling import told_state
from firmware.extras.simulation import camera as simulation_camera
from firmware.extras.simulation import match as simulation_match
from firmware.extras.simulation.match import MatchPlan, SimulatedMatch
from firmware.table.loop.moment import People
from firmware.table.loop.requests import Begin
from firmware.table.recording.replay import NoJournal
from firmware.web.scoreboard import Scoreboard
from tests.firmware.extras.club.conftest import next_call
from tests.firmware.extras.hands.conftest import PlainEyes, PlainRenderer
from tests.tables import SMALL_TABLE
from tests.waiting import HANG_S, all_sent, until
from vision.synthetic import PRESETS

if TYPE_CHECKING:
    from firmware.table.loop.moment import Moment
    from vision.look import Look
    from vision.printed.table import Table

CARD = re.compile(r"(?<![0-9A-Za-z])[1-5][a-e](?![0-9A-Za-z])", re.IGNORECASE)


class Line:
    """A line that takes everything and keeps it."""

    def __init__(self, _card: JoinCard, **given: Any) -> None:
        self.up = True
        self.refusal = ""
        self.sent: list[tuple[str, str]] = []
        self._given = given

    def start(self) -> None:
        self._given["on_change"](True)

    def publish(self, name: str, text: str, *, keep: bool = False) -> int:
        self.sent.append((name, text))
        self._given["on_sent"](len(self.sent))
        return len(self.sent)

    def close(self, last: tuple[str, str] | None = None) -> None:
        self.up = False


@pytest.mark.slow
def test_a_match_is_told_without_a_card(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, perfect_eyes: Callable[[Table], Any]
) -> None:
    """Against the companion, whose card backs are seen as well as faces."""
    monkeypatch.setattr(simulation_camera, "Renderer", PlainRenderer)
    monkeypatch.setattr(simulation_match, "Eyes", PlainEyes)
    monkeypatch.setattr("tests.firmware.extras.hands.conftest.EYES", [perfect_eyes])
    monkeypatch.setattr(club_publisher, "Link", Line)
    people = People(BySide("Anna", name_of("fencer")), "en")
    told = Publisher(JoinCard("fk", "1", "h"), tmp_path / "outbox.sqlite", people)
    told.start()
    plan = MatchPlan(MatchEvent("ferti-advanced", Side.WHITE, 1), 7, 0.2, PRESETS["none"])
    match = SimulatedMatch(plan, SMALL_TABLE, NoJournal(), (told,), people, companion=Side.BLACK)
    ruled: list[dict[str, Any]] = []
    board = Scoreboard()

    class Printed:
        """What ``engarde play --json`` prints of it."""

        def attend(self, moment: Moment) -> None:
            ruled.extend(ruled_to_json(entry) for entry in moment.entries if entry.ruling.ok)

    match.loop.audience = (*match.loop.audience, Printed(), board)
    match.loop.run()
    assert all_sent(told)
    line: Any = told._link
    told.close()
    events = [json.loads(text) for name, text in line.sent if name.endswith("/event")]
    accepted = [event for event in events if event["ruling"]["ruling"] != "resumed"]
    assert [(event["t"], event["ruling"]) for event in accepted] == [(each["t"], each["ruling"]) for each in ruled]
    assert [event["seq"] for event in events] == [*range(1, len(events) + 1)]
    assert events[-1]["ruling"]["state"]["phase"] == "match_over"
    # What is kept at the end is what a browser is served, and of the last event.
    kept = [json.loads(text) for name, text in line.sent if name.endswith("/state")][-1]
    (match_id,) = {event["match"] for event in events}
    more = {"version": 1, "table": "1", "match": match_id, "seq": len(events), "t": kept["t"]}
    assert kept == {**json.loads(board.now), **more, "told": [{"match": match_id, "seq": len(events)}]}
    assert kept["t"] >= events[-1]["t"] > 0
    assert kept["turns"]
    for _, text in line.sent:
        clean = re.sub(r'"(match|prev|sum)":"[0-9a-f]*"', "", text)
        assert CARD.search(clean) is None, clean
        assert "EGB:" not in clean


@pytest.mark.parametrize("fault", ["sent", "unsent"])
def test_a_disk_that_fails_for_a_while_stops_no_table_from_telling(
    fault: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(club_publisher, "Link", Line)
    whole, failed = getattr(Outbox, fault), threading.Event()
    faults = ["database or disk is full", "disk I/O error"]

    def failing(*given: Any) -> Any:
        if faults and (fault == "sent" or given[0].waiting()):
            failed.set()
            raise sqlite3.OperationalError(faults.pop(0))
        return whole(*given)

    monkeypatch.setattr(Outbox, fault, failing)
    names = BySide("Anna", "Ben")
    complaints: list[str] = []
    publisher = Publisher(JoinCard("fk", "1", "h"), tmp_path / "o.sqlite", People(names, "en"), said=complaints.append)
    publisher.start()
    state, ruling = judge(None, MatchEvent("ferti-classic"))
    assert state is not None
    publisher.tell(told_state(ruling, state, names, 0.0), {})
    assert failed.wait(HANG_S)
    following, ruling = judge(state, RoundEvent())
    assert following is not None
    publisher.tell(told_state(ruling, following, names, 1.0), {})
    line: Any = publisher._link
    assert until(lambda: sum(name.endswith("/event") for name, _ in line.sent) == 2)
    publisher.close()
    assert [json.loads(text)["seq"] for name, text in line.sent if name.endswith("/event")] == [1, 2]
    assert (faults, len(complaints)) == ([], 1), "it is said once, whatever failed"


def begun(publisher: Publisher, *shown: dict[str, Any]) -> None:
    """A match begins, and then so many rounds of it, each with what is shown then."""
    state: PublicState | None = None
    events: list[Event] = [MatchEvent("ferti-classic"), RoundEvent()]
    for event, told in zip(events, shown, strict=False):
        state, ruling = judge(state, event)
        assert state is not None
        publisher.tell(told_state(ruling, state, BySide("Anna", "Ben"), 0.0), told)
        publisher.turn(0.0)


@pytest.mark.slow
def test_both_buttons_begin_the_match_that_was_called() -> None:
    confirmed: list[str] = []
    room: list[bool] = []
    asks = Called(lambda bout, names: confirmed.append(bout), lambda: room.append(True))
    people = People(BySide("White", "Black"), "en")
    plan = MatchPlan(MatchEvent("ferti-classic", Side.WHITE, 1), 3, 0.0, PRESETS["none"])
    match = SimulatedMatch(plan, SMALL_TABLE, NoJournal(), (), people, (asks,))
    loop = match.loop
    assert loop.advance() is not None
    names = {"white": "Anna", "black": "Ben"}
    asks.on_next(next_call({"bout": "1P1-1x2", "names": names, "handicap": {"white": 1, "black": 0}, "points": 5}))
    moment = loop.advance()
    moment = loop.advance()
    assert moment is not None
    assert moment.view.panel is not None, "no round has begun yet"
    assert "Anna" in moment.view.verdict.headline
    asks.hear((Press(0.0, Button.WHITE), Press(0.0, Button.BLACK)), 0.0)
    moment = loop.advance()
    assert moment is not None
    state = moment.desk.state
    assert state is not None
    assert (people.names, state.points, state.rules.name) == (BySide("Anna", "Ben"), 5, "ferti-classic")
    for _ in range(40):
        moment = loop.advance()
        assert moment is not None
        state = moment.desk.state
        assert state is not None
        if state.score == BySide(1, 0):
            break
    assert state.score == BySide(1, 0)
    assert state.round == 1
    assert confirmed == ["1P1-1x2"]
    assert room == [True]


def test_the_pair_that_is_called_begins_its_match() -> None:
    confirmed: list[tuple[str, BySide[str]]] = []
    asks = Called(lambda bout, names: confirmed.append((bout, names)))
    look: Look = None  # type: ignore[assignment]
    call = {"bout": "1P1-1x2", "names": {"white": "Anna", "black": "Ben"}, "handicap": {"white": 0, "black": 2}}
    asks.on_next(next_call({**call, "points": 5}))
    assert asks.hear((), 0.0) == ()
    shown = asks.advise(Situation(None), look, Desk())
    assert shown.helped.panel is not None
    space = Press(1.0, Button.ACT)
    assert asks.hear((space, Press(1.0, Button.WHITE)), 1.0) == (space,)
    assert asks.asks() == ()
    assert asks.hear((Press(2.0, Button.WHITE), Press(2.0, Button.BLACK)), 2.0) == ()
    assert asks.asks() == (Begin(MatchEvent("ferti-advanced", Side.WHITE, 5), BySide("Anna", "Ben")),)
    assert confirmed == [("1P1-1x2", BySide("Anna", "Ben"))]
    press = (Press(3.0, Button.WHITE),)
    assert asks.hear(press, 3.0) == press
    for wrong in (
        {},
        {"bout": 3},
        {"bout": "x"},
        {**call, "points": 0},
        {**call, "bout": "y", "names": {"white": "A"}},
    ):
        asks.on_next(next_call(wrong))
        assert asks.hear(press, 4.0) == press
        assert asks.advise(Situation(None), look, Desk()).helped.panel is None
    asks.on_next(next_call({**call, "bout": "1P1-3x4", "points": 5}))
    asks.hear((), 5.0)
    assert asks.advise(Situation(None), look, Desk()).helped.panel is not None
    assert asks.hear((Press(6.0, Button.UNDO),), 6.0) == ()
    asks.hear((), 7.0)
    assert asks.advise(Situation(None), look, Desk()).helped.panel is None
    asks.on_next(next_call({}))  # the hall takes it back, and calls the same bout again
    asks.hear((), 8.0)
    asks.on_next(next_call({**call, "bout": "1P1-3x4", "points": 5}))
    asks.hear((), 9.0)
    assert asks.advise(Situation(None), look, Desk()).helped.panel is not None


def test_a_match_is_told_in_sentences() -> None:
    names = BySide("Ana", "Eve")
    state, ruling = judge(None, MatchEvent("ferti-classic", points=10))
    assert state is not None
    begun = state._replace(phase=Phase.TURN, round=1, score=BySide(5, 3), to_act=Side.WHITE)
    result = Result(Side.WHITE, Reason.HIT)
    over = state._replace(phase=Phase.MATCH_OVER, round=6, score=BySide(10, 7), to_act=None, result=result)
    drawn = over._replace(score=BySide(7, 7), result=Result(None, Reason.TIME))

    def event(kind: str, now: PublicState) -> dict[str, Any]:
        return read(told_state(ruling._replace(event=kind), now, names, 0.0, "1T2-1"))

    def line(kind: str, now: PublicState) -> str:
        return said(ruling._replace(event=kind), now, names, "en")

    assert line("match", state) == "A match begins: Ana (White) against Eve (Black), to 10."
    assert line("correct", begun).startswith("A correction. Ana 5:3 Eve. Ana on 1, Eve on 23")
    assert line("resumed", begun).startswith("Ana (White) against Eve (Black) goes on at 5:3.")
    assert line("yield", over).endswith("Touch! Ana wins the round. Ana wins the match 10 : 7.")
    assert line("time", drawn).endswith("The match is level 7 : 7.")
    assert happened(event("turn", begun), event("turn", over))[1:] == ("touch", "won")
