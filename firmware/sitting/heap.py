"""One heap for all threads. Source: glibc's manual, "Malloc Tunable Parameters"."""

from __future__ import annotations

import ctypes
from typing import Final

_ARENA_MAX: Final = -8
"""``M_ARENA_MAX`` of glibc's ``malloc.h``."""


def share_one_heap() -> None:
    """Have threads that begin from now on take memory from the same heap as the first.

    By itself glibc gives each thread one of its own, and what a camera's pictures leave free in theirs is free to
    nobody else: some ten megabytes. With another C library nothing happens.
    """
    mallopt = getattr(ctypes.CDLL(None), "mallopt", None)
    if mallopt is not None:
        mallopt(_ARENA_MAX, 1)
