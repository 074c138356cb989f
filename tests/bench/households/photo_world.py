"""Households as `photo/` photographs them: a renderer that shares nothing with the simulated table."""

from __future__ import annotations

import math
from dataclasses import replace
from typing import Any

import numpy as np
from households.household import Household, Person, View, true_table
from households.room import Laid, Room
from photo import textures, things
from photo.lens import Lens, aimed
from photo.render import BLOCKER, Caster, Light, Patch
from photo.setups import PLAIN, Setup
from photo.studio import CardThing, FigureThing, Mover, Studio
from photo.worlds import random_lights, random_sensor

from engine.rules.track import Side
from vision.frame import Picture

COPIES = 3
"""Frames of a scene at rest that differ in their noise; they are shown in turn."""
_HEAD_MM, _HEAD_Z_MM = 95.0, 240.0


class PhotoWorld:
    """A household before the photographs' renderer."""

    fps = 5.0

    def __init__(self, home: Household) -> None:
        self.home = home
        self.setup = setup_of(home)
        rng = np.random.default_rng((home.seed, 21))
        one, ambient = random_lights(rng)
        other, other_ambient = random_lights(rng)
        self._lights = ((one, ambient), (other, other_ambient))
        self._sensor_seed = int(rng.integers(1 << 30))
        self._top_gloss = float(rng.choice([0.0, 0.0, 0.15, 0.4]))
        self._studios: dict[tuple[bool, int], Studio] = {}
        self._shown: tuple[object, ...] | None = None
        self._kept: dict[tuple[object, ...], Picture] = {}
        cloth = textures.table_top(home.top, home.seed).reshape(-1, 3).mean(axis=0)
        blue, green, red = (float(value) for value in cloth)
        self._cloth = (blue, green, red)

    def picture(self, room: Room, index: int) -> Picture:
        studio = self._studio(room)
        if room.still != self._shown:
            self._shown = room.still
            self._kept.clear()
            cards = [self._card(laid, room) for laid in sorted(room.cards.values(), key=lambda laid: laid.level)]
            figures = {side.value: self._figure(room, side) for side in room.figures}
            studio.standing = [] if room.boxed is None else [self._box(room.boxed)]
            studio.still(cards, figures)
        movers = [self._moving(studio, room)] if room.hands or room.heads else None
        if movers is not None:
            return self._grey(studio.frame(index, movers, dim=room.light, defocus=room.blur_px))
        key = (index % COPIES, room.light, room.blur_px)
        if key not in self._kept:
            self._kept[key] = self._grey(studio.frame(index % COPIES, None, dim=room.light, defocus=room.blur_px))
        return self._kept[key]

    def calibration_frames(self, room: Room) -> list[Picture]:
        return [self.picture(room, index).copy() for index in range(COPIES)]

    def _grey(self, image: np.ndarray) -> Picture:
        return np.ascontiguousarray(image[..., 0])

    def _studio(self, room: Room) -> Studio:
        key = (room.bumped, room.lamps)
        if key not in self._studios:
            home = self.home
            lights, ambient = self._lights[room.lamps % 2]
            rng = np.random.default_rng((home.seed, 22))
            self._studios[key] = Studio(
                self.setup,
                lens_of(home.bumped if room.bumped else home.view, self.setup),
                [Light(**vars(light)) for light in lights],
                random_sensor(rng, 0.6, self._sensor_seed % 100_000),
                top=home.top,
                seed=home.seed,
                ambient=ambient,
                top_gloss=self._top_gloss,
                mat=home.mat,
            )
        return self._studios[key]

    def _card(self, laid: Laid, room: Room) -> CardThing:
        look: dict[str, Any] = {"labels": laid.labels}
        if self.home.cards.sleeve:
            look["sleeve"] = self.home.cards.sleeve
        if laid.bent_mm:
            look["bend_mm"] = laid.bent_mm
        return CardThing(str(laid.card), laid.x_mm, laid.y_mm, laid.turn_deg, 0.4 + 0.3 * laid.level, None, look)

    def _figure(self, room: Room, side: Side) -> FigureThing:
        standing = room.figures[side]
        tall = self.home.people[side].figure_mm
        return FigureThing(standing.x_mm, standing.y_mm, 0.0, standing.turn_deg, {"tall": tall})

    def _box(self, number: int) -> Mover:
        """Something 50 mm high that stands on a corner marker."""
        _, x, y, _ = self.setup.corners[number]
        tone = np.full((20, 30, 3), (90, 110, 190), np.uint8)
        tone[4:16, 6:24] = (60, 70, 140)
        top = things.sheet(x, y, 50.0, 78.0, 54.0, 8.0)
        patches = [Patch(things.sheet(x, y, z, 78.0, 54.0, 8.0), tone, owner=BLOCKER, ss=1) for z in (1, 15, 30, 50)]
        return Mover(patches, [Caster(top)])

    def _moving(self, studio: Studio, room: Room) -> Mover:
        patches: list[Patch] = []
        casters: list[Caster] = []
        for side, hand in room.hands.items():
            person = self.home.people[side]
            where = (hand.x_mm, hand.y_mm, hand.z_mm)
            pose = "grip" if hand.fencer is not None else "point"
            own, shadow = things.hand(
                *where, person.towards_deg, seed=self.home.seed % 12, pose=pose, look=self._look(person),
                mirrored=side is Side.BLACK,
            )  # fmt: skip
            if hand.card is not None:
                held = replace(hand.card, x_mm=hand.x_mm + 4, y_mm=hand.y_mm + 24)
                thing = self._card(held, room)
                thing.z = max(hand.z_mm - 9, 0.5)
                patches += studio.card_patches(thing, 500, lying=False)
                casters.append(Caster(things.sheet(thing.x, thing.y, thing.z, *self.setup.card_mm, thing.turn), 0.95))
            if hand.fencer is not None:
                tall = self.home.people[hand.fencer].figure_mm
                thing_z = max(hand.z_mm - tall, 0.0)
                lifted = FigureThing(hand.x_mm, hand.y_mm + 6, thing_z, 0.0, {"lifted": 0.01, "tall": tall})
                tab, body, fallen = studio.figure(hand.fencer.value, lifted)
                patches += tab + body
                casters += fallen
            patches += own
            casters += shadow
        for x_mm, reach_mm in room.heads:
            patches.append(self._head(studio.lens, x_mm, reach_mm))
        return Mover(patches, casters)

    def _look(self, person: Person) -> things.HandLook:
        sleeve = self._cloth if person.cloth_sleeve else person.sleeve
        return things.HandLook(skin=person.skin, sleeve=sleeve, ring=person.ring)

    def _head(self, lens: Lens, x_mm: float, reach_mm: float) -> Patch:
        """A head that comes in over the picture's lower edge, so many millimetres on the table."""
        _, edge_y = lens.onto_plane(0.0, lens.rays[-2:-1, lens.width // 2 : lens.width // 2 + 1])
        near = float(edge_y[0, 0]) + reach_mm
        share = 1 - _HEAD_Z_MM / max(float(lens.position[2]), _HEAD_Z_MM + 60)
        y = float(lens.position[1]) + (near - float(lens.position[1])) * share
        image, alpha = things.disc((40, 52, 66), 0.3, int(x_mm) % 5)
        radius = _HEAD_MM * 2
        return Patch(things.sheet(x_mm, y - radius / 2, _HEAD_Z_MM, radius, radius), image, alpha, owner=BLOCKER, ss=1)


def setup_of(home: Household) -> Setup:
    """What is really printed, stuck and stood at this household."""
    table = true_table(home)
    return replace(
        PLAIN,
        spaces=tuple((p.x, p.y, p.z) for p in table.spaces_mm),
        corners=tuple((c.id, c.x, c.y, c.z) for c in table.corners),
        size=(home.module.width, home.module.height),
        marker_mm=table.board_size_mm,
        tag_mm=table.fencer_size_mm,
        qr_mm=table.qr_mm,
        card_mm=home.cards.size_mm,
    )


def lens_of(view: View, setup: Setup) -> Lens:
    """The lens of a view, moved back until all that must be seen is in its picture."""
    points = setup.points()
    for step in range(12):
        x, y, z = view.position_mm
        away = 1 + 0.01 * step
        if math.hypot(x - view.target_mm[0], y - view.target_mm[1]) < 60:
            position = (x, y, z * away)
        else:
            position = tuple(t + (p - t) * away for p, t in zip((x, y, z), view.target_mm, strict=True))  # type: ignore[assignment]
        lens = aimed(
            position,
            view.target_mm,
            view.roll_deg,
            view.hfov_deg,
            setup.size,
            view.bend,
            view.middle_off_px,
            up=(0.0, 1.0, 0.0),
        )
        px, depth = lens.seen(points)
        if depth.min() > 50 and (px > 4).all() and (px < np.array(setup.size) - 5).all():
            return lens
    return lens


def tops() -> tuple[str, ...]:
    """The table tops there are."""
    return textures.TOPS
