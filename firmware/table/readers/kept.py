"""Pictures on which a reader hung or crashed, kept beside the scorebook for whoever wants to report them."""

from __future__ import annotations

import time
from collections.abc import Callable
from pathlib import Path

import cv2

from firmware.core.io.kept import keep_among
from firmware.table.readers.guard import Guard, Mishap


def pictures_beside(book: Path) -> Path:
    """The folder for such pictures beside this scorebook."""
    return book.with_name("unread-pictures")


def guard_beside(book: Path, say: Callable[[str], None]) -> Guard:
    """A guard that keeps such pictures beside this scorebook, and says so."""
    return Guard(KeptPictures(pictures_beside(book), say))


class KeptPictures:
    """Writes the picture of each mishap into a folder, the oldest giving way, and says so once for each reader."""

    def __init__(self, folder: Path, say: Callable[[str], None], wall_s: Callable[[], float] = time.time) -> None:
        self._folder, self._say, self._wall_s = folder, say, wall_s
        self._said: set[str] = set()

    def __call__(self, mishap: Mishap) -> None:
        path = self._write(mishap)
        if mishap.reader in self._said:
            return
        self._said.add(mishap.reader)
        where = f"; the picture is kept as {path}" if path is not None else ""
        self._say(f"the reader {mishap.reader} {mishap.fate.value} ({mishap.said}) and rests a while{where}")

    def _write(self, mishap: Mishap) -> Path | None:
        """The picture's file; None where it cannot be written, which is no reason to stop a game."""
        at = time.strftime("%Y%m%d-%H%M%S", time.gmtime(self._wall_s()))
        try:
            picture = cv2.imencode(".png", mishap.picture)[1].tobytes()
        except cv2.error:
            return None
        return keep_among(self._folder, f"{at}-{mishap.reader}-{mishap.fate.value}", {".png": picture})
