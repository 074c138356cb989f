"""All checks of this machine, from parts that are open: for ``engarde doctor``, at a game's start and beside it."""

from __future__ import annotations

import contextlib
import getpass
import os
import socket
import threading
import time
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Final

from display.i18n import LANGUAGES, words
from display.window import Window
from firmware.book.scorebook.book import read_scorebook
from firmware.cli.doctor.camera import CameraFacts, camera_findings, look_through, seen_facts
from firmware.cli.doctor.findings import Check, Finding, Text, check_lines, joined, quoted, report_text, sentence
from firmware.cli.doctor.machine import gather_machine, machine_findings, machine_lines
from firmware.cli.doctor.panel import PanelFacts, panel_facts, panel_findings, read_out
from firmware.cli.doctor.system import gather_system, library_findings, system_findings
from firmware.core.config import Config, ConfigError, config_path, load_config
from firmware.core.errors import EngardeError
from firmware.core.io.files import kept_in, reports_beside
from firmware.table.camera.camera import OpenCamera
from firmware.table.camera.setup import Setup, table_in_force, table_of
from firmware.table.panel.devices import Panel, is_a_pi
from firmware.table.readers.guard import pictures_beside
from firmware.ui.menu.machine import CheckLine
from vision.frame import Frame
from vision.look import Look
from vision.marks.foreign import Run

if TYPE_CHECKING:  # which loads this module when the doctor is asked for
    from firmware.cli.sitting.cameras import TableWish
    from firmware.cli.sitting.sitting import Sitting


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


STALE_S: Final = 5.0
"""A page that was left for so long is made anew; one that stays open is not."""


class TableDoctor:
    """How the machine and the table are, in words. ``heard``: whether there is sound."""

    def __init__(
        self, sitting: Sitting, heard: Callable[[], bool], now_s: Callable[[], float] = time.monotonic
    ) -> None:
        self._sitting, self._heard, self._now_s = sitting, heard, now_s
        self._found: tuple[Finding, ...] = ()
        self._asked_s = float("-inf")
        self._work: threading.Thread | None = None

    def machine(self, language: str) -> tuple[str, ...]:
        return machine_lines(gather_machine(self._sitting.wish.scorebook), words(language).say)

    def checks(self, frame: Frame, look: Look, language: str) -> tuple[CheckLine, ...]:
        """Every check in this language; none while they are made, in a thread."""
        before_s, self._asked_s = self._asked_s, self._now_s()
        if self._work is not None and self._work.is_alive():
            return ()
        if self._asked_s - before_s > STALE_S:
            self._found = ()
            self._work = threading.Thread(target=self._make, args=(frame, look), name="checks", daemon=True)
            self._work.start()
            return ()
        return check_lines(self._found, words(language).say)

    def _make(self, frame: Frame, look: Look) -> None:
        wish = self._sitting.wish
        settling = wish.camera.feedback.settling if wish.camera.spec.live else None
        seen = seen_facts(wish.camera.spec.name, frame, look, settling)
        silence = "" if self._heard() else sentence("doctor.sound.silent")
        self._found = _at_a_table(wish, seen, self._sitting.panel, self._sitting.window, silence)


def examine(
    wish: TableWish,
    say: Callable[[str], None],
    panel: Panel,
    window: Window | None,
    camera: OpenCamera,
    setup: Setup,
    silence: str,
    run: Run,
) -> None:
    """The doctor's findings, printed and told by the lamps: the menu button was held at the start."""
    seen = look_through(wish.camera.spec.name, camera.source, setup.table, run, live=camera.live)
    findings = _at_a_table(wish, seen, panel, window, silence)
    say(report_text(findings))  # into the journal, for a helper
    read_out(panel, findings, time.monotonic, time.sleep)


def _at_a_table(
    wish: TableWish, camera: CameraFacts, panel: Panel, window: Window | None, silence: Text
) -> tuple[Finding, ...]:
    return look_at_all(
        camera,
        panel_facts(panel),
        book=wish.scorebook,
        table=wish.camera.table_file,
        config=wish.settings_file,
        driver=window.driver if window is not None else "",
        silence=silence,
    )
