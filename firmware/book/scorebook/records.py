"""Single matches as game records: out of the book, and into it. A match taken in twice is one match."""

from __future__ import annotations

import hashlib
from collections.abc import Iterator, Sequence
from contextlib import suppress
from dataclasses import replace
from datetime import datetime, time
from typing import Final

from engine.record.answers import ruling_to_json
from engine.record.corrections import Correction, Setting
from engine.record.course import Course, JournalEntry, follow
from engine.record.notation import Record, parse_record, print_record, record_of_steps, replay
from firmware.book.scorebook.book import MatchRow, Played, Row, Scorebook
from firmware.book.scorebook.correction import correction_note
from firmware.book.scorebook.file import ScorebookError
from firmware.book.scorebook.modes import PLAY
from firmware.core.clock import day_text
from firmware.core.errors import EngardeError
from firmware.core.names import clean_name

FROM_RECORD: Final = "as the game record has it"


class ExchangeError(EngardeError, ValueError):
    """A text that cannot be taken in. Its text says what was expected and what was found."""


def record_of(text: str) -> Record:
    """The game record that this text is, with names as people type them here.

    Raises ExchangeError, RecordError or BadNameError.
    """
    inside = text.lstrip("\ufeff \t\r\n")
    if not inside:  # cut off at its very beginning: as a game record it would be a match that nobody played
        raise ExchangeError("it is empty; a game record is expected.")
    if inside.startswith("{"):
        raise ExchangeError(
            "expected a game record, found the text of a whole scorebook, which is read no more; put a backup of that "
            "book in place with engarde book restore."
        )
    record = parse_record(text.lstrip("\ufeff"))
    for _ in replay(record):
        pass  # what the referee refuses is told before anything is written
    return replace(record, names=record.names.map(clean_name))


def take_in(book: Scorebook, records: Sequence[Record]) -> tuple[int | None, ...]:
    """Put the matches of these records into the book, all that are not there, in one transaction.

    Gives the number of each that is new, None for one that was there.
    Raises ScorebookError, with the book as it was, where it cannot be written.
    """
    here = [(played.match.names, played) for played in book.replay_all()]
    new: dict[int, Record] = {}
    for place, record in enumerate(records):
        known = any(names == record.names and _same(played, record) for names, played in here)
        if not known and not any(_alike(record, other) for other in new.values()):
            new[place] = record
    numbers = dict(zip(new, book.add_all([_match_of(record) for record in new.values()]), strict=True))
    return tuple(numbers.get(place) for place in range(len(records)))


def _match_of(record: Record) -> tuple[MatchRow, tuple[Row, ...]]:
    began = 0.0
    with suppress(ValueError, OverflowError):  # no date, or none that this machine's clock could have
        began = datetime.combine(datetime.fromisoformat(record.date), time(12)).timestamp()
    rows = []
    course: Course | None = None
    for place, entry in enumerate(_entries(record), 1):
        course, ruling = follow(course, entry)
        rows.append(Row(place, entry, ruling_to_json(ruling), 0.0, began))
    return MatchRow(0, record.names, PLAY, None, began, uid_of_record(record)), tuple(rows)


def uid_of_record(record: Record) -> str:
    """The same name for the same record, whoever takes it in."""
    return hashlib.sha256(repr(record).encode()).hexdigest()[:32]


def _entries(record: Record) -> Iterator[JournalEntry]:
    for entry, _, _ in replay(record):
        yield Correction((entry,), FROM_RECORD) if isinstance(entry, Setting) else entry


def _same(played: Played, record: Record) -> bool:
    """Whether this is the match that the record is of: all moves and, where both have one, the day."""
    if played.course is None:
        return False
    return _alike(record_of_steps(played.course.steps, played.match.names, day_text(played.match.wall_s)), record)


def _alike(one: Record, other: Record) -> bool:
    return replace(one, date=other.date) == other and (not one.date or not other.date or one.date == other.date)


def record_text(played: Played) -> str:
    """One match as a game record to keep or mail, as it stands; what was corrected is noted, with when and why.

    Raises ScorebookError when not even its first event can be read.
    """
    if played.course is None:
        raise ScorebookError(f"match {played.match.id} cannot be read: {played.problem}.")
    record = record_of_steps(played.course.steps, played.match.names, day_text(played.match.wall_s))
    return print_record(record, [correction_note(row) for row in played.corrections])
