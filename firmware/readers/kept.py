"""Pictures on which a reader hung or crashed, kept beside the scorebook for whoever wants to report them."""

from __future__ import annotations

import time
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Final

import cv2

from firmware.io.files import write_state
from firmware.readers.guard import Guard, Mishap

MOST_KEPT: Final = 20


def pictures_beside(book: Path) -> Path:
    """The folder for such pictures beside this scorebook."""
    return book.with_name("unread-pictures")


def reports_beside(book: Path) -> Path:
    """The folder for reports of what failed in the middle of a game, beside this scorebook."""
    return book.with_name("reports")


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


def keep_among(folder: Path, name: str, files: Mapping[str, bytes]) -> Path | None:
    """Keep these files, by their endings, for their owner alone; the first one's path, None where that cannot be.

    Of each ending the oldest give way.
    """
    try:
        for ending, data in files.items():
            path = folder / f"{name}{ending}"
            write_state(path, data)
            # The newest by what was written last: a clock may have been years ahead once.
            for old in [each for each in kept_in(folder, ending) if each != path][: 1 - MOST_KEPT]:
                old.unlink(missing_ok=True)
    except OSError:
        return None
    return folder / f"{name}{next(iter(files))}"


def kept_in(folder: Path, ending: str = ".png") -> list[Path]:
    """The kept files of this ending, the oldest first; none where nothing was ever kept."""
    return sorted(folder.glob(f"*{ending}"))
