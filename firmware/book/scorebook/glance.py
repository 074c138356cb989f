"""A scorebook read while somebody plays by it, who must not wait for that: a reader holds a book that is written in."""

from __future__ import annotations

import hashlib
from pathlib import Path
from typing import Final

from firmware.book.scorebook.book import Scorebook
from firmware.book.scorebook.file import BUSY_S, check, is_there, telling
from firmware.core.clock import SystemClock
from firmware.core.io.database import content_of, in_memory, open_to_read

GLANCE_S: Final = 0.5
"""A verdict that is being written holds the book for a hundredth of that."""


def mark_of(path: Path, number: int) -> str:
    """What stays the same while this match does, and the names of it and of all before it; empty where there is none.

    The book is not checked for it, which takes the longer the more was played; whoever reads a match out of it does.
    Raises sqlite3.Error for a file that cannot be read now, or is no scorebook.
    """
    if not path.is_file():
        return ""
    asked = open_to_read(path, patience_s=GLANCE_S)
    try:
        rows = asked.execute(
            "SELECT id, white, black, mode, wall_s FROM matches WHERE id <= ? ORDER BY id DESC", (number,)
        ).fetchall()
        if not rows or rows[0][0] != number:
            return ""
        (last,) = asked.execute("SELECT max(seq) FROM events WHERE match_id = ?", (number,)).fetchone()
    finally:
        asked.close()
    return hashlib.blake2b(repr((rows, last)).encode(), digest_size=16).hexdigest()


def read_aside(path: Path) -> Scorebook | None:
    """The scorebook as it is at this moment, to read from, None if there is none: whole in memory, and checked there.

    Whoever writes waits for no more than the copying. Raises ScorebookError.
    """
    if not is_there(path) or path.stat().st_size == 0:
        return None
    with telling(path):
        asked = open_to_read(path, patience_s=BUSY_S)
        try:
            copy = in_memory(content_of(asked))
        finally:
            asked.close()
        try:
            check(path, copy)
        except BaseException:
            copy.close()
            raise
    return Scorebook(path, copy, SystemClock())
