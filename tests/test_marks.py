"""What ``make test-fast`` leaves out is marked, and what is marked is not what it is for."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from functools import cache
from pathlib import Path

import pytest

TESTS = Path(__file__).parent

# A frame costs these a tenth of a second and more, and they look at many.
THE_EYES = "vision.eyes"
ALL_SLOW = ("films", "photo")
# Fixtures with which a test takes its time, whatever it does with them.
TAKES_TIME = {"club": "a broker that runs, and a hall", "at_window": "somebody plays at the simulated table"}


@cache
def tree_of(path: Path) -> ast.Module:
    return ast.parse(path.read_text(encoding="utf-8"))


def files() -> list[Path]:
    return sorted(TESTS.rglob("test_*.py"))


def named(path: Path) -> str:
    return path.relative_to(TESTS).as_posix()


def is_slow(node: ast.AST) -> bool:
    return any(isinstance(each, ast.Attribute) and each.attr == "slow" for each in ast.walk(node))


def wholly_slow(path: Path) -> bool:
    """Whether ``pytestmark`` marks everything in the file."""
    return any(
        is_slow(node.value)
        for node in tree_of(path).body
        if isinstance(node, ast.Assign) and ast.unparse(node.targets[0]) == "pytestmark"
    )


def cases_of(path: Path) -> Iterator[ast.FunctionDef]:
    for node in tree_of(path).body:
        if isinstance(node, ast.FunctionDef) and node.name.startswith("test_"):
            yield node


def imports(path: Path, module: str) -> bool:
    if module not in path.read_text(encoding="utf-8"):
        return False  # most files: to walk through them takes longer than all else here
    return any(isinstance(node, ast.ImportFrom) and node.module == module for node in ast.walk(tree_of(path)))


def test_whatever_looks_at_frames_is_marked_slow() -> None:
    looking = [path for path in files() if imports(path, THE_EYES) or path.parent.name in ALL_SLOW]
    assert len(looking) > 8
    assert [named(path) for path in looking if not wholly_slow(path)] == []


def test_whoever_needs_what_takes_its_time_is_marked_slow() -> None:
    asking = {
        f"{named(path)} {test.name}": wholly_slow(path) or any(map(is_slow, test.decorator_list))
        for path in files()
        for test in cases_of(path)
        if TAKES_TIME.keys() & {argument.arg for argument in test.args.args}
    }
    assert len(asking) > 20
    assert [case for case, slow in asking.items() if not slow] == []


def test_what_answers_at_once_is_most_of_it_and_every_room_has_some() -> None:
    """Else the fast tests would soon say nothing."""
    fast = [path for path in files() if not wholly_slow(path)]
    left = {path: [test for test in cases_of(path) if not any(map(is_slow, test.decorator_list))] for path in fast}
    assert [named(path) for path in fast if not left[path]] == []
    assert sum(map(len, left.values())) > 0.65 * sum(len(list(cases_of(path))) for path in files())
    rooms = {path.parent for path in files()} - {TESTS / name for name in ALL_SLOW}
    assert rooms - {path.parent for path in fast} == set()


@pytest.mark.parametrize("package", ["engine", "golden", "perft"])
def test_the_rules_are_wholly_among_the_fast_ones(package: str) -> None:
    slow = [named(path) for path in (TESTS / package).rglob("test_*.py") if wholly_slow(path)]
    assert slow == []
