"""The simulated table as an ordinary camera, and its buttons as ordinary buttons."""

from __future__ import annotations

import random
from collections.abc import Callable
from typing import Final, Protocol

from engine.players.players import Bot, GreedyBot
from engine.rules.events import MatchEvent
from engine.rules.track import BySide, Side
from engine.table.presses import Press
from firmware.extras.simulation.actors import Actors, Shown, Stage, Tick
from firmware.extras.simulation.director import Director
from firmware.table.loop.moment import Moment
from vision.frame import Frame
from vision.printed.table import Table
from vision.synthetic.camera import TYPICAL, Disturbances, camera_variant
from vision.synthetic.renderer import Renderer

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
    renderer = Renderer(table, camera_variant(table, seed), disturbances, seed)
    return SimulatedTable(director, renderer, tick_s=TICK_S, agree=agree)
