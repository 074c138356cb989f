"""Hall, broker, tables and desk under what can go wrong, step by step and without a network: state machines.

Whatever hostile tables say, and however often broker, hall and lines go down and come back, honest tables' events are
in the book once each, every message is done with, and the wall shows each honest table. And what the desk is told is
the answer to what it said; what it gave up is not done later.
"""

from __future__ import annotations

import json
import shutil
import sqlite3
import tempfile
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path
from random import Random
from typing import Any, Final

import pytest
from hypothesis import HealthCheck, settings
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, invariant, rule

from engine.competition.bouts import Entrant
from engine.competition.events import CompetitionEvent, Entered, Lost, Opened, event_to_json
from engine.rules.events import Event, MatchEvent, RoundEvent, YieldEvent
from firmware.cli.commands.club import TellHall
from firmware.extras.club.broker import Founding, found
from firmware.extras.club.card import JoinCard
from firmware.extras.club.demo import SimulatedStep, judged_match, shown_step, told_step
from firmware.extras.club.hall import MAX_TOGETHER, Hall
from firmware.extras.club.messages import START, ClubError, framed, read_text, sealed, state_message, topic
from firmware.extras.club.publisher import Publisher
from firmware.table.loop.moment import People
from tests.fakes.broker import FakeBroker, FakeLink
from tests.firmware.extras.club.conftest import NAMES
from tests.matches import course_of

MINUTES_S: Final = 61.0


def given_up() -> list[SimulatedStep]:
    """A match of one point in which White gives up at once."""
    events: tuple[Event, ...] = (MatchEvent("ferti-classic", points=1), RoundEvent(), YieldEvent())
    steps = course_of(*events).steps
    return [SimulatedStep(event, step.ruling, step.state) for event, step in zip(events, steps, strict=True)]


STEPS: Final = [
    (told_step(step, NAMES), shown_step(step, NAMES, at))
    for match in (given_up(), given_up(), [*judged_match(Random(1), points=1)], given_up())
    for at, step in enumerate(match, 1)
]
"""Short matches, as told and as shown."""


RUBBISH: Final = [b"", b"{", b"[" * 60_000, b"\xff\xfe", b'{"a":1,"a":2}', b"1e999", b"online", b"offline", b"9" * 400]


TEXTS: Final = st.sampled_from(["\ud800", "\x00", "x" * 5000, "a\u202eb", "NaN", "", "'); DROP TABLE events; --"])
VALUES: Final[st.SearchStrategy[Any]] = TEXTS | st.sampled_from(
    [10**30, -1, 1e300, float("nan"), None, True, [[[]]], {"\ud800": 1}]
)
EVENT: Final = sealed(START, framed("3", "c" * 32, 1, 0.0, STEPS[0][0]))
SHOWN: Final = state_message("3", "c" * 32, 1, 0.0, STEPS[0][1], {"c" * 32: 1})


def spoiled(whole: dict[str, Any]) -> st.SearchStrategy[bytes]:
    """This message with another value in one place, down to its innermost members, or with one member more."""

    def places(value: dict[str, Any], *before: str) -> list[tuple[str, ...]]:
        inner = [each for name, one in value.items() if isinstance(one, dict) for each in places(one, *before, name)]
        return [*((*before, name) for name in (*value, "\ud800")), *inner]

    def put(place: tuple[str, ...], value: Any) -> bytes:
        made = json.loads(json.dumps(whole))
        inside = made
        for name in place[:-1]:
            inside = inside[name]
        inside[place[-1]] = value
        return json.dumps(made).encode()

    return st.builds(put, st.sampled_from(places(whole)), VALUES)


def seen(value: Any, told: Any) -> bytes:
    """A state that would be shown as it is."""
    return json.dumps({**SHOWN, "told": [{"match": told, "seq": 5}], "verdict": {"headline": value}}).encode()


class FakeTime:
    """Stands for the module in the hall: its clock goes on when the test says so."""

    def __init__(self) -> None:
        self.now_s = 1000.0

    def monotonic(self) -> float:
        return self.now_s

    def sleep(self, seconds: float) -> None:
        self.now_s += seconds


class HonestTable:
    """A table whose voice goes on when it is told to. ``told``: match and number of each of its events."""

    def __init__(self, card: JoinCard, folder: Path) -> None:
        self.card, self.steps, self.headline = card, list(STEPS), ""
        self._outbox = folder / f"outbox-{card.table}.sqlite"
        self.begin()

    def begin(self) -> None:
        self.publisher = Publisher(self.card, self._outbox, People(NAMES, "en"))
        self.link = FakeLink.made[-1]
        self.link.start()

    def tell(self, *, shown: bool) -> None:
        body, state = self.steps.pop(0)
        if shown:
            self.headline = state["verdict"]["headline"]
        self.publisher.tell(body, state if shown else None)
        self.publisher.turn(0.0)

    @property
    def told(self) -> list[tuple[str, int]]:
        with closing(sqlite3.connect(self._outbox)) as connection:
            return connection.execute("SELECT match, seq FROM told ORDER BY id").fetchall()


class ClubMachine(RuleBasedStateMachine):
    """Tables 1 and 2 are honest, of which 2 shows nothing; 3 is not."""

    def __init__(self) -> None:
        super().__init__()
        self.patches = pytest.MonkeyPatch()
        self.folder = Path(tempfile.mkdtemp())
        self.time = FakeTime()
        made = found(Founding("fk", self.folder / "club", "localhost", ("1", "2", "3"), tls=False))
        self.cards = {card.table: card for card in made}
        self.broker = FakeBroker(self.folder / "club")
        self.patches.setattr(FakeLink, "broker", self.broker, raising=False)
        self.patches.setattr(FakeLink, "made", [], raising=False)
        self.patches.setattr("firmware.extras.club.hall.Link", FakeLink)
        self.patches.setattr("firmware.cli.commands.club.Link", FakeLink)
        self.patches.setattr("firmware.extras.club.publisher.Link", FakeLink)
        self.patches.setattr("firmware.extras.club.publisher.time", self.time)
        self.patches.setattr("firmware.extras.club.hall.time", self.time)
        self.said: list[str] = []
        self.begin_hall()

    def begin_hall(self) -> None:
        self.hall = Hall(self.cards["hall"], self.folder / "hall", said=self.said.append, home_assistant=True)
        self.line = FakeLink.made[-1]
        self.line.start()

    def stop_hall(self) -> None:
        self.line.close()
        self.hall.book.close()

    def turns(self, count: int = 1) -> None:
        for _ in range(count):
            self.time.now_s += 0.3
            assert self.hall.turn(0.0)

    @rule()
    def the_hall_goes_on(self) -> None:
        self.turns()

    @rule()
    def the_hall_loses_its_power_and_begins_again(self) -> None:
        self.stop_hall()
        self.begin_hall()

    @rule(forgets=st.booleans())
    def the_broker_begins_again(self, forgets: bool) -> None:
        self.broker.restart(forgets=forgets)

    @rule()
    def all_lines_that_are_down_come_back(self) -> None:
        for line in FakeLink.made:
            if not line.up:
                line.start()

    @rule()
    def time_passes(self) -> None:
        self.time.now_s += MINUTES_S

    def teardown(self) -> None:
        self.hall.book.close()
        self.patches.undo()
        shutil.rmtree(self.folder)


OWN: Final = ["event", "state", "status", "said", "confirmed"]
OTHERS: Final = ["1/event", "1/state", "2/status", "hall/state", "1/hall/next", "desk/do", "desk/answer"]


class HallMachine(ClubMachine):
    def __init__(self) -> None:
        super().__init__()
        self.tables = [HonestTable(self.cards[name], self.folder) for name in ("1", "2")]
        self.liar = FakeLink(self.cards["3"])
        self.liar.start()

    @rule(number=st.integers(0, 1))
    def a_table_tells(self, number: int) -> None:
        if self.tables[number].steps:
            self.tables[number].tell(shown=number == 0)

    @rule()
    def the_quiet_table_loses_its_power_and_begins_again(self) -> None:
        table = self.tables[1]
        self.broker.cut(table.link)
        table.link.closed = True
        table.publisher._outbox.close()
        table.begin()

    @rule()
    def the_hall_is_away_for_so_long_that_the_broker_forgets_it(self) -> None:
        self.stop_hall()
        self.broker.sessions = {name: each for name, each in self.broker.sessions.items() if each.user != "hall"}
        for number in range(2):
            self.a_table_tells(number)
        self.begin_hall()

    @rule(value=TEXTS)
    def the_liar_shows_of_a_match_that_is_known(self, value: str) -> None:
        self.the_liar_tells_the_truth()
        self.the_liar_says("state", seen(value, "c" * 32), keep=True)
        self.turns()

    def the_liar_tells_the_truth(self) -> None:
        """From then on what it shows of this match is shown on the wall."""
        self.the_liar_says("event", json.dumps(EVENT).encode(), keep=False)

    @rule(payload=spoiled(EVENT))
    def the_liar_tells(self, payload: bytes) -> None:
        self.the_liar_says("event", payload, keep=False)

    @rule(payload=spoiled(SHOWN) | st.builds(seen, TEXTS, VALUES))
    def the_liar_shows(self, payload: bytes) -> None:
        self.the_liar_says("state", payload, keep=True)

    @rule(what=st.sampled_from(OWN), payload=st.sampled_from(RUBBISH) | st.binary(max_size=30), keep=st.booleans())
    def the_liar_says(self, what: str, payload: bytes, keep: bool) -> None:
        if self.liar.up:
            self.broker.publish(self.cards["3"].user, topic("fk", "3", what), payload, keep=keep)

    @rule(where=st.sampled_from(OTHERS), payload=st.sampled_from([b"{}", json.dumps(EVENT).encode()]))
    def the_liar_speaks_for_another(self, where: str, payload: bytes) -> None:
        if self.liar.up:
            self.broker.publish(self.cards["3"].user, f"engarde/1/fk/{where}", payload, keep=True)

    @rule(name=st.sampled_from(["hall", "engarde-fk-hall", "table-1", "engarde-fk-1"]))
    def the_liar_comes_under_anothers_client_id(self, name: str) -> None:
        lines = [self.line, *(table.link for table in self.tables)]
        before = [line.up for line in lines]
        FakeLink(self.cards["3"], name=name).start()
        assert [line.up for line in lines] == before, "nobody's place is taken"

    @rule(whose=st.integers(0, 2))
    def a_cable_is_pulled(self, whose: int) -> None:
        self.broker.cut([self.line, *(table.link for table in self.tables)][whose])

    def a_while_passes(self) -> None:
        for _ in range(6):
            for table in self.tables:
                table.publisher.turn(0.0)
            self.turns(2)
            self.time.now_s += MINUTES_S

    def kept(self, table: HonestTable) -> list[tuple[str, int]]:
        """What this table has told, as far as it is in the book."""
        matches = dict.fromkeys(match for match, _ in table.told)
        kept = {(each["match"], each["seq"]) for match in matches for each in self.hall.book.events(match)}
        return [each for each in table.told if each in kept]

    @invariant()
    def the_wall_can_be_sent(self) -> None:
        json.loads(self.hall.snapshot.now.encode() or b"{}")

    def teardown(self) -> None:
        """Everybody is back, and a while later nothing is missing."""
        try:
            for line in [self.line, *(table.link for table in self.tables)]:
                if not line.up:
                    line.start()
            self.a_while_passes()
            quiet = self.tables[1]  # what it shows tells the hall nothing: each match it knows of is whole all the same
            assert self.kept(quiet) == [each for each in quiet.told if self.hall.book.known(each[0])]
            assert not quiet.told or self.hall.book.known(quiet.told[-1][0])
            quiet.steps = STEPS[:1]
            quiet.tell(shown=True)
            self.a_while_passes()
            assert self.line.up
            pistes = {piste["table"]: piste for piste in self.hall.wall.told()}
            for table in (each for each in self.tables if each.told):
                assert self.kept(table) == table.told
                piste = pistes[table.card.table]
                assert piste["match"] in {match for match, _ in table.told}
                assert piste["match"] != table.told[-1][0] or piste["said"] == table.headline
            session = self.line.session
            assert session is not None
            assert session.waiting == {}, "every message is done with"
            assert not {"1", "2"} & set(self.hall.book.refusals()), "nobody else is blamed"
        finally:
            for table in self.tables:
                table.link.close()  # nothing is waited for
                table.publisher.close()
            super().teardown()


class DeskMachine(ClubMachine):
    """The desk's program as people start it, against a hall that is there, is slow, or is not."""

    def __init__(self) -> None:
        super().__init__()
        self.patches.setattr("firmware.cli.commands.club.ANSWER_S", 0.02)
        self.patches.setattr("firmware.cli.commands.club.TICKET_S", 0.01, raising=False)
        self.patches.setattr("firmware.cli.commands.club.MARGIN_S", 0.01, raising=False)
        self.card = self.folder / "club" / "cards" / "desk.toml"
        self.given_up: list[dict[str, Any]] = []
        self.number = self.asked = 0
        self.meant: Any = None
        self.answers = 2
        """So many of the desk's messages does the hall hear; the first of a command's two asks for a ticket."""
        self.publish = self.broker.publish
        self.broker.publish = self.published  # type: ignore[method-assign]

    def published(self, user: str, topic: str, payload: bytes, *, keep: bool) -> None:
        self.publish(user, topic, payload, keep=keep)
        if user == "desk":
            self.asked += 1
            self.meant = json.loads(payload).get("event")
        if user == "desk" and self.answers and self.line.up:
            self.answers -= 1
            self.turns()

    @rule()
    def the_hall_is_cut_off(self) -> None:
        self.broker.cut(self.line)

    @rule(opens=st.booleans(), answers=st.integers(0, 2))
    def the_desk_says(self, opens: bool, answers: int) -> None:
        self.answers = answers
        self.number += 1
        name = f"{self.number}"
        if opens:
            failed = self.done_at_once(["open", f"Cup {name}"], Opened(f"Cup {name}"))
        else:
            failed = self.done_at_once(["enter", name, f"Fencer {name}"], Entered(Entrant(name, f"Fencer {name}")))
        if failed and "does not answer" not in failed:
            assert ("open already" in failed) == opens, "the answer is to what was said"

    def done_at_once(self, words: list[str], event: CompetitionEvent) -> str:
        """Why this was not done; empty where it was, and nothing else was."""
        before, self.asked, self.meant = self.done(), 0, None
        failed = self.told(words)
        assert self.done() == [*before, *([] if failed else [event_to_json(event)])]
        assert self.asked
        assert self.meant in (None, event_to_json(event)), "it means what was said"
        if "does not answer" in failed:
            self.given_up.append(event_to_json(event))
            self.time.now_s += 20.0
        return failed

    @rule(answers=st.integers(0, 1))
    def the_desk_asks(self, answers: int) -> None:
        self.answers = answers
        failed = self.told(["show"])
        assert not failed or "does not answer" in failed

    def told(self, words: list[str]) -> str:
        """What the desk's program failed of; empty where it did as it was told."""
        try:
            return "" if TellHall(card=self.card, words=tuple(words)).do() == 0 else "status"
        except ClubError as error:
            return str(error)

    @rule(share=st.floats(0, 1), bit=st.integers(0, 7))
    def a_bit_of_the_evenings_file_flips_and_the_hall_begins_again(self, share: float, bit: int) -> None:
        evening = self.folder / "hall" / "evening.jsonl"
        self.stop_hall()
        if evening.exists():
            content = bytearray(evening.read_bytes())
            content[round(share * (len(content) - 1))] ^= 1 << bit
            evening.write_bytes(content)
        self.begin_hall()
        assert not evening.exists() or self.hall.evening.skipped, "it is told"

    def done(self) -> list[dict[str, Any]]:
        """What the evening holds, but for lines that were lost."""
        return [event_to_json(each) for each in self.hall.evening.log.events if not isinstance(each, Lost)]

    @invariant()
    def what_was_given_up_is_not_done(self) -> None:
        done = self.done()
        assert not [each for each in self.given_up if each in done]
        assert len({json.dumps(each) for each in done}) == len(done), "nothing is done twice"

    @invariant()
    def the_broker_holds_nothing_for_a_desk_that_has_gone(self) -> None:
        assert [session for session in self.broker.sessions.values() if session.user == "desk"] == []


SETTINGS: Final = settings(
    max_examples=20,
    stateful_step_count=25,
    deadline=None,
    suppress_health_check=[HealthCheck.too_slow, HealthCheck.data_too_large, HealthCheck.filter_too_much],
)
TestHall = pytest.mark.slow(HallMachine.TestCase)
TestHall.settings = SETTINGS
TestDesk = pytest.mark.slow(DeskMachine.TestCase)
TestDesk.settings = SETTINGS


@pytest.fixture
def club() -> Iterator[HallMachine]:
    """Two honest tables, one that is not, and the hall; in the end the hall has all that was told."""
    machine = HallMachine()
    yield machine
    machine.teardown()


def test_a_hall_makes_each_of_its_tables_known(club: HallMachine) -> None:
    club.tables[1].tell(shown=False)
    club.turns(2)
    made = [name.split("/")[2] for name in club.broker.kept if name.startswith("homeassistant/")]
    assert made == ["engarde-fk-2"] * 5


def test_a_table_that_lies_is_doubted_until_it_begins_another_match(club: HallMachine) -> None:
    def says(match: str, seq: int, before: str) -> set[str]:
        event = sealed(before, framed("3", match, seq, 0.0, STEPS[0][0]))
        club.the_liar_says("event", json.dumps(event).encode(), keep=False)
        club.turns()
        return club.hall.wall.piste("3").doubts

    assert says("c" * 32, 1, START) == set()
    assert says("c" * 32, 2, EVENT["sum"]) == {"doubted"}, "a match begins once"
    assert says("c" * 32, 3, EVENT["sum"]) == {"doubted"}
    assert club.hall.book.counts() == (1, 1)
    assert says("d" * 32, 1, START) == set()


@pytest.mark.slow
def test_of_a_flood_of_states_the_last_one_counts(club: HallMachine) -> None:
    club.the_liar_tells_the_truth()
    club.turns()
    for number in range(3 * MAX_TOGETHER):
        club.the_liar_says("state", seen("x" * 501, f"{number:032x}"), keep=True)
        club.the_liar_says("status", b"rubbish", keep=True)
    club.the_liar_says("state", seen("en garde", "c" * 32), keep=True)
    club.tables[0].tell(shown=True)
    club.turns(14)
    assert club.kept(club.tables[0]) == club.tables[0].told
    assert {piste["table"]: piste["said"] for piste in club.hall.wall.told()}["3"] == "en garde"
    assert sum(club.hall.book.refusals()["3"].values()) < 30, "nobody waits for what no longer counts"
    assert club.line.session is not None
    assert club.line.session.waiting == {}


@pytest.mark.slow
def test_rubbish_costs_no_reading_of_the_book(club: HallMachine, monkeypatch: pytest.MonkeyPatch) -> None:
    club.tables[0].tell(shown=False)
    club.turns()
    read: list[str] = []

    def noted(text: str) -> dict[str, Any]:
        read.append(text)
        return read_text(text)

    monkeypatch.setattr("firmware.extras.club.hall_book.read_text", noted)
    for number in range(100):
        club.the_liar_says("event", b"%d" % number, keep=False)
    club.turns()
    assert sum(club.hall.book.refusals()["3"].values()) == 100
    assert len(read) < 10
