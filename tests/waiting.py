"""Waiting for what a thread, a process or a connection does: however slow the machine is, only a hang fails a test."""

from __future__ import annotations

import queue
import time
from collections.abc import Callable
from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:
    from firmware.extras.club.publisher import Publisher

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


def all_sent(publisher: Publisher) -> bool:
    """Wait until all that a table told is with the broker; whether it is."""
    answers = queue.SimpleQueue[bool]()

    def nothing_left() -> bool:
        publisher._inbox.put(lambda: answers.put(not publisher._underway and not publisher._outbox.waiting()))
        return answers.get(timeout=HANG_S)

    return until(nothing_left)
