"""Waiting for what a thread, a process or a connection does: however slow the machine is, only a hang fails a test."""

from __future__ import annotations

import time
from collections.abc import Callable
from typing import Final

HANG_S: Final = 300.0
"""The limit of every wait for something that comes: a hundred times what any of it takes on two idle cores."""


def until(holds: Callable[[], object]) -> bool:
    """Wait for it; whether it came."""
    end_s = time.monotonic() + HANG_S
    while time.monotonic() < end_s:
        if holds():
            return True
        time.sleep(0.01)
    return bool(holds())
