"""Cards and figures put anywhere on the simulated table, and what the eyes agree on held against the truth.

``story`` acts: hands lay cards anywhere and any way round, cover them, take them up again, carry one over the table
without laying it, move figures, reach over the table for nothing. ``watch_story`` shows it to fresh eyes, keeps a
Score and calls out every failure with its frame, so that it can be looked at.
"""

from __future__ import annotations

import math
import random
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field, replace
from typing import Final

import numpy as np

from engine.rules.cards import DECK, Card
from engine.rules.track import BySide, Side
from vision.eyes import Eyes
from vision.frame import Frame
from vision.geometry import Camera
from vision.look import Look
from vision.printed.table import Table
from vision.printed.tags import QR_MODULES
from vision.synthetic import Disturbances, Renderer, Scene, SceneCard, SceneFigure, SceneHand, camera_variant, figure_at
from vision.synthetic.scene import CARD_HEIGHT_MM, CARD_WIDTH_MM

FRAME_S: Final = 0.1
LEGIBLE_PX: Final = 2.5  # a module's narrower side
READ_WITHIN_FRAMES: Final = 5
AGREED_LATE_FRAMES: Final = 15  # without a hand: by then what is gone must be gone
REST_FRAMES: Final = 7
ARM_FROM_DEG: Final = BySide(-105.0, -75.0)
_MARGIN_MM: Final = 6.0  # from a card's edges to the label's modules
_STOOD_FRAMES: Final = 5
_PLACED_SD_MM: Final = (1.4, 1.0)
_MAX_CARDS: Final = 9


@dataclass
class Score:
    """What the eyes made of one story, or of all. ``failures`` are sentences that name the frame."""

    frames: int = 0
    wrong_cards: int = 0
    wrong_spaces: int = 0
    late: int = 0
    legible: int = 0
    read_in_time: int = 0
    agreed_in_time: int = 0
    module_px: list[float] = field(default_factory=list)
    figure_errors_mm: list[float] = field(default_factory=list)
    tag_errors_mm: list[float] = field(default_factory=list)
    card_errors_mm: list[float] = field(default_factory=list)
    failures: list[str] = field(default_factory=list)

    def add(self, other: Score) -> None:
        """Put another story's score to this one."""
        self.frames += other.frames
        self.wrong_cards += other.wrong_cards
        self.wrong_spaces += other.wrong_spaces
        self.late += other.late
        self.legible += other.legible
        self.read_in_time += other.read_in_time
        self.agreed_in_time += other.agreed_in_time
        self.module_px += other.module_px
        self.figure_errors_mm += other.figure_errors_mm
        self.tag_errors_mm += other.tag_errors_mm
        self.card_errors_mm += other.card_errors_mm
        self.failures += other.failures


class _Teller:
    """The table while hands act at it."""

    def __init__(self, table: Table, rng: random.Random) -> None:
        self._table = table
        self._rng = rng
        self._deck = list(DECK)
        rng.shuffle(self._deck)
        self._cards: list[SceneCard] = []
        self._spaces = {side: rng.randrange(2, 10) + (12 if side is Side.BLACK else 0) for side in Side}
        self._figures = {side: figure_at(table, side, space) for side, space in self._spaces.items()}
        self._at_mm = {side: (260.0 if side is Side.WHITE else 380.0, -430.0) for side in Side}

    def tell(self) -> Iterator[Scene]:
        """Scenes without end."""
        yield from self._rest(10)
        while True:
            acts = [self._lay, self._lay, self._lay, self._lay, self._move, self._move, self._carry, self._reach_over]
            if len(self._cards) > 2:
                acts.append(self._take)
            if len(self._cards) >= _MAX_CARDS or len(self._deck) < 2:
                yield from self._sweep()
            else:
                yield from self._rng.choice(acts)()
            yield from self._rest(REST_FRAMES + self._rng.randrange(3))

    def _scene(self, *hands: SceneHand) -> Scene:
        figures = self._figures
        return Scene(tuple(self._cards), figures.get(Side.WHITE), figures.get(Side.BLACK), hands)

    def _rest(self, frames: int) -> Iterator[Scene]:
        for _ in range(frames):
            yield self._scene()

    def _hand(
        self, side: Side, x_mm: float, y_mm: float, frames: int, holds: SceneCard | SceneFigure | None = None
    ) -> Iterator[Scene]:
        """The hand goes there; what it holds goes with it and is at its own place in the last frame."""
        from_x, from_y = self._at_mm[side]
        for number in range(1, frames + 1):
            part = number / frames
            x, y = from_x + part * (x_mm - from_x), from_y + part * (y_mm - from_y)
            speed = ((x_mm - from_x) / frames / FRAME_S, (y_mm - from_y) / frames / FRAME_S)
            speed = (speed[0] * (1.2 - part), speed[1] * (1.2 - part))  # people slow down before they let go
            held = None
            if holds is not None:
                held = replace(holds, x_mm=holds.x_mm + x - x_mm, y_mm=holds.y_mm + y - y_mm)
                held = replace(held, lifted_mm=max(4.0, 30.0 * (1.0 - part)))
            yield self._scene(SceneHand(side, x, y, ARM_FROM_DEG[side], holds=held, velocity_mm_s=speed))
        self._at_mm[side] = (x_mm, y_mm)

    def _withdraw(self, side: Side) -> Iterator[Scene]:
        yield from self._hand(side, self._at_mm[side][0], -430.0, 3)

    def _new_card(self, level: int) -> SceneCard:
        area, rng = self._table.play_area, self._rng
        turn = rng.choice((rng.gauss(0, 8), rng.gauss(180, 8), rng.uniform(0, 360)))
        x_mm, y_mm = rng.uniform(area.x0 + 34, area.x1 - 34), rng.uniform(area.y0 + 46, area.y1 - 46)
        if self._cards and rng.random() < 0.25:  # on a card that lies there, as on a pile
            under = rng.choice(self._cards)
            x_mm, y_mm, turn = under.x_mm + rng.gauss(0, 3), under.y_mm + rng.gauss(0, 3), rng.gauss(0, 6)
        return SceneCard(self._deck[-1], x_mm, y_mm, turn, level)

    def _lay(self) -> Iterator[Scene]:
        side = self._rng.choice(list(Side))
        card = self._new_card(1 + max((card.level for card in self._cards), default=-1))
        self._deck.pop()
        yield from self._hand(side, card.x_mm, card.y_mm - 40.0, 4, card)
        self._cards.append(card)
        yield from self._hand(side, card.x_mm, card.y_mm - 45.0, 1)
        yield from self._withdraw(side)

    def _carry(self) -> Iterator[Scene]:
        """A card is held over the table for a while and goes back into the hand."""
        side = self._rng.choice(list(Side))
        card = self._new_card(20)
        yield from self._hand(side, card.x_mm, card.y_mm - 40.0, 4, card)
        for _ in range(self._rng.randrange(6)):
            yield self._scene(
                SceneHand(side, card.x_mm, card.y_mm - 40.0, ARM_FROM_DEG[side], holds=replace(card, lifted_mm=25.0))
            )
        yield from self._hand(side, card.x_mm, -430.0, 4, replace(card, y_mm=-390.0))

    def _take(self) -> Iterator[Scene]:
        side = self._rng.choice(list(Side))
        card = max(self._cards, key=lambda card: card.level)
        yield from self._hand(side, card.x_mm, card.y_mm - 40.0, 4)
        self._cards.remove(card)
        self._deck.insert(0, card.card)
        yield from self._hand(side, card.x_mm, -430.0, 4, replace(card, y_mm=-390.0))

    def _reach_over(self) -> Iterator[Scene]:
        side, rng = self._rng.choice(list(Side)), self._rng
        yield from self._hand(side, rng.uniform(90, 530), rng.uniform(-240, 20), 4)
        yield from self._hand(side, rng.uniform(90, 530), rng.uniform(-240, 20), 3)
        yield from self._withdraw(side)

    def _move(self) -> Iterator[Scene]:
        side, rng = self._rng.choice(list(Side)), self._rng
        low, high = (1, self._spaces[Side.BLACK] - 2) if side is Side.WHITE else (self._spaces[Side.WHITE] + 2, 23)
        space = rng.choice([space for space in range(low, high + 1) if space != self._spaces[side]] or [low])
        here = self._figures.pop(side)
        there = figure_at(self._table, side, space)
        there = replace(
            there, x_mm=there.x_mm + rng.gauss(0, _PLACED_SD_MM[0]), y_mm=there.y_mm + rng.gauss(0, _PLACED_SD_MM[1])
        )
        there = replace(there, turn_deg=rng.gauss(0, 3))
        self._figures[side] = here
        yield from self._hand(side, here.x_mm, here.y_mm - 10.0, 4)
        del self._figures[side]
        yield from self._hand(side, there.x_mm, there.y_mm - 10.0, 3, there)
        self._figures[side], self._spaces[side] = there, space
        yield from self._hand(side, there.x_mm, there.y_mm - 15.0, 1)
        yield from self._withdraw(side)

    def _sweep(self) -> Iterator[Scene]:
        for x_mm in (480.0, 310.0, 140.0):
            yield from self._hand(Side.WHITE, x_mm, -150.0, 2)
        self._deck = [card.card for card in self._cards] + self._deck
        self._cards = []
        yield from self._withdraw(Side.WHITE)


def story(table: Table, seed: int) -> Iterator[Scene]:
    """Scenes without end, FRAME_S apart; the same seed tells the same story."""
    return _Teller(table, random.Random(f"hard story {seed}")).tell()


def with_width(table: Table, width: int) -> Table:
    """The same table under a camera of the same shape with so many pixels across."""
    height = round(width * table.camera.height / table.camera.width / 8) * 8
    return replace(table, camera=table.camera._replace(width=width, height=height))


def watch_story(
    table: Table,
    disturbances: Disturbances,
    seed: int,
    frames: int,
    failed: Callable[[Frame, Look, str], None] = lambda frame, look, said: None,
) -> Score:
    """Shows so many frames of a story to fresh eyes; ``failed`` is called with each failure's frame."""
    camera = camera_variant(table, seed, 1.0)
    renderer = Renderer(table, camera, disturbances, seed)
    judge = _Judge(table, camera, failed, f"seed {seed}, {table.camera.width} px wide")
    eyes = Eyes(table)
    scenes = story(table, seed)
    for index in range(frames):
        scene = next(scenes)
        frame = renderer.render(scene, index, index * FRAME_S)
        judge.look(scene, frame, eyes.look(frame))
    return judge.score


class _Judge:
    """Holds one look after the other against the scene it was a look at."""

    def __init__(self, table: Table, camera: Camera, failed: Callable[[Frame, Look, str], None], name: str) -> None:
        self._table = table
        self._camera = camera
        self._failed = failed
        self._name = name
        self._agreed: dict[Card, tuple[float, float]] = {}
        self._spaces: dict[Side, int | None] = dict.fromkeys(Side)
        self._gone: dict[Card, int] = {}
        self._astray = dict.fromkeys(Side, 0)
        self._stood = dict.fromkeys(Side, 0)
        self._lies: dict[SceneCard, int] = {}  # frames in plain sight without a hand
        self._read: set[SceneCard] = set()
        self._figures: dict[Side, SceneFigure | None] = {}
        self.score = Score()

    def look(self, scene: Scene, frame: Frame, look: Look) -> None:
        self.score.frames += 1
        self._cards(scene, frame, look)
        for side, figure in ((Side.WHITE, scene.white), (Side.BLACK, scene.black)):
            self._figure(side, figure, scene, frame, look)

    def _fail(self, frame: Frame, look: Look, said: str) -> None:
        said = f"{self._name}, frame {frame.index}: {said}"
        self.score.failures.append(said)
        self._failed(frame, look, said)

    def _cards(self, scene: Scene, frame: Frame, look: Look) -> None:
        lying = {card.card: card for card in scene.cards}
        agreed = {reading.card: (reading.x_mm, reading.y_mm) for reading in look.table.cards}
        for name, (x_mm, y_mm) in agreed.items():
            if name not in lying:
                if name not in self._agreed:
                    self.score.wrong_cards += 1
                    self._fail(frame, look, f"{name} was agreed on and does not lie there")
                self._gone[name] = self._gone.get(name, 0) + (not scene.hands)
                if self._gone[name] == AGREED_LATE_FRAMES:
                    self.score.late += 1
                    self._fail(frame, look, f"{name} is gone and still agreed on")
                continue
            self._gone.pop(name, None)
            there = lying[name]
            apart = math.hypot(x_mm - there.x_mm, y_mm - there.y_mm)
            if self._lies.get(there) == READ_WITHIN_FRAMES:
                self.score.card_errors_mm.append(apart)
        self._agreed = agreed
        for card in scene.cards:
            if scene.hands:
                if card not in self._lies:
                    self._lies[card] = 0
                continue
            self._plain(card, scene, frame, look, card.card in agreed)
        self._lies = {card: count for card, count in self._lies.items() if card in scene.cards}

    def _plain(self, card: SceneCard, scene: Scene, frame: Frame, look: Look, agreed: bool) -> None:
        """A card without any hand over the table: is it read in time?"""
        count = self._lies[card] = self._lies.get(card, 0) + 1
        if count <= READ_WITHIN_FRAMES and card.card in look.seen.cards:
            self._read.add(card)
        if count != READ_WITHIN_FRAMES:
            return
        module_px = self._module_px(card, scene)
        if module_px < LEGIBLE_PX:
            return
        self.score.legible += 1
        self.score.module_px.append(module_px)
        self.score.read_in_time += card in self._read
        self.score.agreed_in_time += agreed
        if card not in self._read:
            self._fail(frame, look, f"{card.card} of {module_px:.1f} px a module was not read in time")
        elif not agreed:
            self._fail(frame, look, f"{card.card} of {module_px:.1f} px a module was read and not agreed on in time")

    def _module_px(self, card: SceneCard, scene: Scene) -> float:
        """The narrower side of a module of its larger label that nothing hides; 0 when both are hidden."""
        sizes = [0.0]
        for corners in _labels_mm(card, self._table.qr_mm):
            middle = corners.mean(axis=0)
            others = [other for other in scene.cards if other.level > card.level]
            covered = any(_on_card(place, other) for place in (*corners, middle) for other in others)
            if covered or not self._table.play_area.holds(float(middle[0]), float(middle[1])):
                continue
            px = self._camera.project(np.column_stack([corners, np.zeros(4)]))
            sizes.append(float(np.linalg.norm(np.roll(px, -1, axis=0) - px, axis=1).min()) / QR_MODULES)
        return max(sizes)

    def _figure(self, side: Side, figure: SceneFigure | None, scene: Scene, frame: Frame, look: Look) -> None:
        space = look.table.figures[side].space
        true = None if figure is None else self._space_of(figure)
        if space is not None and space != self._spaces[side] and space != true:
            self.score.wrong_spaces += 1
            self._fail(frame, look, f"{side.value} was agreed on {space} and is on {true}")
        self._spaces[side] = space
        if figure is None or figure != self._figures.get(side) or scene.hands:
            self._figures[side] = figure
            self._stood[side] = self._astray[side] = 0
            return
        self._stood[side] += 1
        self._astray[side] = 0 if space == true else self._astray[side] + 1
        if self._astray[side] == AGREED_LATE_FRAMES:
            self.score.late += 1
            self._fail(frame, look, f"{side.value} stands on {true} and {space} is still agreed on")
        x_mm = look.table.figures[side].x_mm
        if self._stood[side] >= _STOOD_FRAMES and space == true and x_mm is not None:
            self.score.figure_errors_mm.append(abs(x_mm - figure.x_mm))
            self._tag_error(side, figure, look)

    def _tag_error(self, side: Side, figure: SceneFigure, look: Look) -> None:
        offset, angle = self._table.fencer_offset_mm, math.radians(figure.turn_deg)
        true = (
            figure.x_mm + math.cos(angle) * offset.x - math.sin(angle) * offset.y,
            figure.y_mm + math.sin(angle) * offset.x + math.cos(angle) * offset.y,
        )
        for tag in look.detections.tags:
            if tag.id == self._table.fencer_ids[side] and look.calibration is not None:
                found = look.calibration.camera.at_height(tag.centre[None], figure.z_mm + offset.z)[0]
                self.score.tag_errors_mm.append(math.dist(found, true))

    def _space_of(self, figure: SceneFigure) -> int:
        return 1 + min(
            range(len(self._table.spaces_mm)), key=lambda number: abs(self._table.spaces_mm[number].x - figure.x_mm)
        )


def _labels_mm(card: SceneCard, qr_mm: float) -> Iterator[np.ndarray[tuple[int, int], np.dtype[np.float64]]]:
    """The corners (4, 2) of a card's two labels, millimetres."""
    across, up = CARD_WIDTH_MM / 2 - _MARGIN_MM, CARD_HEIGHT_MM / 2 - _MARGIN_MM
    label = np.array([[-across, up], [-across + qr_mm, up], [-across + qr_mm, up - qr_mm], [-across, up - qr_mm]])
    for turn_deg in (card.turn_deg, card.turn_deg + 180.0):
        c, s = math.cos(math.radians(turn_deg)), math.sin(math.radians(turn_deg))
        yield label @ np.array([[c, s], [-s, c]]) + (card.x_mm, card.y_mm)


def _on_card(place: np.ndarray[tuple[int], np.dtype[np.float64]], card: SceneCard) -> bool:
    c, s = math.cos(math.radians(card.turn_deg)), math.sin(math.radians(card.turn_deg))
    dx, dy = float(place[0]) - card.x_mm, float(place[1]) - card.y_mm
    return abs(c * dx + s * dy) <= CARD_WIDTH_MM / 2 + 5 and abs(-s * dx + c * dy) <= CARD_HEIGHT_MM / 2 + 5
