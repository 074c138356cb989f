"""Chained checksums: whether every stored value is what was written.

SQLite's own check looks at how pages hang together and never into a value. Here every event continues the CRC-32 of the
event before it, the first that of its match's row: a value that was changed, a row that came to stand elsewhere and one
that is missing in between all show. A CRC finds any single flipped bit for certain. It is no signature: whoever writes
into the file on purpose can write the sums as well.
"""

from __future__ import annotations

import sqlite3
from collections.abc import Iterable, Iterator, Sequence
from typing import Any, Final
from zlib import crc32

MATCH_COLUMNS: Final = "id, white, black, mode, seed, wall_s, uid"
EVENT_COLUMNS: Final = "match_id, seq, kind, event, ruling, t_s, wall_s"


def match_sum(row: Sequence[Any]) -> int:
    """The sum of a row of ``MATCH_COLUMNS``, which its first event continues. Raises TypeError for wrong kinds."""
    key, white, black, mode, seed, wall_s, uid = row
    return crc32(f"{key} {seed} {wall_s + 0.0!r} {uid}\n{white}\n{black}\n{mode}".encode("utf-8", "surrogatepass"))


def event_sum(before: int, row: Sequence[Any]) -> int:
    """The sum of a row of ``EVENT_COLUMNS`` that continues ``before``. Raises TypeError for wrong kinds."""
    # Adding nothing makes a float of a whole number and 0.0 of -0.0, as SQLite gives them back.
    match_id, seq, kind, event, ruling, t_s, wall_s = row
    text = f"{match_id} {seq} {t_s + 0.0!r} {wall_s + 0.0!r}\n{kind}\n{event}\n{ruling}"
    return crc32(text.encode("utf-8", "surrogatepass"), before)


def event_sums(before: int, rows: Iterable[Sequence[Any]]) -> Iterator[tuple[Any, ...]]:
    """The events in their order, each with its sum as a last value."""
    for row in rows:
        before = event_sum(before, row)
        yield (*row, before)


def last_sum(connection: sqlite3.Connection, match_id: int) -> int:
    """The sum that the next event of this match continues."""
    last = connection.execute("SELECT sum FROM events WHERE match_id = ? ORDER BY seq DESC LIMIT 1", (match_id,))
    if (found := last.fetchone()) is not None:
        return int(found[0])
    match = connection.execute(f"SELECT {MATCH_COLUMNS} FROM matches WHERE id = ?", (match_id,)).fetchone()
    return match_sum(match)


def seal(connection: sqlite3.Connection, matches: Iterable[int]) -> None:
    """Write the sums of these matches anew, for the values that stand there now."""
    for match_id in matches:
        (match,) = connection.execute(f"SELECT {MATCH_COLUMNS} FROM matches WHERE id = ?", (match_id,))
        rows = connection.execute(f"SELECT {EVENT_COLUMNS} FROM events WHERE match_id = ? ORDER BY seq", (match_id,))
        sums = [(row[-1], *row[:2]) for row in event_sums(match_sum(match), rows.fetchall())]
        connection.executemany("UPDATE events SET sum = ? WHERE match_id = ? AND seq = ?", sums)


def first_changed(connection: sqlite3.Connection) -> str:
    """The first place that does not hold what was written, such as ``event 5 of match 3``; empty where all do.

    Read a match at a time, each as it stood at one moment: who plays by this book meanwhile waits for no longer.
    """
    nameless = "SELECT match_id FROM events WHERE match_id NOT IN (SELECT id FROM matches) LIMIT 1"
    for (key,) in connection.execute(nameless).fetchall():
        return f"match {key}, which has no names,"
    for (key,) in connection.execute("SELECT id FROM matches").fetchall():
        connection.execute("BEGIN")
        try:
            if changed := _changed_in(connection, key):
                return changed
        finally:
            connection.execute("COMMIT")
    return ""


def _changed_in(connection: sqlite3.Connection, key: int) -> str:
    match = connection.execute(f"SELECT {MATCH_COLUMNS} FROM matches WHERE id = ?", (key,)).fetchone()
    events = connection.execute(f"SELECT {EVENT_COLUMNS}, sum FROM events WHERE match_id = ? ORDER BY seq", (key,))
    first = place = f"match {key}"
    try:
        before = match_sum(match)
        for *row, stored in events:
            place = f"event {row[1]} of match {key}"
            if event_sum(before, row) != stored:
                return place
            before = stored
    except TypeError:  # a value of another kind than was ever written, or the match is gone
        return place
    return first if place == first else ""
