"""Tells the club what happens at this table. The referee hands it over and goes on, never waiting for the network.

What is told goes through a queue to a thread that keeps it in the outbox, on the table's own disk, and sends it when
there is a line: an hour without a network loses nothing. Sent events are kept for a while, so that the hall can ask for
them again.
"""

from __future__ import annotations

import json
import queue
import sqlite3
import threading
import time
import uuid
from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import Annotated, Any, Final

from display.words.ends import ending_title, reason_text
from display.words.sentences import shown_name, side_name, with_capital, words_for
from display.words.verdicts import ruled_text
from engine.record.corrections import Correction
from engine.rules.events import MatchEvent, RoundEvent, TimeEvent, UndoEvent
from engine.rules.rulings import Ruling
from engine.rules.state import Phase, PublicState
from engine.rules.track import BySide
from engine.strict.text import Bounds, MalformedError, json_of
from engine.strict.values import Length, Range, plain
from engine.strict.values import read as read_as
from firmware.core.io.database import closed_after_error, open_log
from firmware.extras.club.card import JoinCard
from firmware.extras.club.link import Link
from firmware.extras.club.messages import (
    OFFLINE,
    ONLINE,
    RESUMED,
    START,
    ClubError,
    NextCall,
    call_of,
    dumped,
    framed,
    read,
    read_text,
    sealed,
    state_message,
    told,
    told_state,
    topic,
)
from firmware.table.loop.moment import Helper, Moment, People
from firmware.table.loop.watched import Part
from firmware.web.server import Scoreboard

KEPT: Final = 20_000
"""Sent events that are kept for the hall: some evenings."""
RECENT: Final = 8
"""Matches whose number of events is told with each state."""
_SCHEMA: Final = """
CREATE TABLE IF NOT EXISTS told (
    id    INTEGER PRIMARY KEY AUTOINCREMENT,
    match TEXT NOT NULL,
    seq   INTEGER NOT NULL,
    sum   TEXT NOT NULL,
    event TEXT NOT NULL,
    sent  INTEGER NOT NULL DEFAULT 0,
    UNIQUE (match, seq)
);
CREATE INDEX IF NOT EXISTS unsent ON told (id) WHERE sent = 0;
"""


class Outbox:
    """Used by one thread, the publisher's own."""

    def __init__(self, path: Path, table: str) -> None:
        """Raises ClubError where it cannot be made or read."""
        self._table = table
        try:
            self._connection = open_log(path, _SCHEMA)
            with closed_after_error(self._connection):
                last = self._connection.execute(
                    "SELECT match, seq, sum, event FROM told ORDER BY id DESC LIMIT 1"
                ).fetchone()
                rows = self._connection.execute(
                    "SELECT match, max(seq) FROM told GROUP BY match ORDER BY max(id)"
                ).fetchall()
        except (OSError, sqlite3.Error) as error:
            raise ClubError(
                f"the outbox {path} cannot be used ({error}); move it away and a new one is begun: what was sent stays "
                "sent."
            ) from error
        self.match: str = last[0] if last else ""
        self.seq: int = last[1] if last else 0
        self._sum: str = last[2] if last else START
        self.told_so_far: dict[str, int] = dict(rows[-RECENT:])
        """The last matches, and how many events were told of each."""
        try:
            self._last: dict[str, Any] = read_text(last[3]) if last else {}
        except MalformedError:  # spoiled by the disk: another chain begins
            self.match, self._last = "", {}

    def tell(self, body: dict[str, Any], wall_s: float) -> tuple[int, str]:
        """Keep one event, on disk when this returns: its number in the outbox, and the event as it is sent.

        A match's first event begins another chain; so does one that goes on with a match this table has not told of.
        Raises sqlite3.Error where it cannot be kept.
        """
        match, seq, before = self.match, self.seq + 1, self._sum
        if body["ruling"]["ruling"] in (MatchEvent.name, RESUMED.event) or not match:
            match, seq, before = uuid.uuid4().hex, 1, START
        event = sealed(before, framed(self._table, match, seq, wall_s, body))
        text = dumped(event)
        key = self._connection.execute(
            "INSERT INTO told (match, seq, sum, event) VALUES (?, ?, ?, ?)", (match, seq, event["sum"], text)
        ).lastrowid
        assert key is not None
        self.match, self.seq, self._sum, self._last = match, seq, event["sum"], read(event)
        self.told_so_far[match] = seq
        while len(self.told_so_far) > RECENT:
            del self.told_so_far[next(iter(self.told_so_far))]
        if key % 1000 == 0:
            self._connection.execute("DELETE FROM told WHERE sent = 1 AND id <= ?", (key - KEPT,))
        return key, text

    @property
    def underway(self) -> dict[str, Any]:
        """The last event as read, where its match was not over by it; else empty."""
        return self._last if self._last and self._last["phase"] != "match_over" else {}

    def goes_on(self, body: dict[str, Any]) -> bool:
        """Whether what was told last is the match of this ``body``, at its score in its round."""
        last, now = self.underway, read(body)
        return bool(last) and all(last[name] == now[name] for name in ("names", "score", "round"))

    def unsent(self, after: int, most: int) -> list[tuple[int, str]]:
        """The next that were not sent, in their order."""
        return self._connection.execute(
            "SELECT id, event FROM told WHERE sent = 0 AND id > ? ORDER BY id LIMIT ?", (after, most)
        ).fetchall()

    def sent(self, keys: list[int]) -> None:
        """The broker has these."""
        self._connection.executemany("UPDATE told SET sent = 1 WHERE id = ?", [(key,) for key in keys])

    def send_again(self, match: str, after: int, *, later: bool = False) -> int:
        """Send what came after event ``after`` of this match once more; how many that are.

        ``later``: what was told after it of other matches too; of the last matches where it is not known here.
        """
        if later:
            found = self._connection.execute(
                "SELECT id FROM told WHERE match = ? AND seq = ?", (match, after)
            ).fetchone()
            oldest = self._connection.execute(
                "SELECT min(id) - 1 FROM told WHERE match = ?", (next(iter(self.told_so_far), ""),)
            ).fetchone()
            since = (found or oldest)[0] or 0
            return self._connection.execute("UPDATE told SET sent = 0 WHERE id > ? AND sent = 1", (since,)).rowcount
        return self._connection.execute(
            "UPDATE told SET sent = 0 WHERE match = ? AND seq > ? AND sent = 1", (match, after)
        ).rowcount

    def waiting(self) -> int:
        """How many are not sent."""
        (count,) = self._connection.execute("SELECT count(*) FROM told WHERE sent = 0").fetchone()
        return int(count)

    def close(self) -> None:
        self._connection.close()


def said(ruling: Ruling, state: PublicState, names: BySide[str], language: str) -> str:
    """A ruling in sentences: what happened, how the round or match ended by it, and who is to play at what distance."""
    say = words_for(language, names)
    both = {side.value: shown_name(say, side, name) for side, name in names.items()}
    score = f"{state.score.white}:{state.score.black}"
    standing = f"{both['white']} {score} {both['black']}"
    told = {
        MatchEvent.name: say.say("club.said_match", points=state.points, **both),
        RESUMED.event: say.say("club.said_resumed", score=score, **both),
        RoundEvent.name: say.say("ready.round", round=state.round),
        UndoEvent.name: say.say("ready.undone"),
        TimeEvent.name: say.say("ready.time"),
    }.get(ruling.event) or with_capital(ruled_text(say, ruling, state))
    goes_on = ruling.event == TimeEvent.name and state.phase is not Phase.MATCH_OVER
    parts = [told, say.say("ready.time_detail")] if goes_on else [told]
    if state.result is not None and ruling.event != UndoEvent.name and not goes_on:
        over = state.phase is Phase.MATCH_OVER
        parts += [reason_text(say, state), ending_title(say, state) if over else standing]
    elif ruling.event in (RoundEvent.name, TimeEvent.name, UndoEvent.name, Correction.name):
        parts.append(standing)
    if state.to_act is not None:
        white, black = state.spaces.white, state.spaces.black
        parts.append(say.say("aloud.table", white=white, black=black, distance=state.distance))
        parts.append(say.say("ready.turn", side=side_name(say, state.to_act)))
    return " ".join(part if part.endswith((".", "!", "?")) else f"{part}." for part in parts)


SHOW_EVERY_S: Final = 0.25
"""The shown state is told at most so often, the newest always."""
MAX_UNDERWAY: Final = 100
MAX_SENTENCES: Final = 1000
"""Events that wait for a line with a sentence each; older ones are sent without."""
HALL_BOUNDS: Final = Bounds(bytes=16_384, depth=6)
_WAKE_S: Final = 0.25
_PATIENCE_S: Final = 3.0


@dataclass(frozen=True, slots=True)
class AskAgain:
    """The hall's request for events to be sent once more; see ``Outbox.send_again``."""

    match: Annotated[str, Length(0, 40)]
    after: Annotated[int, Range(0, 10**9)]
    later: bool = False


class Publisher(Helper):
    """A table's voice in the club, until ``close``. ``said`` hears what people should know, in one sentence.

    Its thread does one thing after the other, as they come into its inbox from the referee's thread and the line's.
    """

    part: Final = Part.CLUB

    def __init__(
        self,
        card: JoinCard,
        outbox: Path,
        people: People,
        said: Callable[[str], None] = lambda _: None,
        on_next: Callable[[NextCall | None], None] = lambda _: None,
        wall_s: Callable[[], float] = time.time,
    ) -> None:
        """``on_next`` hears whom the hall wants at this table next, None for nobody. Raises ClubError."""
        super().__init__()
        self._card, self._people, self._said, self._wall_s = card, people, said, wall_s
        self._on_next = on_next
        self._outbox = Outbox(outbox, card.table)
        self._inbox: queue.SimpleQueue[Callable[[], None]] = queue.SimpleQueue()
        self._board, self._board_was = Scoreboard(), ""
        self._first = True
        self._confirmed = self._bout = ""
        self._before = self._outbox.underway
        self._shown, self._sent = ("", 0.0), ("", "", 0)
        self._next_show_s = 0.0
        self._underway: dict[int, int] = {}
        self._sentences: dict[int, str] = {}
        self._after = 0
        self._close_by_s: float | None = None
        self._complaints: set[str] = set()
        self._link = Link(
            card,
            will=(self._topic("status"), OFFLINE),
            topics=(self._topic("hall/#"),),
            on_message=self._heard,
            on_change=lambda up: self._inbox.put(self._greet) if up else None,
            on_sent=lambda number: self._inbox.put(partial(self._was_sent, number)),
        )
        self._thread = threading.Thread(target=self._run, name="club", daemon=True)

    def start(self) -> None:
        """Begin to connect, and to tell."""
        self._link.start()
        self._thread.start()

    def attend(self, moment: Moment) -> None:
        """Note the events and the shown state; nothing here waits."""
        state, names, resumed = moment.desk.state, self._people.names, False
        if self._first and state is not None:
            self._first = False
            resumed = not any(isinstance(entry.event, MatchEvent) for entry in moment.entries)
            if resumed:
                self._take_up(state)
                body = told_state(RESUMED, state, names, moment.frame.t_s, self._bout)
                sentence = said(RESUMED, state, names, self._people.language)
                self._inbox.put(partial(self._keep, body, sentence, perhaps_known=True))
        for entry in moment.entries if not resumed else ():
            if isinstance(entry.event, MatchEvent):  # of the bout that was confirmed before it, if any was
                self._bout, self._confirmed = self._confirmed, ""
            if entry.state is not None and (told_of := told(entry, names, self._bout)) is not None:
                sentence = said(entry.ruling, entry.state, names, self._people.language)
                self._inbox.put(partial(self._keep, told_of, sentence))
        self._board.attend(moment)
        if self._board.now != self._board_was:
            self._board_was = self._board.now
            self._inbox.put(partial(self._show, self._board.now, moment.frame.t_s))

    def _take_up(self, state: PublicState) -> None:
        """Go on with what this match was fenced for before the machine was started again."""
        names = {side.value: name for side, name in self._people.names.items()}
        before = self._before
        if before and (before["names"], before["points"]) == (names, state.points):
            self._bout = before["bout"]

    def tell(self, body: dict[str, Any], shown: dict[str, Any] | None = None, sentence: str = "") -> None:
        """The same for whoever has no loop: an event, what is shown then, and the event in words."""
        self._inbox.put(partial(self._keep, body, sentence))
        if shown is not None:
            self._inbox.put(partial(self._show, json.dumps(shown, ensure_ascii=False), body["t"]))

    def confirmed(self, bout: str, names: BySide[str]) -> None:
        """Both at this table have said that they are the pair the hall asked for."""
        self._confirmed = bout
        text = dumped({"version": 1, "bout": bout, "names": plain(BySide[str], names)})
        self._link.publish(self._topic("confirmed"), text, keep=True)

    @property
    def up(self) -> bool:
        """Whether there is a line to the broker."""
        return self._link.up

    def close(self) -> None:
        """Send what can still be sent in a moment, and part."""
        self._inbox.put(self._end)
        if self._thread.ident is None:
            self._run()
        else:
            self._thread.join(_PATIENCE_S)
        self._link.close((self._topic("status"), OFFLINE))

    # What follows is done in the thread, but for ``_heard``.

    def _run(self) -> None:
        while self.turn():
            pass
        self._outbox.close()

    def turn(self, wait_s: float = _WAKE_S) -> bool:
        """Do what has come by now, or comes within ``wait_s``, and send; False once it is closed.

        ``start`` has a thread do this all the time.
        """
        with suppress(queue.Empty):
            self._done(self._inbox.get(timeout=wait_s))
            while True:
                self._done(self._inbox.get_nowait())
        if self._link.up:
            self._done(self._send)
            self._send_state()
        if self._link.refusal:
            self._complain(
                f"The club's broker does not take this table's card ({self._link.refusal}): ask for another."
            )
        if self._close_by_s is None:
            return True
        # What is not sent by then is on the disk.
        return self._outbox.waiting() > 0 and self._link.up and time.monotonic() < self._close_by_s

    def _done(self, do: Callable[[], None]) -> None:
        """Do it. What could not be marked as sent is sent again with the next line."""
        try:
            do()
        except sqlite3.Error as error:
            self._complain(f"The club is not told what happens here: its outbox cannot be written ({error}).")

    def _complain(self, sentence: str) -> None:
        if sentence.partition("(")[0] not in self._complaints:
            self._complaints.add(sentence.partition("(")[0])
            self._said(sentence)

    def _end(self) -> None:
        self._close_by_s = time.monotonic() + _PATIENCE_S - 1.0
        self._next_show_s = 0.0

    def _greet(self) -> None:
        """The line is new: say who is here, and send all again that is not known to have come."""
        self._after, self._sent = 0, ("", "", 0)
        self._underway.clear()
        self._link.publish(self._topic("status"), ONLINE, keep=True)

    def _keep(self, body: dict[str, Any], sentence: str, *, perhaps_known: bool = False) -> None:
        if perhaps_known and self._outbox.goes_on(body):
            return
        key, _ = self._outbox.tell(body, self._wall_s())
        self._sentences[key] = sentence
        if len(self._sentences) > MAX_SENTENCES:
            del self._sentences[next(iter(self._sentences))]

    def _send_again(self, asked: AskAgain) -> None:
        self._outbox.send_again(asked.match, asked.after, later=asked.later)
        self._after = 0

    def _was_sent(self, number: int) -> None:
        if (key := self._underway.pop(number, None)) is not None:
            self._outbox.sent([key])
            self._sentences.pop(key, None)

    def _show(self, text: str, at_s: float) -> None:
        self._shown = text, at_s

    def _send_state(self) -> None:
        (text, at_s), box = self._shown, self._outbox
        new, now_s = (text, box.match, box.seq), time.monotonic()
        if text and new != self._sent and now_s >= self._next_show_s:
            self._sent, self._next_show_s = new, now_s + SHOW_EVERY_S
            message = state_message(self._card.table, box.match, box.seq, at_s, json_of(text), box.told_so_far)
            self._link.publish(self._topic("state"), dumped(message), keep=True)

    def _send(self) -> None:
        room = MAX_UNDERWAY - len(self._underway)
        for key, text in self._outbox.unsent(self._after, room) if room > 0 else ():
            number = self._link.publish(self._topic("event"), text)
            if number is None:
                break
            if sentence := self._sentences.get(key):
                self._link.publish(self._topic("said"), sentence)
            self._underway[number] = key
            self._after = key

    def _heard(self, name: str, payload: bytes, _number: int) -> None:
        """Take a message of the hall; one that cannot be read changes nothing."""
        with suppress(MalformedError):
            if name == self._topic("hall/ask"):
                asked = read_as(AskAgain, json_of(payload, HALL_BOUNDS), others=True)
                self._inbox.put(partial(self._send_again, asked))
            elif name == self._topic("hall/next"):
                self._on_next(call_of(payload))

    def _topic(self, what: str) -> str:
        return topic(self._card.club, self._card.table, what)
