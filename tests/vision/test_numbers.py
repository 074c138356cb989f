"""Every number of the eyes says where it comes from, or what notices another in `vision/NUMBERS.md`."""

from __future__ import annotations

import ast
from importlib import import_module

import pytest
from eyes_numbers import NOTHING, NUMBERS, READ, all_numbers, numbers_of, rows

pytestmark = pytest.mark.slow

DRAWN = ("sheets/", "synthetic/")
"""Whose numbers are the drawing itself."""
WHOLE = READ
"""Rooms of which each number was tried."""
AGAIN = "run tests/bench/bench_constants.py --write for its file"


def test_no_number_stands_without_a_reason() -> None:
    tried = {(row.file, row.name) for row in rows()}
    bare = [each for each in all_numbers() if not each.said and not each.file.startswith((*DRAWN, *WHOLE))]
    assert [
        f"vision/{each.file}:{each.line}: {each.name}" for each in bare if (each.file, each.name) not in tried
    ] == []


def test_every_number_of_a_room_that_was_tried_whole_has_its_row_and_no_row_is_of_a_number_that_went() -> None:
    numbers, tried = {(each.file, each.name) for each in all_numbers()}, {(row.file, row.name) for row in rows()}
    assert sorted(each for each in numbers - tried if each[0].startswith(WHOLE)) == [], AGAIN
    assert sorted(tried - numbers) == [], AGAIN
    for row in rows():
        module = import_module("vision." + row.file.removesuffix(".py").replace("/", "."))
        today = getattr(module, row.name)
        assert today == pytest.approx(ast.literal_eval(row.value), rel=1e-5), f"{row.file} {row.name}: {AGAIN}"


def test_the_share_that_nothing_notices_is_told() -> None:
    unnoticed = sum(row.halved == row.doubled == NOTHING for row in rows())
    assert f"**{unnoticed} of {len(rows())}, " in NUMBERS.read_text(encoding="utf-8")
    assert unnoticed < 0.5 * len(rows())


@pytest.mark.parametrize(
    ("source", "said"),
    [
        ("A: Final = 3", False),
        ("A: Final = 3  # of 255", True),
        ("# Shares of white.\nB = 1\nA: Final = 3", True),
        ("# Of something else.\nB = 1\n\nA: Final = 3", False),
        ('A: Final = -3.5\n"""Millimetres."""', True),
        ("A: Final = math.radians(6.0)", False),
        ("A: Final = (1.0, 2.0)", False),
    ],
)
def test_what_counts_as_a_reason(source: str, said: bool) -> None:
    assert [(each.name, each.said) for each in numbers_of("a.py", source)][-1] == ("A", said)


@pytest.mark.parametrize(
    "source",
    [
        "A: Final = OTHER",
        "A: Final = 7.0 / OTHER",
        "A: Final = math.ceil(2 * OTHER)",
        "A = True",
        'A = "3"',
        "def f():\n    A = 3",
        "A: int",
    ],
)
def test_what_is_no_number(source: str) -> None:
    assert list(numbers_of("a.py", source)) == []
