"""What was entered by hand while a match was recorded: done again, unless a recorded press brings it about."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from engine.rules.events import Event, TurnEvent
from engine.table.desk import EndTurn, Settings
from firmware.camera.recorded import DoneInMenu
from firmware.recording.replay import DoneAgain
from vision.frame import Frame

TURN = {"event": "turn", "cards": ["3b"], "white": 4, "black": 23}


class Recorded:
    """A recording of one frame at which this was ruled."""

    done = DoneInMenu()

    def __init__(self, verdict: dict[str, Any]) -> None:
        self._verdict = verdict

    def read(self) -> Frame:
        return Frame(0, 1.0, np.zeros((1, 1), np.uint8))

    def verdicts(self) -> tuple[dict[str, Any], ...]:
        return (self._verdict,)


class Entered:
    """A loop that only keeps what it is asked to enter."""

    held = False
    settings = Settings(end_turn=EndTurn.BUTTON)

    def __init__(self) -> None:
        self.events: list[Event] = []

    def enter(self, event: Event) -> None:
        self.events.append(event)


@pytest.mark.parametrize(
    ("said", "again"),
    [({}, 0), ({"by_hand": True}, 1), ({"by_hand": True, "confirmed": True}, 0)],
)
def test_only_what_no_recorded_press_brings_about_is_entered_again(said: dict[str, bool], again: int) -> None:
    camera: Any = Recorded({"t": 1.0, "event": TURN, "ruling": {"ok": True}, **said})
    loop: Any = Entered()
    done = DoneAgain(camera)
    done.loop = loop
    done.read()
    assert len(loop.events) == again
    assert all(isinstance(event, TurnEvent) for event in loop.events)
