"""What people do and what is shown then, as text: scenes that are played again and compared word for word.

A scene begins with ``= title``. A line is a command (``put 4 23 3a``), and the indented lines below it are what came of
it. ``pytest --snapshot-update`` writes those anew.
"""

from __future__ import annotations

import re
import textwrap
from collections.abc import Callable, Iterator
from enum import Enum
from pathlib import Path
from typing import Any, Final

import pytest

from display.view import ViewModel
from engine.rules.cards import Card
from engine.rules.state import PublicState
from engine.rules.track import BySide
from engine.table.desk import Desk
from engine.table.observation import Doubt, DoubtReason, Sight, Why
from engine.table.presses import Button
from tests.firmware.ui.scene_table import SetTable

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
        word, *rest = line.split()
        getattr(self, f"do_{word}")(*rest)
        yield from ()


class Evening(Scene):
    """A table; what comes of a command are the facts that it changed: ``name: what is shown there now``.

    ``HAPPENS``: names of facts that are not there until something else is, but happen.
    """

    HAPPENS: Final = ("carried out", "set")
    view: Any
    loop: Any
    wait: Callable[..., None]
    before: dict[str, str]

    def facts(self) -> Iterator[tuple[str, object]]:
        """What is shown now, and what is the case."""
        raise NotImplementedError

    def told(self, scene: str) -> str:
        self.before = {name: _text(value) for name, value in self.facts()}
        return super().told(scene)

    def does(self, line: str) -> Iterator[str]:
        yield from super().does(line)
        facts = *self.facts(), *_shown(self.view), *_match(self.loop.desk)
        before, self.before = self.before, {name: _text(value) for name, value in facts}
        for name, value in self.before.items():
            if value if name in self.HAPPENS else value != before.get(name, ""):
                yield f"{name}: {value}"

    def do_wait(self, seconds: str) -> None:
        self.wait(float(seconds))


class SetEvening(Evening, SetTable):
    """An evening at which cards are laid, fencers moved and buttons pressed."""

    put: Callable[..., None]
    press: Callable[..., None]

    def do_press(self, *buttons: str) -> None:
        self.press(*map(Button, buttons))

    def do_put(self, white: str, black: str, *cards: str) -> None:
        self.put(int(white), int(black), " ".join(cards))

    def do_see(self, sight: str, why: str = "") -> None:
        self.sight, self.why = Sight(sight), Why(why) if why else None

    def do_shine(self, x_mm: str, y_mm: str) -> None:
        """Light hides what lies there."""
        self.unread = (Doubt(float(x_mm), float(y_mm), self.t_s, DoubtReason.BURNT),)

    def do_doubt(self, x_mm: str, y_mm: str) -> None:
        """Something that may be a card lies there."""
        self.unread = (Doubt(float(x_mm), float(y_mm), self.t_s),)

    def do_glimpse(self, *cards: str) -> None:
        self.glimpsed = tuple(map(Card.parse, cards))


def _text(value: object) -> str:
    match value:
        case BySide(white, black):
            return f"{_text(white)} | {_text(black)}"
        case tuple() | list() | set() | frozenset():
            return " / ".join(map(_text, sorted(value) if isinstance(value, set | frozenset) else value))
        case Enum():
            return str(value.value)
        case None:
            return ""
    return str(value)


def _shown(view: ViewModel | None) -> Iterator[tuple[str, object]]:
    if view is not None:
        verdict = view.verdict
        said = [each for each in (verdict.headline, verdict.detail, verdict.hint) if each]
        yield "verdict", [f"[{verdict.tag}] {said[0]}", *said[1:]]
        yield "trouble", view.trouble and view.trouble.cure
        yield "panel", view.panel and [view.panel.title, view.panel.page, *(line.text for line in view.panel.lines)]


def _match(desk: Desk) -> Iterator[tuple[str, object]]:
    state: PublicState | None = desk.state
    if state is not None:
        act = f", {state.to_act.value} acts" if state.to_act else ""
        won = f", {_text(state.result.winner) or 'nobody'} won by {state.result.reason.value}" if state.result else ""
        fallen = [each.turn for each in desk.course.fallen] if desk.course else []
        yield "match", f"{state.rules.name} to {state.points}, {state.starter.value} begins"
        where, score = state.spaces, state.score
        yield (
            "state",
            f"{state.phase.value} {state.round}, {where.white}-{where.black}, {score.white}:{score.black}{act}{won}",
        )
        yield "played", " ".join(map(str, state.played))
        yield "fallen", fallen
    yield "waiting", desk.waiting and desk.waiting.button.value
    yield "note", desk.note and desk.note.kind.value
    found = desk.comparing and desk.comparing.difference
    yield "differs", found and [found.figures.white, found.figures.black, *found.cards]


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
