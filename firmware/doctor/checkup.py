"""All checks of this machine, from parts that somebody has opened: for ``engarde doctor`` and for a game's start."""

from __future__ import annotations

import contextlib
import getpass
import socket
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from firmware.config import Config
from firmware.doctor.camera import CameraFacts, camera_findings
from firmware.doctor.findings import ENGLISH, Finding, Say
from firmware.doctor.machine import gather_machine, machine_findings
from firmware.doctor.panel import PanelFacts, panel_findings
from firmware.doctor.program import gather_program, program_findings
from firmware.doctor.system import Program, gather_system, system_findings
from firmware.panel.devices import is_a_pi


@dataclass(frozen=True, slots=True)
class OpenedDevices:
    """What was learned by opening screen, sound, camera and panel. ``driver`` is empty without a screen."""

    driver: str
    tried: tuple[str, ...]
    silence: str
    camera: CameraFacts
    panel: PanelFacts


def examine(
    opened: OpenedDevices, *, book: Path, table: Path, config: Path | None, say: Say = ENGLISH
) -> tuple[tuple[Finding, ...], Mapping[str, Program]]:
    """Every finding in the order of the numbers, in the words of ``say``, and the programs with their versions."""
    on_a_pi = is_a_pi()
    system = gather_system(on_a_pi=on_a_pi, driver=opened.driver, tried=opened.tried, silence=opened.silence)
    findings = (
        *machine_findings(gather_machine(book), say),
        *system_findings(system, say),
        *camera_findings(opened.camera, say),
        *panel_findings(opened.panel, say),
        *program_findings(gather_program(book, table, config), say),
    )
    return findings, system.programs


def names_here(config: Config, more: Sequence[str] = ()) -> dict[str, str]:
    """Everything that names somebody on this machine, with what stands for it in a report."""
    players = (config.names.white, config.names.black, *more)
    names = dict.fromkeys(players, "(a player)") | {socket.gethostname(): "(this machine)"}
    with contextlib.suppress(OSError, KeyError):  # a user without an entry has no name to take out
        names[getpass.getuser()] = "(the user)"
    with contextlib.suppress(RuntimeError):  # nor a home
        names[str(Path.home())] = "~"
    return names
