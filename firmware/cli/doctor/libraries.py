"""The libraries whose build decides what a picture costs and how camera and pins behave, one finding each."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Final

from firmware.cli.doctor.findings import Finding, Say, failed, passed, warned
from firmware.cli.doctor.machine import ask_program


@dataclass(frozen=True, slots=True)
class Program:
    """A library or program: its version and where it lies, or the ``problem`` that keeps it from being used."""

    version: str = ""
    path: str = ""
    problem: str = ""


OPENBLAS: Final = "OpenBLAS"
REFERENCE: Final = "reference BLAS"
OPENBLAS_BY: Final = "sudo apt install libopenblas0-pthread"
_OTHERS: Final = {"mkl": "MKL", "blis": "BLIS", "atlas": "ATLAS"}
_PACKAGES: Final = {"libcamera": "python3-libcamera"}


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
        other = next((name for word, name in _OTHERS.items() if word in file.lower()), None)
        if other is not None:
            return Program(other, file)
    return Program(REFERENCE, files[0]) if files else Program()


def gather_libraries(programs: Mapping[str, Program]) -> dict[str, Program]:
    """These libraries by the names that ``engarde doctor --json`` gives them; ``programs`` are all that were found."""
    return {
        "blas": blas_in_use(),
        "numpy": programs["numpy"],
        "opencv": programs["cv2"],
        **{name: Program(_packaged(package)) for name, package in _PACKAGES.items()},
        "picamera2": programs["picamera2"],
        "lgpio": programs["lgpio"],
    }


def library_findings(libraries: Mapping[str, Program], say: Say, *, on_a_pi: bool) -> Iterator[Finding]:
    """A finding for each, as parts of the check ``programs``: its version, and what it does and costs."""
    for name, library in libraries.items():
        yield replace(_finding(name, library, say, on_a_pi=on_a_pi), part=name)


def is_slow(blas: Program) -> bool:
    """Whether products of matrices cost many times what they could."""
    return blas.version == REFERENCE


def _finding(name: str, library: Program, say: Say, *, on_a_pi: bool) -> Finding:
    expected = say(f"doctor.library.{name}")
    found = " ".join(filter(None, (library.version, f"({library.path})" if library.path else "")))
    if name == "blas" and is_slow(library):
        return warned("programs", found, expected, say("doctor.programs.blas_cure"), OPENBLAS_BY)
    if found and not library.problem:
        return passed("programs", found, expected)
    if on_a_pi and name != "blas":
        missing = library.problem or say("doctor.programs.missing", name=name)
        return failed("programs", missing, expected, say("doctor.programs.install"), "sh firmware/install.sh")
    return passed("programs", say("doctor.library.none"), expected)


def _packaged(package: str) -> str:
    """The version of a Debian package that is installed, empty for none."""
    return (ask_program(["dpkg-query", "--show", "--showformat", "${Version}", package]) or "").strip()
