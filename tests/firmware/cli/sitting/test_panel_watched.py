"""A pin of the panel that is busy at the start, at an open table: told on the screen, and found when it is free."""

from __future__ import annotations

from contextlib import ExitStack
from pathlib import Path
from types import SimpleNamespace
from typing import Any, cast

import numpy as np
import pytest

from display.view import MissingPart, Situation
from engine.table.desk import Desk
from firmware.cli.commands.declared import parsed
from firmware.cli.commands.play import Play
from firmware.cli.sitting.cameras import setup_of
from firmware.cli.sitting.sitting import open_sitting
from firmware.table.camera.camera import CameraWanted, OpenCamera
from firmware.table.camera.setup import Setup
from firmware.table.loop import watched
from firmware.table.loop.moment import Moment
from firmware.table.loop.watched import Part
from firmware.table.panel import devices
from firmware.table.panel.buttons import LivePresses
from tests.firmware.table.panel.fake_lgpio import CHIPS, Kernel, install
from tests.waiting import until
from vision.frame import Frame

pytestmark = pytest.mark.slow

LAMP, BUTTON = 17, 4


def test_a_busy_pin_is_told_and_found_when_it_is_free(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    kernel = Kernel(dict(CHIPS["Pi 5, kernel 6.12.96"]))
    kernel.hold(LAMP, "spi0 CS1")
    kernel.hold(BUTTON, "onewire@4")
    install(kernel, monkeypatch)
    monkeypatch.setattr(devices, "is_a_pi", lambda: True)
    monkeypatch.setitem(cast(Any, watched.RULES), Part.PIN, watched.Rule(0.01, 0.02))
    wish = parsed(Play, ["--camera", "0", "--headless", "--scorebook", str(tmp_path / "book.sqlite")]).wish()

    def opens(wanted: CameraWanted) -> tuple[OpenCamera, Setup]:
        source: Any = SimpleNamespace(close=lambda: None)
        return OpenCamera(source, LivePresses(), live=True), setup_of(wanted)

    said: list[str] = []
    with ExitStack() as held:
        sitting = open_sitting(wish.table, held, said.append, opens)
        moment = cast(Moment, SimpleNamespace(frame=Frame(0, 0.0, np.zeros((2, 2), np.uint8)), held=False))

        def shown() -> set[MissingPart]:
            sitting.watch.attend(moment)
            told = sitting.watch.advise(Situation(None), cast(Any, None), Desk()).devices.missing
            return {each for each in told if each.part == Part.PIN.value}

        assert shown() == {MissingPart("pin", str(LAMP)), MissingPart("pin", str(BUTTON))}
        assert any("GPIO 17 (lamp touch_left) is held by spi0 CS1" in each for each in said)
        kernel.free(BUTTON)
        assert until(lambda: shown() == {MissingPart("pin", str(LAMP))})
        assert kernel.lines[BUTTON].ours
    assert kernel.opened == []
