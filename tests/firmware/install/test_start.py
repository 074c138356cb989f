"""``firmware/start.sh``, with pretended programs in a root of their own."""

from __future__ import annotations

import os
import socket
import subprocess
import time
from pathlib import Path

import pytest

from firmware.cli.first_start.mark import StartMark, mark_path
from tests.firmware.install.conftest import Run


def _log(told: Path) -> list[str]:
    path = told / "log"
    return path.read_text().splitlines() if path.exists() else []


@pytest.fixture
def start(tmp_path: Path, told: Path, checkout: Path, programs: Path) -> Run:
    """Runs start.sh with a game that says what it was started with."""
    (checkout / ".venv" / "bin").mkdir(parents=True)
    for name in ("engarde", "python"):
        path = checkout / ".venv" / "bin" / name
        path.write_text(f'#!/bin/sh\necho "{name} $*|$WAYLAND_DISPLAY|$DISPLAY"\n')
        path.chmod(0o755)
    (programs / "sleep").write_text('#!/bin/sh\necho "sleep $1" >>"$TOLD/log"\n')
    (programs / "sleep").chmod(0o755)
    runtime = tmp_path / "runtime"
    runtime.mkdir()

    def run(*words: str, **environment: str) -> subprocess.CompletedProcess[str]:
        return subprocess.run(
            ["sh", str(checkout / "firmware" / "start.sh"), *words],
            env={
                "PATH": f"{programs}:/usr/bin:/bin",
                "TOLD": str(told),
                "XDG_RUNTIME_DIR": str(runtime),
                "ENGARDE_X11": str(tmp_path / "x11"),
                "ENGARDE_WAIT_S": "3",
                **environment,
            },
            capture_output=True,
            text=True,
        )

    return run


def test_without_a_desktop_the_game_starts_at_once(start: Run, told: Path) -> None:
    assert start().stdout == "engarde play||\n"
    assert _log(told) == []


def test_on_a_desktop_the_sessions_screen_is_found(start: Run, told: Path, tmp_path: Path) -> None:
    (told / "enabled").touch()
    (tmp_path / "x11").mkdir()
    with socket.socket(socket.AF_UNIX) as x11, socket.socket(socket.AF_UNIX) as wayland:
        x11.bind(str(tmp_path / "x11" / "X0"))
        assert start(FAKE_TARGET="graphical.target").stdout == "engarde play||:0\n"
        wayland.bind(str(tmp_path / "runtime" / "wayland-0"))
        assert start(FAKE_TARGET="graphical.target").stdout == "engarde play|wayland-0|\n"
        assert start(FAKE_TARGET="graphical.target", DISPLAY=":7").stdout == "engarde play||:7\n"
    assert _log(told) == []


def test_a_desktop_that_does_not_come_up_is_no_end(start: Run, told: Path) -> None:
    (told / "enabled").touch()
    done = start(FAKE_TARGET="graphical.target")
    assert done.stdout == "engarde play||\n"
    assert "did not appear within 3 seconds" in done.stderr
    assert _log(told) == ["sleep 1"] * 3 + ["sleep 2"]


@pytest.mark.parametrize(
    ("there", "first"),
    [
        ((), True),
        (("config/menu.toml",), False),
        (("config/table.toml",), False),
        (("config/config.toml",), False),
        (("data/first-start",), True),
        (("config/menu.toml", "data/first-start"), True),
        (("config/menu.toml", "config/table.toml", "config/config.toml", "data/first-start"), True),
    ],
)
def test_the_first_start_comes_until_it_was_ended(
    start: Run, tmp_path: Path, there: tuple[str, ...], first: bool
) -> None:
    """Choosing a language writes menu.toml: whoever left it after that has not ended it."""
    homes = {"XDG_CONFIG_HOME": tmp_path / "c", "XDG_DATA_HOME": tmp_path / "d"}
    for name in there:
        kind, _, file = name.partition("/")
        path = tmp_path / kind[0] / "engarde" / file
        path.parent.mkdir(parents=True, exist_ok=True)
        path.touch()
    places = {name: str(path) for name, path in homes.items()}
    begun = "setup --then-play" if first else "play"
    assert start("--fps", "5", ENGARDE_FIRST="yes", **places).stdout == f"engarde {begun} --fps 5||\n"
    assert start("--fps", "5", **places).stdout == "engarde play --fps 5||\n"


def test_the_mark_is_looked_for_where_the_program_keeps_it(
    start: Run, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.delenv("XDG_DATA_HOME", raising=False)
    monkeypatch.setenv("HOME", str(tmp_path / "home"))
    settings = tmp_path / "home" / ".config" / "engarde"
    settings.mkdir(parents=True)
    (settings / "menu.toml").touch()
    assert start(ENGARDE_FIRST="yes", HOME=str(tmp_path / "home")).stdout == "engarde play||\n"
    mark = StartMark(mark_path())
    mark.begin()
    assert start(ENGARDE_FIRST="yes", HOME=str(tmp_path / "home")).stdout == "engarde setup --then-play||\n"
    mark.end()
    assert start(ENGARDE_FIRST="yes", HOME=str(tmp_path / "home")).stdout == "engarde play||\n"
    mark.begin()
    mark.forgo()
    (settings / "menu.toml").unlink()  # they play without measuring, and nothing was ever set
    assert start(ENGARDE_FIRST="yes", HOME=str(tmp_path / "home")).stdout == "engarde play||\n"
    mark.begin()
    assert (mark.step, start(ENGARDE_FIRST="yes", HOME=str(tmp_path / "home")).stdout) == (
        "language",
        "engarde setup --then-play||\n",
    )


def test_lights_out(start: Run) -> None:
    assert start("lights-out").stdout == "python -m firmware.table.panel.lights_out||\n"


def test_a_game_that_ends_again_and_again_is_started_ever_less_often(start: Run, told: Path, tmp_path: Path) -> None:
    kept = tmp_path / "engarde-runtime"
    kept.mkdir()
    for _ in range(8):
        assert start(RUNTIME_DIRECTORY=str(kept)).stdout == "engarde play||\n"
    assert _log(told) == [f"sleep {wait_s}" for wait_s in (3, 9, 21, 45, 60, 60, 60)]
    for path in kept.iterdir():
        os.utime(path, (time.time() - 3600.0,) * 2)
    (told / "log").unlink()
    start(RUNTIME_DIRECTORY=str(kept))
    assert _log(told) == [], "it was played for an hour"
