"""The mark of a first start, for which ``firmware/start.sh`` looks, and how the first start and the game hand over."""

from __future__ import annotations

import os
import sys
import threading
from collections.abc import Sequence
from contextlib import suppress
from pathlib import Path
from typing import Final, NoReturn

from firmware.core.config import data_folder
from firmware.core.io.files import read_text, write_state

STEPS: Final = ("language", "wifi", "aim", "measure", "lamps", "health", "names")
"""The steps of the page, in their order."""
FORGONE: Final = "forgone"
"""Written instead of a step once the first start was declined for good; a new first start begins anew."""


class StartMark:
    """A file with the step that was reached last, there from the first step until the players want to play.

    A data folder that cannot be written, as on a system that forgets, keeps nothing: then each start is the first.
    What ended it holds: a step that the page tells of in the same moment, from a thread of its own, is too late.
    """

    def __init__(self, path: Path) -> None:
        self._path = path
        self._lock = threading.Lock()

    @property
    def step(self) -> str:
        """The step to go on with; the first one where none can be read."""
        kept = self._kept()
        return kept if kept in STEPS else STEPS[0]

    def begin(self) -> None:
        """Set the mark; one that a power cut left keeps its step."""
        with self._lock:
            self._write(self.step)

    def reach(self, step: str) -> None:
        """Keep this step, where the mark is set and somebody wants it."""
        with self._lock:
            if self._path.exists() and self._kept() not in (step, FORGONE):
                self._write(step)

    def end(self) -> None:
        """Take the mark away: the first start is over."""
        with self._lock, suppress(OSError):
            self._path.unlink(missing_ok=True)

    def forgo(self) -> None:
        """Keep that the first start was declined: the printed table is played on as it is, unmeasured."""
        with self._lock:
            self._write(FORGONE)

    def _kept(self) -> str:
        try:
            return read_text(self._path).strip()
        except OSError:
            return ""

    def _write(self, step: str) -> None:
        with suppress(OSError):
            write_state(self._path, f"{step}\n")


def mark_path() -> Path:
    """``first-start`` in the user's data folder. Raises NoHomeError."""
    return data_folder() / "first-start"


def become(command: str, options: Sequence[str]) -> NoReturn:
    """Replace this process by ``engarde COMMAND`` with these options; release devices first."""
    sys.stdout.flush()
    os.execv(sys.executable, [sys.executable, "-m", "firmware", command, *options])
