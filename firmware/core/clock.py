"""Time, handed in: nothing else in the firmware asks the system what time it is."""

from __future__ import annotations

import time
from datetime import datetime
from typing import Final, Protocol

FIRST_YEAR: Final = 2026
"""A machine that believes in an earlier year has no clock: a Pi without a network starts in the past."""


class Clock(Protocol):
    """Two times: one that only goes forward, and the calendar's, which may jump (a Pi starts without it)."""

    def now_s(self) -> float:
        """Seconds since some moment; never goes back."""
        ...

    def wall_s(self) -> float:
        """Seconds since 1970 as the system believes. For people to read, never to order by."""
        ...


class SystemClock:
    """The machine's own clock; ``now_s`` begins at 0 when this is made."""

    def __init__(self) -> None:
        self._began_s = time.monotonic()

    def now_s(self) -> float:
        return time.monotonic() - self._began_s

    def wall_s(self) -> float:
        return time.time()


def day_number() -> int:
    """Today, counted in days from the calendar's first; the same all day long, and one more tomorrow.

    Where the machine has no clock, or one that shows no year, it is always the first day of ``FIRST_YEAR``.
    """
    return (calendar(time.time()) or datetime(FIRST_YEAR, 1, 1)).toordinal()


def day_text(wall_s: float) -> str:
    """The day of this time as 2026-11-24; empty where the machine cannot have known it."""
    when = calendar(wall_s)
    return "" if when is None else when.date().isoformat()


def calendar(wall_s: float) -> datetime | None:
    """A time in the book as local time for people; None where the machine cannot have known it."""
    try:
        when = datetime.fromtimestamp(wall_s)
    except (ValueError, OverflowError, OSError):
        return None
    return when if when.year >= FIRST_YEAR else None
