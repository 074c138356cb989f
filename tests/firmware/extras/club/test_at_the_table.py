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

from engine.companion.companion import name_of
from engine.rules.events import MatchEvent, RoundEvent
from engine.rules.referee import judge
from engine.rules.track import BySide, Side
from engine.table.desk import ruled_to_json
from firmware.extras.club import publisher as club_publisher
from firmware.extras.club.card import JoinCard
from firmware.extras.club.messages import told_state
from firmware.extras.club.publisher import Outbox, Publisher
from firmware.extras.simulation import camera as simulation_camera
from firmware.extras.simulation import match as simulation_match
from firmware.extras.simulation.match import MatchPlan, SimulatedMatch
from firmware.table.loop.moment import People
from firmware.table.recording.replay import NoJournal
from firmware.web.server import Scoreboard
from tests.firmware.extras.hands.conftest import PlainEyes, PlainRenderer
from tests.tables import SMALL_TABLE
from tests.waiting import HANG_S, all_sent, until
from vision.synthetic import PRESETS

if TYPE_CHECKING:
    from firmware.table.loop.moment import Moment
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
