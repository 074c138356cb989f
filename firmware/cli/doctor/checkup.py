"""All checks of this machine, from parts that somebody has opened: for ``engarde doctor`` and for a game's start."""

from __future__ import annotations

import contextlib
import getpass
import os
import socket
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

from display.i18n import LANGUAGES, words
from firmware.book.scorebook.book import read_scorebook
from firmware.cli.doctor.camera import CameraFacts, camera_findings
from firmware.cli.doctor.findings import ENGLISH, Check, Finding, Say
from firmware.cli.doctor.machine import MachineFacts, gather_machine, machine_findings
from firmware.cli.doctor.panel import PanelFacts, panel_findings
from firmware.cli.doctor.system import SystemFacts, gather_system, library_findings, system_findings
from firmware.core.config import Config, ConfigError, config_path, load_config
from firmware.core.errors import EngardeError
from firmware.core.io.kept import kept_in, reports_beside
from firmware.table.camera.setup import table_of
from firmware.table.panel.devices import is_a_pi
from firmware.table.readers.guard import pictures_beside


@dataclass(frozen=True, slots=True)
class ProgramFacts:
    """Every ``problem`` is empty where all is well. ``missing``: sentences a language lacks, by language.

    ``unread_pictures`` are the files of pictures on which a reader hung or crashed, ``reports`` those on parts that
    failed in a game, the oldest first.

    ``matches`` in the scorebook; ``unreadable`` of them cannot be refereed again to their end; ``unwritable``: no match
    can be added to it.
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
    unwritable: bool = False
    settings_notice: str = ""
    unread_pictures: tuple[str, ...] = ()
    reports: tuple[str, ...] = ()


def program_findings(facts: ProgramFacts, say: Say = ENGLISH) -> Iterator[Finding]:
    """Languages, settings, table file, scorebook, readers."""
    check = Check("languages", say, languages=", ".join(LANGUAGES))
    lacking = [check("lacks", language=language, missing=count) for language, count in facts.missing if count]
    if lacking:
        yield check.failed("; ".join(lacking), check("fetch"), "sh firmware/install.sh --upgrade")
    else:
        yield check.passed(", ".join(LANGUAGES))
    check = Check("settings", say)
    if facts.settings_problem:
        by = "firmware/REFERENCE.md has every setting"
        yield check.failed(check.said(facts.settings_problem), check("mend"), by)
    elif facts.settings_notice:
        yield check.warned(check.said(facts.settings_notice), check("goes_on"))
    else:
        yield check.passed(facts.settings)
    check = Check("table file", say)
    if facts.table_problem:
        yield check.failed(check.said(facts.table_problem), check("mend"), "--table")
    else:
        yield check.passed(facts.table)
    check = Check("scorebook", say)
    if facts.book_problem:
        yield check.failed(check.said(facts.book_problem), check("set_aside"))
    elif facts.unwritable:
        yield check.failed(check("unwritable", file=facts.book), check("set_aside"))
    elif facts.unreadable:
        found = check("unread", bad=facts.unreadable, count=facts.matches)
        yield check.warned(found, check("which"), "engarde scores")
    else:
        yield check.passed(check("found", count=facts.matches, file=facts.book))
    for files, topic, part in ((facts.unread_pictures, "readers", ""), (facts.reports, "reports", "reports")):
        check = Check("readers", say, topic, part)
        if files:
            yield check.warned(check("kept", count=len(files), file=files[-1]), check("send"))
        elif not part:
            yield check.passed(check("none"))


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
        unwritable=not os.access(book if book.exists() else folder, os.W_OK),
        unread_pictures=tuple(str(path) for path in kept_in(pictures_beside(book))),
        reports=tuple(str(path) for path in kept_in(reports_beside(book), ".txt")),
    )


def _matches(path: Path) -> tuple[int, int]:
    book = read_scorebook(path)
    if book is None:
        return 0, 0
    with book:
        problems = [played.problem for played in book.replay_all()]
    return len(problems), sum(bool(problem) for problem in problems)


@dataclass(frozen=True, slots=True)
class CheckupFacts:
    """All that was looked at once, to be told in any language."""

    machine: MachineFacts
    system: SystemFacts
    camera: CameraFacts
    panel: PanelFacts
    program: ProgramFacts

    def findings(self, say: Say, *, libraries: bool = False) -> tuple[Finding, ...]:
        """Every finding in the order of the numbers, in the words of ``say``.

        ``libraries``: with a finding for each library that decides what a picture costs.
        """
        of = self.system
        found = (
            *machine_findings(self.machine, say),
            *system_findings(of, say),
            *(library_findings(of.libraries, say, on_a_pi=of.on_a_pi) if libraries else ()),
            *camera_findings(self.camera, say),
            *panel_findings(self.panel, say),
            *program_findings(self.program, say),
        )
        return tuple(sorted(found, key=lambda each: each.number))


def look_at_all(
    camera: CameraFacts,
    panel: PanelFacts,
    *,
    book: Path,
    table: Path,
    config: Path | None,
    driver: str = "",
    silence: str = "",
) -> CheckupFacts:
    """Gather all facts: of devices that are open already, of the machine and of the program.

    ``driver`` is empty without a screen, ``silence`` where there is sound.
    """
    system = gather_system(on_a_pi=is_a_pi(), driver=driver, silence=silence)
    return CheckupFacts(gather_machine(book), system, camera, panel, gather_program(book, table, config))


def names_here(config: Config, more: Sequence[str] = ()) -> dict[str, str]:
    """Everything that names somebody on this machine, with what stands for it in a report."""
    players = (config.names.white, config.names.black, *more)
    names = dict.fromkeys(players, "(a player)") | {socket.gethostname(): "(this machine)"}
    with contextlib.suppress(OSError, KeyError):  # a user without an entry has no name to take out
        names[getpass.getuser()] = "(the user)"
    with contextlib.suppress(RuntimeError):  # nor a home
        names[str(Path.home())] = "~"
    return names
