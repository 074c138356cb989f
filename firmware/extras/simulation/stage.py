"""The simulated table while people act at it: what lies and stands where, as the next picture shows it.

Millimetres in the board frame. Cards are 63 by 88 mm; the discard pile lies in the upper half of the play area so
that the lower half stays free for two hands at a reveal.
"""

from __future__ import annotations

import math
import random
from dataclasses import dataclass, field, replace

from engine.rules.cards import Card
from engine.rules.track import START, BySide, Side
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
