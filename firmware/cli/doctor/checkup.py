"""All checks of this machine, from parts that somebody has opened: for ``engarde doctor`` and for a game's start."""

from __future__ import annotations

import contextlib
import getpass
import socket
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from firmware.cli.doctor.camera import CameraFacts, camera_findings
from firmware.cli.doctor.findings import Finding, Say
from firmware.cli.doctor.libraries import library_findings
from firmware.cli.doctor.machine import MachineFacts, gather_machine, machine_findings
from firmware.cli.doctor.panel import PanelFacts, panel_findings
from firmware.cli.doctor.program import ProgramFacts, gather_program, program_findings
from firmware.cli.doctor.system import SystemFacts, gather_system, system_findings
from firmware.core.config import Config
from firmware.table.panel.devices import is_a_pi


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
    tried: tuple[str, ...] = (),
    silence: str = "",
) -> CheckupFacts:
    """What opening camera, panel, screen and sound told, and what the machine and the program tell of themselves.

    ``driver`` is empty without a screen, ``silence`` where there is sound.
    """
    system = gather_system(on_a_pi=is_a_pi(), driver=driver, tried=tried, silence=silence)
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
