"""Lessons with a camera that makes no mistakes: what lies and stands on the simulated table is what is seen of it."""

from __future__ import annotations

import random
from collections.abc import Callable, Sequence
from typing import Any

import pytest

from engine.lessons.lesson import Lesson
from engine.puzzles.puzzle import FRESH, Attempt, Puzzle, answer
from engine.rules.legal import Play
from engine.rules.track import BySide, Side
from engine.table.desk import Settings
from engine.table.observation import CardReading, FigureProblem, FigureReading, Sight, TableObservation, Why
from engine.table.presses import Press
from firmware.extras.simulation.camera import simulated_table
from firmware.extras.simulation.director import Shown
from firmware.extras.simulation.pupils import Pupils
from firmware.extras.simulation.stage import Stage
from firmware.table.loop.loop import Loop
from firmware.table.loop.moment import Helper, Moment, People
from firmware.table.recording.replay import NoJournal
from firmware.ui.lessons.memory import RecallGrade
from firmware.ui.lessons.progress import Bookmark
from firmware.ui.lessons.teacher import Teacher
from vision.eyes import Eyes
from vision.frame import GONE, Frame
from vision.look import Drawn, Look, Seen
from vision.printed.table import PlayArea, Table
from vision.synthetic.disturbances import TYPICAL
from vision.synthetic.scene import SceneCard

TICK_S = 0.2


class PlainSight:
    """Eyes and camera in one: reads the table off the stage itself. A hand over it makes them unsure."""

    def __init__(self, table: Table, players: Any, late_s: float = 0.0) -> None:
        """``players``: whoever acts there, with a ``tick`` and a ``stage``; a press is heard ``late_s`` after it."""
        self.table = table
        self.players = players
        self.calibration = None
        self.back_areas: tuple[PlayArea, ...] = ()
        self.shown: Shown | None = None
        self._stage: Stage = players.stage
        self._index = 0
        self._late_s = late_s
        self._presses: tuple[Press, ...] = ()
        self._before: object = None
        self._since_s = 0.0
        self._laid: dict[SceneCard, float] = {}

    def read(self) -> Frame | None:
        t_s = round(self._index * TICK_S, 6)
        tick = self.players.tick(t_s, self.shown)
        if tick is None:
            return None
        self._presses += tick.presses
        self._index += 1
        return Frame(self._index - 1, t_s, GONE)

    def due(self, now_s: float) -> tuple[Press, ...]:
        due = tuple(press for press in self._presses if press.t_s + self._late_s <= now_s)
        self._presses = self._presses[len(due) :]
        return due

    def watch(self, shown: Shown) -> None:
        self.shown = shown

    def watch_backs(self, areas: Sequence[PlayArea]) -> None:
        self.back_areas = tuple(areas)

    def close(self) -> None:
        pass

    def look(self, frame: Frame) -> Look:
        stage = self._stage
        standing = {
            side: FigureReading(stage.spaces[side])
            if side in stage.figures
            else FigureReading(None, FigureProblem.HIDDEN)
            for side in Side
        }
        laid: dict[SceneCard, float] = {}
        for placed in stage.cards.values():
            laid[placed] = self._laid.get(placed, frame.t_s)
        self._laid = laid
        now = (tuple(standing.items()), tuple(laid))
        if now != self._before:
            self._before, self._since_s = now, frame.t_s
        cards = tuple(
            CardReading(placed.card, placed.x_mm, placed.y_mm, at_s)
            for placed, at_s in sorted(laid.items(), key=lambda item: item[1])
        )
        busy = bool(stage.hands)
        seen = TableObservation(
            frame.t_s,
            self._since_s,
            BySide(standing[Side.WHITE], standing[Side.BLACK]),
            cards,
            Sight.CHECKING if busy else Sight.STEADY,
            Why.HAND if busy else None,
        )
        return Look(Seen(), seen, Drawn(), None, self.table)


class Class:
    """A teacher and two pupils at a table, and everything that was told."""

    def __init__(
        self,
        table: Table,
        at: str,
        mistakes: float,
        seed: int = 1,
        language: str = "en",
        late_s: float = 0.0,
        warm_up: tuple[Bookmark, ...] = (),
        own: tuple[Puzzle, ...] = (),
        rendered: bool = False,
    ) -> None:
        """``rendered``: the table is seen in frames of the simulated camera, by the eyes of a real one."""
        self.pupils = Pupils(table, random.Random(seed), TICK_S, mistakes=mistakes)
        sight: Any = PlainSight(table, self.pupils, late_s)
        eyes: Any = sight
        if rendered:
            sight, eyes = simulated_table(table, self.pupils, TYPICAL, seed), Eyes(table)
        self.learned: list[str] = []
        self.stars: list[int] = []
        self.met: list[tuple[Bookmark, RecallGrade]] = []
        self.solved: list[str] = []
        self.attempts: dict[str, Attempt] = {}
        self.kept: list[Bookmark] = []
        self.rows: list[int] = []
        self.moments: list[Moment] = []
        self.stop_after: str | None = None
        self.teacher = Teacher(
            Bookmark(at),
            kept=self.kept.append,
            learned=self._learned,
            answered=self._answered,
            met=lambda at, recall, side: self.met.append((at, recall)),
            warm_up=warm_up,
            own=own,
            row=4,
            rowed=self.rows.append,
        )
        people = People(BySide("Ana", "Ben"), language)
        self.loop = Loop(
            sight,
            eyes,
            sight,
            NoJournal(),
            [self],
            Settings(middle_x_mm=table.play_area.middle[0]),
            people,
            [self.teacher, _Looking(self)],
            mode="teach",
        )

    def _learned(self, lesson: Lesson, stars: int) -> None:
        self.learned.append(lesson.id)
        self.stars.append(stars)

    def _answered(self, puzzle: Puzzle, play: Play) -> Attempt:
        attempt = self.attempts.get(puzzle.id, FRESH).answered(play, answer(puzzle))
        self.attempts[puzzle.id] = attempt
        if attempt.solved:
            self.solved.append(puzzle.id)
        return attempt

    def attend(self, moment: Moment) -> None:
        self.moments.append(moment)

    def run(self, frames: int = 200_000) -> Class:
        """Until the lesson that was asked for is done, or all are."""
        for _ in range(frames):
            if self.teacher.finished or (self.stop_after in self.learned) or self.loop.advance() is None:
                return self
        raise AssertionError("it does not end")


class _Looking(Helper):
    """The pupils read the screen after everything else happened."""

    def __init__(self, room: Class) -> None:
        super().__init__()
        self._room = room

    def attend(self, moment: Moment) -> None:
        self._room.pupils.look(self._room.teacher.told, over=self._room.teacher.finished)


@pytest.fixture
def plain_sight() -> type[PlainSight]:
    """The camera that makes no mistakes, to be put at a table of players."""
    return PlainSight


@pytest.fixture
def lesson_with(table: Table) -> Callable[..., Class]:
    """A class that takes one lesson, with this chance of every likely mistake."""

    def take(
        lesson: str,
        mistakes: float = 0.0,
        seed: int = 1,
        language: str = "en",
        late_s: float = 0.0,
        warm_up: tuple[Bookmark, ...] = (),
        own: tuple[Puzzle, ...] = (),
        rendered: bool = False,
    ) -> Class:
        room = Class(table, lesson, mistakes, seed, language, late_s, warm_up, own, rendered)
        room.stop_after = lesson
        return room

    return take
