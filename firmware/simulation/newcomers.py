"""Two who have just opened the box, at the simulated table: they take the lessons, then play their first game."""

from __future__ import annotations

import random

from engine.lessons.lesson import Telling
from engine.players.players import Bot, GreedyBot
from engine.rules.events import MatchEvent
from engine.rules.track import BySide
from firmware.loop.moment import Moment
from firmware.simulation.actors import Tick
from firmware.simulation.camera import SimulatedTable
from firmware.simulation.director import Director, Shown
from firmware.simulation.pupils import Pupils
from firmware.simulation.stage import Stage
from vision.printed.table import Table


class Newcomers:
    """Acts at a ``SimulatedTable``: ``pupils`` until the lessons are over, then ``director``, if a match begins."""

    def __init__(self, table: Table, rng: random.Random, tick_s: float, mistakes: float) -> None:
        """``mistakes`` is the chance of each likely mistake in a lesson; in the game it is a tenth of that a turn."""
        self._table = table
        self._rng = rng
        self._tick_s = tick_s
        self._mistakes = mistakes
        self.pupils = Pupils(table, rng, tick_s, mistakes=mistakes)
        self.director: Director | None = None

    @property
    def stage(self) -> Stage:
        """What lies and stands where now."""
        return self.pupils.stage

    def look(self, told: Telling, over: bool) -> None:
        """What the screen shows in a lesson, and whether the lessons are over."""
        self.pupils.look(told, over=over)

    def begin(self, match: MatchEvent) -> None:
        """From now on they play this match, at the table as it stands after the last lesson."""
        bots: BySide[Bot] = BySide(GreedyBot(), GreedyBot())
        self.director = Director(
            self._table,
            match,
            bots,
            self._rng,
            tick_s=self._tick_s,
            mistakes=self._mistakes / 10,
            stage=self.pupils.stage,
        )

    def tick(self, now_s: float, shown: Shown | None) -> Tick | None:
        """The table at ``now_s``; None when they are done. Raises StuckMatchError."""
        return self.pupils.act(now_s) if self.director is None else self.director.tick(now_s, shown)


class Watching:
    """An audience: lets players at a simulated table see how the match on the screen stands."""

    def __init__(self, camera: SimulatedTable) -> None:
        self._camera = camera

    def attend(self, moment: Moment) -> None:
        """Let them look."""
        self._camera.watch(Shown.of(moment.desk))
