"""People at the simulated table: their hands, which take time, and the buttons they press.

What they do is a script that goes on by one picture at a time. Who plays a match and who takes a lesson do the same
with their hands.
"""

from __future__ import annotations

import random
from collections.abc import Iterator
from dataclasses import dataclass, replace

from display.view import ViewModel
from engine.companion.companion import Instruction
from engine.rules.cards import Card
from engine.rules.events import TurnEvent
from engine.rules.state import PublicState
from engine.rules.track import Side
from engine.table.desk import Desk
from engine.table.presses import Press
from firmware.extras.simulation.stage import ELBOW_X_MM, HAND_Y_MM, PILE_X_MM, PILE_Y_MM, REST_Y_MM, Stage
from vision.printed.table import Table
from vision.synthetic.scene import Scene, SceneCard, SceneFigure

Script = Iterator[None]


@dataclass(frozen=True, slots=True)
class Tick:
    """One picture's worth of acting: the table, and the buttons that went down."""

    scene: Scene
    presses: tuple[Press, ...]


@dataclass(frozen=True, slots=True)
class Shown:
    """The screen as a player sees it: how many verdicts it gave, whether the last was an acceptance, the game.

    ``words`` are those of the verdict band and the panel; ``companion`` is what they ask for where they are the
    companion's, so that nobody has to read them to follow it.
    """

    verdicts: int
    ok: bool
    state: PublicState | None
    words: str = ""
    companion: Instruction | None = None

    @staticmethod
    def of(desk: Desk, view: ViewModel | None = None) -> Shown:
        """A player's view of this desk, and of this screen."""
        ok = desk.ruling is not None and desk.ruling.ok
        if view is None:
            return Shown(desk.verdicts, ok, desk.state)
        lines = [view.verdict.headline, view.verdict.detail]
        lines += [line.text for line in view.panel.lines] if view.panel is not None else []
        return Shown(desk.verdicts, ok, desk.state, "\n".join(lines), view.companion)


class StuckMatchError(RuntimeError):
    """It cannot go on: the referee gave no verdict, or not the true one, however often it was shown again."""


class Actors:
    """Moves the simulated table on by one picture at a time. Who inherits from this writes ``_script``."""

    def __init__(self, table: Table, rng: random.Random, tick_s: float, *, stage: Stage | None = None) -> None:
        """``stage`` is the table as others left it; None: it is set up for a round."""
        self._rng = rng
        self._tick_s = tick_s
        self._stage = stage or Stage(table, rng, piled=rng.random() < 0.7)
        self._presses: list[Press] = []
        self._now_s = 0.0
        self._shown: Shown | None = None
        self._script: Script = iter(())

    @property
    def stage(self) -> Stage:
        """The table as it stands now."""
        return self._stage

    def tick(self, now_s: float, shown: Shown | None) -> Tick | None:
        """The table at ``now_s``, after they saw ``shown``; None when they are done.

        Raises StuckMatchError where there is no way on.
        """
        self._now_s, self._shown, self._presses = now_s, shown, []
        try:
            next(self._script)
        except StopIteration:
            return None
        return Tick(self._stage.scene(), tuple(self._presses))

    def _act(self, side: Side, event: TurnEvent) -> Script:
        """Lay the cards and move the figures until the table stands as ``event`` says."""
        moves_first = bool(event.cards) and self._rng.random() < 0.25
        figures = [mover for mover in Side if self._stage.spaces[mover] != event.spaces[mover]]
        if moves_first:
            for mover in figures:
                yield from self._move_figure(side, mover, event.spaces[mover])
        covering = self._stage.piled and self._rng.random() < 0.3
        for number, card in enumerate(event.cards):
            lying = self._stage.cards.get(card)
            if lying is not None:
                yield from self._take_back(side, card)
            # One that was played goes beside itself; one that lay face down comes from a hand, as any other.
            relaid = lying is not None and lying.face_up
            if covering and number:  # one by one on the pile: each is shown before the next hides it
                yield from self._withdraw(side)
                yield from self._wait(1.0)
            yield from self._lay(side, self._stage.lay(card, (0 if covering else number) + relaid))
        if not moves_first:
            for mover in figures:
                yield from self._move_figure(side, mover, event.spaces[mover])
        yield from self._withdraw(side)

    def _lay(self, side: Side, placed: SceneCard) -> Script:
        """Carry a card from the player's hand to its place; it lies there once the fingers open."""
        self._stage.cards.pop(placed.card, None)
        yield from self._reach(side, placed.x_mm, placed.y_mm - 40.0, holds=placed)
        self._stage.cards[placed.card] = placed
        yield from self._reach(side, placed.x_mm, placed.y_mm - 200.0, ticks=1)

    def _take_back(self, side: Side, card: Card) -> Script:
        placed = self._stage.cards[card]
        yield from self._reach(side, placed.x_mm, placed.y_mm - 40.0)
        self._stage.take(card)
        yield from self._reach(side, placed.x_mm, placed.y_mm - 200.0, holds=placed, ticks=1)

    def _move_figure(self, side: Side, mover: Side, space: int) -> Script:
        standing = self._stage.figures[mover]
        yield from self._reach(side, standing.x_mm, standing.y_mm - 10.0)
        del self._stage.figures[mover]
        self._stage.put_figure(mover, space)
        target = self._stage.figures.pop(mover)
        middle_mm = (standing.x_mm + target.x_mm) / 2
        lifted = replace(standing, x_mm=middle_mm, lifted_mm=25.0)
        yield from self._reach(side, middle_mm, standing.y_mm - 10.0, holds=lifted, ticks=1)
        self._stage.figures[mover] = target
        yield from self._reach(side, target.x_mm, target.y_mm - 10.0, ticks=1)

    def _sweep(self) -> Script:
        """Gather all cards: first the discards, then what was shown."""
        for x_mm, y_mm in ((PILE_X_MM, PILE_Y_MM), (200.0, HAND_Y_MM), (420.0, HAND_Y_MM)):
            yield from self._reach(Side.WHITE, x_mm, y_mm)
        self._stage.clear_cards()
        yield from self._withdraw(Side.WHITE)

    def _reach(
        self, side: Side, x_mm: float, y_mm: float, *, holds: SceneCard | SceneFigure | None = None, ticks: int = 2
    ) -> Script:
        """Move a player's hand to a place in a few pictures."""
        from_x_mm, from_y_mm = self._stage.fingers_mm(side)
        for number in range(1, ticks + 1):
            part = number / ticks
            here_mm = (from_x_mm + part * (x_mm - from_x_mm), from_y_mm + part * (y_mm - from_y_mm))
            self._stage.reach(side, here_mm, self._tick_s, holds)
            yield

    def _withdraw(self, side: Side) -> Script:
        if side in self._stage.hands:
            yield from self._reach(side, ELBOW_X_MM[side], REST_Y_MM, ticks=1)
            del self._stage.hands[side]
            yield

    def _wait(self, for_s: float) -> Script:
        until_s = self._now_s + for_s
        while self._now_s < until_s:
            yield
