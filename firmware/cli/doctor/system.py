"""What runs on the machine: the system, the programs with versions and paths, the screen, the sound, the service."""

from __future__ import annotations

import grp
import importlib
import importlib.metadata
import os
import platform
import re
import shutil
import sys
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Final

from firmware.cli.doctor.findings import ENGLISH, Finding, Say, failed, passed, warned
from firmware.cli.doctor.libraries import OPENBLAS_BY, Program, gather_libraries, is_slow
from firmware.cli.doctor.machine import ask_program

KNOWN_SYSTEMS: Final = ("bookworm", "trixie")
NEEDED_GROUPS: Final = ("gpio", "video", "render", "input", "audio")
INSTALL: Final = "sh firmware/install.sh"
LEAST: Final[Mapping[str, tuple[int, ...]]] = {
    "numpy": (1, 24),
    "cv2": (4, 11),
    "pygame": (2, 1, 2),
    "gpiozero": (2, 0),
    "zxingcpp": (),
    "pyzbar": (),
    "segno": (),
    "platformdirs": (),
    "babel": (2, 10),
    "reportlab": (3, 6),
    "PIL": (),
    "fsrs": (),
    "font_source_sans_pro": (),
}
"""Every library the game needs, with the least version it runs on."""

ON_A_PI: Final = ("lgpio", "picamera2")
_DISTRIBUTIONS: Final = {"cv2": "opencv-python-headless", "zxingcpp": "zxing-cpp", "PIL": "pillow"}


@dataclass(frozen=True, slots=True)
class SystemFacts:
    """``driver`` is the screen's, empty where none opens, then ``tried`` says what was. ``silence``: why nothing is
    heard. ``service``: what systemd says of the unit, ``enabled`` or else; ``missing_groups``: those the user lacks.
    """

    on_a_pi: bool
    name: str
    codename: str
    bits: int
    programs: Mapping[str, Program] = field(default_factory=dict)
    driver: str = ""
    tried: tuple[str, ...] = ()
    silence: str = ""
    service: str = ""
    missing_groups: tuple[str, ...] = ()
    libraries: Mapping[str, Program] = field(default_factory=dict)


def system_findings(facts: SystemFacts, say: Say = ENGLISH) -> Iterator[Finding]:
    """System, programs, screen, sound and, on a Pi, the service."""
    yield _system(facts, say)
    yield _programs(facts, say)
    yield _screen(facts, say)
    heard = say("doctor.sound.expected")
    if facts.silence:
        yield warned("sound", facts.silence, heard, say("doctor.sound.plug"), "raspi-config; config.toml, [sound]")
    else:
        yield passed("sound", say("doctor.sound.plays"), heard)
    if facts.on_a_pi:
        yield _service(facts, say)


def _system(facts: SystemFacts, say: Say) -> Finding:
    found = say("doctor.system.found", name=facts.name, bits=facts.bits)
    if not facts.on_a_pi:
        return passed("system", found, say("doctor.system.anywhere"))
    expected = say("doctor.system.expected")
    if facts.bits != 64:
        return failed("system", found, expected, say("doctor.system.bits"))
    if facts.codename not in KNOWN_SYSTEMS:
        return warned("system", found, expected, say("doctor.system.untried"))
    return passed("system", found, expected)


def _programs(facts: SystemFacts, say: Say) -> Finding:
    expected = ", ".join(f"{name} {'.'.join(map(str, least))}".strip() for name, least in LEAST.items())
    needed = (*LEAST, *(ON_A_PI if facts.on_a_pi else ()))
    missing = [
        f"{name}: {facts.programs[name].problem}"
        if name in facts.programs
        else say("doctor.programs.missing", name=name)
        for name in needed
        if name not in facts.programs or facts.programs[name].problem
    ]
    if missing:
        return failed(
            "programs", "; ".join(missing), expected, say("doctor.programs.install"), f"{INSTALL}; make away from a Pi"
        )
    old = [
        f"{name} {facts.programs[name].version}"
        for name, least in LEAST.items()
        if version_numbers(facts.programs[name].version) < least
    ]
    if old:
        too_old = say("doctor.programs.old", names=", ".join(old))
        return failed("programs", too_old, expected, say("doctor.programs.upgrade"), "apt full-upgrade; make")
    if facts.on_a_pi and _mixed(facts.programs):
        found = say("doctor.programs.mixed", version=facts.programs["numpy"].version)
        return warned(
            "programs", found, say("doctor.programs.apt"), say("doctor.programs.again"), f"rm -r .venv; {INSTALL}"
        )
    blas = facts.libraries.get("blas", Program())
    if facts.on_a_pi and is_slow(blas):
        cure = say("doctor.programs.blas_cure")
        return warned("programs", blas.version, say("doctor.library.blas"), cure, OPENBLAS_BY)
    found = ", ".join(f"{name} {program.version}".rstrip() for name, program in facts.programs.items() if program.path)
    return passed("programs", found, expected)


def version_numbers(version: str) -> tuple[int, ...]:
    """``4.6.0-dev`` as (4, 6, 0), to compare by."""
    found = re.match(r"\d+(?:\.\d+)*", version)
    return tuple(int(number) for number in found[0].split(".")) if found else ()


def _mixed(programs: Mapping[str, Program]) -> bool:
    """Whether apt's camera library meets a NumPy it was not built for: Bookworm's was built for NumPy 1."""
    numpy, camera = programs["numpy"], programs["picamera2"]
    foreign = "/dist-packages/" in camera.path and "/dist-packages/" not in numpy.path
    return foreign and programs["python"].version.startswith("3.11")


def _screen(facts: SystemFacts, say: Say) -> Finding:
    expected = say("doctor.screen.expected")
    if facts.driver:
        return passed("screen", say("doctor.screen.driven", driver=facts.driver), expected)
    found = say("doctor.screen.none")
    if facts.tried:
        found = say("doctor.screen.none_opens", tried=", ".join(facts.tried))
    return warned("screen", found, expected, say("doctor.screen.plug"))


def _service(facts: SystemFacts, say: Say) -> Finding:
    expected = say("doctor.service.expected")
    if facts.missing_groups:
        found = say("doctor.service.groups", groups=", ".join(facts.missing_groups))
        return failed("service", found, expected, say("doctor.service.join"), INSTALL)
    if facts.service != "enabled":
        found = say("doctor.service.found", state=facts.service or say("doctor.service.none"))
        return warned("service", found, expected, say("doctor.service.install"), INSTALL)
    return passed("service", "enabled", expected)


def gather_system(*, on_a_pi: bool, driver: str, tried: tuple[str, ...], silence: str) -> SystemFacts:
    """The facts of this system. Whoever calls has opened screen and sound, or tried to."""
    release = _os_release(Path("/etc/os-release"))
    programs = gather_programs()
    return SystemFacts(
        on_a_pi=on_a_pi,
        name=release.get("PRETTY_NAME", platform.system()),
        codename=release.get("VERSION_CODENAME", ""),
        bits=64 if sys.maxsize > 2**32 else 32,
        programs=programs,
        libraries=gather_libraries(programs),
        driver=driver,
        tried=tried,
        silence=silence,
        service=(ask_program(["systemctl", "is-enabled", "engarde.service"]) or "").strip(),
        missing_groups=_missing_groups(),
    )


def gather_programs() -> dict[str, Program]:
    """Versions and paths of Python, of every library, and of the programs beside them."""
    programs = {"python": Program(platform.python_version(), sys.executable)}
    for name in (*LEAST, *ON_A_PI):
        programs[name] = _library(name)
    if not programs["pygame"].problem:
        import pygame

        programs["SDL"] = Program(".".join(map(str, pygame.get_sdl_version())), programs["pygame"].path)
    speaks = shutil.which("espeak-ng")
    programs["espeak-ng"] = Program("", speaks) if speaks else Program()
    return programs


def _library(name: str) -> Program:
    try:
        module = importlib.import_module(name)
    except Exception as error:  # a broken library raises whatever its C parts do
        return Program(problem=f"{type(error).__name__}: {error}")
    if name == "lgpio" and not hasattr(module, "gpiochip_open"):
        return Program(problem="an empty package; apt's python3-lgpio is the real one")
    version = str(getattr(module, "__version__", ""))
    if not version:
        try:
            version = importlib.metadata.version(_DISTRIBUTIONS.get(name, name))
        except importlib.metadata.PackageNotFoundError:
            version = "of unknown version"
    return Program(version, str(getattr(module, "__file__", "") or ""))


def _os_release(path: Path) -> dict[str, str]:
    try:
        text = path.read_text(encoding="utf-8")
    except OSError:
        return {}
    return {
        key: value.strip('"') for line in text.splitlines() for key, eq, value in [line.partition("=")] if eq == "="
    }


def _missing_groups() -> tuple[str, ...]:
    """Needed groups that exist and that this process is not in."""
    mine = {*os.getgroups(), os.getgid()}
    by_name = {group.gr_name: group.gr_gid for group in grp.getgrall()}
    return tuple(name for name in NEEDED_GROUPS if name in by_name and by_name[name] not in mine)
