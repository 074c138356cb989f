"""Asks the readers of pictures in another process, and gives up on whichever does not answer in time.

A reader that hangs is ended, one that crashes is gone, and the next question goes to a fresh process. The reader that
failed then rests for a while, so that a picture on which it hangs every time does not cost a deadline in every frame;
the other one reads meanwhile.

The processes come from a server that has loaded the libraries once and forks (``multiprocessing``'s fork server): a
fresh one is there in some hundredths of a second, and shares its memory with the server.
"""

from __future__ import annotations

import multiprocessing
import time
from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass
from enum import Enum
from multiprocessing.connection import Connection
from multiprocessing.context import ForkServerProcess
from typing import Any, Final

import numpy as np

from firmware.readers.worker import work
from vision.frame import Picture

READERS: Final = "vision.marks.foreign"
DEADLINE_S: Final = 0.75  # on a Raspberry Pi 4 the slowest question, a whole picture, takes about a fifth of that
_START_S: Final = 20.0
_AGAIN_S: Final = 1.0
_FIRST_REST_S: Final = 5.0
_LONGEST_REST_S: Final = 120.0


class Fate(Enum):
    """What became of a reader."""

    HUNG = "hung"
    CRASHED = "crashed"
    STUMBLED = "stumbled"


@dataclass(frozen=True, slots=True, eq=False)
class Mishap:
    """A reader that gave no answer: its name, what became of it, what it said, and the picture it was looking at."""

    reader: str
    fate: Fate
    said: str
    picture: Picture


@dataclass(frozen=True, slots=True)
class _Rest:
    until_s: float
    last_s: float


class Guard:
    """``guard(name, picture, *how)`` is what ``vision.marks.foreign.FUNCTIONS`` gives, or None past the deadline.

    ``told`` hears of every mishap. ``close`` when nothing more is to be read.
    """

    def __init__(
        self,
        told: Callable[[Mishap], None] = lambda mishap: None,
        *,
        deadline_s: float = DEADLINE_S,
        module: str = READERS,
        now_s: Callable[[], float] = time.monotonic,
    ) -> None:
        self._told, self._deadline_s, self._module, self._now_s = told, deadline_s, module, now_s
        self._rests: dict[str, _Rest] = {}
        self._context = multiprocessing.get_context("forkserver")
        self._context.set_forkserver_preload([module, "zxingcpp", "pyzbar.pyzbar"])
        self._process: ForkServerProcess | None = None
        self._link: Connection | None = None
        self._begin(_START_S)

    def __call__(self, name: str, y: Picture, *how: object) -> Any | None:
        rest = self._rests.get(name)
        if rest is not None and self._now_s() < rest.until_s:
            return None
        if self._link is None and not self._begin(_AGAIN_S):
            return None
        assert self._link is not None
        try:
            self._link.send((name, y.shape, how))
            self._link.send_bytes(np.ascontiguousarray(y).reshape(-1).data)
            if not self._link.poll(self._deadline_s):
                self._mishap(name, Fate.HUNG, f"no answer within {self._deadline_s:g} s", y)
                return None
            ended, answer = self._link.recv()
        except (EOFError, OSError):
            self._mishap(name, Fate.CRASHED, "its process ended", y)
            return None
        if not ended:
            self._mishap(name, Fate.STUMBLED, str(answer), y)
            return None
        self._rests.pop(name, None)
        return answer

    def close(self) -> None:
        """End the readers' process."""
        self._end()

    def _begin(self, within_s: float) -> bool:
        ours, theirs = self._context.Pipe()
        process = self._context.Process(target=work, args=(theirs, self._module), name="readers", daemon=True)
        process.start()
        theirs.close()
        self._process, self._link = process, ours
        with suppress(EOFError, OSError):
            if ours.poll(within_s):
                ours.recv()
                return True
        self._end()
        return False

    def _end(self) -> None:
        if self._link is not None:
            self._link.close()
        if self._process is not None:
            self._process.kill()
            self._process.join(_AGAIN_S)
            if self._process.exitcode is not None:
                self._process.close()
        self._link = self._process = None

    def _mishap(self, name: str, fate: Fate, said: str, y: Picture) -> None:
        rest = self._rests.get(name)
        last_s = _FIRST_REST_S if rest is None else min(2 * rest.last_s, _LONGEST_REST_S)
        self._rests[name] = _Rest(self._now_s() + last_s, last_s)
        if fate is not Fate.STUMBLED:
            self._end()
        self._told(Mishap(name, fate, said, y.copy()))
