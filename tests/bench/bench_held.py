"""How often a card that is only held up counts as laid: ``PYTHONPATH=. .venv/bin/python tests/bench/bench_held.py``.

A hand holds a card over the play area for three seconds at a time, as people look at theirs: tilted by 30 to 70 degrees
towards themselves, turned by up to 45, its lowest corner 20 to 120 mm above the table, trembling by a millimetre and a
degree from look to look, five looks a second, before cameras as they are clamped. The labels' corners are exact but for
noise; what they say is agreed on as in the product. In every second hold fingers hide one of the labels. A row says in
how many holds the card was taken for a flat one in some look, and how often in an hour of holding it counted as laid:
while the hand is seen, and, worse, while nobody sees that there is one. The last rows are cards that lie, one of them
with a corner bent up by 15 to 60 degrees, across the label that fingers hide.
"""

from __future__ import annotations

import argparse
import math
import sys
from dataclasses import replace
from pathlib import Path
from typing import Final, NamedTuple

import numpy as np

from engine.rules.cards import Card
from vision.agree.agreement import CardMemory, step_cards
from vision.geometry import Camera, Floats
from vision.marks.labels import Label
from vision.printed.card_shape import CardShapes
from vision.printed.table import Table, load_table
from vision.sights.observe import card_sights, label_place
from vision.synthetic import camera_variant

ROOT: Final = Path(__file__).parents[2]
LOOKS: Final = 15
LOOKS_A_S: Final = 5.0
NOISE_PX: Final = 0.3
CARD: Final = Card.parse("3b")


class Range(NamedTuple):
    """How a card is held: tilts in degrees, heights of its lowest corner in mm, and whether another one is bent up."""

    tilt_deg: tuple[float, float]
    least_mm: tuple[float, float]
    bent: bool = False


HELD: Final = {
    "as people look at theirs": Range((30, 70), (20, 120)),
    "close to the table": Range((30, 70), (5, 40)),
    "nearly level": Range((5, 30), (20, 120)),
    "lying": Range((0, 0), (0, 0)),
    "lying, a corner bent": Range((0, 0), (0, 0), bent=True),
}


def turned(axis: Floats, angle: float) -> Floats:
    """The rotation about a unit vector by so many radians."""
    x, y, z = axis
    cross = np.array([[0, -z, y], [z, 0, -x], [-y, x, 0]])
    return np.asarray(np.eye(3) + math.sin(angle) * cross + (1 - math.cos(angle)) * cross @ cross)


class Hold:
    """A card in a hand, or on the table: ``labels`` gives both labels' corners of a look."""

    def __init__(self, held: Range, rng: np.random.Generator, table: Table) -> None:
        area = table.play_area
        self._rng, self._table, self._still = rng, table, held.least_mm[1] == 0
        self._at = np.array([rng.uniform(area.x0 + 60, area.x1 - 60), rng.uniform(area.y0 + 40, area.y1 - 40)])
        self._tilt, self._least = rng.uniform(*held.tilt_deg), rng.uniform(*held.least_mm)
        self._turn, self._axis = rng.uniform(-45, 45), rng.uniform(-30, 30)
        self._bent, self._crease_mm = (rng.uniform(0.25, 1.05), rng.uniform(0, 9)) if held.bent else (0.0, 0.0)

    def labels(self) -> Floats:
        """The corners, (2, 4, 3) mm."""
        half, shake = self._table.qr_mm / 2, np.zeros(6) if self._still else self._rng.normal(0.0, 1.0, 6)
        label = np.array([[-half, half, 0], [half, half, 0], [half, -half, 0], [-half, -half, 0]])
        way = CardShapes.of(self._table).usual
        off = np.array((way.across_mm / 2, way.down_mm / 2, 0.0))
        both = np.stack([label + off * (-1, 1, 1), off * (1, -1, 1) - label])
        outwards = np.array((1, -1, 0)) / math.sqrt(2)
        beyond_mm = np.clip((both[1] - both[1].mean(axis=0)) @ outwards - self._crease_mm, 0.0, None)[:, None]
        both[1] += beyond_mm * (outwards * (math.cos(self._bent) - 1) + np.array((0, 0, math.sin(self._bent))))
        tilt, turn, axis = np.radians((self._tilt + shake[0], self._turn + shake[1], self._axis + shake[2]))
        lean = turned(np.array([math.cos(axis), math.sin(axis), 0.0]), tilt)
        there = both @ (lean @ turned(np.array([0.0, 0.0, 1.0]), turn)).T
        there[..., 2] -= there[..., 2].min()
        return np.asarray(there + np.array((*self._at, self._least)) + shake[3:])


def held_up(held: Range, holds: int, table: Table, *, seen: bool) -> tuple[int, int]:
    """In how many holds some look took the card for a flat one, and in how many it counted as laid."""
    rng, shapes = np.random.default_rng(1), CardShapes.of(table)
    flat = laid = 0
    for number in range(holds):
        camera: Camera = camera_variant(table, number % 20, 1.0)
        hold, memory, shown = Hold(held, rng, table), CardMemory(), 2 - number % 2
        looked_flat = counted = False
        for look in range(LOOKS):
            places = [
                label_place(Label(table.deck_letter, CARD, corners), camera, table)
                for label in hold.labels()[:shown]
                for corners in [camera.project(label) + rng.normal(0.0, NOISE_PX, (4, 2))]
            ]
            sights = card_sights([place for place in places if place is not None], shapes)
            sights = tuple(replace(sight, clear=not seen) for sight in sights if sight.is_level)
            memory = step_cards(memory, look / LOOKS_A_S, sights, (), seen, shapes)
            looked_flat, counted = looked_flat or bool(sights), counted or bool(memory.held)
        flat, laid = flat + looked_flat, laid + counted
    return flat, laid


def main() -> int:
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("--holds", type=int, default=400, help="holds of each kind (default 400: 20 minutes)")
    given = parser.parse_args()
    table = load_table(ROOT / "hardware" / "table.toml")
    hours = given.holds * LOOKS / LOOKS_A_S / 3600
    print("| held | flat in some look | laid an hour, hand seen | laid an hour, no hand seen |\n|---|---|---|---|")
    for name, held in HELD.items():
        (flat, seen), (_, unseen) = (held_up(held, given.holds, table, seen=seen) for seen in (True, False))
        print(f"| {name} | {flat} of {given.holds} | {seen / hours:.0f} | {unseen / hours:.0f} |", flush=True)
    return 0


if __name__ == "__main__":
    sys.exit(main())
