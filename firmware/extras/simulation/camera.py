"""The simulated table as an ordinary camera, its buttons as ordinary buttons, and tables with people at them."""

from __future__ import annotations

import random
from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from typing import Final, Protocol

from engine.players.players import Bot, GreedyBot
from engine.rules.cards import DECK, Card
from engine.rules.events import MatchEvent
from engine.rules.track import BySide, Side
from engine.table.presses import Press
from firmware.extras.simulation.actors import Actors, Script, Shown, Stage, Tick
from firmware.extras.simulation.director import Director
from firmware.table.loop.moment import Moment
from vision.frame import Frame
from vision.printed.table import Table
from vision.printed.tags import TOKEN_LENGTH, TOKEN_LETTERS
from vision.synthetic.disturbances import TYPICAL, Disturbances
from vision.synthetic.poses import camera_variant
from vision.synthetic.renderer import Renderer
from vision.synthetic.scene import SceneCard

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


SHOWN_S: Final = 1.6
"""How long each side lies in sight once the hand is gone."""


def backs_by_lot(seed: int) -> dict[Card, str]:
    """A token for every card, the same for a seed: of a simulated deck."""
    rng = random.Random(f"backs {seed}")
    drawn: set[str] = set()
    while len(drawn) < len(DECK):
        drawn.add("".join(rng.choices(TOKEN_LETTERS, k=TOKEN_LENGTH)))
    return dict(zip(DECK, rng.sample(sorted(drawn), len(DECK)), strict=True))


class Showing(Actors):
    """Lays one card after the other face up, turns it over, and takes it away."""

    def __init__(
        self, table: Table, backs: Mapping[Card, str], rng: random.Random, order: Sequence[Card] = DECK
    ) -> None:
        super().__init__(table, rng, TICK_S)
        self._backs = backs
        self._script = self._shows(order)

    def _shows(self, order: Sequence[Card]) -> Script:
        yield from self._wait(1.6)
        for card in order:
            yield from self._show(card)
        yield from self._wait(8.0)

    def _show(self, card: Card) -> Script:
        x_mm, y_mm = self.stage.table.play_area.middle
        aside = self._rng.uniform(-60.0, 60.0), self._rng.uniform(-15.0, 15.0)
        turn = self._rng.gauss(0.0, 4.0) + self._rng.choice((0.0, 180.0))
        face = SceneCard(card, x_mm + aside[0], y_mm + aside[1], turn, back=self._backs[card])
        yield from self._lay(Side.WHITE, face)
        yield from self._withdraw(Side.WHITE)
        yield from self._wait(SHOWN_S)
        yield from self._take_back(Side.WHITE, card)
        moved = self._rng.uniform(-25.0, 25.0), self._rng.uniform(-8.0, 8.0)
        turned = replace(face, x_mm=face.x_mm + moved[0], y_mm=face.y_mm + moved[1], turn_deg=-turn, face_up=False)
        yield from self._lay(Side.WHITE, turned)
        yield from self._withdraw(Side.WHITE)
        yield from self._wait(SHOWN_S)
        yield from self._take_back(Side.WHITE, card)
        yield from self._withdraw(Side.WHITE)
        yield from self._wait(0.6)


def showing_table(table: Table, seed: int) -> SimulatedTable:
    """The simulated table with somebody who shows a deck; its backs are those of ``backs_by_lot(seed)``."""
    showing = Showing(table, backs_by_lot(seed), random.Random(seed))
    return simulated_table(table, showing, TYPICAL, seed)
