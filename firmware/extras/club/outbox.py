"""A table's events, sent and unsent, on its own disk: an hour without a network loses nothing.

Sent events are kept for a while, so that the hall can ask for them again.
"""

from __future__ import annotations

import sqlite3
import uuid
from pathlib import Path
from typing import Any, Final

from engine.rules.events import MatchEvent
from engine.strict.text import MalformedError
from firmware.core.io.database import closed_after_error, open_log
from firmware.extras.club.shape import read, read_text
from firmware.extras.club.telling import RESUMED, START, dumped, framed, sealed
from firmware.extras.club.topics import ClubError

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

    def matches(self) -> list[str]:
        """The matches that something is kept of."""
        return [match for (match,) in self._connection.execute("SELECT DISTINCT match FROM told")]

    def close(self) -> None:
        self._connection.close()
