"""Tables, a real broker and a hall: nothing is lost, nothing counts twice, nothing is believed that cannot be."""

from __future__ import annotations

import json
import shutil
import subprocess
from collections.abc import Sequence
from contextlib import closing
from pathlib import Path
from random import Random
from types import SimpleNamespace
from typing import TYPE_CHECKING, Any

import pytest

from display.view import Situation
from display.words.present import present
from engine.rules.events import MatchEvent, RoundEvent, YieldEvent
from engine.rules.state import Phase
from engine.rules.track import BySide
from engine.table.desk import Entry, enter, open_match
from firmware.cli.main import main
from firmware.core.errors import TEMPORARY_FAILURE
from firmware.extras.club.broker import free_port
from firmware.extras.club.demo import SimulatedStep, judged_match, told_step
from firmware.extras.club.founding import Founding, found
from firmware.extras.club.hall import Hall
from firmware.extras.club.hall_book import MAX_ASIDE, MAX_REASONS, HallBook
from firmware.extras.club.link import Link
from firmware.extras.club.outbox import Outbox
from firmware.extras.club.publisher import said
from firmware.extras.club.telling import sealed
from firmware.extras.club.topics import topic
from firmware.table.loop.moment import People
from firmware.web.scoreboard import public
from tests.waiting import all_sent, until

if TYPE_CHECKING:
    from firmware.extras.club.publisher import Publisher
    from tests.firmware.extras.club.conftest import Club

pytestmark = pytest.mark.slow

NAMES = BySide("Anna", "Ben")
SHOWN = public(present(Situation(None)))


def told_match(seed: int, bout: str = "") -> list[dict[str, Any]]:
    return [told_step(step, NAMES, bout) for step in judged_match(Random(seed), points=2)]


def kinds(events: Sequence[dict[str, Any]]) -> list[str]:
    return [event["kind"] for event in events]


def told_kinds(bodies: Sequence[dict[str, Any]]) -> list[str]:
    return [body["ruling"]["ruling"] for body in bodies]


def test_what_a_table_tells_is_in_the_book_once(club: Club) -> None:
    hall, table, events = club.hall(), club.publisher("1"), told_match(1)
    for body in events:
        table.tell(body)
    assert until(lambda: hall.book.counts() == (1, len(events)))
    match = hall.book.latest()[0]["match"]
    assert kinds(hall.book.events(match)) == told_kinds(events)
    assert until(lambda: hall.wall.piste("1").event == hall.book.latest()[0])
    assert until(lambda: hall.wall.piste("1").online is True)
    assert until(lambda: hall.wall.piste("1").doubts == set())
    # All of it once more: nothing is there twice.
    table.close()
    assert until(lambda: hall.wall.piste("1").online is False)
    assert hall.wall.piste("1").doubts == {"gone"}
    with closing(Outbox(club.folder / "outbox-1.sqlite", "1")) as outbox:
        assert outbox.send_again(match, 0) == len(events)
    assert all_sent(club.publisher("1"))
    assert hall.book.counts() == (1, len(events))
    assert hall.book.refusals() == {}


@pytest.mark.skipif(shutil.which("mosquitto_sub") is None, reason="there is no mosquitto_sub on this machine")
def test_whoever_listens_with_mosquitto_sub_alone_reads_sentences(club: Club, tmp_path: Path) -> None:
    listener = club.cards["listener"]
    heard = tmp_path / "heard"
    line = [
        "mosquitto_sub",
        "-h",
        listener.host,
        "-p",
        str(listener.port),
        "-u",
        listener.user,
        "-P",
        listener.password,
    ]
    table = club.publisher("1")
    with heard.open("w") as out, subprocess.Popen([*line, "-v", "-t", "engarde/1/fk/+/said"], stdout=out) as listening:
        try:
            assert until(lambda: table.up)
            first, *more = judged_match(Random(4), points=2)

            def tells(step: SimulatedStep) -> None:
                table.tell(told_step(step, NAMES), sentence=said(step.ruling, step.state, NAMES, "en"))

            def is_heard() -> bool:
                tells(first)  # what nobody listens to is not kept: it is told until somebody does
                return "A match begins" in heard.read_text()

            assert until(is_heard)
            for step in more:
                tells(step)
            assert until(lambda: "wins the match" in heard.read_text())
        finally:
            listening.terminate()
    lines = heard.read_text().splitlines()
    assert lines[0] == "engarde/1/fk/1/said A match begins: Anna (White) against Ben (Black), to 2."
    told = [said(step.ruling, step.state, NAMES, "en") for step in more]
    assert lines[-len(told) :] == [f"engarde/1/fk/1/said {sentence}" for sentence in told]


@pytest.mark.parametrize("told_before", [True, False], ids=["all told", "the last not told"])
def test_a_table_that_starts_again_goes_on_with_its_bout(club: Club, told_before: bool) -> None:
    hall, names = club.hall(), BySide("Ana", "Eve")
    desk, entries = open_match(MatchEvent("ferti-classic", points=3))

    def shown(people: People, table: Publisher, *now: Entry) -> None:
        match = present(Situation(desk.state, names=people.names))
        moment: Any = SimpleNamespace(entries=now, desk=desk, match=match, frame=SimpleNamespace(t_s=2.0))
        table.attend(moment)

    def given_up() -> tuple[Entry, ...]:
        nonlocal desk
        desk, begun = enter(desk, RoundEvent(), 0.0)
        desk, over = enter(desk, YieldEvent(), 0.0)
        return (*begun, *over)

    people = People(names, "en")
    table = club.publisher("1", people=people)
    table.confirmed("1T2-1", names)
    shown(people, table, *entries)
    shown(people, table, *given_up())
    assert until(lambda: hall.book.counts()[1] == 3)
    table.close()
    if not told_before:
        given_up()
    people = People(names, "en")  # the machine was started again, and the match taken up from its scorebook
    again = club.publisher("1", people=people)
    shown(people, again)
    before = 3 if told_before else 1
    while desk.state is not None and desk.state.phase is not Phase.MATCH_OVER:
        shown(people, again, *given_up())
        before += 2
    assert until(lambda: (hall.wall.piste("1").event or {}).get("phase") == "match_over")
    last = hall.wall.piste("1").event
    assert last is not None
    assert (last["bout"], last["seq"]) == ("1T2-1", before)
    assert (hall.book.doubts(), hall.book.refusals()) == ({}, {})
    first = hall.book.events(last["match"])[0]
    assert (first["kind"], first["t"]) == (("match", 0.0) if told_before else ("resumed", 2.0))


def test_a_table_without_a_network_loses_nothing(club: Club) -> None:
    club.broker.stop(at_once=True)
    table, events = club.publisher("1"), told_match(2)
    for body in events[:10]:
        table.tell(body)
    table.close()  # the power goes
    table = club.publisher("1")
    for body in events[10:]:
        table.tell(body)
    club.broker.start()
    hall = club.hall()
    assert until(lambda: hall.book.counts() == (1, len(events)))
    assert kinds(hall.book.events(hall.book.latest()[0]["match"])) == told_kinds(events)


def test_a_hostile_table(club: Club) -> None:
    hall, honest, events = club.hall(), club.publisher("1"), told_match(5)
    for body in events[:8]:
        honest.tell(body)
    assert until(lambda: hall.book.counts() == (1, 8))
    match = hall.book.latest()[0]["match"]
    (text,) = hall.book._connection.execute("SELECT last FROM matches").fetchone()
    theirs = json.loads(text)
    liar = club.publisher("2")
    assert until(lambda: liar.up)
    # In another's name: the broker does not carry it.
    for text in (json.dumps(theirs), "{}"):
        liar._link.publish(topic("fk", "1", "event"), text)
        liar._link.publish(topic("fk", "1", "state"), text, keep=True)
    # Under his own name: rubbish, another's match, a match that cannot be.
    own = topic("fk", "2", "event")
    body = {name: value for name, value in theirs.items() if name not in ("prev", "sum")}
    stolen = sealed(theirs["prev"], {**body, "table": "2"})
    for text in ("", "{", "[" * 3000, "x" * 9000, json.dumps(stolen), json.dumps(theirs)):
        liar._link.publish(own, text)
    won = events[-1]["ruling"]
    impossible = [events[0], {**events[1], "ruling": won}, *events[2:]]
    for body in impossible:
        liar.tell(body)
    assert until(lambda: sum(hall.book.refusals().get("2", {}).values()) >= 7)
    assert set(hall.book.refusals()["2"]) >= {"it speaks of another table's match", "touches come from nowhere"}
    assert set(hall.book.refusals()) == {"2"}
    assert "doubted" in hall.wall.piste("2").doubts
    assert hall.wall.piste("1").doubts == set()
    assert hall.wall.piste("1").event == hall.book.events(match)[-1]
    for body in events[8:]:
        honest.tell(body)
    assert until(lambda: hall.book.known(match) == len(events))


def test_a_full_disk_loses_nothing(club: Club) -> None:
    hall, table, events = club.hall(), club.publisher("1"), told_match(6)
    for body in events[:4]:
        table.tell(body)
    assert until(lambda: hall.book.counts() == (1, 4))
    pages = hall.book._connection.execute("PRAGMA page_count").fetchone()[0]
    hall.book._connection.execute(f"PRAGMA max_page_count = {pages}")
    many = [body for seed in range(20, 30) for body in told_match(seed)]
    for body in (*events[4:], *many):
        table.tell(body)
    assert until(lambda: hall._full)
    hall.book._connection.execute("PRAGMA max_page_count = 1000000")
    assert until(lambda: hall.book.counts() == (11, len(events) + len(many)))
    assert hall.book.refusals() == {}


def test_a_flood_is_not_listened_to(club: Club, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("firmware.extras.club.hall.BURST", 50.0)
    monkeypatch.setattr("firmware.extras.club.hall.RATE", 20.0)
    hall, liar, honest = club.hall(), club.publisher("2"), club.publisher("1")
    assert until(lambda: liar.up)
    for _ in range(300):
        liar._link.publish(topic("fk", "2", "event"), "{}")
    events = told_match(7)[:10]
    for body in events:
        honest.tell(body)
    assert until(lambda: "floods" in hall.wall.piste("2").doubts)
    assert until(lambda: hall.book.counts() == (1, len(events)))
    assert sum(hall.book.refusals()["2"].values()) < 150


@pytest.mark.parametrize("club", [True], ids=["tls"], indirect=True)
def test_nobody_comes_in_without_a_card(club: Club) -> None:
    from dataclasses import replace

    hall, table = club.hall(), club.publisher("1")
    assert until(lambda: hall.up and table.up)
    club.cards["2"] = replace(club.cards["2"], password="guessed")
    stranger = club.publisher("2")
    club.cards["3"] = replace(club.cards["3"], user="", password="")
    nobody = club.publisher("3")
    assert until(lambda: bool(stranger._link.refusal) and bool(nobody._link.refusal))
    assert not stranger.up
    assert not nobody.up


@pytest.mark.parametrize("club", [False, True], ids=["plain", "tls"], indirect=True)
def test_a_tables_card_takes_nobody_elses_place_and_speaks_for_nobody_else(club: Club) -> None:
    hall, honest, events = club.hall(), club.publisher("1"), told_match(5)
    assert until(lambda: hall.up and honest.up)
    thieves = [Link(club.cards["2"], name=name) for name in ("hall", "engarde-fk-hall", "table-1")]
    downs: list[bool] = []
    for thief in thieves:
        thief.start()
    for body in events:
        honest.tell(body)
        downs.append(hall.up)
    for what in ("1/hall/next", "1/event", "hall/state", "desk/do", "desk/answer"):
        for thief in thieves:
            thief.publish(f"engarde/1/fk/{what}", "{}", keep=True)
    assert until(lambda: hall.book.counts() == (1, len(events)))
    assert all(downs)
    assert until(lambda: hall.wall.piste("1").doubts == set())
    assert hall.book.refusals() == {}
    for thief in thieves:
        thief.close()


def test_what_the_hall_fails_over_costs_that_message(club: Club, monkeypatch: pytest.MonkeyPatch) -> None:
    said: list[str] = []
    hall, events = Hall(club.cards["hall"], club.folder / "hall", said=said.append), told_match(3)
    club.closing.append(hall.close)
    take = hall.book.take

    def failing(event: dict[str, Any]) -> Any:
        received = take(event)
        if event["table"] == "2":
            raise ZeroDivisionError("a fault of ours")
        return received

    monkeypatch.setattr(hall.book, "take", failing)
    hall.start()
    honest, other = club.publisher("1"), club.publisher("2")
    other.tell(events[0])
    assert until(lambda: hall.book.aside())
    for body in events:
        honest.tell(body)
    assert until(lambda: hall.book.counts() == (1, len(events)))
    assert hall.failure == ""
    assert {(table, what) for table, what, *_ in hall.book.aside()} == {("2", "event")}
    assert "doubted" in hall.wall.piste("2").doubts
    assert [sentence for sentence in said if "ZeroDivisionError" in sentence] == said[:1], "it is said once"


def test_what_cannot_be_used_is_kept_within_bounds(tmp_path: Path) -> None:
    with closing(HallBook(tmp_path / "book.sqlite")) as book:
        for number in range(MAX_ASIDE + 20):
            book.put_aside("1", "event", b"\xff%d" % number, f"reason {number}")
        assert len(book.aside()) == MAX_ASIDE
        assert book.aside()[-1] == ("1", "event", b"\xff%d" % (MAX_ASIDE + 19), f"reason {MAX_ASIDE + 19}")
        counts = book.refusals()["1"]
        assert sum(counts.values()) == MAX_ASIDE + 20
        assert len(counts) == MAX_REASONS + 1
    with closing(HallBook(tmp_path / "book.sqlite")) as again:
        assert sum(again.refusals()["1"].values()) == MAX_ASIDE + 20


def test_a_hall_whose_thread_ends_ends_with_a_status(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    found(Founding("fk", tmp_path / "club", "127.0.0.1", ("1",), free_port(), tls=False))
    monkeypatch.setattr(Hall, "turn", lambda hall, wait_s=0.0: 1 // 0)
    card = tmp_path / "club" / "cards" / "hall.toml"
    wanted = ["club", "hall", "--card", str(card), "--folder", str(tmp_path / "hall"), "--web", str(free_port())]
    assert main(wanted) == TEMPORARY_FAILURE
    assert "ZeroDivisionError" in capsys.readouterr().err
