"""A player renamed, two spellings made one player, a name forgotten: what that changes in a scorebook, and doing it.

Results stay. A forgotten player becomes ``Player 3``, the first such number nobody has.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from glob import escape
from pathlib import Path
from typing import Final

from engine.rules.track import BySide
from engine.strict.text import MalformedError, json_of
from engine.strict.values import did_you_mean
from firmware.book.scorebook.book import MatchRow, Scorebook
from firmware.book.scorebook.file import telling
from firmware.book.scorebook.schema import seal
from firmware.core.errors import EngardeError
from firmware.core.io.database import transaction
from firmware.core.names import new_name, person_key

NEUTRAL: Final = "Player"


class HaveMetError(EngardeError):
    """Two names cannot be one player: they have fenced each other."""


@dataclass(frozen=True, slots=True)
class RenamePlan:
    """One player's name to be written anew. ``spellings`` as the book has them; ``joins``: somebody else's name until
    now, whose results are added."""

    spellings: tuple[str, ...]
    new: str
    matches: tuple[MatchRow, ...]
    joins: bool


def plan_rename(book: Scorebook, old: str, new: str) -> RenamePlan:
    """The changes that give this player another name. Raises EngardeError where that cannot be, or HaveMetError."""
    rows = book.matches()
    spellings, own = _found(book.path, rows, old)
    wanted = new_name(new)
    theirs = (
        {row.id for row in rows if person_key(wanted) in _keys(row)} if person_key(old) != person_key(wanted) else set()
    )
    met = [str(row.id) for row in own if row.id in theirs]
    if met:
        raise HaveMetError(
            f"{old} and {wanted} have met (match {', '.join(met[:5])}{' and others' if len(met) > 5 else ''}), "
            "so they are two players: choose another name."
        )
    return RenamePlan(spellings, wanted, own, bool(theirs))


def plan_forget(book: Scorebook, name: str) -> RenamePlan:
    """The changes that forget this player. Raises EngardeError when nobody is called that."""
    rows = book.matches()
    spellings, own = _found(book.path, rows, name)
    taken = {key for row in rows for key in _keys(row)}
    number = 1
    while person_key(f"{NEUTRAL} {number}") in taken:
        number += 1
    return RenamePlan(spellings, f"{NEUTRAL} {number}", own, False)


def make_change(book: Scorebook, change: RenamePlan) -> None:
    """Write the new name wherever the old one stands: also in what somebody noted with a correction."""
    old = {person_key(spelling) for spelling in change.spellings}

    def renamed(name: str) -> str:
        return change.new if person_key(name) in old else name

    names = {row.id: row.names.map(renamed) for row in change.matches}
    events = {
        (match_id, seq): new
        for match_id, seq, text in event_texts(book)
        if '"why"' in text and (new := _without(text, change)) != text
    }
    rewrite(book, names, events)


def copies_with(book: Path, change: RenamePlan) -> tuple[Path, ...]:
    """Files beside the book that still hold the name: named after it (set aside, kept before an upgrade), and what
    players had learned, where that was damaged and set aside."""
    wanted = [spelling.encode() for spelling in change.spellings]
    found = []
    for file in sorted({*book.parent.glob(f"{escape(book.stem)}*"), *book.parent.glob("lessons.damaged-*")}):
        if file != book and file.is_file() and any(each in file.read_bytes() for each in wanted):
            found.append(file)
    return tuple(found)


def _without(text: str, change: RenamePlan) -> str:
    """JSON text with the new name in every text value that has the old one as a word of its own; else as it was."""
    words = sorted({spelling.strip() for spelling in change.spellings} - {""}, key=len, reverse=True)
    if not words:
        return text
    named = re.compile(rf"(?<!\w)(?:{'|'.join(map(re.escape, words))})(?!\w)", re.IGNORECASE)

    def renamed(value: object) -> object:
        if isinstance(value, str):
            return named.sub(lambda _: change.new, value)
        if isinstance(value, list):
            return [renamed(each) for each in value]
        if isinstance(value, dict):
            return {key: renamed(each) for key, each in value.items()}
        return value

    try:
        value = json_of(text)
    except MalformedError:
        return named.sub(lambda _: change.new, text)
    new = renamed(value)
    return text if new == value else json.dumps(new)


def _found(path: Path, rows: Iterable[MatchRow], name: str) -> tuple[tuple[str, ...], tuple[MatchRow, ...]]:
    """Every spelling of this player's name, and the matches that have one."""
    key = person_key(name)
    own = tuple(row for row in rows if key in _keys(row))
    spellings = {each for row in own for _, each in row.names.items() if person_key(each) == key}
    if not spellings:
        known = {each for row in rows for _, each in row.names.items()}
        raise EngardeError(f"the scorebook {path} has no player {name!r}{did_you_mean(name, known) or '.'}")
    return tuple(sorted(spellings)), own


def _keys(row: MatchRow) -> tuple[str, str]:
    return person_key(row.names.white), person_key(row.names.black)


def rewrite(book: Scorebook, names: Mapping[int, BySide[str]], events: Mapping[tuple[int, int], str]) -> None:
    """Give these matches other names, and these rows (match, seq) another event text; what stood there before is then
    nowhere in the file, nor in SQLite's own files beside it.

    ``secure_delete`` overwrites what is freed, VACUUM writes the whole file anew, and the checkpoint empties a
    write-ahead log if there is one.
    """
    with telling(book.path):
        connection = book.connection
        connection.execute("PRAGMA secure_delete = ON")
        with transaction(connection):
            for match_id, pair in names.items():
                connection.execute(
                    "UPDATE matches SET white = ?, black = ? WHERE id = ?", (pair.white, pair.black, match_id)
                )
            for row, text in events.items():
                connection.execute("UPDATE events SET event = ? WHERE match_id = ? AND seq = ?", (text, *row))
            seal(connection, sorted({*names, *(match_id for match_id, _ in events)}))
        connection.execute("VACUUM")
        connection.execute("PRAGMA wal_checkpoint(TRUNCATE)")


def event_texts(book: Scorebook) -> Iterator[tuple[int, int, str]]:
    """Every row's match, seq and event as it is written."""
    with telling(book.path):
        yield from book.connection.execute("SELECT match_id, seq, event FROM events ORDER BY match_id, seq")
