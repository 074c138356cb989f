"""Tests lie where what they test lies, so that either is found by the other."""

from __future__ import annotations

from pathlib import Path
from typing import Final

import pytest

TESTS: Final = Path(__file__).parent
ROOT: Final = TESTS.parent
TREES: Final = ("engine", "vision", "display", "firmware", "hardware")
ACROSS: Final = {"bench", "faults", "films", "golden", "perft", "photo"}
"""Tests of the whole, which belong to no one folder."""
TESTED_ELSEWHERE: Final = {
    "firmware/workshop/guide": "tests/hardware",  # these two make what lies in hardware/
    "firmware/workshop/release": "tests/hardware",
}


def folders_in(place: Path, pattern: str) -> set[str]:
    """Every folder with such a file, as a path from ``place``."""
    return {path.parent.relative_to(place).as_posix() for path in place.rglob(pattern)}


def is_there(folder: str) -> bool:
    """Whether the project has this folder, or the one script of this name that many tests are about."""
    place = ROOT / folder
    return place.is_dir() or any(place.with_suffix(suffix).is_file() for suffix in (".py", ".sh"))


def test_every_folder_of_tests_is_a_folder_of_what_it_tests() -> None:
    tested = {folder for folder in folders_in(TESTS, "test_*.py") if folder.split("/")[0] not in {*ACROSS, "."}}
    assert {folder.split("/")[0] for folder in tested} == set(TREES)
    assert sorted(folder for folder in tested if not is_there(folder)) == []
    assert sorted(name for name in ACROSS if (ROOT / name).exists() or not (TESTS / name).is_dir()) == []


@pytest.mark.parametrize("package", [tree for tree in TREES if tree != "hardware"])
def test_every_folder_with_code_has_its_tests(package: str) -> None:
    rooms = {f"{package}/{folder}" for folder in folders_in(ROOT / package, "*.py")}
    tested = folders_in(TESTS, "test_*.py")
    assert len(rooms) > 6
    assert {room for room in rooms if room not in tested and f"{package}/." != room} == {
        room for room in TESTED_ELSEWHERE if room.startswith(f"{package}/")
    }


def test_what_is_tested_elsewhere_is_tested_there() -> None:
    for room, tests in TESTED_ELSEWHERE.items():
        module = room.replace("/", ".")
        assert any(module in path.read_text(encoding="utf-8") for path in (ROOT / tests).glob("test_*.py")), room
