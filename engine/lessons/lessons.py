"""All lessons, in the order in which they are best taken: first the classic game, then the advanced one."""

from __future__ import annotations

from importlib.resources import files
from types import MappingProxyType
from typing import Final

from engine.lessons.lesson import Lesson
from engine.strict.text import toml_of
from engine.strict.values import read


def _lessons(file: str) -> tuple[Lesson, ...]:
    return read(tuple[Lesson, ...], toml_of(files(__package__).joinpath(file).read_bytes())["lessons"])


CLASSIC: Final = _lessons("classic.toml")
LESSONS: Final = (*CLASSIC, *_lessons("advanced.toml"))
LESSON_BY_ID: Final = MappingProxyType({lesson.id: lesson for lesson in LESSONS})
