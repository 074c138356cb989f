"""The simulated table as an ordinary camera, and its buttons as ordinary buttons."""

from __future__ import annotations

from typing import Protocol

from firmware.panel.buttons import Press
from firmware.simulation.actors import Tick
from firmware.simulation.director import Shown
from vision.frame import Frame
from vision.synthetic.renderer import Renderer


class Players(Protocol):
    """Whoever acts at the table: the next picture's worth of it, after they saw ``shown``; None when they are done."""

    def tick(self, now_s: float, shown: Shown | None) -> Tick | None: ...


class SimulatedTable:
    """A ``Source`` of rendered frames and the ``Presses`` made at that table.

    The players look at the screen through ``watch``; nobody else is told anything.
    """

    def __init__(self, director: Players, renderer: Renderer, *, tick_s: float) -> None:
        self._director = director
        self._renderer = renderer
        self._tick_s = tick_s
        self._index = 0
        self._presses: tuple[Press, ...] = ()
        self._shown: Shown | None = None

    def watch(self, shown: Shown) -> None:
        """What the players see on the screen from now on."""
        self._shown = shown

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
