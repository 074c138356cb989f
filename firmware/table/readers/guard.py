"""Asks the readers of pictures in another process, and gives up on one that hangs.

The reader that failed then rests for a while, so that a picture on which it hangs every time does not hold up every
frame; the other one reads meanwhile. Where nobody reads in its place, because the other one rests too or for the finder
of markers, which has none, it is asked again after a second at the latest.
"""

from __future__ import annotations

import time
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final

import cv2

from firmware.core.io.files import keep_among
from firmware.table.readers.apart import READERS, Apart, Fate, NoAnswerError
from firmware.table.readers.progress import Limits
from vision.frame import Picture
from vision.marks.foreign import ZBAR, ZXING

ASLEEP_S: Final = 0.75
"""Readers wait for nothing: one that sleeps so long is stuck. Reading libraries back from a card counts as work."""
WAIT_S: Final = 5.0
"""The game goes on without the answer then. At load 30 on two cores a whole picture takes a Pi 4 four seconds."""
CPU_S: Final = 0.3
CPU_S_PER_MEGAPIXEL: Final = 0.4
"""The slowest question (zbar, 590 million instructions for 3 megapixels) takes the slowest Pi, a Zero 2 W, up to 0.43 s
a megapixel; all others take a third of that at most. Counted under emulation; ``CPU_S`` is for what takes no pixels."""
_FIRST_REST_S: Final = 5.0
_MAX_REST_S: Final = 120.0
_ALONE_REST_S: Final = 1.0
_STANDS_IN: Final = {ZXING: ZBAR, ZBAR: ZXING}


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


def limits_for(y: Picture) -> Limits:
    """The limits of a question about this picture."""
    return Limits(CPU_S + CPU_S_PER_MEGAPIXEL * y.size / 1e6, ASLEEP_S, WAIT_S)


class Guard:
    """``guard(name, picture, *how)`` is what ``vision.marks.foreign.FUNCTIONS`` gives, or None without an answer.

    ``told`` hears of every mishap. ``close`` when nothing more is to be read.
    """

    def __init__(
        self,
        told: Callable[[Mishap], None] = lambda mishap: None,
        *,
        module: str = READERS,
        now_s: Callable[[], float] = time.monotonic,
    ) -> None:
        self._told, self._now_s = told, now_s
        self._rests: dict[str, _Rest] = {}
        self._apart = Apart(module)

    def __call__(self, name: str, y: Picture, *how: object) -> Any | None:
        rest = self._rests.get(name)
        if rest is not None and self._now_s() < rest.until_s:
            return None
        try:
            answer = self._apart.ask(limits_for(y), name, y, *how)
        except NoAnswerError as error:
            # Following one that crashed or hung, or kept from its work by others: it is not to blame.
            if error.fate in (Fate.BEGINNING, Fate.BUSY):
                return None
            if error.earlier is not None and error.earlier.y is not None:
                name, y = error.earlier.name, error.earlier.y
            self._rests[name] = self._rest_after(name, self._rests.get(name))
            self._told(Mishap(name, error.fate, str(error), y.copy()))
            return None
        self._rests.pop(name, None)
        return answer

    def _rest_after(self, name: str, before: _Rest | None) -> _Rest:
        """How long it rests now: while nobody reads in its place no longer than people wait for a word."""
        now_s, stand_in = self._now_s(), _STANDS_IN.get(name)
        if before is None and stand_in is None:
            return _Rest(now_s, 0.0)
        other = None if stand_in is None else self._rests.get(stand_in)
        alone = stand_in is None or (other is not None and now_s < other.until_s)
        last_s = _FIRST_REST_S if before is None else max(_FIRST_REST_S, min(2 * before.last_s, _MAX_REST_S))
        last_s = min(last_s, _ALONE_REST_S) if alone else last_s
        return _Rest(now_s + last_s, last_s)

    def close(self) -> None:
        """End the readers' process."""
        self._apart.close()


# Pictures on which a reader hung or crashed, kept beside the scorebook for whoever wants to report them.


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
