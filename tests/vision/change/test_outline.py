"""Of two pictures of a place it is told which of them shows a thing there, on any ground and in any light."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from vision.cells import Thumb
from vision.change.outline import shows_more

ROWS, COLUMNS = 80, 140
PART = np.zeros((ROWS, COLUMNS), np.bool_)
PART[30:, 50:72] = True


def cloth(seed: int, waves: float) -> Thumb:
    """A table, even or with a pattern of some cells."""
    rng = np.random.default_rng(seed)
    y, x = np.mgrid[0:ROWS, 0:COLUMNS]
    pattern = np.sin(x / rng.uniform(1.5, 4.0)) * np.sin(y / rng.uniform(1.5, 4.0))
    return np.asarray(110 + waves * pattern + rng.normal(0, 1.0, (ROWS, COLUMNS)), dtype=np.float32)


def with_arm(table: Thumb, tone: float) -> Thumb:
    return np.where(PART, np.float32(tone), table).astype(np.float32)


@pytest.mark.slow
@settings(max_examples=60, deadline=None)
@given(st.integers(0, 10_000), st.floats(0.0, 18.0), st.sampled_from([30.0, 60.0, 170.0, 200.0]))
def test_the_picture_with_the_arm_shows_its_outline(seed: int, waves: float, tone: float) -> None:
    table = cloth(seed, waves)
    arm = with_arm(table, tone)
    came, went = shows_more(PART, arm, table), shows_more(PART, table, arm)
    assert came is not None
    assert went is not None
    assert came > 0.25
    assert went < -0.25


@pytest.mark.parametrize("waves", [0.0, 15.0])
def test_light_that_grows_over_many_cells_has_no_outline(waves: float) -> None:
    table = cloth(3, waves)
    ramp = np.clip((np.arange(COLUMNS) - 20) / 100.0, 0.0, 1.0).astype(np.float32)
    said = shows_more(PART, (table * (1.0 + 0.5 * ramp)).astype(np.float32), table)
    assert said == 0.0
    assert shows_more(PART, table, table) == 0.0


@pytest.mark.parametrize("waves", [0.0, 15.0])
def test_a_mark_that_stands_in_light_without_a_border_gives_it_none(waves: float) -> None:
    """A tag, or a card that nobody read yet, black on white, in the glow of a lamp: one change, and no arm."""
    table = cloth(5, waves)
    y, x = np.mgrid[0:ROWS, 0:COLUMNS]
    glow = 60.0 * np.exp(-((x - 70.0) ** 2 + (y - 40.0) ** 2) / 900.0)
    lit = (table + glow).astype(np.float32)
    part = glow > 12.0
    part[36:44, 106:114] = True
    lit[36:44, 106:114] += 120.0
    assert shows_more(part, lit, table) == 0.0


def test_with_too_little_of_an_outline_left_nothing_is_said() -> None:
    table = cloth(1, 0.0)
    arm = with_arm(table, 200.0)
    assert shows_more(PART, arm, table, np.ones_like(PART)) is None
    beside = np.zeros_like(PART)
    beside[:, 61:] = True  # half of it is enough
    assert shows_more(PART, arm, table, beside) == pytest.approx(1.0, abs=0.1)
