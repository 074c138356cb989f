"""The system, programs and libraries with versions and paths, the screen, the sound, the service."""

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

from display.draw.screen import screen_drivers
from firmware.cli.doctor.findings import Check, Finding, Program, Text, joined, sentence
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
OPENBLAS: Final = "OpenBLAS"
REFERENCE: Final = "reference BLAS"
OPENBLAS_BY: Final = "sudo apt install libopenblas0-pthread"
_OTHER_BLAS: Final = {"mkl": "MKL", "blis": "BLIS", "atlas": "ATLAS"}
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
    silence: Text = ""
    service: str = ""
    missing_groups: tuple[str, ...] = ()
    libraries: Mapping[str, Program] = field(default_factory=dict)


def system_findings(facts: SystemFacts) -> Iterator[Finding]:
    """System, programs, screen, sound and, on a Pi, the service."""
    system = Check("system", expected="expected" if facts.on_a_pi else "anywhere")
    found = system("found", name=facts.name, bits=facts.bits)
    if facts.on_a_pi and facts.bits != 64:
        yield system.failed(found, system("bits"))
    elif facts.on_a_pi and facts.codename not in KNOWN_SYSTEMS:
        yield system.warned(found, system("untried"))
    else:
        yield system.passed(found)
    yield _programs(facts)
    screen = Check("screen")
    if facts.driver:
        yield screen.passed(screen("driven", driver=facts.driver))
    else:
        none = screen("none_opens", tried=", ".join(facts.tried)) if facts.tried else screen("none")
        yield screen.warned(none, screen("plug"))
    sound = Check("sound")
    if facts.silence:
        yield sound.warned(facts.silence, sound("plug"), "raspi-config; config.toml, [sound]")
    else:
        yield sound.passed(sound("plays"))
    if not facts.on_a_pi:
        return
    service = Check("service")
    if facts.missing_groups:
        yield service.failed(service("groups", groups=", ".join(facts.missing_groups)), service("join"), INSTALL)
    elif facts.service != "enabled":
        yield service.warned(service("found", state=facts.service or service("none")), service("install"), INSTALL)
    else:
        yield service.passed("enabled")


def _programs(facts: SystemFacts) -> Finding:
    least_known = ", ".join(f"{name} {'.'.join(map(str, least))}".strip() for name, least in LEAST.items())
    check, programs = Check("programs", wanted=least_known), facts.programs
    missing = [
        f"{name}: {programs[name].problem}" if name in programs else check("missing", name=name)
        for name in (*LEAST, *(ON_A_PI if facts.on_a_pi else ()))
        if name not in programs or programs[name].problem
    ]
    if missing:
        return check.failed(joined("; ", *missing), check("install"), f"{INSTALL}; make away from a Pi")
    old = [
        f"{name} {programs[name].version}"
        for name, least in LEAST.items()
        if version_numbers(programs[name].version) < least
    ]
    if old:
        return check.failed(check("old", names=", ".join(old)), check("upgrade"), "apt full-upgrade; make")
    if facts.on_a_pi and _mixed(programs):
        found = check("mixed", version=programs["numpy"].version)
        return Check("programs", expected="apt").warned(found, check("again"), f"rm -r .venv; {INSTALL}")
    blas = facts.libraries.get("blas", Program())
    if facts.on_a_pi and blas.version == REFERENCE:
        return Check("programs", "library", expected="blas").warned(blas.version, check("blas_cure"), OPENBLAS_BY)
    named = (f"{name} {program.version}".rstrip() for name, program in programs.items() if program.path)
    return check.passed(", ".join(named))


def library_findings(libraries: Mapping[str, Program], *, on_a_pi: bool) -> Iterator[Finding]:
    """A finding for each library whose build decides what a picture costs, as parts of the check ``programs``."""
    for name, library in libraries.items():
        check = Check("programs", "library", part=name, expected=name)
        found = " ".join(filter(None, (library.version, f"({library.path})" if library.path else "")))
        if name == "blas" and library.version == REFERENCE:
            yield check.warned(found, sentence("doctor.programs.blas_cure"), OPENBLAS_BY)
        elif found and not library.problem:
            yield check.passed(found)
        elif on_a_pi and name != "blas":
            missing = library.problem or sentence("doctor.programs.missing", name=name)
            yield check.failed(missing, sentence("doctor.programs.install"), INSTALL)
        else:
            yield check.passed(check("none"))


def version_numbers(version: str) -> tuple[int, ...]:
    """``4.6.0-dev`` as (4, 6, 0), to compare by."""
    found = re.match(r"\d+(?:\.\d+)*", version)
    return tuple(int(number) for number in found[0].split(".")) if found else ()


def _mixed(programs: Mapping[str, Program]) -> bool:
    """Whether apt's camera library meets a NumPy it was not built for: Bookworm's was built for NumPy 1."""
    numpy, camera = programs["numpy"], programs["picamera2"]
    foreign = "/dist-packages/" in camera.path and "/dist-packages/" not in numpy.path
    return foreign and programs["python"].version.startswith("3.11")


def blas_in_use(maps: Path = Path("/proc/self/maps")) -> Program:
    """The BLAS that NumPy multiplies with: its kind as ``version``, its file as ``path``; neither where none shows.

    A wheel of NumPy bundles OpenBLAS; apt's takes whatever the system calls libblas. Source: proc(5).
    """
    import numpy.linalg  # noqa: F401  # loads it

    try:
        mapped = {line.split()[-1] for line in maps.read_text(encoding="utf-8", errors="replace").splitlines() if line}
    except OSError:
        return Program()
    files = sorted(path for path in mapped if "blas" in Path(path).name.lower() or "mkl" in Path(path).name.lower())
    for file in files:
        if "openblas" in file.lower():
            return Program(OPENBLAS, file)
        other = next((name for word, name in _OTHER_BLAS.items() if word in file.lower()), None)
        if other is not None:
            return Program(other, file)
    return Program(REFERENCE, files[0]) if files else Program()


def gather_libraries(programs: Mapping[str, Program]) -> dict[str, Program]:
    """These libraries by the names that ``engarde doctor --json`` gives them; ``programs`` are all that were found."""
    return {
        "blas": blas_in_use(),
        "numpy": programs["numpy"],
        "opencv": programs["cv2"],
        "libcamera": Program(_said("dpkg-query", "--show", "--showformat", "${Version}", "python3-libcamera")),
        "picamera2": programs["picamera2"],
        "lgpio": programs["lgpio"],
    }


def gather_system(*, on_a_pi: bool, driver: str, silence: Text) -> SystemFacts:
    """The facts of this system; the caller has tried to open screen and sound."""
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
        tried=screen_drivers(),
        silence=silence,
        service=_said("systemctl", "is-enabled", "engarde.service"),
        missing_groups=_missing_groups(),
    )


def _said(*words: str) -> str:
    return (ask_program(list(words)) or "").strip()


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
    mine = {*os.getgroups(), os.getgid()}
    by_name = {group.gr_name: group.gr_gid for group in grp.getgrall()}
    return tuple(name for name in NEEDED_GROUPS if name in by_name and by_name[name] not in mine)
