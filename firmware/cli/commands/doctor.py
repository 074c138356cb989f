"""``engarde doctor``: what is well on this machine and what is not, each with its cure."""

from __future__ import annotations

import argparse
import importlib.metadata
import json
import sys
import time
from collections.abc import Mapping, Sequence
from contextlib import ExitStack, closing
from dataclasses import dataclass, replace
from pathlib import Path
from typing import ClassVar, Final

from display.i18n import LANGUAGES, words
from display.window import open_window
from firmware.book.scorebook.book import read_scorebook
from firmware.cli.commands.declared import option, part, switch
from firmware.cli.commands.options import a_scorebook, add_table_option, camera_wanted
from firmware.cli.doctor.bench import bench, bench_text
from firmware.cli.doctor.camera import CameraFacts, look_through
from firmware.cli.doctor.checkup import look_at_all, names_here
from firmware.cli.doctor.findings import (
    CHECKS,
    ENGLISH,
    CheckResult,
    Finding,
    Say,
    report_file,
    report_json,
    report_text,
    summary,
    without_names,
    worst,
)
from firmware.cli.doctor.panel import ask_about, panel_facts, read_out
from firmware.cli.doctor.system import gather_programs
from firmware.cli.sitting.cameras import open_camera
from firmware.core.clock import SystemClock
from firmware.core.config import Config, ConfigError, load_config
from firmware.core.errors import EngardeError
from firmware.core.io.files import write_whole
from firmware.table.camera.camera import CameraWanted
from firmware.table.camera.setup import TABLE_FILE, table_in_force, table_of
from firmware.table.panel.devices import Panel, no_panel, open_panel
from firmware.table.panel.pins import WIRES, pin_faults
from firmware.table.readers.guard import guard_beside
from firmware.table.sound.sound import open_player
from vision.camera.sources import SourceError

BENCH_MINUTES: Final = 10.0
_MAX_MINUTES: Final = 24 * 60.0


def _minutes(word: str) -> float:
    """A positive number. Raises what argparse makes a sentence of."""
    try:
        minutes = float(word)
    except ValueError:
        minutes = 0.0
    if not 0 < minutes <= _MAX_MINUTES:
        raise argparse.ArgumentTypeError(f"expected minutes, more than 0 and up to {_MAX_MINUTES:g}, found {word!r}")
    return minutes


def _add_camera(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("--camera", metavar="C", help="another camera than the settings name")
    add_table_option(parser)


@dataclass(frozen=True, slots=True, kw_only=True)
class Doctor:
    """Options of the checks; ``bench`` measures the cost of refereeing instead, for so many ``minutes``."""

    told: ClassVar[Mapping[str, str]] = {
        "epilog": (
            "Holding the menu button while the game starts shows the findings on the panel: as many lamps of the left "
            "score as the check's first number, of the right score as its second; red: failed, amber: warns, green: "
            f"all well. The checks: {', '.join(f'{number} {name}' for number, name in CHECKS.items())}."
        )
    }
    as_json: bool = switch(
        "one JSON object: verdict (pass, warn or fail), findings (number, name, verdict, found, expected, cure), "
        "programs (version, path, problem by name)",
        "--json",
    )
    report: Path | None = option("write a report for a helper; it holds no names", metavar="FILE")
    ask: bool = switch("ask which lamps shine, which buttons work, what is heard")
    panel: bool = switch("show the findings on the panel's lamps too")
    bench: bool = switch("measure what refereeing costs here, with a simulated match (--json too)")
    minutes: float = option("how long --bench takes (%(default)g)", default=BENCH_MINUTES, type=_minutes, metavar="N")
    language: str | None = option(
        "of what is told here (default: as in the settings); --json is English", choices=LANGUAGES
    )
    camera: CameraWanted = part(_add_camera, lambda args: camera_wanted(args, _config(args.config)))
    book: Path = a_scorebook()
    config: Path | None = option("another settings file", metavar="FILE")

    def do(self) -> int:
        """Examine this machine and tell; 0 where nothing fails. Raises EngardeError, after telling, for what failed."""
        if self.bench:
            _tell(f"A simulated match is refereed for {self.minutes:g} minutes; leave the machine alone meanwhile.")
            measured = bench(table_of(TABLE_FILE), self.minutes, self.book)
            print(json.dumps(measured, ensure_ascii=False) if self.as_json else bench_text(measured))
            return 0
        config, book, clock = _config(self.config), self.book, SystemClock()
        language = self.language or config.language
        with ExitStack() as held:
            faults = pin_faults(WIRES)
            panel = no_panel("The pin table is wrong.") if faults else open_panel(config.panel, clock.now_s)
            held.callback(panel.close)
            told, say = panel_facts(panel, faults), words(language).say
            if self.ask:
                told = ask_about(panel, told, lambda asked: _ask(asked, say), _tell, clock.now_s, time.sleep, say)
            player = open_player(config.volume_percent)
            player.close()
            findings = look_at_all(
                camera=_camera(self.camera, book),
                panel=told,
                book=book,
                table=self.camera.table_file,
                config=self.config,
                driver=_screen(),
                silence=player.notice,
                libraries=True,
            )
            programs = gather_programs()
            if self.as_json:
                print(json.dumps(report_json(findings, programs), ensure_ascii=False))
            else:
                print(report_text(findings, say))
            if self.report is not None:
                title = f"engarde doctor, version {importlib.metadata.version('engarde-companion')}"
                report = report_file(findings, programs, title)
                write_whole(self.report, without_names(report, names_here(config, _players(book))), devices=True)
                _tell(say("doctor.told.written", file=self.report))
            if self.panel:
                _show(panel, findings, clock, say)
        if worst(findings) is CheckResult.FAIL:
            raise EngardeError(summary(findings, ENGLISH if self.as_json else say))
        return 0


def _config(path: Path | None) -> Config:
    """The settings; where they cannot be used, which is a finding of its own, the defaults."""
    try:
        return load_config(path)
    except ConfigError:
        return Config()


def _screen() -> str:
    """The driver of a screen that was opened and closed again, empty where none opens."""
    window = open_window(title="En Garde")
    if window is None:
        return ""
    window.close()
    return window.driver


def _camera(wanted: CameraWanted, book: Path) -> CameraFacts:
    spec = wanted.spec.name
    try:
        table = table_of(table_in_force(wanted.table_file))
        camera = open_camera(wanted, table)
    except (SourceError, EngardeError, ValueError) as error:
        return CameraFacts(spec, problem=str(error))
    try:
        with closing(guard_beside(book, _tell)) as run:
            facts = look_through(spec, camera.source, table, run, live=camera.live)
            return replace(facts, settling=wanted.feedback.settling)
    except SourceError as error:
        return CameraFacts(spec, problem=str(error))
    finally:
        camera.source.close()


def _players(book: Path) -> tuple[str, ...]:
    try:
        opened = read_scorebook(book)
    except EngardeError:
        return ()
    if opened is None:
        return ()
    with opened:
        return tuple(name for match in opened.matches() for name in (match.names.white, match.names.black))


def _ask(question: str, say: Say) -> bool:
    """Ask a question: an answer that begins with n is a no, in all four languages; any other, Enter too, is a yes."""
    _tell(f"{say('doctor.ask.yes_or_no', question=question)} ", end="")
    answer = sys.stdin.readline()
    if not answer:
        raise EngardeError("--ask puts questions, and there is nobody to answer: run it in a terminal.")
    return not answer.strip().lower().startswith("n")


def _tell(text: str, end: str = "\n") -> None:
    """Print to stderr: stdout holds the findings alone."""
    print(text, end=end, file=sys.stderr, flush=True)


def _show(panel: Panel, findings: Sequence[Finding], clock: SystemClock, say: Say) -> None:
    if not panel.wired:
        raise EngardeError("--panel shows the findings on lamps, and no panel is in use here.")
    _tell(say("doctor.told.shown"))
    read_out(panel, findings, clock.now_s, time.sleep)
