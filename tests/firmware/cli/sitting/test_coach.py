"""What ``engarde play`` proposes at its start: both still answer, and a screen is needed to ask them."""

from __future__ import annotations

from types import SimpleNamespace
from typing import Any

from display.view import NO_NAMES
from engine.table.presses import Button
from firmware.cli.commands.play import open_coach
from firmware.table.loop.moment import People
from firmware.table.loop.requests import Agree
from firmware.table.panel.buttons import LivePresses
from firmware.ui.coach.coach import Mode
from vision.printed.table import Table

PEOPLE = People(NO_NAMES, "en")


def sitting(table: Table, presses: LivePresses, *, window: bool = True) -> Any:
    camera, setup = SimpleNamespace(recorded=None), SimpleNamespace(table=table)
    return SimpleNamespace(
        window=object() if window else None, shown=window, presses=presses, setup=setup, camera=camera
    )


def test_without_a_screen_nobody_is_asked(table: Table) -> None:
    said: list[str] = []
    at = sitting(table, LivePresses(), window=False)
    assert open_coach((Mode.HINTS,), at, PEOPLE, said.append, at_hand=False) is None
    assert said == ["--coach shows its words on a screen, and there is none: play goes on without it."]
    assert open_coach((), at, PEOPLE, said.append, at_hand=False) is None
    assert len(said) == 1


def test_one_question_at_a_time(table: Table) -> None:
    said: list[str] = []
    presses = LivePresses()
    coach = open_coach((Mode.HINTS, Mode.OPEN), sitting(table, presses), PEOPLE, said.append, at_hand=False)
    assert coach is not None
    assert len(said) == 1
    presses.post(Button.WHITE)
    presses.post(Button.BLACK)
    coach.hear(presses.due(1.0), 1.0)
    assert coach.asks() == (Agree(("help",)),)


def test_a_recording_knows_what_was_agreed_to_and_nobody_is_asked(table: Table) -> None:
    said: list[str] = []
    presses = LivePresses()
    at = sitting(table, presses, window=False)
    at.camera.recorded = object()
    coach = open_coach((Mode.OPEN,), at, PEOPLE, said.append, at_hand=False)
    assert coach is not None
    assert said == ["--open is left out: a recording is refereed with what both players agreed to then."]
    presses.post(Button.WHITE)
    assert [press.button for press in coach.hear(presses.due(1.0), 1.0)] == [Button.WHITE]
    PEOPLE.agreed = ("open", "of a later program")
    assert coach.is_on(Mode.OPEN)
    assert not coach.is_on(Mode.HINTS)
    PEOPLE.agreed = ()
    assert not coach.is_on(Mode.OPEN)
