"""A person at the simulated table who shows every card to the camera from both sides, as ``engarde register`` asks."""

from __future__ import annotations

import random
from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Final

from engine.rules.cards import DECK, Card
from engine.rules.track import Side
from firmware.extras.simulation.actors import Actors, Script
from firmware.extras.simulation.camera import TICK_S, SimulatedTable, simulated_table
from vision.printed.table import Table
from vision.printed.tags import TOKEN_LENGTH, TOKEN_LETTERS
from vision.synthetic.camera import TYPICAL
from vision.synthetic.scene import SceneCard

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
