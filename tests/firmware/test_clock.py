"""Days, whatever a machine believes the time to be."""

from __future__ import annotations

from datetime import datetime

import pytest

from firmware.core.clock import FIRST_YEAR, calendar, day_number

NOON = datetime(2026, 7, 14, 12)


def test_a_day_has_one_number_and_the_next_has_the_next(monkeypatch: pytest.MonkeyPatch) -> None:
    found = []
    for hours in (-11, 0, 11, 24):
        monkeypatch.setattr("firmware.core.clock.time.time", lambda hours=hours: NOON.timestamp() + 3600.0 * hours)
        found.append(day_number() - NOON.toordinal())
    assert found == [0, 0, 0, 1]


@pytest.mark.parametrize("wall_s", [1e300, -1e300, 2.6e11, 0.0])
def test_a_clock_that_nobody_set_shows_the_first_day(wall_s: float, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("firmware.core.clock.time.time", lambda: wall_s)
    assert calendar(wall_s) is None
    assert day_number() == datetime(FIRST_YEAR, 1, 1).toordinal()
