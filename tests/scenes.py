"""What is done and what comes of it, as text: scenes that are played again and compared word for word.

A scene begins with ``= title``. A line is a command (``put 4 23 3a``), and the indented lines below it are what came of
it. ``pytest --snapshot-update`` writes those anew.
"""

from __future__ import annotations

import re
import textwrap
from collections.abc import Iterator
from enum import Enum
from pathlib import Path
from typing import Any, Final

import pytest

from engine.record.course import Course
from engine.rules.track import BySide

INDENT = "    "


class Scene:
    """Where a scene is played. A method ``do_word`` carries out the command of that word."""

    def told(self, scene: str) -> str:
        """The scene with what comes of each of its commands."""
        lines = []
        for line in scene.splitlines():
            if not line.startswith(INDENT):
                lines.append(line)
            if line and line[0] not in f"=#{INDENT[0]}":
                for said in self.does(line):
                    lines += textwrap.wrap(said, 118, initial_indent=INDENT, subsequent_indent=2 * INDENT)
        return "".join(f"{line}\n" for line in lines)

    def does(self, line: str) -> Iterator[str]:
        """Carry out this command, and tell what came of it."""
        self.carry_out(*line.split())
        yield from ()

    def carry_out(self, word: str, *rest: str) -> None:
        getattr(self, f"do_{word}")(*rest)


class ChangingScene(Scene):
    """What comes of a command are the facts that it changed: ``name: what is the case now``.

    ``HAPPENS``: names of facts that are not there until something else is, but happen.
    """

    HAPPENS: Final = ("carried out", "set", "not done", "ruled")
    before: dict[str, str]

    def facts(self) -> Iterator[tuple[str, object]]:
        """What is the case now."""
        raise NotImplementedError

    def common_facts(self) -> Iterator[tuple[str, object]]:
        """What is told after these in every scene of the kind, all of it after the first command."""
        yield from ()

    def told(self, scene: str) -> str:
        self.before = {name: text_of(value) for name, value in self.facts()}
        return super().told(scene)

    def does(self, line: str) -> Iterator[str]:
        yield from super().does(line)
        before, self.before = (
            self.before,
            {name: text_of(value) for name, value in (*self.facts(), *self.common_facts())},
        )
        for name, value in self.before.items():
            if value if name in self.HAPPENS else value != before.get(name, ""):
                yield f"{name}: {value}"


def text_of(value: object) -> str:
    match value:
        case BySide(white, black):
            return f"{text_of(white)} | {text_of(black)}"
        case tuple() | list() | set() | frozenset():
            return " / ".join(map(text_of, sorted(value) if isinstance(value, set | frozenset) else value))
        case Enum():
            return str(value.value)
        case None:
            return ""
    return str(value)


def match_facts(course: Course | None) -> Iterator[tuple[str, object]]:
    """How a match stands."""
    if course is None:
        return
    state = course.state
    act = f", {state.to_act.value} acts" if state.to_act else ""
    won = f", {text_of(state.result.winner) or 'nobody'} won by {state.result.reason.value}" if state.result else ""
    where, score = state.spaces, state.score
    yield "match", f"{state.rules.name} to {state.points}, {state.starter.value} begins"
    yield (
        "state",
        f"{state.phase.value} {state.round}, {where.white}-{where.black}, {score.white}:{score.black}{act}{won}",
    )
    yield "played", " ".join(map(str, state.played))
    yield "fallen", [each.turn for each in course.fallen]


def scenes(path: Path) -> list[Any]:
    """The scenes of a file, each known by its title."""
    found = re.split(r"^(?== )", path.read_text(encoding="utf-8"), flags=re.MULTILINE)
    return [pytest.param(text, id=text.partition("\n")[0].removeprefix("= ")) for text in found if text]


def played(path: Path, scene: str, at: Scene, request: pytest.FixtureRequest) -> str:
    """The scene as it goes now; ``--snapshot-update`` writes it into its file."""
    told = at.told(scene)
    if request.config.getoption("update_snapshots"):
        path.write_text(path.read_text(encoding="utf-8").replace(scene, told), encoding="utf-8")
        return scene
    return told
