"""The hall: hears all tables, believes what can be believed, keeps it, and shows the wall.

What arrives is acknowledged to the broker once it is on disk; what the disk will not take comes again. A message that
cannot be used is put aside and counted, and costs nothing else. What is missing is asked for again at the table, whose
outbox has it.
"""

from __future__ import annotations

import json
import queue
import sqlite3
import threading
import time
from collections.abc import Callable
from contextlib import suppress
from functools import partial
from pathlib import Path
from typing import Any, Final, NamedTuple, TypeVar

from engine.competition.bouts import CompetitionError
from engine.competition.events import CompetitionEvent
from engine.strict.text import MalformedError
from firmware.extras.club.card import JoinCard
from firmware.extras.club.desk import AnsweringDesk, overview
from firmware.extras.club.evening import Evening, is_taken, put_right
from firmware.extras.club.hall_book import HallBook, Reception
from firmware.extras.club.home import configurations
from firmware.extras.club.link import Link
from firmware.extras.club.messages import (
    DESK,
    OFFLINE,
    ONLINE,
    RESERVED,
    ROOT,
    dumped,
    event_of,
    shown_of,
    table_and_what,
    topic,
)
from firmware.extras.club.wall import Wall
from firmware.web.serving import Changing

MAX_TOGETHER: Final = 500
SHOW_EVERY_S: Final = 0.2
ASK_EVERY_S: Final = 1.0
RECONCILE_S: Final = 60.0
"""Each table is asked so often for all that it told after its last believed event."""
RETRY_S: Final = 0.5
RATE: Final = 200.0
BURST: Final = 30_000.0
"""Events of one table a second, and at once after it was away; a table that says more is not listened to meanwhile."""
MAX_TABLES: Final = 500
MAX_COMING: Final = 8
MAX_COMPLAINTS: Final = 100
"""Different sentences about failures that are said."""

Given = TypeVar("Given")


class Arrived(NamedTuple):
    """A message of the broker; ``table`` and ``what`` are empty for the line itself, whose payload says if it is up."""

    table: str
    what: str
    payload: bytes
    number: int


class Hall:
    """Runs in threads of its own from ``start`` to ``close``. ``snapshot`` is what the wall shows, as JSON."""

    def __init__(
        self,
        card: JoinCard,
        folder: Path,
        *,
        said: Callable[[str], None] = lambda _: None,
        home_assistant: bool = False,
    ) -> None:
        """``folder`` holds book and competition's log; ``home_assistant``: tables are made known to it.

        Raises ClubError.
        """
        self._card, self._said = card, said
        self._made_known: set[str] | None = set() if home_assistant else None
        self.book = HallBook(folder / "club.sqlite")
        self.evening = Evening(folder / "evening.jsonl")
        self.wall = Wall()
        self.snapshot = Changing()
        self.fencers: dict[str, str] = {}
        self.failure = ""
        """Why the hall's thread has ended by itself; empty while it has not."""
        self.desk = AnsweringDesk(self._done, lambda: overview(self.evening, self.book.refusals()))
        self._queue: queue.SimpleQueue[Arrived | None] = queue.SimpleQueue()
        self._wanted: queue.SimpleQueue[CompetitionEvent] = queue.SimpleQueue()
        self._budgets: dict[str, tuple[float, float]] = {}
        self._reconciled: dict[str, float] = {}
        self._complained: set[str] = set()
        self._batch: list[Arrived] = []
        self._parts: dict[str, Callable[[float], None]] = {
            "asking": self._ask,
            "reconciling": self._reconcile,
            "calls": lambda _: self.call_tables(),
            "wall": self.wall.pass_on,
            "pages": self._show,
        }
        """Recurring work beside hearing tables."""
        self._asked: dict[str, float] = {}
        self._shown = (-1, -1)
        self._next_show = 0.0
        self._full = self._closing = self._told_all = False
        for sentence in self.evening.skipped:
            self._said(sentence)
        for event in self.book.latest():
            self.wall.take(event)
        for match in self.book.doubts():
            for event in self.book.events(match)[-1:]:
                self.wall.doubt(event["table"], "doubted", True)
        self._compare()
        wanted = tuple(f"{ROOT}/{card.club}/{what}" for what in ("+/event", "+/state", "+/status", f"{DESK}/do"))
        self._link = Link(card, topics=wanted, on_message=self._arrived, on_change=self._line, own_acks=True)
        self._thread = threading.Thread(target=self._run, name="hall", daemon=True)

    def start(self) -> None:
        """Begin to listen."""
        self._thread.start()
        self._link.start()

    @property
    def up(self) -> bool:
        """Whether there is a line to the broker."""
        return self._link.up

    def close(self) -> None:
        """Keep what came, and part."""
        self._closing = True
        self._queue.put(None)
        if self._thread.ident is not None:
            self._thread.join(5.0)
        self._link.close()
        self.book.close()

    def ask(self, event: CompetitionEvent) -> None:
        """Do this event in the hall's thread; a sentence is said where it has no place."""
        self._wanted.put(event)

    def _arrived(self, name: str, payload: bytes, number: int) -> None:
        found = table_and_what(self._card.club, name)
        if found is not None:
            self._queue.put(Arrived(*found, payload, number))

    def _line(self, up: bool) -> None:
        self._queue.put(Arrived("", "", b"1" if up else b"", 0))

    def _run(self) -> None:
        try:
            while self.turn():
                pass
        except BaseException as error:
            self.failure = f"{type(error).__name__}: {error}"

    def turn(self, wait_s: float = SHOW_EVERY_S) -> bool:
        """Take what has come by now, or comes within ``wait_s``, and show it; False once the hall is closed.

        ``start`` has a thread do this all the time.
        """
        if not self._batch:
            self._batch = self._arrivals(wait_s)
        if self._batch and self._handle(self._batch):
            self._batch = []
        elif self._batch:
            if self._closing:
                return False
            time.sleep(RETRY_S)  # the broker holds what comes next
        while not self._wanted.empty():
            event = self._wanted.get()
            try:
                self._done(event)
            except (CompetitionError, OSError) as error:
                self._said(f"{event.what}: {error}.")
        now_s = time.monotonic()
        if now_s >= self._next_show:
            self._next_show = now_s + SHOW_EVERY_S
            for what, part in self._parts.items():
                self._contained(what, partial(part, now_s))
        return not self._told_all

    def _contained(self, what: str, do: Callable[[], object]) -> None:
        """Do what is done beside hearing tables; its error is told once, and it is tried again the next time."""
        try:
            do()
        except Exception as error:  # whatever it is, tables are heard
            self._complain(f"The hall's {what} failed ({type(error).__name__}: {error}).")

    def _complain(self, sentence: str) -> None:
        if sentence not in self._complained and len(self._complained) < MAX_COMPLAINTS:
            self._complained.add(sentence)
            self._said(sentence)

    def _arrivals(self, wait_s: float) -> list[Arrived]:
        """Messages that came by now, or come within ``wait_s``; of a table's states and statuses only the last."""
        batch: dict[object, Arrived] = {}
        with suppress(queue.Empty):
            for number in range(MAX_TOGETHER):
                each = self._queue.get(not number, wait_s)
                if each is None:
                    self._told_all = True
                elif each.what != "event" or self._is_heard(each.table):
                    key = (each.table, each.what) if each.what in ("state", "status") else number
                    self._acknowledge(batch.get(key))
                    batch[key] = each
                else:
                    self._acknowledge(each)
        return [*batch.values()]

    def _acknowledge(self, message: Arrived | None) -> None:
        if message is not None and message.number:
            self._link.ack(message.number)

    def _handle(self, batch: list[Arrived]) -> bool:
        """Keep a batch, all of it or nothing; acknowledge what is kept, and only then show it. Whether that was done.

        Results are in the competition's log before the events are in the book: a match counts once, so that after a
        power cut between the two it is only told again.
        """
        fresh: list[dict[str, Any]] = []
        before = len(self.evening.log.events)
        try:
            with self.book.together():
                for each in batch:
                    if each.what == "event":
                        event = self._alone(each, partial(self._event, each))
                        if event is not None:
                            self._alone(each, partial(self._result, event))
                            fresh.append(event)
        except (sqlite3.Error, OSError) as error:
            # Nothing is acknowledged: the broker has it, and the table's outbox. It is tried again.
            if not self._full:
                self._said(f"The club's book cannot be written ({error}): the wall shows what was known before.")
            self._full = True
            return False
        self._full = False
        for event in fresh:
            self.wall.take(event)
        for each in batch:
            self._acknowledge(each)
            if each.what != "event":
                self._contained(each.what, partial(self._alone, each, partial(self._other, each)))
        if len(self.evening.log.events) > before or any(event["phase"] == "match_over" for event in fresh):
            self.call_tables(again=True)
            self._compare()
        return True

    def _alone(self, message: Arrived, do: Callable[[], Given]) -> Given | None:
        """The result of ``do``. Any error but the disk's costs this message: it is undone, put aside and counted."""
        try:
            with self.book.one():
                return do()
        except Exception as error:
            if isinstance(error, OSError) or type(error) in (sqlite3.OperationalError, sqlite3.DatabaseError):
                raise
            why = str(error)
            if not isinstance(error, MalformedError):
                why = f"the hall failed over it ({type(error).__name__})"
                self._complain(f"Table {message.table}: {message.what} was put aside, for {why}: {error}.")
            self.book.put_aside(message.table, message.what, message.payload, why)
            if message.table not in ("", *RESERVED):
                self.wall.doubt(message.table, "doubted", True)
            return None

    def _event(self, message: Arrived) -> dict[str, Any] | None:
        table = message.table
        event = event_of(message.payload, table)
        answer, fresh = self.book.take(event)
        if answer is Reception.REFUSED:
            self.wall.doubt(table, "doubted", True)
        elif answer is Reception.EARLY:
            self.wall.note_told(table, event["match"], event["seq"])
        elif answer is Reception.NEW and event["seq"] == 1:
            self.wall.doubt(table, "doubted", False)
        return fresh or None

    def _is_heard(self, table: str) -> bool:
        """Whether the next event of this table is looked at: not beyond so many tables, or of one that floods."""
        if len(self.wall.pistes) >= MAX_TABLES and table not in self.wall.pistes:
            return False
        heard = self._may(table)
        self.wall.doubt(table, "floods", not heard)
        return heard

    def _may(self, table: str) -> bool:
        now_s = time.monotonic()
        left, at_s = self._budgets.get(table, (BURST, now_s))
        left = min(BURST, left + (now_s - at_s) * RATE)
        self._budgets[table] = (max(0.0, left - 1.0), now_s)
        return left >= 1.0

    def _other(self, message: Arrived) -> None:
        table, what, payload = message.table, message.what, message.payload
        if not table:
            self._line_changed(bool(payload))
        elif (table, what) == (DESK, "do"):
            self._link.publish(topic(self._card.club, DESK, "answer"), self.desk.answer(payload, time.monotonic()))
        elif table in RESERVED:
            raise MalformedError("a table has another name")
        elif what == "status" and payload in (ONLINE.encode(), OFFLINE.encode()):
            self.wall.online(table, payload == ONLINE.encode())
            self._reconciled.pop(table, None)
            if self._made_known is not None and table not in self._made_known:
                self._made_known.add(table)
                for name, text in configurations(self._card.club, table):
                    self._link.publish(name, text, keep=True)
        elif what == "state" and payload:
            self.wall.show(table, shown_of(payload, table))

    def _line_changed(self, up: bool) -> None:
        for table in self.wall.pistes:
            self.wall.doubt(table, "unknown", not up)
        if up:
            self._asked.clear()
            self._reconciled.clear()
            for table in self.evening.placed:
                self._call(table)

    def _reconcile(self, now_s: float) -> None:
        """Ask each table now and then for what came after the last that is believed of its matches, and later."""
        for table, piste in self.wall.pistes.items():
            if not piste.online or self._full or now_s < self._reconciled.get(table, 0.0):
                continue
            self._reconciled[table] = now_s + RECONCILE_S
            newest = self.book.last_match(table)
            for match in dict.fromkeys((*reversed(self.book.open_matches(table)), newest)):
                if not self.book.doubted(match):
                    self._ask_table(table, match, later=match == newest)

    def _ask_table(self, table: str, match: str, *, later: bool = False) -> None:
        """Ask for what came after the last event that is believed of this match, ``later``: and of later ones."""
        wanted = {"match": match, "after": self.book.known(match), "later": later}
        self._link.publish(topic(self._card.club, table, "hall/ask"), dumped(wanted))

    def _ask(self, now_s: float) -> None:
        """Ask tables for what is missing: before an event that came, or behind the last of what they have told."""
        for table, piste in self.wall.pistes.items():
            told = (match for match, seq in piste.told.items() if seq > self.book.known(match))
            match = next((each for each in told if not self.book.doubted(each)), None)  # the oldest first
            self.wall.doubt(table, "gap", match is not None)
            if match is not None and now_s >= self._asked.get(table, 0.0) and not self._full:
                self._asked[table] = now_s + ASK_EVERY_S
                self._ask_table(table, match)

    # The competition

    def _done(self, event: CompetitionEvent) -> int:
        """Have the desk's event done; how many there are then. Raises CompetitionError, OSError."""
        self.evening.add(event)
        self.call_tables(again=True)
        self._compare()
        return len(self.evening.log.events)

    def _result(self, event: dict[str, Any]) -> None:
        fenced = self.evening.result_of(event)
        if fenced is None:
            self._put_right(event)
            return
        try:
            self.evening.add(fenced)
        except CompetitionError as error:
            self._said(f"Table {event['table']}: the result of bout {fenced.bout} is not taken: {error}.")

    def _put_right(self, event: dict[str, Any]) -> None:
        """Follow a table that takes back or corrects its last match after it counted; say so either way."""
        log, table = self.evening.log, event["table"]
        wanted = put_right(log, event)
        if not wanted or log.now is None:
            return
        bout = log.now.matches[event["match"]]
        what = f"Table {table}: the result of bout {bout} was changed there"
        try:
            if self.book.last_match(table) != event["match"] or not is_taken(log, bout):
                raise CompetitionError("another match was begun there since, or it was changed too often")
            for each in wanted:
                self.evening.add(each)
        except CompetitionError as error:
            self._said(f"{what}, and still counts as it was: {error}. At the desk, correct {bout} puts it right.")
            return
        begun = {str(each.event["bout"]) for each in self.wall.pistes.values() if each.busy and each.event is not None}
        self.evening.stand_again(table, bout, begun)
        self._said(f"{what}: event {len(self.evening.log.events)} of the evening follows it.")

    def _compare(self) -> None:
        """Doubt what a table shows of a match that counts otherwise."""
        for table, piste in self.wall.pistes.items():
            differs = piste.event is not None and bool(put_right(self.evening.log, piste.event))
            self.wall.doubt(table, "differs", differs)

    def call_tables(self, *, again: bool = False) -> None:
        """Call the next bouts to the tables that are free, and take back what is called no more."""
        free = [name for name, piste in self.wall.pistes.items() if piste.online and not piste.busy]
        given = self.evening.place(free)
        for table, piste in self.wall.pistes.items():
            call = self.evening.call_of(table)
            if table in given or (again and call != piste.next):
                self._call(table)

    def _call(self, table: str) -> None:
        call = self.evening.call_of(table)
        self.wall.piste(table).next = call
        self.wall.version += 1
        text = "" if call is None else dumped(call)
        self._link.publish(topic(self._card.club, table, "hall/next"), text, keep=True)

    def _show(self, _now_s: float) -> None:
        state = self.wall.version, len(self.evening.log.events)
        if state == self._shown:
            return
        self._shown = state
        now = self.evening.now
        told = {"club": self._card.club, "up": self._link.up, "pistes": self.wall.told(), "coming": self._coming()}
        told["competition"] = None if now is None else now.name
        self.snapshot.put(json.dumps(told, ensure_ascii=False))
        if now is not None:
            told_all = {name: self.evening.fencer_told(name) for name in now.fencers}
            self.fencers = {name: json.dumps(each, ensure_ascii=False) for name, each in told_all.items()}

    def _coming(self) -> list[dict[str, Any]]:
        """The next bouts that have no table yet."""
        now = self.evening.now
        if now is None:
            return []
        names = {name: fencer.name for name, fencer in now.fencers.items()}
        return [
            {"bout": bout.id, "first": names[bout.first or ""], "second": names[bout.second or ""]}
            for bout in self.evening.waiting[:MAX_COMING]
        ]
