"""All lessons as text: every position, what is wanted there, how it may be done, and each mistake that is known.

``python tests/golden/test_golden_lessons.py`` writes ``lessons.told`` anew: a changed lesson is a readable diff.
"""

from __future__ import annotations

from dataclasses import MISSING, Field, fields, is_dataclass
from enum import Enum
from pathlib import Path
from typing import Any

from engine.lessons.lesson import LESSONS, Lesson, Position, PracticeRound, Question, Step
from engine.rules.rulesets import RuleSet
from engine.rules.track import BySide

TOLD = Path(__file__).with_name("lessons.told")


def lessons() -> str:
    """Each lesson with its steps, a line for each thing; what is as it is by itself is left out."""
    return "".join(line + "\n" for lesson in LESSONS for line in _lesson(lesson))


def _lesson(lesson: Lesson) -> list[str]:
    lines = [lesson.id]
    for step in lesson.steps:
        lines.append(f"  {type(step).__name__.lower()} {step.id} ({', '.join(step.rules)})")
        lines += [f"    at {_told(step.position)}"] * (step.position is not None)
        match step:
            case Step():
                lines.append(f"    wanted {_told(step.wanted)}: {_told(step.deed)}")
                lines += [f"    {each.name}: {_told(each.deed)} is {_told(each.sign)}" for each in step.mistakes]
            case PracticeRound():
                lines.append(f"    without {', '.join(step.without) or 'nothing'}")
                lines += [f"    {_told(deed)}" for deed in step.deeds]
            case Question():
                lines.append(f"    right is {step.right.value}")
    return lines


def _told(value: Any) -> str:
    match value:
        case Enum():
            return str(value.value)
        case RuleSet():
            return value.name
        case BySide(white, black):
            return f"{_told(white)}|{_told(black)}"
        case tuple():
            return ",".join(map(_told, value)) or "-"
        case Position():
            return f"{value.white}-{value.black}" + _rest(value, "white", "black")
    return (_rest(value).strip() or "nothing") if is_dataclass(value) else str(value)


def _rest(value: Any, *told: str) -> str:
    """The fields that are not as they are by themselves."""
    own = [each for each in fields(value) if each.name not in told and getattr(value, each.name) != _usual(each)]
    return "".join(f" {each.name} {_told(getattr(value, each.name))}" for each in own)


def _usual(field: Field[Any]) -> Any:
    return None if field.default is MISSING else field.default


def test_the_lessons_are_as_they_were_read() -> None:
    assert lessons() == TOLD.read_text(encoding="utf-8")


if __name__ == "__main__":
    TOLD.write_text(lessons(), encoding="utf-8")
