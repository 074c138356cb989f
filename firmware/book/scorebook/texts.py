"""A scorebook's rows as text, unread: digests of them, and names taken out of them for good."""

from __future__ import annotations

import hashlib
from collections.abc import Iterator, Mapping
from typing import Any

from engine.rules.track import BySide
from firmware.book.scorebook.book import Scorebook
from firmware.book.scorebook.file import telling
from firmware.book.scorebook.sums import seal


def digests(book: Scorebook) -> Mapping[int, str]:
    """Of every match by its number: equal digests are equal events in the same order."""
    hashes: dict[int, Any] = {}
    for match_id, seq, event in event_texts(book):
        digest = hashes.get(match_id) or hashes.setdefault(match_id, hashlib.blake2b(digest_size=16))
        digest.update(f"{seq} {event}\n".encode("utf-8", "surrogatepass"))
    return {match_id: digest.hexdigest() for match_id, digest in hashes.items()}


def rewrite(
    book: Scorebook,
    names: Mapping[int, BySide[str]],
    events: Mapping[tuple[int, int], str],
    leftovers: Mapping[int, str],
) -> None:
    """Give these matches other names, these rows (match, seq) another event text and these leftovers another
    content; what stood there before is then nowhere in the file, nor in SQLite's own files beside it.

    ``secure_delete`` overwrites what is freed, VACUUM writes the whole file anew, and the checkpoint empties a
    write-ahead log if there is one.
    """
    with telling(book.path):
        book.connection.execute("PRAGMA secure_delete = ON")
        book.connection.execute("BEGIN IMMEDIATE")
        try:
            book.connection.executemany(
                "UPDATE matches SET white = ?, black = ? WHERE id = ?",
                [(pair.white, pair.black, match_id) for match_id, pair in names.items()],
            )
            book.connection.executemany(
                "UPDATE events SET event = ? WHERE match_id = ? AND seq = ?",
                [(text, *row) for row, text in events.items()],
            )
            if leftovers:
                book.connection.executemany(
                    "UPDATE leftovers SET content = ? WHERE id = ?",
                    [(text, key) for key, text in leftovers.items()],
                )
            seal(book.connection, sorted({*names, *(match_id for match_id, _ in events)}), leftovers)
            book.connection.execute("COMMIT")
        except BaseException:
            book.connection.rollback()
            raise
        book.connection.execute("VACUUM")
        book.connection.execute("PRAGMA wal_checkpoint(TRUNCATE)")


def event_texts(book: Scorebook) -> Iterator[tuple[int, int, str]]:
    """Every row's match, seq and event as it is written."""
    with telling(book.path):
        yield from book.connection.execute("SELECT match_id, seq, event FROM events ORDER BY match_id, seq")


def leftovers(book: Scorebook) -> tuple[tuple[int, str], ...]:
    """What was rescued from a damaged file and belongs to no match: each with its number and JSON text."""
    with telling(book.path):
        there = book.connection.execute("SELECT 1 FROM sqlite_schema WHERE name = 'leftovers'").fetchone()
        found = book.connection.execute("SELECT id, content FROM leftovers").fetchall() if there else []
    return tuple((key, text) for key, text in found)
