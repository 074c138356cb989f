"""Every number of the eyes says where it comes from, beside it or in `vision/NUMBERS.md`."""

from __future__ import annotations

from importlib import import_module

import pytest
from eyes_numbers import all_numbers, numbers_of, rows

pytestmark = pytest.mark.slow

DRAWN = ("sheets/", "synthetic/")
"""Whose numbers are the drawing itself."""


def test_no_number_stands_without_a_reason() -> None:
    tried = {(row.file, row.name) for row in rows()}
    bare = [each for each in all_numbers() if not each.said and not each.file.startswith(DRAWN)]
    assert [
        f"vision/{each.file}:{each.line}: {each.name}" for each in bare if (each.file, each.name) not in tried
    ] == []


def test_every_row_is_of_a_number_that_lies_between_what_was_tried() -> None:
    bare = {(each.file, each.name) for each in all_numbers() if not each.said}
    assert len(rows()) > 30
    for row in rows():
        assert (row.file, row.name) in bare, f"{row.file} {row.name}: gone, or says its reason itself; drop the row"
        module = import_module("vision." + row.file.removesuffix(".py").replace("/", "."))
        today, least, most = getattr(module, row.name), _numbers(row.least), _numbers(row.most)
        parts = today if isinstance(today, tuple) else (today,)
        for part, low, high in zip(parts, least, most, strict=True):
            again = f"{row.file} {row.name} is {today}: run tests/bench/bench_constants.py --files {row.file} --write"
            assert min(low, high) <= part <= max(low, high), again


def _numbers(text: str) -> list[float]:
    return [float(part) for part in text.strip("()").split(",")]


@pytest.mark.parametrize(
    ("source", "said"),
    [
        ("A: Final = 3", False),
        ("A: Final = 3  # of 255", True),
        ("# Shares of white.\nB = 1\nA: Final = 3", True),
        ("# Of something else.\nB = 1\n\nA: Final = 3", False),
        ('A: Final = -3.5\n"""Millimetres."""', True),
        ("A: Final = 7.0 / OTHER", False),
        ("A: Final = (1.0, 2.0)", False),
    ],
)
def test_what_counts_as_a_reason(source: str, said: bool) -> None:
    assert [(each.name, each.said) for each in numbers_of("a.py", source)][-1] == ("A", said)


@pytest.mark.parametrize("source", ["A: Final = OTHER", "A = True", 'A = "3"', "def f():\n    A = 3", "A: int"])
def test_what_is_no_number(source: str) -> None:
    assert list(numbers_of("a.py", source)) == []
