"""The program's own things: languages, settings, the table file, the scorebook, the readers of pictures."""

from __future__ import annotations

import os
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from display.i18n import LANGUAGES, words
from firmware.camera.setup import table_of
from firmware.config import ConfigError, config_path, load_config
from firmware.doctor.findings import Finding, failed, passed, warned
from firmware.errors import EngardeError
from firmware.readers.kept import kept_in, pictures_beside
from firmware.scorebook.book import read_scorebook


@dataclass(frozen=True, slots=True)
class ProgramFacts:
    """Every ``problem`` is empty where all is well. ``missing``: sentences a language lacks, by language.

    ``unread_pictures`` are the files of pictures on which a reader hung or crashed, the oldest first.

    ``matches`` in the scorebook; ``unreadable`` of them cannot be refereed again to their end.
    """

    missing: tuple[tuple[str, int], ...]
    settings: str
    settings_problem: str
    table: str
    table_problem: str
    book: str
    book_problem: str
    matches: int = 0
    unreadable: int = 0
    settings_notice: str = ""
    unread_pictures: tuple[str, ...] = ()


def program_findings(facts: ProgramFacts) -> Iterator[Finding]:
    """Languages, settings, table file, scorebook, readers."""
    every = f"every sentence in {', '.join(LANGUAGES)}"
    lacking = [f"{language} lacks {count}" for language, count in facts.missing if count]
    if lacking:
        yield failed(
            "languages", "; ".join(lacking), every, "Fetch this version anew: sh firmware/install.sh --upgrade."
        )
    else:
        yield passed("languages", ", ".join(LANGUAGES), every)
    if facts.settings_problem:
        cure = "Put it right; firmware/defaults.toml shows every setting."
        yield failed("settings", facts.settings_problem, "settings that can be used", cure)
    elif facts.settings_notice:
        cure = "The game goes on without it; the next setting made in the menu puts the file right."
        yield warned("settings", facts.settings_notice, "settings that can be used", cure)
    else:
        yield passed("settings", facts.settings, "settings that can be used")
    if facts.table_problem:
        cure = "Put it right, or name another with --table."
        yield failed("table file", facts.table_problem, "the table's geometry", cure)
    else:
        yield passed("table file", facts.table, "the table's geometry")
    yield _scorebook(facts)
    yield _readers(facts)


def _readers(facts: ProgramFacts) -> Finding:
    expected = "no picture on which a reader hung or crashed"
    if not facts.unread_pictures:
        return passed("readers", "no picture had to be kept", expected)
    found = f"{len(facts.unread_pictures)} such pictures, the latest {facts.unread_pictures[-1]}"
    cure = "The game went on without that reader for a while; send the picture to your helper, then delete it."
    return warned("readers", found, expected, cure)


def _scorebook(facts: ProgramFacts) -> Finding:
    expected = "a whole scorebook in a place that can be written"
    if facts.book_problem:
        cure = "A damaged one is set aside, untouched, when the next game begins; send it to your helper."
        return failed("scorebook", facts.book_problem, expected, cure)
    if facts.unreadable:
        found = f"{facts.unreadable} of {facts.matches} matches cannot be read to their end"
        return warned("scorebook", found, expected, "engarde scores says which; what comes before stands.")
    return passed("scorebook", f"{facts.matches} matches in {facts.book}", expected)


def gather_program(book: Path, table: Path, config: Path | None = None) -> ProgramFacts:
    """The facts of this checkout and its user."""
    settings_problem = settings_notice = table_problem = book_problem = ""
    try:
        settings_notice = load_config(config).notice
    except ConfigError as error:
        settings_problem = str(error)
    try:
        table_of(table)
    except (EngardeError, ValueError) as error:
        table_problem = str(error)
    matches = unreadable = 0
    try:
        matches, unreadable = _matches(book)
    except EngardeError as error:
        book_problem = str(error)
    folder = next((each for each in book.parents if each.exists()), book.parent)
    if not book_problem and not os.access(book if book.exists() else folder, os.W_OK):
        book_problem = f"{book} cannot be written"
    keys = {language: set(words(language).entries) for language in LANGUAGES}
    every: set[str] = set().union(*keys.values())
    return ProgramFacts(
        missing=tuple((language, len(every - keys[language])) for language in LANGUAGES),
        settings=str(config or config_path()),
        settings_problem=settings_problem,
        settings_notice=settings_notice,
        table=str(table),
        table_problem=table_problem,
        book=str(book),
        book_problem=book_problem,
        matches=matches,
        unreadable=unreadable,
        unread_pictures=tuple(str(path) for path in kept_in(pictures_beside(book))),
    )


def _matches(path: Path) -> tuple[int, int]:
    book = read_scorebook(path)
    if book is None:
        return 0, 0
    with book:
        problems = [played.problem for played in book.replay_all()]
    return len(problems), sum(bool(problem) for problem in problems)
