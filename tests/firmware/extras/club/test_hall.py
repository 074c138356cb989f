"""Tables, a real broker and a hall: nothing is lost, nothing counts twice, nothing is believed that cannot be."""

from __future__ import annotations

from contextlib import closing
from pathlib import Path
from random import Random
from types import SimpleNamespace
from typing import TYPE_CHECKING, Any

import pytest

from display.view import Situation
from display.words.present import present
from engine.competition.bouts import Entrant, Terms
from engine.competition.events import Corrected, Entered, FencedAgain, Opened, PoolsBegun, TableauBegun, TakenBack
from engine.rules.events import MatchEvent, RoundEvent, UndoEvent, YieldEvent
from engine.rules.state import Phase
from engine.rules.track import BySide
from engine.table.desk import Entry, enter, open_match
from firmware.cli.main import main
from firmware.core.errors import TEMPORARY_FAILURE
from firmware.extras.club.broker import Founding, found, free_port
from firmware.extras.club.demo import judged_match, told_step
from firmware.extras.club.evening import MAX_OF_A_BOUT, is_taken
from firmware.extras.club.hall import Hall
from firmware.extras.club.link import Link
from firmware.extras.club.messages import topic
from firmware.extras.club.publisher import Outbox
from firmware.table.loop.moment import People
from tests.firmware.extras.club.conftest import NAMES, bodies_of, ended, evening_of, numbered, take
from tests.waiting import all_sent, until

if TYPE_CHECKING:
    from firmware.extras.club.publisher import Publisher
    from tests.firmware.extras.club.conftest import Club

pytestmark = pytest.mark.slow


def told_match(seed: int, bout: str = "") -> list[dict[str, Any]]:
    return [told_step(step, NAMES, bout) for step in judged_match(Random(seed), points=2)]


def test_what_a_table_tells_is_in_the_book_once(club: Club) -> None:
    hall, table, events = club.hall(), club.publisher("1"), told_match(1)
    for body in events:
        table.tell(body)
    assert until(lambda: hall.book.counts() == (1, len(events)))
    match = hall.book.latest()[0]["match"]
    assert [each["kind"] for each in hall.book.events(match)] == [each["ruling"]["ruling"] for each in events]
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


def test_a_hall_whose_thread_ends_ends_with_a_status(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    found(Founding("fk", tmp_path / "club", "127.0.0.1", ("1",), free_port(), tls=False))
    monkeypatch.setattr(Hall, "turn", lambda hall, wait_s=0.0: 1 // 0)
    card = tmp_path / "club" / "cards" / "hall.toml"
    wanted = ["club", "hall", "--card", str(card), "--folder", str(tmp_path / "hall"), "--web", str(free_port())]
    assert main(wanted) == TEMPORARY_FAILURE
    assert "ZeroDivisionError" in capsys.readouterr().err


def test_a_table_that_takes_back_without_end_fills_no_log(tmp_path: Path) -> None:
    evening = evening_of(tmp_path / "evening.jsonl", numbered(4), PoolsBegun(1))
    evening.place(["1"])
    bout, end, times = evening.placed["1"], ended(evening, "1", number=1), 0
    while is_taken(evening.log, bout):
        take(evening, end)
        evening.add(TakenBack(len(evening.log.events)))
        evening.stand_again("1", bout, [])
        times += 1
    assert times == MAX_OF_A_BOUT


def test_the_hall_follows_and_says_what_it_cannot(club: Club) -> None:
    said: list[str] = []
    hall = club.hall()
    hall._said = said.append
    for event in (Opened("Evening", Terms(1)), Entered(Entrant("a", "Ana")), Entered(Entrant("b", "Ben"))):
        hall.ask(event)
    hall.ask(TableauBegun())
    table = club.publisher("1")
    assert until(lambda: hall.evening.call_of("1") is not None)
    call = hall.evening.call_of("1")
    assert call is not None
    names = BySide(call["names"]["white"], call["names"]["black"])
    fought = MatchEvent("ferti-classic", points=1), RoundEvent(), YieldEvent()
    *before, end, undone = bodies_of(*fought, UndoEvent(), names=names, bout=call["bout"])
    for body in (*before, end):
        table.tell(body)

    def touches() -> tuple[int, int]:
        assert hall.evening.now is not None
        return hall.evening.now.bout("1T2-1").touches

    assert until(lambda: hall.evening.now is not None and hall.evening.now.over)
    table.tell(undone)
    assert until(lambda: hall.evening.now is not None and not hall.evening.now.over)
    assert until(lambda: hall.wall.piste("1").next == call)
    assert said == ["Table 1: the result of bout 1T2-1 was changed there: event 6 of the evening follows it."]
    table.tell(end)
    assert until(lambda: touches() == (0, 1))
    # What has come after it holds it: that is said, and the wall says that it differs, until the desk has decided.
    hall.ask(Corrected("1T2-1", 1, 1, 0, True))
    assert until(lambda: touches() == (1, 0))
    assert until(lambda: "differs" in hall.wall.piste("1").doubts)
    table.tell(undone)
    assert until(lambda: len(said) == 2)
    assert "still counts as it was" in said[1]
    assert "correct 1T2-1" in said[1]
    hall.ask(FencedAgain("1T2-1"))
    assert until(lambda: hall.wall.piste("1").doubts == set())
