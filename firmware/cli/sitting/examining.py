"""The doctor at a game's start, for whoever holds the menu button: into the journal and on the lamps."""

from __future__ import annotations

import time
from collections.abc import Callable

from display.draw.screen import screen_drivers
from display.window import Window
from firmware.cli.doctor.camera import look_through
from firmware.cli.doctor.checkup import look_at_all
from firmware.cli.doctor.findings import ENGLISH, report_text
from firmware.cli.doctor.panel import panel_facts, read_out
from firmware.cli.sitting.wish import TableWish
from firmware.core.clock import SystemClock
from firmware.table.camera.camera import OpenCamera
from firmware.table.camera.setup import Setup, table_in_force
from firmware.table.panel.devices import Panel
from vision.marks.foreign import Run


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
    facts = look_at_all(
        seen,
        panel_facts(panel),
        book=wish.scorebook,
        table=table_in_force(wish.camera.table_file),
        config=wish.settings_file,
        driver=window.driver if window else "",
        tried=screen_drivers(),
        silence=silence,
    )
    findings = facts.findings(ENGLISH)  # into the journal, for a helper
    say(report_text(findings))
    read_out(panel, findings, clock.now_s, time.sleep)
