"""All lessons, in the order in which they are best taken: first the classic game, then the advanced one."""

from __future__ import annotations

from types import MappingProxyType
from typing import Final

from engine.lessons.advanced import ADVANCED
from engine.lessons.classic import CLASSIC
from engine.lessons.lesson import Lesson

LESSONS: Final[tuple[Lesson, ...]] = (*CLASSIC, *ADVANCED)
LESSON_BY_ID: Final = MappingProxyType({lesson.id: lesson for lesson in LESSONS})
