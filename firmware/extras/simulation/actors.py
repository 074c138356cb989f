"""People at the simulated table: their hands, which take time, and the buttons they press.

What they do is a script that goes on by one picture at a time. Who plays a match and who takes a lesson do the same
with their hands.
"""

from __future__ import annotations

import math
import random
from collections.abc import Iterator
from dataclasses import dataclass, field, replace
from itertools import repeat

from display.view import ViewModel
from engine.companion.companion import Instruction
from engine.rules.cards import Card
from engine.rules.events import TurnEvent
from engine.rules.state import PublicState
from engine.rules.track import START, BySide, Side
from engine.table.desk import Desk
from engine.table.presses import Press
from vision.printed.table import Table
from vision.synthetic.scene import Scene, SceneCard, SceneFigure, SceneHand, figure_at

PILE_X_MM, PILE_Y_MM = 308.0, -116.0
SPREAD_FROM_MM, SPREAD_TO_MM, SPREAD_STEP_MM = 104.0, 512.0, 24.0
HAND_Y_MM, FAN_STEP_MM = -208.0, 38.0
BESIDE_MM = 46.0
TAB_MM = 26.0
FAN_FROM_MM = BySide(102.0, 366.0)
ELBOW_X_MM, ELBOW_Y_MM = BySide(140.0, 476.0), -620.0
REST_Y_MM = -420.0


@dataclass
class Stage:
    """The table with all that is on it. ``scene()`` freezes it; everything else changes it, as hands do."""

    table: Table
    rng: random.Random
    piled: bool = True
    cards: dict[Card, SceneCard] = field(default_factory=dict)
    spaces: BySide[int] = START
    hands: dict[Side, SceneHand] = field(default_factory=dict)
    spread_x_mm: float = SPREAD_FROM_MM - SPREAD_STEP_MM
    figures: dict[Side, SceneFigure] = field(default_factory=dict)

    def __post_init__(self) -> None:
        for side in Side:
            self.put_figure(side, START[side])

    def put_figure(self, side: Side, space: int) -> None:
        """Stand a fencer on a space, as exactly as a person does: within some two millimetres.

        Two fencers face to face are put so that their tabs lie beside each other, not on one another.
        """
        self.spaces = self.spaces.put(side, space)
        exact = figure_at(self.table, side, space)
        other = self.figures.get(side.other)
        for share in (1.0, 0.7, 0.4, 0.0):
            figure = _shifted(
                exact,
                share * self.rng.gauss(0.0, 1.4),
                share * self.rng.gauss(0.0, 1.0),
                share * self.rng.gauss(0.0, 2.5),
            )
            if other is None or abs(self._tab_x_mm(figure) - self._tab_x_mm(other)) >= TAB_MM:
                break
        self.figures[side] = figure

    def _tab_x_mm(self, figure: SceneFigure) -> float:
        """Where the middle of a fencer's tab is along the piste; a turned fencer swings it aside."""
        offset = self.table.fencer_offset_mm
        angle = math.radians(figure.turn_deg)
        return figure.x_mm + offset.x * math.cos(angle) - offset.y * math.sin(angle)

    def lay(self, card: Card, among: int = 0) -> SceneCard:
        """Lay a card face up; ``among`` counts the cards of this turn before it, which it is fanned beside."""
        if self.piled:
            x_mm = PILE_X_MM + among * BESIDE_MM + self.rng.gauss(0.0, 3.0)
            placed = self._placed(card, x_mm, PILE_Y_MM + self.rng.gauss(0.0, 3.0), self.rng.gauss(0.0, 5.0))
        else:
            # Beside the last one: a card of this turn stays wholly readable, an earlier one may be half hidden.
            x_mm = self.spread_x_mm + (BESIDE_MM if among else SPREAD_STEP_MM) + self.rng.uniform(0.0, 6.0)
            if x_mm > SPREAD_TO_MM:
                x_mm = SPREAD_FROM_MM + self.rng.uniform(0.0, SPREAD_STEP_MM)
            placed = self._placed(card, x_mm, PILE_Y_MM + self.rng.gauss(0.0, 4.0), self.rng.gauss(0, 5))
            self.spread_x_mm = x_mm
        return placed

    def lay_apart(self, card: Card, number: int) -> SceneCard:
        """Lay a card where nothing lies: the lower half of the play area, clearly apart from the discards."""
        return self._placed(card, 120.0 + 80.0 * number, HAND_Y_MM, self.rng.gauss(0.0, 3.0))

    def show(self, side: Side, card: Card, number: int, aside_mm: tuple[float, float] = (0.0, 0.0)) -> SceneCard:
        """Lay a card of a shown hand in its player's half, fanned so that every label is in sight.

        ``aside_mm`` lays the hand elsewhere, out of a reflection.
        """
        x_mm = FAN_FROM_MM[side] + aside_mm[0] + number * FAN_STEP_MM + self.rng.gauss(0.0, 1.0)
        y_mm = HAND_Y_MM + aside_mm[1] + self.rng.gauss(0.0, 1.5)
        return self._placed(card, x_mm, y_mm, self.rng.gauss(0.0, 2.0))

    def take(self, card: Card) -> None:
        """Take a card off the table."""
        del self.cards[card]

    def clear_cards(self) -> None:
        self.cards.clear()
        self.spread_x_mm = SPREAD_FROM_MM - SPREAD_STEP_MM

    def reach(
        self, side: Side, to_mm: tuple[float, float], during_s: float, holds: SceneCard | SceneFigure | None = None
    ) -> None:
        """Have a player's finger tips at a place, ``during_s`` after they were where they are now."""
        from_x_mm, from_y_mm = self.fingers_mm(side)
        (x_mm, y_mm), elbow_x_mm = to_mm, ELBOW_X_MM[side]
        self.hands[side] = SceneHand(
            side=side,
            x_mm=x_mm,
            y_mm=y_mm,
            from_deg=math.degrees(math.atan2(ELBOW_Y_MM - y_mm, elbow_x_mm - x_mm)),
            holds=holds,
            velocity_mm_s=((x_mm - from_x_mm) / during_s, (y_mm - from_y_mm) / during_s),
        )

    def fingers_mm(self, side: Side) -> tuple[float, float]:
        """Where a player's finger tips are: over the table, or at rest out of the picture."""
        hand = self.hands.get(side)
        return (hand.x_mm, hand.y_mm) if hand is not None else (ELBOW_X_MM[side], REST_Y_MM)

    def scene(self) -> Scene:
        """The table as the camera sees it now."""
        return Scene(
            cards=tuple(self.cards.values()),
            white=self.figures.get(Side.WHITE),
            black=self.figures.get(Side.BLACK),
            hands=tuple(self.hands.values()),
        )

    def _placed(self, card: Card, x_mm: float, y_mm: float, turn_deg: float) -> SceneCard:
        self.cards.pop(card, None)
        level = 1 + max((other.level for other in self.cards.values()), default=-1)
        if self.rng.random() < 0.3:
            turn_deg += 180.0
        placed = SceneCard(card=card, x_mm=x_mm, y_mm=y_mm, turn_deg=turn_deg, level=level)
        self.cards[card] = placed
        return placed


def _shifted(figure: SceneFigure, dx_mm: float, dy_mm: float, turn_deg: float) -> SceneFigure:
    return replace(figure, x_mm=figure.x_mm + dx_mm, y_mm=figure.y_mm + dy_mm, turn_deg=figure.turn_deg + turn_deg)


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
        self.stage = stage or Stage(table, rng, piled=rng.random() < 0.7)
        self._presses: list[Press] = []
        self._now_s = 0.0
        self._shown: Shown | None = None
        self._script: Script = repeat(None)  # all is left as it lies

    def tick(self, now_s: float, shown: Shown | None) -> Tick | None:
        """The table at ``now_s``, after they saw ``shown``; None when they are done.

        Raises StuckMatchError where there is no way on.
        """
        self._now_s, self._shown, self._presses = now_s, shown, []
        try:
            next(self._script)
        except StopIteration:
            return None
        return Tick(self.stage.scene(), tuple(self._presses))

    def _act(self, side: Side, event: TurnEvent) -> Script:
        """Lay the cards and move the figures until the table stands as ``event`` says."""
        moves_first = bool(event.cards) and self._rng.random() < 0.25
        figures = [mover for mover in Side if self.stage.spaces[mover] != event.spaces[mover]]
        if moves_first:
            for mover in figures:
                yield from self._move_figure(side, mover, event.spaces[mover])
        covering = self.stage.piled and self._rng.random() < 0.3
        for number, card in enumerate(event.cards):
            lying = self.stage.cards.get(card)
            if lying is not None:
                yield from self._take_back(side, card)
            # One that was played goes beside itself; one that lay face down comes from a hand, as any other.
            relaid = lying is not None and lying.face_up
            if covering and number:  # one by one on the pile: each is shown before the next hides it
                yield from self._withdraw(side)
                yield from self._wait(1.0)
            yield from self._lay(side, self.stage.lay(card, (0 if covering else number) + relaid))
        if not moves_first:
            for mover in figures:
                yield from self._move_figure(side, mover, event.spaces[mover])
        yield from self._withdraw(side)

    def _lay(self, side: Side, placed: SceneCard) -> Script:
        """Carry a card from the player's hand to its place; it lies there once the fingers open."""
        self.stage.cards.pop(placed.card, None)
        yield from self._reach(side, placed.x_mm, placed.y_mm - 40.0, holds=placed)
        self.stage.cards[placed.card] = placed
        yield from self._reach(side, placed.x_mm, placed.y_mm - 200.0, ticks=1)

    def _take_back(self, side: Side, card: Card) -> Script:
        placed = self.stage.cards[card]
        yield from self._reach(side, placed.x_mm, placed.y_mm - 40.0)
        self.stage.take(card)
        yield from self._reach(side, placed.x_mm, placed.y_mm - 200.0, holds=placed, ticks=1)

    def _move_figure(self, side: Side, mover: Side, space: int) -> Script:
        standing = self.stage.figures[mover]
        yield from self._reach(side, standing.x_mm, standing.y_mm - 10.0)
        del self.stage.figures[mover]
        self.stage.put_figure(mover, space)
        target = self.stage.figures.pop(mover)
        middle_mm = (standing.x_mm + target.x_mm) / 2
        lifted = replace(standing, x_mm=middle_mm, lifted_mm=25.0)
        yield from self._reach(side, middle_mm, standing.y_mm - 10.0, holds=lifted, ticks=1)
        self.stage.figures[mover] = target
        yield from self._reach(side, target.x_mm, target.y_mm - 10.0, ticks=1)

    def _sweep(self) -> Script:
        """Gather all cards: first the discards, then what was shown."""
        for x_mm, y_mm in ((PILE_X_MM, PILE_Y_MM), (200.0, HAND_Y_MM), (420.0, HAND_Y_MM)):
            yield from self._reach(Side.WHITE, x_mm, y_mm)
        self.stage.clear_cards()
        yield from self._withdraw(Side.WHITE)

    def _reach(
        self, side: Side, x_mm: float, y_mm: float, *, holds: SceneCard | SceneFigure | None = None, ticks: int = 2
    ) -> Script:
        from_x_mm, from_y_mm = self.stage.fingers_mm(side)
        for number in range(1, ticks + 1):
            part = number / ticks
            here_mm = (from_x_mm + part * (x_mm - from_x_mm), from_y_mm + part * (y_mm - from_y_mm))
            self.stage.reach(side, here_mm, self._tick_s, holds)
            yield

    def _withdraw(self, side: Side) -> Script:
        if side in self.stage.hands:
            yield from self._reach(side, ELBOW_X_MM[side], REST_Y_MM, ticks=1)
            del self.stage.hands[side]
            yield

    def _wait(self, for_s: float) -> Script:
        until_s = self._now_s + for_s
        while self._now_s < until_s:
            yield
