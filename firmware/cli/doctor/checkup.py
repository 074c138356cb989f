"""All checks of this machine, from parts that somebody has opened: for ``engarde doctor`` and for a game's start."""

from __future__ import annotations

import contextlib
import getpass
import os
import socket
from collections.abc import Iterator, Sequence
from pathlib import Path

from display.i18n import LANGUAGES, words
from firmware.book.scorebook.book import read_scorebook
from firmware.cli.doctor.camera import CameraFacts, camera_findings
from firmware.cli.doctor.findings import Check, Finding, Text, joined, quoted
from firmware.cli.doctor.machine import gather_machine, machine_findings
from firmware.cli.doctor.panel import PanelFacts, panel_findings
from firmware.cli.doctor.system import gather_system, library_findings, system_findings
from firmware.core.config import Config, ConfigError, config_path, load_config
from firmware.core.errors import EngardeError
from firmware.core.io.files import kept_in, reports_beside
from firmware.table.camera.setup import table_in_force, table_of
from firmware.table.panel.devices import is_a_pi
from firmware.table.readers.guard import pictures_beside


def look_at_all(
    camera: CameraFacts,
    panel: PanelFacts,
    *,
    book: Path,
    table: Path | None,
    config: Path | None,
    driver: str = "",
    silence: Text = "",
    libraries: bool = False,
) -> tuple[Finding, ...]:
    """Every finding in the order of the numbers: of devices that are open already, of the machine and of the program.

    ``table`` and ``config`` are the files that were named, None for the owner's own. ``driver`` is empty without a
    screen, ``silence`` where there is sound. ``libraries``: with a finding for each library that decides what a picture
    costs.
    """
    system = gather_system(on_a_pi=is_a_pi(), driver=driver, silence=silence)
    found = (
        *machine_findings(gather_machine(book)),
        *system_findings(system),
        *(library_findings(system.libraries, on_a_pi=system.on_a_pi) if libraries else ()),
        *camera_findings(camera),
        *panel_findings(panel),
        *program_findings(book=book, table=table_in_force(table), config=config),
    )
    return tuple(sorted(found, key=lambda each: each.number))


def program_findings(*, book: Path, table: Path, config: Path | None = None) -> Iterator[Finding]:
    """Languages, settings, table file, scorebook, readers."""
    check = Check("languages", languages=", ".join(LANGUAGES))
    keys = {language: set(words(language).entries) for language in LANGUAGES}
    missing = {language: len(set().union(*keys.values()) - keys[language]) for language in LANGUAGES}
    if lacking := [check("lacks", language=language, missing=count) for language, count in missing.items() if count]:
        yield check.failed(joined("; ", *lacking), check("fetch"), "sh firmware/install.sh --upgrade")
    else:
        yield check.passed(", ".join(LANGUAGES))
    check = Check("settings")
    try:
        notice = load_config(config).notice
    except ConfigError as error:
        yield check.failed(quoted(str(error)), check("mend"), "firmware/REFERENCE.md has every setting")
    else:
        good = check.passed(str(config or config_path()))
        yield check.warned(quoted(notice), check("goes_on")) if notice else good
    check = Check("table file")
    try:
        table_of(table)
    except (EngardeError, ValueError) as error:
        yield check.failed(quoted(str(error)), check("mend"), "--table")
    else:
        yield check.passed(str(table))
    yield _scorebook(book)
    unread, reports = kept_in(pictures_beside(book)), kept_in(reports_beside(book), ".txt")
    for files, topic, part in ((unread, "readers", ""), (reports, "reports", "reports")):
        check = Check("readers", topic, part)
        if files:
            yield check.warned(check("kept", count=len(files), file=files[-1]), check("send"))
        elif not part:
            yield check.passed(check("none"))


def _scorebook(path: Path) -> Finding:
    """Whether the scorebook can be written, and each of its matches refereed again to its end."""
    check, problems = Check("scorebook"), list[str]()
    try:
        book = read_scorebook(path)
        if book is not None:
            with book:
                problems = [played.problem for played in book.replay_all()]
    except EngardeError as error:
        return check.failed(quoted(str(error)), check("set_aside"))
    if not os.access(next((each for each in (path, *path.parents) if each.exists()), path), os.W_OK):
        return check.failed(check("unwritable", file=path), check("set_aside"))
    if bad := sum(map(bool, problems)):
        return check.warned(check("unread", bad=bad, count=len(problems)), check("which"), "engarde scores")
    return check.passed(check("found", count=len(problems), file=path))


def names_here(config: Config, more: Sequence[str] = ()) -> dict[str, str]:
    """Everything that names somebody on this machine, with what stands for it in a report."""
    players = (config.names.white, config.names.black, *more)
    names = dict.fromkeys(players, "(a player)") | {socket.gethostname(): "(this machine)"}
    with contextlib.suppress(OSError, KeyError):  # a user without an entry has no name to take out
        names[getpass.getuser()] = "(the user)"
    with contextlib.suppress(RuntimeError):  # nor a home
        names[str(Path.home())] = "~"
    return names
