"""Time, handed in: nothing else in the firmware asks the system what time it is."""

from __future__ import annotations

import time
from dataclasses import dataclass
from typing import Protocol


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


@dataclass(slots=True)
class SetClock:
    """A clock that stands still until it is set: for the demo, recordings and tests."""

    now: float = 0.0
    wall: float = 0.0

    def now_s(self) -> float:
        return self.now

    def wall_s(self) -> float:
        return self.wall
