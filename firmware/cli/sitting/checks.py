"""The doctor's checks at a table where people play: at a game's start, and beside the game when their page is open."""

from __future__ import annotations

import threading
import time
from collections.abc import Callable
from typing import TYPE_CHECKING, Final

from display.i18n import words
from display.window import Window
from firmware.cli.doctor.camera import look_through, seen_facts
from firmware.cli.doctor.checkup import look_at_all
from firmware.cli.doctor.findings import Finding, check_lines, report_text, sentence
from firmware.cli.doctor.machine import gather_machine, machine_lines
from firmware.cli.doctor.panel import panel_facts, read_out
from firmware.cli.sitting.wish import TableWish
from firmware.core.clock import SystemClock
from firmware.table.camera.camera import OpenCamera
from firmware.table.camera.setup import Setup
from firmware.table.panel.devices import Panel
from firmware.ui.menu.machine import CheckLine
from vision.frame import Frame
from vision.look import Look
from vision.marks.foreign import Run

if TYPE_CHECKING:  # which loads this module where the menu button is held
    from firmware.cli.sitting.sitting import Sitting

STALE_S: Final = 5.0
"""A page that was left for so long is made anew; one that stays open is not."""


class TableDoctor:
    """How the machine and the table are, in words. ``heard``: whether there is sound."""

    def __init__(self, sitting: Sitting, heard: Callable[[], bool], now_s: Callable[[], float] | None = None) -> None:
        self._sitting, self._heard = sitting, heard
        self._now_s = now_s or SystemClock().now_s
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
        self._found = self.findings(frame, look)

    def findings(self, frame: Frame, look: Look) -> tuple[Finding, ...]:
        sitting, wish = self._sitting, self._sitting.wish
        settling = wish.camera.feedback.settling if wish.camera.spec.live else None
        return look_at_all(
            seen_facts(wish.camera.spec.name, frame, look, settling),
            panel_facts(sitting.panel),
            book=wish.scorebook,
            table=wish.camera.table_file,
            config=wish.settings_file,
            driver=sitting.window.driver if sitting.window is not None else "",
            silence="" if self._heard() else sentence("doctor.sound.silent"),
        )


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
    clock = SystemClock()
    seen = look_through(wish.camera.spec.name, camera.source, setup.table, run, live=camera.live)
    findings = look_at_all(
        seen,
        panel_facts(panel),
        book=wish.scorebook,
        table=wish.camera.table_file,
        config=wish.settings_file,
        driver=window.driver if window else "",
        silence=silence,
    )
    say(report_text(findings))  # into the journal, for a helper
    read_out(panel, findings, clock.now_s, time.sleep)
