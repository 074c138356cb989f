"""What the menu shows and does while lessons are given."""

from __future__ import annotations

from dataclasses import replace

from display.menu.context import MenuContext
from display.menu.model import Menu
from firmware.lessons.progress import Bookmark, Progress
from firmware.lessons.teacher import Teacher
from firmware.loop.moment import People
from firmware.loop.requests import Stop
from firmware.menu.choices import Choices
from firmware.menu.rest import Chosen, Machine


class LessonChoices(Choices):
    """As in a match, without what corrects one. ``left``: somebody went back to the game."""

    def __init__(self, people: People, machine: Machine, chosen: Chosen, progress: Progress, teacher: Teacher) -> None:
        super().__init__(people, machine, chosen, progress=progress)
        self._teacher = teacher
        self.left = False

    @property
    def waits_for_a_match(self) -> bool:
        """A press is the teacher's, however the match in the lesson stands."""
        return False

    def context(self, page: str) -> MenuContext:
        return replace(super().context(page), teaching=True, puzzling=self._teacher.told.puzzle is not None)

    def choose(self, key: str, menu: Menu) -> Menu | None:
        """Do what was chosen; the menu as it is then, None when it is left."""
        name, _, of = key.partition(":")
        if name == "lesson":
            self._teacher.go_to(Bookmark(of))
        elif name == "lesson_again":
            self._teacher.again()
        elif name == "lesson_skip":
            self._teacher.skip()
        elif name == "lesson_leave":
            self.left = True
            self._asked.append(Stop())
        else:
            return super().choose(key, menu)
        return None
