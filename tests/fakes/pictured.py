"""A camera whose frames a function makes."""

from __future__ import annotations

from collections.abc import Callable

from vision.frame import Frame


class Pictured:
    """A source that gives ``make(number)``, counted from 0; None ends it."""

    def __init__(self, make: Callable[[int], Frame | None]) -> None:
        self._make, self._read = make, 0
        self.closed = False

    def read(self) -> Frame | None:
        self._read += 1
        return self._make(self._read - 1)

    def close(self) -> None:
        self.closed = True
