"""What ``make test-fast`` leaves out is marked, and what is marked is not what it is for."""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import cache
from pathlib import Path
from typing import NamedTuple

import pytest

TESTS = Path(__file__).parent

# A frame costs these a tenth of a second and more, and they look at many.
THE_EYES = "vision.eyes"
ALL_SLOW = ("films", "photo")
# Fixtures with which a test takes its time, whatever it does with them.
TAKES_TIME = {"club": "a broker that runs, and a hall", "at_window": "somebody plays at the simulated table"}


class Case(NamedTuple):
    """A test as it is written: its name, what it asks for, and whether a mark of its own calls it slow."""

    name: str
    asks: frozenset[str]
    slow: bool


@cache
def text_of(path: Path) -> str:
    return path.read_text(encoding="utf-8")


def files() -> list[Path]:
    return sorted(TESTS.rglob("test_*.py"))


def named(path: Path) -> str:
    return path.relative_to(TESTS).as_posix()


def wholly_slow(path: Path) -> bool:
    """Whether ``pytestmark`` marks everything in the file."""
    return re.search(r"^pytestmark = (.*|\[[^\]]*)\bslow\b", text_of(path), re.MULTILINE) is not None


def cases_of(path: Path) -> Iterator[Case]:
    """The tests of a file, by its text: two lines are empty before each, and to take all files apart takes a second."""
    for part in text_of(path).split("\n\n\n"):
        if found := re.search(r"^def (test_\w+)\(([^)]*)\)", part, re.MULTILINE):
            asks = frozenset(re.findall(r"\b(\w+):", found[2]))
            yield Case(found[1], asks, "mark.slow" in part[: found.start()])


def imports(path: Path, module: str) -> bool:
    return re.search(rf"^ *from {re.escape(module)} import ", text_of(path), re.MULTILINE) is not None


def test_whatever_looks_at_frames_is_marked_slow() -> None:
    looking = [path for path in files() if imports(path, THE_EYES) or path.parent.name in ALL_SLOW]
    assert len(looking) > 8
    assert [named(path) for path in looking if not wholly_slow(path)] == []


def test_whoever_needs_what_takes_its_time_is_marked_slow() -> None:
    asking = {
        f"{named(path)} {test.name}": wholly_slow(path) or test.slow
        for path in files()
        for test in cases_of(path)
        if TAKES_TIME.keys() & test.asks
    }
    assert len(asking) > 20
    assert [case for case, slow in asking.items() if not slow] == []


def test_what_answers_at_once_is_most_of_it_and_every_room_has_some() -> None:
    """Else the fast tests would soon say nothing."""
    fast = [path for path in files() if not wholly_slow(path)]
    left = {path: [test for test in cases_of(path) if not test.slow] for path in fast}
    assert [named(path) for path in fast if not left[path]] == []
    assert sum(map(len, left.values())) > 0.65 * sum(len(list(cases_of(path))) for path in files())
    rooms = {path.parent for path in files()} - {TESTS / name for name in ALL_SLOW}
    assert rooms - {path.parent for path in fast} == set()


@pytest.mark.parametrize("package", ["engine", "golden", "perft"])
def test_the_rules_are_wholly_among_the_fast_ones(package: str) -> None:
    slow = [named(path) for path in (TESTS / package).rglob("test_*.py") if wholly_slow(path)]
    assert slow == []
