"""What the menu shows and does while lessons are given."""

from __future__ import annotations

from dataclasses import replace

from display.menu.context import MenuContext
from display.menu.lines import Do, Goto, Line, Of, Where
from display.menu.model import Menu
from firmware.config import Config
from firmware.lessons.progress import Bookmark, Progress
from firmware.lessons.teacher import Teacher
from firmware.loop.moment import People
from firmware.loop.requests import Stop
from firmware.menu.choices import Choices
from firmware.menu.machine import Household


class LessonChoices(Choices):
    """As in a match, without what corrects one. ``left``: somebody went back to the game."""

    def __init__(
        self, people: People, machine: Household, config: Config, progress: Progress, teacher: Teacher
    ) -> None:
        super().__init__(people, machine, config, progress=progress)
        self._teacher = teacher
        self.left = False

    @property
    def waits_for_a_match(self) -> bool:
        """A press is the teacher's, however the match in the lesson stands."""
        return False

    @property
    def by_hand_page(self) -> Goto | None:
        """No score is kept of a lesson."""
        return None

    def context(self, page: Where) -> MenuContext:
        return replace(super().context(page), teaching=True, puzzling=self._teacher.told.puzzle is not None)

    def choose(self, key: Line, menu: Menu) -> Menu | None:
        """Do what was chosen; the menu as it is then, None when it is left."""
        match key:
            case Of(Do.LESSON, str(lesson)):
                self._teacher.go_to(Bookmark(lesson))
            case Do.LESSON_AGAIN:
                self._teacher.again()
            case Do.LESSON_SHOW:
                self._teacher.prove()
            case Do.LESSON_SKIP:
                self._teacher.skip()
            case Do.LESSON_LEAVE:
                self.left = True
                self._asked.append(Stop())
            case _:
                return super().choose(key, menu)
        return None
