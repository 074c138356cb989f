"""Pictures of lessons on disk: one of every new thing the teacher says."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Final

from engine.lessons.lesson import StepStage, Telling
from firmware.io.files import make_folder
from firmware.loop.moment import Moment
from firmware.loop.watched import Part
from firmware.screen.moments import DrawMoment


class LessonWriter:
    """Has a picture made whenever something new is said: ``012-moving-advance-do.png``, numbered as they came."""

    part: Final = Part.PICTURES

    def __init__(self, folder: Path, draw: DrawMoment, told: Callable[[], Telling]) -> None:
        """``draw`` puts a picture of a moment into a file; ``told`` gives what is said at it. An earlier run's pictures
        in the folder make way. Raises OSError where the folder cannot be made or cleared of them."""
        make_folder(folder)
        for earlier in folder.glob("[0-9][0-9][0-9]-*.png"):
            earlier.unlink()
        self._folder = folder
        self._draw = draw
        self._told = told
        self._drawn: tuple[str, StepStage, str] | None = None
        self.written = 0

    def attend(self, moment: Moment) -> None:
        """Draw this moment if it says something new."""
        told = self._told()
        now = (f"{told.lesson.id}-{told.step.id}", told.stage, told.answer)
        if now == self._drawn:
            return
        self._drawn = now
        self.written += 1
        name = "-".join(part for part in (now[0], told.stage.value, told.answer.replace("common.", "")) if part)
        self._draw(moment, self._folder / f"{self.written:03}-{name}.png")
