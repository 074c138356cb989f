"""A world of things, lit and photographed: the same world gives the same pictures from the same seed."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

import cv2
import numpy as np
from photo import textures, things
from photo.lens import Lens
from photo.render import BLOCKER, Canvas, Caster, Light, Painter, Patch, Sensor
from photo.setups import Setup
from photo.textures import TOP_MM


@dataclass(eq=False)
class CardThing:
    """A card and how it lies; ``name`` None is one lying face down."""

    name: str | None
    x: float
    y: float
    turn: float
    z: float = 0.4
    deck: str | None = None
    look: dict[str, Any] = field(default_factory=dict)


@dataclass(eq=False)
class FigureThing:
    """A fencer's base; ``look``: lying, lifted, turn_deg and so on."""

    x: float
    y: float
    z: float
    turn: float = 0.0
    look: dict[str, Any] = field(default_factory=dict)


@dataclass(eq=False)
class Mover:
    """Something in motion at one moment: patches over everything else, and its shadows."""

    patches: list[Patch]
    casters: list[Caster]


class Studio:
    """Makes pictures of one table with one camera under one light."""

    def __init__(
        self,
        setup: Setup,
        lens: Lens,
        lights: list[Light],
        sensor: Sensor,
        *,
        top: str = "oak",
        seed: int = 0,
        ambient: float = 0.35,
        channels: int = 1,
        top_gloss: float = 0.0,
        mat: bool = False,
        decor: bool = True,
    ) -> None:
        self.setup, self.lens, self.sensor, self.seed = setup, lens, sensor, seed
        self.painter = Painter(lens, lights, ambient, channels, seed)
        self._faces: dict[tuple[Any, ...], np.ndarray] = {}
        self._back = textures.card_back(seed, setup.card_mm)
        self.base = self.painter.canvas()
        self._lay_out(top, top_gloss, mat, decor)
        self._still: dict[str, Any] = {}
        self.clutter: list[Patch] = []
        self.standing: list[Mover] = []

    def _lay_out(self, top: str, gloss: float, mat: bool, decor: bool) -> None:
        setup, paint = self.setup, self.painter.paint
        x0, x1, y0, y1 = TOP_MM
        image = textures.table_top(top, self.seed)
        corners = np.array([[x0, y1, 0], [x1, y1, 0], [x1, y0, 0], [x0, y0, 0]], float)
        paint(self.base, Patch(corners, image, gloss=gloss, gloss_width=0.16, bumps=0.01, ss=1))
        rng = np.random.default_rng(self.seed + 5)
        if mat:
            ax0, ax1, ay0, ay1 = setup.area
            cloth = (
                np.full((60, 100, 3), 226, np.uint8)
                if rng.random() < 0.5
                else np.full((60, 100, 3), (60, 40, 30), np.uint8)
            )
            cv2.rectangle(cloth, (1, 1), (98, 58), (120, 120, 120), 1)
            paint(
                self.base, Patch(things.sheet((ax0 + ax1) / 2, (ay0 + ay1) / 2, 0.1, ax1 - ax0, ay1 - ay0), cloth, ss=1)
            )
        spaces = np.array(setup.spaces)
        half = float(np.linalg.norm(spaces[1, :2] - spaces[0, :2])) / 2
        stone = np.array(
            [[104, 118, 126], [70, 84, 96], [150, 162, 170], [64, 60, 92]][int(rng.integers(4))], np.float32
        )
        for number, (x, y, z) in enumerate(spaces):
            grain = 1 + 0.12 * textures.smooth(rng, 96, 60, (9, 9), (3, 3))
            shade = 0.85 if number % 2 else 1.1
            tile = np.clip(stone * (grain * shade)[..., None], 0, 255).astype(np.uint8)
            cv2.putText(tile, str(number + 1), (8, 20), cv2.FONT_HERSHEY_SIMPLEX, 0.55, (30, 30, 30), 1, cv2.LINE_AA)
            if decor and number % 5 == 2:
                cv2.circle(tile, (30, 55), 14, (40, 40, 90), 2, cv2.LINE_AA)
            if z > 0.5:
                front = np.clip(stone * 0.55, 0, 255).astype(np.uint8) * np.ones((8, 8, 1), np.uint8)
                for dy in (-30, 30):
                    edge = np.array(
                        [[x - half, y + dy, z], [x + half, y + dy, z], [x + half, y + dy, 0], [x - half, y + dy, 0]]
                    )
                    paint(self.base, Patch(edge, front, shade=0.8))
                for dx in (-half, half):
                    edge = np.array(
                        [[x + dx, y + 30, z], [x + dx, y - 30, z], [x + dx, y - 30, 0], [x + dx, y + 30, 0]]
                    )
                    paint(self.base, Patch(edge, front, shade=0.6))
            paint(self.base, Patch(things.sheet(x, y, z, 2 * half, 60), tile))
        for number, x, y, z in setup.corners:
            side = setup.marker_mm * 10 / 8
            paint(self.base, things.contact(x, y, z, side, side, 0, 1.2))
            paint(self.base, Patch(things.sheet(x, y, z, side, side), textures.marker(number)))

    def face(self, thing: CardThing) -> np.ndarray:
        key = (
            thing.name,
            thing.deck or self.setup.deck,
            thing.look.get("cut_quiet", False),
            thing.look.get("labels"),
            thing.look.get("stuck", ()),
        )
        if key not in self._faces:
            if thing.name is None:
                return self._back
            rng = np.random.default_rng((self.seed, ord(key[1]), *map(ord, thing.name)))
            self._faces[key] = textures.card_face(
                thing.name,
                key[1],
                rng,
                qr_mm=self.setup.qr_mm,
                art=self.seed % 6,
                cut_quiet=key[2],
                card_mm=thing.look.get("size_mm", self.setup.card_mm),
                labels=key[3],
                stuck=key[4],
            )
        return self._faces[key]

    def card_patches(self, thing: CardThing, owner: int, *, lying: bool = True) -> list[Patch]:
        look = {key: value for key, value in thing.look.items() if key not in ("cut_quiet", "labels", "stuck")}
        look.setdefault("size_mm", self.setup.card_mm)
        return things.card_patches(
            self.face(thing), thing.x, thing.y, thing.z, thing.turn, owner=owner, lying=lying, **look
        )

    def figure(self, side: str, thing: FigureThing) -> tuple[list[Patch], list[Patch], list[Caster]]:
        setup = self.setup
        return things.fencer(
            side,
            thing.x,
            thing.y,
            thing.z,
            setup.ids[side == "black"],
            turn_deg=thing.turn,
            tag_mm=setup.tag_mm,
            offset=setup.offset,
            **thing.look,
        )

    def still(self, cards: list[CardThing], figures: dict[str, FigureThing]) -> None:
        """Sets the stage: everything that does not move."""
        canvas = self.base.copy()
        painter = self.painter
        for patch in self.clutter:
            painter.paint(canvas, patch)
        bodies: list[Patch] = []
        casters = [caster for mover in self.standing for caster in mover.casters]
        for side, thing in figures.items():
            tab, body, shadow = self.figure(side, thing)
            for patch in tab:
                painter.paint(canvas, patch)
            bodies += body
            casters += shadow
        for number, card in enumerate(cards):
            for patch in self.card_patches(card, number + 1):
                painter.paint(canvas, patch)
        grid = painter.lit(casters)
        light = painter.shone(canvas, grid)
        over = Canvas(light, np.zeros_like(canvas.shine), canvas.owner)
        for mover in self.standing:
            bodies += mover.patches
        for patch in bodies:
            x, y = patch.corners[:, 0].mean(), patch.corners[:, 1].mean()
            painter.paint(over, patch, painter.at(grid, float(x), float(y)))
        self._still = {
            "canvas": canvas,
            "grid": grid,
            "light": light,
            "casters": casters,
            "owner": canvas.owner,
            "over": bodies,
        }

    @property
    def owner(self) -> np.ndarray:
        """Whose surface each pixel of the still scene shows."""
        owner: np.ndarray = self._still["owner"]
        return owner

    def frame(
        self, index: int, movers: list[Mover] | None = None, *, defocus: float = 0.0, dim: float = 1.0
    ) -> np.ndarray:
        """A picture (H, W, C). Several ``movers`` are moments of one exposure: what moves is smeared over them."""
        sensor, still = self.sensor, self._still
        if movers and defocus:
            seen = sensor.smoothed(self._with(movers)[0], defocus)
        elif movers:
            # Only what differs from the still scene goes through the lens again.
            if "seen" not in still:
                still["seen"] = sensor.smoothed(still["light"])
            if still.get("movers") is movers:  # a hand that rests: the same light as a frame ago
                return sensor.develop(still["with"] * np.float32(dim) if dim != 1.0 else still["with"], index)
            light, (y0, x0, y1, x1) = self._with(movers)
            seen = still["seen"].copy()
            fall = sensor.fall[y0:y1, x0:x1]
            part = cv2.GaussianBlur(light[y0:y1, x0:x1] * fall, (0, 0), max(sensor.psf, 0.3))
            seen[y0:y1, x0:x1] = part.reshape(y1 - y0, x1 - x0, -1)
            still["movers"], still["with"] = movers, seen
        else:
            key = "seen" if not defocus else f"seen {defocus}"
            if key not in still:
                still[key] = sensor.smoothed(still["light"], defocus)
            seen = still[key]
        return sensor.develop(seen * np.float32(dim) if dim != 1.0 else seen, index)

    def _with(self, movers: list[Mover]) -> tuple[np.ndarray, tuple[int, int, int, int]]:
        """The still scene with something over it, and the box (y0, x0, y1, x1) in which it differs."""
        painter, still = self.painter, self._still
        grid = painter.lit(still["casters"] + movers[len(movers) // 2].casters)
        light = still["light"].copy()
        region = painter.changed_region(grid, still["grid"])
        boxes = []
        if region is not None:
            # What stands over the table keeps its own light.
            owner = still["owner"][region]
            lit = painter.shone(still["canvas"], grid, region)
            light[region] = np.where((owner == BLOCKER)[..., None], light[region], lit)
            boxes.append((region[0].start, region[1].start, region[0].stop, region[1].stop))
        own = [painter.box(patch.corners) for mover in movers for patch in mover.patches]
        spots = [(box[1], box[0], box[3], box[2]) for box in own if box is not None]
        if not spots:
            return light, boxes[0] if boxes else (0, 0, 2, 2)
        y0, x0 = min(spot[0] for spot in spots), min(spot[1] for spot in spots)
        y1, x1 = max(spot[2] for spot in spots), max(spot[3] for spot in spots)
        here = (slice(y0, y1), slice(x0, x1))
        total = np.zeros_like(light[here])
        over = Canvas(light, np.zeros((*light.shape[:2], 1), np.float32), still["owner"].copy())
        before = light[here].copy()
        for mover in movers:
            light[here] = before
            over.shine[here] = 0
            for patch in mover.patches:
                x, y = patch.corners[:2, 0].mean(), patch.corners[:2, 1].mean()
                glow = painter.at(still["grid"], float(x), float(y))
                painter.paint(over, patch, np.maximum(glow, 0.3) if patch.owner == BLOCKER else glow)
            total += light[here] + over.shine[here]
        light[here] = total / len(movers)
        boxes.append((y0, x0, y1, x1))
        return light, (
            min(b[0] for b in boxes),
            min(b[1] for b in boxes),
            max(b[2] for b in boxes),
            max(b[3] for b in boxes),
        )
