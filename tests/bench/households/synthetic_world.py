"""Households as the product's own simulated table shows them, as far as it can.

It has one table top, one pair of hands and figures of one height; camera, lens, print, markers, cards' places and all
that happens are the household's own.
"""

from __future__ import annotations

import random

import numpy as np
from households.household import PRINTED, Household, true_table
from households.photo_world import lens_of, setup_of
from households.room import Laid, Room
from scene_clutter import SceneClutter

from engine.rules.track import Side
from vision.frame import Picture
from vision.geometry import Camera
from vision.printed.table import CardSize
from vision.synthetic import Renderer, Scene, SceneCard, SceneFigure, SceneHand
from vision.synthetic.camera import NAMES, Disturbances
from vision.synthetic.scene import CardMake, StuckLabel

_LIFTED_MM = 8.0


class SyntheticWorld:
    """A household before the simulated table's renderer."""

    fps = 5.0

    def __init__(self, home: Household) -> None:
        self.home = home
        rng = random.Random(f"household {home.seed} disturbances")
        self._disturbances = Disturbances(**{name: rng.uniform(0.1, 0.8) for name in NAMES})
        self._table = true_table(home)
        self._renderers: dict[bool, Renderer] = {}

    def picture(self, room: Room, index: int) -> Picture:
        scene = Scene(
            cards=tuple(
                SceneCard(laid.card, laid.x_mm, laid.y_mm, laid.turn_deg, laid.level, make=_made(laid))
                for laid in room.cards.values()
            ),
            white=self._figure(room, Side.WHITE),
            black=self._figure(room, Side.BLACK),
            hands=tuple(self._hand(room, side) for side in room.hands),
            things=() if room.boxed is None else (self._mug(room.boxed),),
            light=room.light * (1.0, 0.7)[room.lamps % 2],
        )
        return self._renderer(room.bumped).render(scene, index, index / self.fps).y

    def calibration_frames(self, room: Room) -> list[Picture]:
        return [self.picture(room, index) for index in range(3)]

    def _renderer(self, bumped: bool) -> Renderer:
        if bumped not in self._renderers:
            home = self.home
            lens = lens_of(home.bumped if bumped else home.view, setup_of(home))
            k1, k2, k3, p1, p2 = lens.bend
            matrix = np.diag([lens.focal[0], lens.focal[1], 1.0])
            matrix[:2, 2] = lens.middle
            camera = Camera(
                matrix, np.array([k1, k2, p1, p2, k3]), lens.turn, lens.shift, home.module.width, home.module.height
            )
            self._renderers[bumped] = Renderer(self._table, camera, self._disturbances, home.seed)
        return self._renderers[bumped]

    def _figure(self, room: Room, side: Side) -> SceneFigure | None:
        standing = room.figures.get(side)
        if standing is None:
            return None
        return SceneFigure(side, standing.x_mm, standing.y_mm, standing.turn_deg)

    def _hand(self, room: Room, side: Side) -> SceneHand:
        hand = room.hands[side]
        from_deg = self.home.people[side].towards_deg - 180.0
        held: SceneCard | SceneFigure | None = None
        if hand.card is not None:
            card = hand.card
            where = (hand.x_mm + 4, hand.y_mm + 24, card.turn_deg, card.level)
            held = SceneCard(card.card, *where, lifted_mm=_LIFTED_MM, make=_made(card))
        elif hand.fencer is not None:
            held = SceneFigure(hand.fencer, hand.x_mm, hand.y_mm + 6, lifted_mm=25.0)
        height_mm = None if held is not None else min(hand.z_mm, 55.0)
        return SceneHand(side, hand.x_mm, hand.y_mm, from_deg, height_mm, held)

    def _mug(self, number: int) -> SceneClutter:
        corner = self._table.corners[number]
        return SceneClutter("mug", corner.x, corner.y)


def _made(laid: Laid) -> CardMake:
    """How this card is made: its size, and where its labels are stuck."""
    width, height = laid.size_mm
    half = PRINTED.qr_mm / 2
    labels = []
    for number, (x, y, turn_deg) in enumerate(laid.labels):
        way = -1 if number else 1
        labels.append(
            StuckLabel(way * (x + half - width / 2), way * (height / 2 - y - half), turn_deg + 180.0 * number)
        )
    return CardMake(CardSize(width, height), tuple(labels))
