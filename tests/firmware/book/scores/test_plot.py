"""Plots: every value is in them, where it belongs, and nothing is wider than asked for."""

from __future__ import annotations

from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from firmware.book.scores.terminal import BLOCKS, PLAIN_BLOCKS, PlottedValue, chart, sparkline

VALUES = st.lists(st.floats(500, 2500), min_size=1, max_size=60)
READINGS = st.lists(
    st.builds(lambda value, reach: (value, value - reach, value + reach), st.floats(800, 2200), st.floats(0, 700)),
    min_size=1,
    max_size=40,
)


@given(VALUES, st.integers(1, 80), st.booleans())
def test_a_sparkline_is_as_long_as_it_may_be_and_ends_with_the_newest(
    values: list[float], width: int, signs: bool
) -> None:
    blocks = BLOCKS if signs else PLAIN_BLOCKS
    line = sparkline(values, min(values), max(values), width, signs=signs)
    assert len(line) == min(width, len(values))
    assert set(line) <= set(blocks)
    if len(set(values)) > 1:
        assert (line[-1] == blocks[-1]) or values[-1] < max(values)
        assert (line[-1] == blocks[0]) or values[-1] > min(values)


@given(VALUES)
def test_a_higher_value_never_has_a_lower_bar(values: list[float]) -> None:
    line = sparkline(values, min(values), max(values), len(values))
    bars = sorted(zip(values, (BLOCKS.index(sign) for sign in line), strict=True))
    assert [bar for _, bar in bars] == sorted(bar for _, bar in bars)


@given(READINGS, st.integers(10, 120), st.integers(4, 20), st.booleans())
def test_a_chart_keeps_to_its_size(readings: list[PlottedValue], width: int, height: int, signs: bool) -> None:
    lines = chart(readings, width, height, signs=signs)
    assert len(lines) == height
    assert all(len(line) <= max(30, width) for line in lines)
    if not signs:
        assert all(line.isascii() for line in lines)


def test_the_line_is_unbroken_and_on_its_scale() -> None:
    readings = [(value, value, value) for value in (1000.0,) * 3 + (1850.0,) * 2]
    lines = chart(readings, 30, 10, signs=False)
    columns = [
        {row for row, line in enumerate(lines) if line[column : column + 1] == "*"}
        for column in range(lines[0].index("|") + 1, 30)
    ]
    assert all(columns), "no column without a sign"
    assert columns[0] == {9}
    assert columns[-1] == {0}
    for left, right in pairwise(columns):
        assert min(right) <= max(left) + 1
        assert max(right) >= min(left) - 1


@pytest.mark.parametrize("signs", [True, False])
def test_one_value_is_a_level_line(signs: bool) -> None:
    lines = chart([(1500, 1000, 2000)], 60, 9, signs=signs)
    level = [number for number, line in enumerate(lines) if line.startswith("1500")]
    assert level == [4]
    marks = "*" if not signs else "⠉⠒⠤⣀"
    assert sum(lines[4].count(mark) for mark in marks) > 40


def test_the_scale_has_round_numbers() -> None:
    lines = chart([(1234, 900, 1900), (1611, 1511, 1711)], 80, 12)
    labels = [int(line.split("\u2502")[0]) for line in lines if line.split("\u2502")[0].strip()]
    assert labels == sorted(labels, reverse=True)
    assert labels == [1700, 1600, 1500, 1400, 1300]


def test_a_range_of_no_extent_is_drawn() -> None:
    assert len(chart([(1500, 1500, 1500)] * 3, 40, 6)) == 6
