"""The simulated table as an ordinary camera, and its buttons as ordinary buttons."""

from __future__ import annotations

import hashlib
import os
import random
from collections.abc import Callable, Iterator
from contextlib import suppress
from functools import cache
from importlib.resources import files
from typing import Final, Protocol

import cv2
import numpy as np

from engine.players.players import Bot, GreedyBot
from engine.rules.events import MatchEvent
from engine.rules.track import BySide, Side
from engine.table.presses import Press
from firmware.core.config import NoHomeError, cache_folder
from firmware.core.io.files import expect_file, write_state
from firmware.extras.simulation.actors import Actors, Shown, Stage, Tick
from firmware.extras.simulation.director import Director
from firmware.table.loop.moment import Moment
from vision.frame import Frame, Picture
from vision.printed.table import Table
from vision.synthetic.background import Paint, Size
from vision.synthetic.disturbances import TYPICAL, Disturbances
from vision.synthetic.poses import camera_variant
from vision.synthetic.renderer import Renderer

# The scenery is kept on disk, as painting it is most of the start: a digest, then the picture's bytes, named after the
# digest of all it is made from, the program's text among it; a spoilt file is painted anew.

_KEPT: Final = 4  # pictures: a camera and a window of two tables; nine megabytes each
_SUFFIX: Final = ".scenery"
_MADE_BY: Final = ("vision", "vision.printed", "vision.synthetic")
_DIGEST: Final = hashlib.sha256().digest_size


def kept_scenery(made_from: bytes, size: Size, paint: Paint) -> Picture:
    """The picture (height, width, 3) that ``paint`` makes of this: once, or each time where no disk keeps it."""
    try:
        path = cache_folder() / f"{hashlib.sha256(_program() + made_from).hexdigest()}{_SUFFIX}"
    except NoHomeError:
        return paint()
    width, height = size
    with suppress(OSError):
        expect_file(path, _DIGEST + width * height * 3)
        told, pixels = (content := path.read_bytes())[:_DIGEST], memoryview(content)[_DIGEST:]
        if hashlib.sha256(pixels).digest() == told and len(pixels) == width * height * 3:
            os.utime(path)
            return np.frombuffer(pixels, np.uint8).reshape(height, width, 3)
    picture = paint()
    with suppress(OSError):
        write_state(path, hashlib.sha256(picture.data).digest() + picture.tobytes())
        for old in sorted(path.parent.glob(f"*{_SUFFIX}"), key=lambda file: file.stat().st_mtime)[:-_KEPT]:
            old.unlink()
    return picture


@cache
def _program() -> bytes:
    """The digest of the text that paints, and of the libraries it paints with."""
    told = hashlib.sha256(f"{cv2.__version__} {np.__version__}".encode())
    for text in _texts():
        told.update(text)
    return told.digest()


def _texts() -> Iterator[bytes]:
    for package in _MADE_BY:
        for file in sorted(files(package).iterdir(), key=lambda file: file.name):
            if file.name.endswith(".py"):
                yield file.read_bytes()


TICK_S: Final = 0.2
"""The simulated camera takes five frames a second of the simulated time."""


class Players(Protocol):
    """People at the table: the next picture's worth of acting, after they saw ``shown``; None when they are done."""

    def tick(self, now_s: float, shown: Shown | None) -> Tick | None: ...


class SimulatedTable:
    """A ``Source`` of rendered frames and the ``Presses`` made at that table.

    The players look at the screen through ``attend``; nobody else is told anything.
    """

    def __init__(
        self,
        director: Players,
        renderer: Renderer,
        *,
        tick_s: float,
        agree: Callable[[MatchEvent], None] = lambda match: None,
    ) -> None:
        self.agree = agree
        self._director = director
        self._renderer = renderer
        self._tick_s = tick_s
        self._index = 0
        self._presses: tuple[Press, ...] = ()
        self._shown: Shown | None = None

    def attend(self, moment: Moment) -> None:
        """Show the players this screen from now on."""
        self._shown = Shown.of(moment.desk, moment.view)

    def read(self) -> Frame | None:
        """The next frame, or None when the players have finished their match."""
        t_s = round(self._index * self._tick_s, 6)
        tick = self._director.tick(t_s, self._shown)
        if tick is None:
            return None
        self._presses += tick.presses
        frame = self._renderer.render(tick.scene, self._index, t_s)
        self._index += 1
        return frame

    def due(self, now_s: float) -> tuple[Press, ...]:
        """The presses made until now, each handed out once."""
        due, self._presses = self._presses, ()
        return due

    def close(self) -> None:
        """Nothing to let go of."""


def unwatched_table(table: Table, seed: int) -> SimulatedTable:
    """The simulated table with two bots who have no screen to look at."""
    bots: BySide[Bot] = BySide(GreedyBot(), GreedyBot())
    match = MatchEvent("ferti-advanced", Side.WHITE)
    director = Director(table, match, bots, random.Random(seed), tick_s=TICK_S, watched=False)
    return simulated_table(table, director, TYPICAL, seed, director.agree)


def untouched_table(table: Table, seed: int) -> SimulatedTable:
    """The simulated table before a match: fencers on 1 and 23, nobody at it. There a camera is aimed, and measures."""
    rng = random.Random(seed)
    return simulated_table(table, Actors(table, rng, TICK_S, stage=Stage(table, rng)), TYPICAL, seed)


def simulated_table(
    table: Table,
    director: Players,
    disturbances: Disturbances,
    seed: int,
    agree: Callable[[MatchEvent], None] = lambda match: None,
) -> SimulatedTable:
    """The camera over a director's table; its pose is drawn from the seed. ``agree`` as in ``OpenCamera``."""
    renderer = Renderer(table, camera_variant(table, seed), disturbances, seed, kept_scenery)
    return SimulatedTable(director, renderer, tick_s=TICK_S, agree=agree)
