"""Tables to spoil: the simulated one, the photograph-like one, and pictures taken elsewhere with their truth."""

from __future__ import annotations

import json
import math
import random
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Protocol

import cv2
import numpy as np
from numpy.typing import NDArray
from photo.session import Session
from photo.studio import CardThing, Mover
from photo.worlds import random_studio

from engine.rules.cards import Card
from engine.rules.track import Side
from vision.frame import Picture
from vision.printed.table import Table, load_table, read_table
from vision.synthetic import PRESETS, Renderer, Scene, SceneCard, SceneHand, camera_variant, figure_at

TABLE_FILE = Path(__file__).parents[2] / "hardware" / "table.toml"
Pixels = NDArray[np.float64]
_LABEL_AT = (63 / 2 - 6 - 12.5, 88 / 2 - 6 - 12.5)  # a label's middle from its card's, to the left and up, in mm


@dataclass(frozen=True)
class Lying:
    """A card on the table: its name, its middle in mm, its turn."""

    name: str
    x_mm: float
    y_mm: float
    turn_deg: float

    def labels_mm(self) -> tuple[tuple[float, float], tuple[float, float]]:
        """The middles of its two labels."""
        c, s = math.cos(math.radians(self.turn_deg)), math.sin(math.radians(self.turn_deg))
        left, up = _LABEL_AT
        dx, dy = -left * c - up * s, -left * s + up * c
        return (self.x_mm + dx, self.y_mm + dy), (self.x_mm - dx, self.y_mm - dy)


@dataclass(frozen=True)
class State:
    """What lies and stands there, lowest card first; ``hand`` is where a hand's finger tips are, if there is one."""

    cards: tuple[Lying, ...] = ()
    white: int | None = 4
    black: int | None = 19
    hand: tuple[float, float] | None = None


class World(Protocol):
    """A table with a camera over it."""

    table: Table
    fixed: State | None
    """What lies there, where that cannot be changed; no hand can be shown there."""

    def picture(self, state: State, index: int) -> Picture:
        """What the camera sees."""

    def px(self, points_mm: Sequence[Sequence[float]]) -> Pixels:
        """Where points (x, y, z) appear."""


class Simulated:
    """The simulated table."""

    def __init__(self, seed: int) -> None:
        self.table = load_table(TABLE_FILE)
        self.fixed: State | None = None
        rng = random.Random(f"why {seed}")
        self._camera = camera_variant(self.table, seed)
        self._renderer = Renderer(self.table, self._camera, PRESETS[rng.choice(("none", "typical"))], seed)

    def picture(self, state: State, index: int) -> Picture:
        figures = {
            side: None if space is None else figure_at(self.table, side, space)
            for side, space in ((Side.WHITE, state.white), (Side.BLACK, state.black))
        }
        cards = tuple(
            SceneCard(Card.parse(card.name), card.x_mm, card.y_mm, card.turn_deg, level)
            for level, card in enumerate(state.cards)
        )
        hands = () if state.hand is None else (SceneHand(Side.WHITE, *state.hand),)
        scene = Scene(cards, figures[Side.WHITE], figures[Side.BLACK], hands)
        return self._renderer.render(scene, index, index / 10).y

    def px(self, points_mm: Sequence[Sequence[float]]) -> Pixels:
        return self._camera.project([(p[0], p[1], p[2]) for p in points_mm])


class Photographed:
    """The photograph-like table, with the ordinary geometry, its cards 63 by 88 mm."""

    def __init__(self, seed: int) -> None:
        self.fixed: State | None = None
        self._studio = random_studio(seed, kind="plain", hard=0.5)
        self.table = read_table(self._studio.setup.toml())
        self._session = Session(self._studio, None)
        self._shown: State | None = None
        self._movers: dict[tuple[float, float], list[Mover]] = {}

    def picture(self, state: State, index: int) -> Picture:
        still = State(state.cards, state.white, state.black)
        if still != self._shown:
            self._shown = still
            figures = {
                side: None if space is None else self._session.space(space, turn=0.0, off=0.0)
                for side, space in (("white", state.white), ("black", state.black))
            }
            cards = [
                CardThing(card.name, card.x_mm, card.y_mm, card.turn_deg, 0.4 + 0.3 * level)
                for level, card in enumerate(state.cards)
            ]
            self._session.put(cards, **figures)
        movers = None
        if state.hand is not None:
            if state.hand not in self._movers:
                self._movers[state.hand] = [self._session.hand_at(*state.hand, 14.0)]
            movers = self._movers[state.hand]
        return np.ascontiguousarray(self._studio.frame(index, movers)[..., 0])

    def px(self, points_mm: Sequence[Sequence[float]]) -> Pixels:
        return np.asarray(self._studio.lens.seen(np.array(points_mm, float))[0], dtype=np.float64)


class Still:
    """A picture with its truth beside it (``NAME.gt.json``): what lies there, and where it appears."""

    def __init__(self, truth_file: Path, seed: int) -> None:
        self.table = load_table(TABLE_FILE)
        truth: dict[str, Any] = json.loads(truth_file.read_text(encoding="utf-8"))
        image = cv2.imread(str(truth_file.with_name(truth["image"])), cv2.IMREAD_GRAYSCALE)
        if image is None:
            raise ValueError(f"{truth_file}: expected a picture {truth['image']} beside it, found none; render it anew")
        self._y = np.asarray(image, dtype=np.uint8)
        self._seed = seed
        self._lens = tuple(np.array(truth[key], float) for key in ("K", "dist", "R_world_to_cam", "t_world_to_cam"))
        spaces = {who["who"]: who["space"] for who in truth["fencers"]}
        cards = []
        for card in truth["cards"]:
            if card["face"] != "up" or not card["card_visible_fraction"]:
                continue
            x, y = card["center_mm"][:2]
            cards.append(Lying(card["payload"][-2:].lower(), x, y, card["rot_deg"]))
        self.fixed: State | None = State(tuple(cards), spaces.get("left"), spaces.get("right"))

    def picture(self, state: State, index: int) -> Picture:
        rng = np.random.default_rng((self._seed, index % 4))
        noise = rng.standard_normal(self._y.shape, dtype=np.float32)
        return np.asarray(np.clip(np.round(self._y + 1.5 * noise), 0, 255), dtype=np.uint8)

    def px(self, points_mm: Sequence[Sequence[float]]) -> Pixels:
        k, dist, turn, shift = self._lens
        way = cv2.Rodrigues(turn)[0]
        return np.asarray(cv2.projectPoints(np.array(points_mm, float), way, shift, k, dist)[0], float).reshape(-1, 2)
