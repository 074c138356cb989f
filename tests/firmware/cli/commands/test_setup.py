"""``engarde setup`` as a process: what was chosen outlives a power cut, and the game comes after it."""

from __future__ import annotations

import json
import os
import re
import signal
import subprocess
import sys
from collections.abc import Iterator
from contextlib import closing, contextmanager
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any, Final, cast
from urllib.request import Request, urlopen

import pytest

from display.view import WatchView
from display.window import Window
from display.window import WindowRequest as Asked
from engine.table.presses import Button
from firmware.cli.commands.declared import parsed
from firmware.cli.commands.setup import Setup, _wait
from firmware.cli.first_start.answers import Site
from firmware.cli.first_start.mark import StartMark
from firmware.cli.first_start.wifi import Outcome, Wifi
from firmware.table.panel.buttons import Gesture, GestureKind
from firmware.table.panel.devices import Buttons, no_panel
from firmware.table.service.watchdog import Notifier
from tests.firmware.cli.first_start.conftest import first_start
from tests.waiting import HANG_S

ROOT: Final = Path(__file__).parents[4]


@dataclass
class Running:
    """A first start in a process of its own."""

    process: subprocess.Popen[str]
    address: str
    code: str

    def _asks(self, path: str, body: bytes | None = None) -> dict[str, Any]:
        with urlopen(Request(self.address + path, body, {"X-Engarde-Code": self.code}), timeout=HANG_S) as answer:
            found: dict[str, Any] = json.load(answer)
        return found

    @property
    def state(self) -> dict[str, Any]:
        return self._asks("state.json")

    def do(self, **wish: str) -> None:
        assert self._asks("do", json.dumps(wish).encode())["ok"]


@contextmanager
def setting_up(home: Path) -> Iterator[Running]:
    """Begin it as start.sh does; in the end the power is cut, if it still runs."""
    kept = {f"XDG_{kind}_HOME": str(home / kind.lower()) for kind in ("CONFIG", "DATA", "CACHE")}
    words = ["setup", "--headless", "--camera", "synthetic", "--port", "0", "--then-play", "--help"]
    process = subprocess.Popen(
        [sys.executable, "-m", "firmware", *words],
        cwd=ROOT,
        env=os.environ | kept,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    )
    try:
        assert process.stderr is not None
        told = next(line for line in process.stderr if "page is at" in line)
        found = re.search(r":(\d+)/#(\w+)", told)
        assert found is not None
        yield Running(process, f"http://127.0.0.1:{found[1]}/", found[2])
    finally:
        process.send_signal(signal.SIGKILL)
        process.communicate(timeout=HANG_S)


@pytest.mark.slow
def test_a_power_cut_in_the_first_start_loses_nothing_that_was_chosen(tmp_path: Path) -> None:
    mark = tmp_path / "data" / "engarde" / "first-start"
    with setting_up(tmp_path) as running:
        assert mark.exists()
        assert running.state["step"] == "language"
        running.do(what="language", language="nl")
        running.do(what="step", step="aim")
    assert mark.exists()
    with setting_up(tmp_path) as running:
        assert (running.state["language"], running.state["step"]) == ("nl", "aim")
        running.do(what="play")
        out, _ = running.process.communicate(timeout=HANG_S)
        assert out.startswith("usage: engarde play")
    assert not mark.exists()


def test_the_match_that_comes_after_it_says_which_camera_is_aimed() -> None:
    given = "--camera 1 --seed 5 --then-play --camera 2 --white Ana --headless --fps 5"
    wish = parsed(Setup, given.split())
    camera = wish.camera
    assert (camera.spec.name, camera.spec.fps, camera.seed, wish.headless) == ("2", 5.0, 5, True)
    assert wish.then_play == ("--camera", "2", "--white", "Ana", "--headless", "--fps", "5")


def test_the_mark_keeps_the_step_until_the_end(tmp_path: Path) -> None:
    path = tmp_path / "missing" / "first-start"
    mark = StartMark(path)
    mark.reach("aim")
    assert not path.exists()  # no first start was begun
    mark.begin()
    assert mark.step == "language"
    mark.reach("aim")
    mark.begin()  # after a power cut
    assert StartMark(path).step == "aim"
    mark.end()
    assert (path.exists(), mark.step) == (False, "language")


class Pressed:
    """Buttons or keys, each look the next."""

    def __init__(self, *looks: tuple[Any, ...]) -> None:
        self._looks = iter(looks)

    def gestures(self, now_s: float) -> tuple[Any, ...]:
        return next(self._looks, ())

    def poll(self) -> tuple[Any, ...]:
        return next(self._looks, ())

    def show_watch(self, view: WatchView, camera: object) -> None:
        """What its buttons would do is what it does."""
        assert [Asked(name) for name, _ in view.buttons] == [Asked.MENU, Asked.UNDO]


def _panel(button: Button, kind: GestureKind) -> Pressed:
    return Pressed((), ((button, Gesture(kind, 0.0)),), ((Button.MENU, Gesture(GestureKind.PRESS, 1.0)),))


@pytest.mark.parametrize(
    ("panel", "keys", "kept"),
    [
        (_panel(Button.WHITE, GestureKind.HOLD), Pressed(), "forgone"),
        (_panel(Button.WHITE, GestureKind.PRESS), Pressed(), "aim"),
        (_panel(Button.BLACK, GestureKind.HOLD), Pressed(), "aim"),
        (_panel(Button.MENU, GestureKind.HOLD), Pressed(), "aim"),
        (Pressed(), Pressed((Asked.WHITE,), (Asked.UNDO,), (), (Asked.UNDO,)), "forgone"),
        (Pressed(), Pressed((Asked.UNDO,), (Asked.MENU,)), "aim"),
        (Pressed(), Pressed((Asked.UNDO,), (Asked.ACT,), (Asked.UNDO,), (Asked.LEAVE,)), "aim"),
        (Pressed(), Pressed((Asked.ACT,), (Asked.LEAVE,)), "aim"),
    ],
)
def test_only_who_says_so_is_never_asked_again(panel: Pressed, keys: Pressed, kept: str, tmp_path: Path) -> None:
    """Menu and Esc end it for now: the table is not measured, and the next start goes on there."""
    mark = StartMark(tmp_path / "first-start")
    mark.begin()
    mark.reach("aim")
    devices = replace(no_panel(""), buttons=cast(Buttons, panel))
    first = first_start(tmp_path, lambda words: (1, ""), None)
    with closing(Site(first, "127.0.0.1", 0, "123456")) as site:
        _wait(first, site, Wifi(lambda words: (1, "")), cast(Window, keys), devices, Notifier({}), Outcome())
    assert (tmp_path / "first-start").read_text() == f"{kept}\n"
    assert not (tmp_path / "menu.toml").exists()  # the first steps ask the language, the names and all the rest
