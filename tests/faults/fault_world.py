"""A table in virtual time whose devices fail: camera, eyes, buttons, lamps. Everything follows from one seed.

The camera's frames are some bytes each, which say what stood and lay there; the eyes stand in where a reader's marks
have become places on the table, so that all that follows, agreement over frames included, is the program's own.
"""

from __future__ import annotations

import random
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, replace
from typing import Any, Final

import numpy as np

from engine.rules.cards import Card
from engine.rules.track import START, BySide
from engine.table.observation import FigureReading, Why
from engine.table.presses import Button, Press
from firmware.table.camera.setup import TABLE_FILE, table_of
from firmware.table.panel.buttons import Contact, Edge, Gesture, GestureKind, debounce
from vision.agree.agreement import FrameReading, Memory, PlaceLook, PlaceState, step
from vision.frame import GONE, Frame
from vision.look import Drawn, Look, Seen
from vision.marks.foreign import in_process
from vision.printed.card_shape import LabelPose, Place
from vision.printed.table import CardSize
from vision.sights.observe import HIDDEN, CardSight, FigureSight, LabelPlace

TABLE: Final = table_of(TABLE_FILE)
TICK_S: Final = 0.2
CARD: Final = CardSize(27.0, 44.0)
"""Small ones, so that every card of a deck lies by itself: what lies on what is another test's."""
_REMEMBERED: Final = 40


@dataclass(frozen=True, slots=True)
class Scene:
    """What stands and lies there; ``unread`` are cards whose labels no reader answers for just now."""

    spaces: BySide[int] = START
    cards: Mapping[Card, Place] = field(default_factory=dict)
    hand: bool = False
    unread: frozenset[Card] = frozenset()


@dataclass(slots=True)
class Trouble:
    """What is wrong with the devices, most of it until a time on the world's clock."""

    gone_until_s: float = 0.0
    repeats_until_s: float = 0.0
    unread_until_s: float = 0.0
    stuck_until_s: float = 0.0
    torn_frames: int = 0
    swallowed: int = 0
    doubled: int = 0


class World:
    """Time, table and devices. ``now_s`` only goes forward; the calendar is off by ``wall_off_s``."""

    parts = devices = ()  # of a panel

    def __init__(self, rng: random.Random) -> None:
        self.rng = rng
        self.now_s = 0.0
        self.wall_off_s = 0.0
        self.scene = Scene()
        self.trouble = Trouble()
        self.undos_pressed = 0
        self._scenes: dict[int, Scene] = {}
        self._serial = 0
        self._last: Frame | None = None
        self._contacts = {button: Contact() for button in Button}
        self._edges: dict[Button, list[Edge]] = {button: [] for button in Button}
        self.lamps: Mapping[str, bool] = {}
        self.reaches: Callable[[str], None] = lambda moment: None
        """Told of the moments at which the program may be killed."""

    # -- the camera ------------------------------------------------------------------------------------------------

    def photograph(self, index: int) -> Frame:
        """The next frame: fresh, the last one again, torn across two of them, or none."""
        trouble, before = self.trouble, self._last
        if self.now_s < trouble.gone_until_s:
            self.now_s += 1.0 - TICK_S  # a camera that is gone is asked once a second
            return Frame(index, self.now_s, GONE)
        if self.now_s >= trouble.unread_until_s and self.scene.unread:
            self.scene = replace(self.scene, unread=frozenset())
        if self.now_s < trouble.repeats_until_s and before is not None:
            return replace(before, index=index, t_s=self.now_s)
        self._serial += 1
        self._scenes[self._serial] = self.scene
        self._scenes.pop(self._serial - _REMEMBERED, None)
        upper = lower = self._serial
        if trouble.torn_frames:
            trouble.torn_frames -= 1
            upper = max(1, self._serial - 1)
        noise = self.rng.randbytes(8)
        y = np.frombuffer(b"".join(row.to_bytes(8, "little") + noise for row in (upper, lower)), np.uint8)
        self._last = Frame(index, self.now_s, y.reshape(2, 16))
        return self._last

    def halves(self, frame: Frame) -> tuple[Scene, Scene]:
        """What the upper and the lower half of a frame show."""
        upper, lower = (int.from_bytes(frame.y[row, :8].tobytes(), "little") for row in (0, 1))
        return self._scenes.get(upper, self.scene), self._scenes[lower]

    # -- the panel -------------------------------------------------------------------------------------------------

    def press(self, button: Button) -> None:
        """A finger on a button for a quarter of a second, as the contacts have it."""
        trouble, edges = self.trouble, self._edges[button]
        if self.now_s < trouble.stuck_until_s:
            return
        if trouble.swallowed:
            trouble.swallowed -= 1
            return
        begins_s = self.now_s + self.rng.uniform(0.0, 0.01)
        edges += self._bounce(begins_s, down=True)
        if trouble.stuck_until_s < 0:
            trouble.stuck_until_s = self.now_s - trouble.stuck_until_s
            edges += self._bounce(trouble.stuck_until_s, down=False)
        else:
            edges += self._bounce(begins_s + 0.1, down=False)
            if trouble.doubled:
                trouble.doubled -= 1
                again_s = begins_s + self.rng.uniform(0.15, 0.4)
                edges += [*self._bounce(again_s, down=True), *self._bounce(again_s + 0.05, down=False)]
                self.undos_pressed += button is Button.UNDO
        self.undos_pressed += button is Button.UNDO

    def spike(self) -> None:
        """Something is induced into a wire: far too short for a finger."""
        button = self.rng.choice(list(Button))
        if not self._edges[button] and self._contacts[button].down_s is None:
            self._edges[button] += [Edge(self.now_s, True), Edge(self.now_s + self.rng.uniform(0.001, 0.015), False)]

    def _bounce(self, t_s: float, *, down: bool) -> list[Edge]:
        times_s = [t_s + number * 0.002 for number in range(2 * self.rng.randrange(4) + 1)]
        return [Edge(each_s, down if number % 2 == 0 else not down) for number, each_s in enumerate(times_s)]

    def gestures(self, now_s: float) -> tuple[tuple[Button, Gesture], ...]:
        told: list[tuple[Button, Gesture]] = []
        for button in Button:
            edges = [edge for edge in self._edges[button] if edge.t_s <= now_s]
            self._edges[button] = [edge for edge in self._edges[button] if edge.t_s > now_s]
            self._contacts[button], found = debounce(self._contacts[button], edges, now_s)
            told += [(button, gesture) for gesture in found]
        return tuple(told)

    def due(self, now_s: float) -> tuple[Press, ...]:
        """What the panel's buttons hand over, by the program's own account of their contacts."""
        told = self.gestures(now_s)
        return tuple(Press(gesture.t_s, button) for button, gesture in told if gesture.kind is GestureKind.PRESS)

    def forget_presses(self) -> None:
        """The program is gone: nobody hears what is pressed."""
        self._edges = {button: [] for button in Button}
        self._contacts = {button: Contact() for button in Button}

    # -- lamps -----------------------------------------------------------------------------------------------------

    def show(self, lamps: Mapping[str, bool]) -> None:
        self.reaches("while it is shown")
        self.lamps = dict(lamps)

    def close(self) -> None:
        """Nothing to let go of."""


class TableEyes:
    """As much of ``vision.eyes.Eyes`` as a match asks for."""

    def __init__(self, world: World) -> None:
        self.table, self.run, self.back_tokens, self.back_areas = TABLE, in_process, (), ()
        self.calibration = self.best_calibration = None
        self._world = world
        self._memory = Memory()

    def watch_backs(self, areas: Any, tokens: Any = ()) -> None:
        """Nobody plays with the backs of cards here."""

    def look(self, frame: Frame) -> Look:
        self._world.reaches("a frame is looked at")
        reading = self._gone(frame) if frame.y.size == 0 else self._read(frame)
        self._memory, table = step(self._memory, reading)
        return Look(Seen(cards=tuple(sight.card for sight in reading.cards)), table, Drawn(), None, TABLE)

    def _gone(self, frame: Frame) -> FrameReading:
        unseen = FigureSight(HIDDEN)
        return FrameReading(frame.t_s, BySide(unseen, unseen), blind=Why.CAMERA_LOST)

    def _read(self, frame: Frame) -> FrameReading:
        upper, lower = self._world.halves(frame)
        hand = upper.hand or lower.hand
        stands = upper.spaces.map(lambda space: FigureReading(space, x_mm=TABLE.spaces_mm[space - 1].x))
        figures = stands.map(lambda reading: FigureSight(reading, not hand))
        read = {card: place for card, place in lower.cards.items() if card not in lower.unread}
        cards = tuple(
            CardSight(card, *place, 90.0, tuple(LabelPlace(card, pose) for pose in ends), not hand, CARD)
            for card, place in read.items()
            for ends in [(LabelPose((place[0], place[1] + up), 180.0 - 7.5 * up) for up in (12.0, -12.0))]
        )
        places = tuple(
            PlaceLook(held.card, label.place, self._verdict(held.card, lower, hand))
            for held in self._memory.cards.held
            if held.card not in read
            for label in held.labels
        )
        return FrameReading(frame.t_s, figures, cards, places, hand, pending=bool(lower.unread))

    @staticmethod
    def _verdict(card: Card, scene: Scene, hand: bool) -> PlaceState:
        if hand:
            return PlaceState.UNSURE
        return PlaceState.SAME if card in scene.cards else PlaceState.BARE
