"""Plays scripted moments before the eyes and holds what they agree on against what really lies there."""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path

import cv2
import numpy as np
from photo import textures, things
from photo.render import Caster, Patch
from photo.studio import CardThing, FigureThing, Mover, Studio

from engine.table.observation import Sight
from vision.eyes import Eyes
from vision.frame import Frame
from vision.look import Look

Held = tuple[list[Patch], list[Caster]]
"""What a hand holds at one moment, and what of it throws a shadow."""

READ_WITHIN = 5  # frames after lying still
LATE = 25  # frames after which a card taken away or a fencer moved must not be believed any more
STEADY_WITHIN = 12
PLAIN_PX = 2.5  # px a module from which a card must be read
ON_SPACE, CLEARLY_OFF = 0.2, 0.42  # of the pitch: certainly on a space, certainly between two


@dataclass
class Finding:
    """Something to look at: ``kind`` is wrong_card, held_card, wrong_space, late_card, late_space, unread, unsteady,
    crash.

    A held_card is a wrong one on a table that is not steady: one that a hand holds still and that is read clearly is
    believed to lie there, but nothing is judged until the table is steady, and then it is a wrong_card.
    """

    kind: str
    frame: int
    text: str


@dataclass
class Tally:
    frames: int = 0
    plain: int = 0
    read: int = 0
    errors_mm: list[float] = field(default_factory=list)
    findings: list[Finding] = field(default_factory=list)
    whys: dict[str, int] = field(default_factory=dict)


class Session:
    """One clip. ``save`` is where pictures of findings go, ``keep`` sees every picture (for folders)."""

    def __init__(
        self,
        studio: Studio,
        eyes: Eyes | None,
        *,
        fps: float = 8.0,
        save: Path | None = None,
        name: str = "",
        keep: Callable[[int, np.ndarray], None] | None = None,
    ) -> None:
        self.studio, self.eyes, self.fps, self.save, self.name, self.keep = studio, eyes, fps, save, name, keep
        self.cards: list[CardThing] = []
        self.figures: dict[str, FigureThing] = {}
        self.index = 0
        self.tally = Tally()
        self.gone: dict[str, int] = {}  # card: frame at which it left
        self.laid: dict[str, int] = {}
        self.was: dict[str, list[tuple[int, FigureThing | None]]] = {"white": [], "black": []}
        self.calm = 0
        self.look: Look | None = None
        self.seen_read: set[str] = set()
        self._said: set[tuple[str, str]] = set()
        self.rng = np.random.default_rng(studio.seed + 99)

    # -- the world -------------------------------------------------------------------------------------------------

    def put(self, cards: list[CardThing] | None = None, /, **figures: FigureThing | None) -> None:
        """Changes what lies and stands there from the next frame on."""
        if cards is not None:
            now = {card.name for card in cards if self._own(card)}
            for card in self.cards:
                if self._own(card) and card.name not in now:
                    self.gone[str(card.name)] = self.index
                    self.laid.pop(str(card.name), None)
                    self.seen_read.discard(str(card.name))
            before = {id(card) for card in self.cards}
            for card in cards:
                if self._own(card) and id(card) not in before:
                    self.laid[str(card.name)] = self.index
                    self.gone.pop(str(card.name), None)
            self.cards = list(cards)
        for side, figure in figures.items():
            if figure is None:
                self.figures.pop(side, None)
            else:
                self.figures[side] = figure
            self.was[side].append((self.index, figure))
        self.studio.still(self.cards, self.figures)
        self.calm = 0

    def _own(self, card: CardThing) -> bool:
        return card.name is not None and card.deck in (None, self.studio.setup.deck)

    def space(self, number: int, **look: object) -> FigureThing:
        x, y, z = self.studio.setup.spaces[number - 1]
        turn = float(look.pop("turn", self.rng.normal(0, 3)))  # type: ignore[arg-type]
        off = float(look.pop("off", self.rng.normal(0, 0.04))) * self.pitch  # type: ignore[arg-type]
        return FigureThing(x + off, y + float(self.rng.normal(0, 1.0)), z, turn, dict(look))

    @property
    def pitch(self) -> float:
        a, b = self.studio.setup.spaces[:2]
        return math.dist(a[:2], b[:2])

    # -- what is shown ---------------------------------------------------------------------------------------------

    def rest(self, frames: int, movers: list[Mover] | None = None, *, moving: bool = False, **how: float) -> None:
        """Shows the same for some frames; ``movers`` is a hand that rests there."""
        for _ in range(frames):
            self.show(movers, moving=moving or bool(movers), **how)

    def show(self, movers: list[Mover] | None, *, moving: bool, **how: float) -> None:
        image = self.studio.frame(self.index, movers, **how)
        self.calm = 0 if moving or how else self.calm + 1
        if self.keep is not None:
            self.keep(self.index, image)
        if self.eyes is not None:
            y = image[..., 0] if image.shape[2] == 1 else cv2.cvtColor(image, cv2.COLOR_BGR2GRAY)
            self._image = image
            try:
                self.look = self.eyes.look(Frame(self.index, self.index / self.fps, np.ascontiguousarray(y)))
            except Exception as error:
                self._find("crash", f"{type(error).__name__}: {error}")
                raise
            self._check(self.look)
        self.tally.frames += 1
        self.index += 1

    def hand(
        self,
        path: list[tuple[float, float, float]],
        frames: int,
        towards: float = 90.0,
        *,
        seed: int = 0,
        pose: str = "point",
        holds: Callable[[float, float, float], Held] | None = None,
        above: bool = True,
    ) -> None:
        """A hand along a path of (x, y, z), with what it holds under its fingers, smeared by its speed."""
        knots = np.array(path, float)
        for number in range(frames):
            movers = []
            for blur in (0.0, 0.2):
                part = min(1.0, (number + blur) / max(frames - 1, 1))
                part = part * part * (3 - 2 * part)
                at = part * (len(knots) - 1)
                low = min(int(at), len(knots) - 2)
                x, y, z = knots[low] + (knots[low + 1] - knots[low]) * (at - low)
                movers.append(self.hand_at(x, y, z, towards, seed=seed, pose=pose, holds=holds, above=above))
            self.show(movers, moving=True)

    def hand_at(
        self,
        x: float,
        y: float,
        z: float,
        towards: float = 90.0,
        *,
        seed: int = 0,
        pose: str = "point",
        holds: Callable[[float, float, float], Held] | None = None,
        above: bool = True,
    ) -> Mover:
        patches, casters = things.hand(x, y, z, towards, seed=seed, pose=pose, mirrored=seed % 2 == 1)
        if holds is not None:
            held, shadow = holds(x, y, z)
            patches = held + patches if above else patches + held
            casters = casters + shadow
        return Mover(patches, casters)

    def holding_card(self, thing: CardThing) -> Callable[[float, float, float], Held]:
        """A card in the fingers: their tips lie near its middle."""

        def holds(x: float, y: float, z: float) -> Held:
            held = CardThing(thing.name, x + 4, y + 22, thing.turn, max(z - 9, 0.5), thing.deck, thing.look)
            patches = self.studio.card_patches(held, 500, lying=False)
            return patches, [Caster(things.sheet(held.x, held.y, held.z, *textures.CARD_MM, held.turn), 0.95)]

        return holds

    def lay(self, thing: CardThing, *, seed: int = 0, frames: int = 9, away: float = 90.0, rest: int = 8) -> None:
        """A hand brings a card, puts it down and goes again."""
        c, s = math.cos(math.radians(away)), math.sin(math.radians(away))
        tip = (thing.x - 4, thing.y - 22)
        far = (tip[0] - 330 * c, tip[1] - 330 * s, 70.0)
        near = (tip[0], tip[1], thing.z + 10)
        self.hand([far, (*tip, 45.0), near], frames, away, seed=seed, holds=self.holding_card(thing))
        self.put([*self.cards, thing])
        self.hand([near, far], max(3, frames * 2 // 3), away, seed=seed)
        self.rest(rest)

    def take(self, names: set[str], *, seed: int = 0, away: float = 90.0, rest: int = 10) -> None:
        """A hand takes cards away."""
        going = [card for card in self.cards if card.name in names]
        x, y = going[-1].x - 4, going[-1].y - 22
        c, s = math.cos(math.radians(away)), math.sin(math.radians(away))
        far = (x - 340 * c, y - 340 * s, 70.0)
        self.hand([far, (x, y, 12.0)], 5, away, seed=seed)
        self.put([card for card in self.cards if card.name not in names])
        self.hand([(x, y, 12.0), (x, y, 40.0), far], 7, away, seed=seed, holds=self.holding_card(going[-1]))
        self.rest(rest)

    def move(
        self, side: str, thing: FigureThing, *, seed: int = 0, away: float = 90.0, frames: int = 9, rest: int = 8
    ) -> None:
        """A hand lifts a fencer and puts it elsewhere."""
        old = self.figures[side]
        c, s = math.cos(math.radians(away)), math.sin(math.radians(away))
        start, end = (old.x, old.y - 6), (thing.x, thing.y - 6)
        outside = (start[0] - 330 * c, start[1] - 330 * s, 110.0)
        self.hand([outside, (*start, 66.0)], max(3, frames // 2), away, seed=seed, pose="grip")
        self.put(**{side: None})

        def holds(x: float, y: float, z: float) -> Held:
            look = {key: value for key, value in thing.look.items() if key not in ("lying", "tag_tilt")}
            tab, body, casters = self.studio.figure(
                side, FigureThing(x, y + 6, max(z - 62, 0), thing.turn, {**look, "lifted": 0.01})
            )
            return tab + body, casters

        self.hand(
            [(*start, 66.0), (*start, 90.0), (*end, 90.0), (*end, 64.0 + thing.z)],
            frames,
            away,
            seed=seed,
            pose="grip",
            holds=holds,
        )
        self.put(**{side: thing})
        leave = (end[0] - 330 * c, end[1] - 330 * s, 110.0)
        self.hand([(*end, 66.0), leave], max(3, frames // 2), away, seed=seed, pose="grip")
        self.rest(rest)

    # -- truth -----------------------------------------------------------------------------------------------------

    def plain_cards(self) -> set[str]:
        """The cards of which at least one whole label is in plain sight, large and not in glare."""
        lens, owner = self.studio.lens, self.studio.owner
        light = self.studio._still["light"]
        area = self.studio.setup.area
        plain = set()
        for number, card in enumerate(self.cards, start=1):
            if not self._own(card) or not (area[0] <= card.x <= area[1] and area[2] <= card.y <= area[3]):
                continue
            if not self._labels_inside(card):
                continue
            for label in textures.label_corners_on_card(self.studio.setup.qr_mm):
                flat = (label - np.array(textures.CARD_MM) / 2) * (1, -1)
                grown = (flat - flat.mean(axis=0)) * 1.16 + flat.mean(axis=0)
                spin = things.turned(card.turn)
                edge = np.column_stack([grown @ spin.T + (card.x, card.y), np.full(4, card.z)])
                px, _ = lens.seen(edge)
                sides = np.linalg.norm(px - np.roll(px, 1, axis=0), axis=1) / 1.16 / 21
                if sides.min() < PLAIN_PX or (px < 2).any() or (px > np.array([lens.width, lens.height]) - 3).any():
                    continue
                mask = np.zeros(owner.shape, np.uint8)
                cv2.fillPoly(mask, [np.round(px).astype(np.int32)], 1)
                inside = mask > 0
                shining = light[inside].mean(axis=1) * self.studio.sensor.exposure
                if (
                    (owner[inside] == number).mean() > 0.995
                    and (shining > 0.98).mean() < 0.03
                    and np.percentile(shining, 90) > 0.08
                ):
                    dark = np.percentile(shining, 8) / max(np.percentile(shining, 90), 1e-6)
                    if dark < 0.6:
                        plain.add(str(card.name))
        return plain

    def _labels_inside(self, card: CardThing) -> bool:
        x0, x1, y0, y1 = self.studio.setup.area
        for label in textures.label_corners_on_card(self.studio.setup.qr_mm):
            middle = (label.mean(axis=0) - np.array(textures.CARD_MM) / 2) * (1, -1)
            x, y = things.turned(card.turn) @ middle + (card.x, card.y)
            if x0 + 3 < x < x1 - 3 and y0 + 3 < y < y1 - 3:
                return True
        return False

    def true_space(self, figure: FigureThing | None) -> tuple[int | None, bool]:
        """The space on which it stands (None: on none), and whether that is beyond doubt."""
        if figure is None or figure.look.get("lying"):
            return None, True
        spaces = np.array(self.studio.setup.spaces)
        apart = np.linalg.norm(spaces[:, :2] - (figure.x, figure.y), axis=1) / self.pitch
        best = int(apart.argmin())
        if apart[best] <= ON_SPACE:
            return best + 1, True
        return None, bool(apart[best] >= CLEARLY_OFF)

    def _check(self, look: Look) -> None:
        agreed = {str(reading.card) for reading in look.table.cards}
        lying = {str(card.name) for card in self.cards if self._own(card)}
        for name in agreed - lying:
            if name not in self.gone:
                steady = look.table.sight is Sight.STEADY
                self._find("wrong_card" if steady else "held_card", f"{name} was never laid")
            elif self.index - self.gone[name] > LATE and self.calm > LATE:
                self._find("late_card", f"{name} was taken away {self.index - self.gone[name]} frames ago")
        for card in self.cards:
            name = str(card.name)
            if name in agreed and self._own(card):
                reading = next(one for one in look.table.cards if str(one.card) == name)
                off = math.hypot(reading.x_mm - card.x, reading.y_mm - card.y)
                if self.calm > 8 and off > 12:
                    self._find("card_place", f"{name} is {off:.0f} mm off")
        self._check_figures(look)
        if self.calm == READ_WITHIN + 1 and look.table.sight.value != "blind":
            plain = self.plain_cards()
            self.tally.plain += len(plain)
            self.tally.read += len(plain & agreed)
            for name in sorted(plain - agreed):
                self._find(
                    "unread",
                    f"{name} lies in plain sight, table {sorted(agreed)}, seen {[str(c) for c in look.seen.cards]}",
                )
        if self.calm == STEADY_WITHIN and look.table.sight.value != "steady" and not self._tag_is_hidden(look):
            why = None if look.table.why is None else look.table.why.value
            self.tally.whys[str(why)] = self.tally.whys.get(str(why), 0) + 1
            self._find("unsteady", f"{look.table.sight.value}: {why} {look.table.why_side}, though nothing moves")

    def _tag_is_hidden(self, look: Look) -> bool:
        """Whether the eyes miss a fencer's tag that nobody could read."""
        if look.table.why_side is None:
            return False
        side = look.table.why_side.value
        figure, setup = self.figures.get(side), self.studio.setup
        if figure is None or figure.look.get("lying"):
            return True
        half = setup.tag_mm / 2 * 1.15
        flat = np.array([[-half, half], [half, half], [half, -half], [-half, -half]]) + setup.offset[:2]
        corners = np.column_stack(
            [flat @ things.turned(figure.turn).T + (figure.x, figure.y), np.full(4, figure.z + 3)]
        )
        px, _ = self.studio.lens.seen(corners)
        mask = np.zeros(self.studio.owner.shape, np.uint8)
        cv2.fillPoly(mask, [np.round(px).astype(np.int32)], 1)
        owner = self.studio.owner[mask > 0]
        return not len(owner) or float((owner == 100 + setup.ids[side == "black"]).mean()) < 0.97

    def _check_figures(self, look: Look) -> None:
        for side in ("white", "black"):
            reading = getattr(look.table.figures, side)
            now, sure = self.true_space(self.figures.get(side))
            history = self.was[side]
            before = {self.true_space(figure)[0] for _, figure in history}
            since = self.index - history[-1][0] if history else 0
            if reading.space is not None and reading.space != now and sure:
                if reading.space not in before:
                    self._find("wrong_space", f"{side} on {reading.space}, truth {now}")
                elif since > LATE and self.calm > LATE:
                    self._find("late_space", f"{side} still on {reading.space}, truth {now}")
                elif self.calm > 6 and look.table.sight.value == "steady":
                    self._find(
                        "wrong_space", f"{side} steadily on {reading.space}, truth {now}, {self.calm} frames of calm"
                    )
            figure = self.figures.get(side)
            if (
                reading.space is not None
                and reading.space == now
                and self.calm > 4
                and reading.x_mm is not None
                and figure
            ):
                self.tally.errors_mm.append(abs(reading.x_mm - figure.x))

    def _find(self, kind: str, text: str) -> None:
        if (kind, text.split(",")[0]) in self._said:
            return
        self._said.add((kind, text.split(",")[0]))
        self.tally.findings.append(Finding(kind, self.index, text))
        if self.save is not None:
            self.save.mkdir(parents=True, exist_ok=True)
            cv2.imwrite(str(self.save / f"{kind}-{self.name}-{self.index:03d}.png"), self._image)
