"""Lessons with a camera that makes no mistakes: what lies and stands on the simulated table is what is seen of it."""

from __future__ import annotations

import random
from collections.abc import Callable
from typing import Any

import pytest

from engine.lessons.lesson import Lesson
from engine.puzzles.puzzle import FRESH, Attempt, Puzzle, answer
from engine.rules.legal import Play
from engine.rules.track import BySide
from engine.table.desk import Settings
from engine.table.presses import Button, Press
from firmware.extras.simulation.camera import simulated_table
from firmware.extras.simulation.pupils import Pupils
from firmware.table.loop.loop import Loop
from firmware.table.loop.moment import Helper, Moment, NoJournal, People
from firmware.ui.lessons.progress import Bookmark, RecallGrade
from firmware.ui.lessons.teacher import Teacher
from tests.firmware.ui.scene_table import TICK_S, SceneTable, forever
from vision.eyes import Eyes
from vision.printed.table import Table
from vision.synthetic.camera import TYPICAL


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
        sight: Any = SceneTable(table, self.pupils, late_s)
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

    def idle(self) -> Class:
        """Pupils who sit on their hands; the test moves and presses."""
        self.pupils._script = forever()
        return self

    def look(self, frames: int) -> Moment:
        """So many moments; the last one."""
        for _ in range(frames):
            self.loop.advance()
        return self.moments[-1]

    def press(self, button: Button) -> None:
        sight: Any = self.loop._source
        sight._presses += (Press(self.moments[-1].frame.t_s, button),)

    def stand(self, white: int, black: int) -> None:
        """The figures are put on these spaces."""
        stage = self.pupils.stage
        for side, space in BySide(white, black).items():
            del stage.figures[side]
            stage.put_figure(side, space)

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
def lesson_with(table: Table) -> Callable[..., Class]:
    """A class that takes one lesson, with this chance of every likely mistake."""

    def take(lesson: str, mistakes: float = 0.0, **more: Any) -> Class:
        room = Class(table, lesson, mistakes, **more)
        room.stop_after = lesson
        return room

    return take
