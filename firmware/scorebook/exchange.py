"""The whole scorebook as text, and matches back in: from such a text, or from a game record.

The text is JSON lines: a heading with its version, a line for each match with all its entries, and a last line that
counts them and holds their sum, so that a text cut off on its way is found out. A match taken in twice is one match.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, replace
from datetime import datetime, time
from typing import Any, Final

from engine.record.corrections import Correction, Setting
from engine.record.course import Course, JournalEntry, follow
from engine.record.journal import entry_from_json, entry_to_json, ruling_to_json
from engine.record.notation import Record, parse_record, print_record
from engine.record.replay import record_of_steps, replay
from engine.rules.track import BySide
from firmware.clock import calendar
from firmware.errors import EngardeError
from firmware.names import clean_name
from firmware.scorebook.book import MatchRow, Played, Row, Scorebook, next_course
from firmware.scorebook.correction_text import correction_note
from firmware.scorebook.file import ScorebookError
from firmware.scorebook.modes import MODES

FORMAT: Final = "scorebook"
FORMAT_VERSION: Final = 1
FROM_RECORD: Final = "as the game record has it"


class ExchangeError(EngardeError, ValueError):
    """A text that cannot be taken in. Its text names the line, what was expected and what was found."""


@dataclass(frozen=True, slots=True)
class TakenIn:
    """What an import did: the numbers of matches that are new here, of those that go on further now, and how many
    were here already. ``different``: new here although a match of that name is, because the two differ."""

    added: tuple[int, ...] = ()
    extended: tuple[int, ...] = ()
    known: int = 0
    different: int = 0


def export_lines(book: Scorebook) -> Iterator[str]:
    """The whole book as text, a line at a time without line ends."""
    digest = hashlib.sha256()
    count = 0
    for line in _content(book):
        digest.update(line.encode() + b"\n")
        yield line
        count += 1
    yield _dump({"end": count - 1, "sha256": digest.hexdigest()})


def _content(book: Scorebook) -> Iterator[str]:
    yield _dump({"engarde": FORMAT, "version": FORMAT_VERSION})
    for played in book.replay_all():
        match = played.match
        yield _dump(
            {
                "uid": match.uid,
                "white": match.names.white,
                "black": match.names.black,
                "mode": match.mode,
                "seed": match.seed,
                "wall_s": match.wall_s,
                "entries": [
                    {
                        "entry": entry_to_json(row.event),
                        "ruling": row.ruling,
                        "t_s": row.t_s,
                        "wall_s": row.wall_s,
                    }
                    for row in played.rows
                ],
            }
        )


def _dump(value: object) -> str:
    return json.dumps(value, ensure_ascii=False, separators=(",", ":"))


def take_in(book: Scorebook, text: str) -> TakenIn:
    """Put the matches of this text into the book: a whole book's export, or a game record.

    Raises ExchangeError, RecordError or BadNameError before anything is written; ScorebookError when it cannot be.
    """
    inside = text.lstrip("\ufeff \t\r\n")
    if not inside:  # cut off at its very beginning: as a game record it would be a match that nobody played
        raise ExchangeError("it is empty; a game record or an export is expected.")
    if inside.startswith("{"):
        return _take_in_book(book, _parse(text.lstrip("\ufeff")))
    record = parse_record(text.lstrip("\ufeff"))
    return _take_in_record(book, replace(record, names=record.names.map(clean_name)))


def _parse(text: str) -> list[tuple[MatchRow, tuple[Row, ...]]]:
    lines = [line for line in text.replace("\r\n", "\n").split("\n") if line]
    heading = _object(lines[0], 1)
    if heading.get("engarde") != FORMAT:
        raise ExchangeError("line 1: no scorebook that engarde book export wrote begins like this.")
    if heading.get("version") != FORMAT_VERSION:
        found = str(heading.get("version"))[:20]
        raise ExchangeError(f"line 1: this export is of version {found}, this program knows {FORMAT_VERSION}.")
    try:
        end = _object(lines[-1], len(lines))
    except ExchangeError:
        end = {}
    digest = hashlib.sha256("".join(f"{line}\n" for line in lines[:-1]).encode()).hexdigest()
    if end.get("end") != len(lines) - 2 or end.get("sha256") != digest:
        raise ExchangeError("the export is not whole: it was cut off or changed on its way; export it again.")
    return [_match(_object(line, number), number) for number, line in enumerate(lines[1:-1], 2)]


def _object(line: str, number: int) -> dict[str, Any]:
    try:
        found = json.loads(line)
    except (ValueError, RecursionError):
        found = None
    if not isinstance(found, dict):
        raise ExchangeError(f"line {number}: expected a JSON object, found {line[:40]!r}.")
    return found


def _match(obj: dict[str, Any], number: int) -> tuple[MatchRow, tuple[Row, ...]]:
    try:
        if obj["mode"] not in MODES or not isinstance(obj["seed"], int | None):
            raise ValueError(f"mode is one of {', '.join(MODES)}, and seed a number or null")
        names = BySide(clean_name(_text(obj["white"])), clean_name(_text(obj["black"])))
        match = MatchRow(0, names, obj["mode"], obj["seed"], float(obj["wall_s"]), _text(obj["uid"]))
        rows: list[Row] = []
        course: Course | None = None
        for place, each in enumerate(obj["entries"], 1):
            entry = entry_from_json(each["entry"])
            row = Row(place, entry, dict(each["ruling"]), float(each["t_s"]), float(each["wall_s"]))
            course = next_course(course, row, place)
            rows.append(row)
    except KeyError as error:
        raise ExchangeError(f"line {number}: {error} is missing.") from error
    except (ValueError, TypeError) as error:
        raise ExchangeError(f"line {number}: {str(error).rstrip('.')}.") from error
    return match, tuple(rows)


def _text(value: object) -> str:
    if not isinstance(value, str):
        raise ValueError(f"text is expected, not {value!r:.40}")
    return value


def _take_in_book(book: Scorebook, matches: list[tuple[MatchRow, tuple[Row, ...]]]) -> TakenIn:
    here = {_key(played.match, played.rows): played for played in book.replay_all()}
    added, extended, known, different = [], [], 0, 0
    for match, rows in matches:
        if not rows:
            continue
        same = here.get(_key(match, rows))
        if same is None and _known_by_its_record(here.values(), match, rows):
            known += 1
        elif same is None:
            added.append(book.add(match, rows))
        elif rows == same.rows[: len(rows)]:
            known += 1
        elif same.rows == rows[: len(same.rows)] and not same.problem:
            book.extend(same.match.id, rows[len(same.rows) :])
            extended.append(same.match.id)
        elif any(rows == other.rows for other in here.values()):
            known += 1
        else:
            match_id = book.add(MatchRow(0, match.names, match.mode, match.seed, match.wall_s), rows)
            added.append(match_id)
            different += 1
    return TakenIn(tuple(added), tuple(extended), known, different)


def _known_by_its_record(here: Iterable[Played], match: MatchRow, rows: tuple[Row, ...]) -> bool:
    """Whether this match was taken in before as a game record, which has no name for it."""
    alike = [played for played in here if played.match.names == match.names]
    if not alike:
        return False
    course: Course | None = None
    for row in rows:
        course = next_course(course, row, row.seq)
    assert course is not None
    record = record_of_steps(course.steps, match.names, date_of(match))
    return any(each.moves for each in record.rounds) and any(_same(played, record) for played in alike)


def _key(match: MatchRow, rows: tuple[Row, ...]) -> str:
    """What two copies of a match have in common: its name, or where it has none how it began."""
    if match.uid:
        return match.uid
    return repr((match.names, match.mode, match.seed, match.wall_s, rows[:1]))


def _take_in_record(book: Scorebook, record: Record) -> TakenIn:
    entries = list(_entries(record))
    for played in book.replay_all():
        if played.match.names == record.names and _same(played, record):
            return TakenIn(known=1)
    began = datetime.combine(datetime.fromisoformat(record.date), time(12)).timestamp() if record.date else 0.0
    rows = []
    course: Course | None = None
    for place, entry in enumerate(entries, 1):
        course, ruling = follow(course, entry)
        rows.append(Row(place, entry, ruling_to_json(ruling), 0.0, began))
    match = MatchRow(0, record.names, "play", None, began, uid_of_record(record))
    return TakenIn((book.add(match, rows),))


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
    date = date_of(played.match)
    ours = record_of_steps(played.course.steps, played.match.names, record.date)
    return ours == record and (not date or not record.date or date == record.date)


def record_text(played: Played) -> str:
    """One match as a game record to keep or mail, as it stands; what was corrected is noted, with when and why.

    Raises ScorebookError when not even its first event can be read.
    """
    if played.course is None:
        raise ScorebookError(f"match {played.match.id} cannot be read: {played.problem}.")
    record = record_of_steps(played.course.steps, played.match.names, date_of(played.match))
    return print_record(record, [correction_note(row) for row in played.corrections])


def date_of(match: MatchRow) -> str:
    """The day of a match as a record writes it, empty where the machine had no clock."""
    began = calendar(match.wall_s)
    return "" if began is None else began.strftime("%Y-%m-%d")
