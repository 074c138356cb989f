"""What systemd hears, on a real socket; and when it stops hearing anything."""

from __future__ import annotations

import socket
from collections.abc import Callable, Iterator
from pathlib import Path
from types import SimpleNamespace
from typing import Any, cast

import numpy as np
import pytest

from firmware.loop.moment import Moment
from firmware.service.watchdog import CAMERA_GRACE_S, Notifier, WatchdogAudience
from tests.firmware.conftest import SetClock
from vision.frame import Frame

MINUTE = {"WATCHDOG_USEC": "60000000"}


@pytest.fixture
def manager(tmp_path: Path) -> Iterator[socket.socket]:
    """The service manager's end of the socket."""
    with socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM) as listening:
        listening.bind(str(tmp_path / "notify"))
        listening.setblocking(False)
        yield listening


def _heard(manager: socket.socket) -> list[str]:
    heard = []
    while True:
        try:
            heard.append(manager.recv(4096).decode())
        except BlockingIOError:
            return heard


def _moment(*, picture: bool = True, held: bool = False) -> Moment:
    shape = (2, 2) if picture else (0, 0)
    return cast(Moment, SimpleNamespace(frame=Frame(0, 0.0, np.zeros(shape, np.uint8)), held=held))


@pytest.fixture
def feeding(manager: socket.socket) -> Iterator[tuple[Callable[..., list[str]], Any]]:
    """A function that attends a moment at a time and gives what was heard; and a screen to switch off."""
    clock, screen = SetClock(), SimpleNamespace(lives=True)
    notifier = Notifier({"NOTIFY_SOCKET": str(manager.getsockname()), **MINUTE})
    audience = WatchdogAudience(notifier, lambda: screen.lives, clock.now_s)

    def at(now_s: float, *, picture: bool = True, held: bool = False) -> list[str]:
        clock.now = now_s
        audience.attend(_moment(picture=picture, held=held))
        return _heard(manager)

    yield at, screen
    notifier.close()
    assert _heard(manager) == ["STOPPING=1"]


def test_a_sitting_that_is_followed_by_another_is_not_the_end(manager: socket.socket) -> None:
    """The manager kills, after five seconds, what said that it ends: a book brought back, or the first start."""
    notifier = Notifier({"NOTIFY_SOCKET": str(manager.getsockname()), **MINUTE})
    WatchdogAudience(notifier, lambda: True, SetClock().now_s).goes_on()
    notifier.close()
    assert _heard(manager) == []


def test_ready_once_and_fed_four_times_a_period(feeding: tuple[Callable[..., list[str]], Any]) -> None:
    at, _ = feeding
    assert at(0.0) == ["READY=1\nSTATUS=Refereeing", "WATCHDOG=1"]
    assert [at(now_s) for now_s in (1.0, 14.9, 15.0, 29.0, 30.0)] == [[], [], ["WATCHDOG=1"], [], ["WATCHDOG=1"]]


def test_a_screen_that_is_gone_starves_it(feeding: tuple[Callable[..., list[str]], Any]) -> None:
    at, screen = feeding
    at(0.0)
    screen.lives = False
    assert at(100.0) == []
    screen.lives = True
    assert at(101.0) == ["WATCHDOG=1"]


def test_a_camera_that_vanishes_starves_it_after_a_while(feeding: tuple[Callable[..., list[str]], Any]) -> None:
    at, _ = feeding
    at(0.0)
    assert at(15.0) == at(25.0 + CAMERA_GRACE_S - 5.0) == ["WATCHDOG=1"]
    assert at(50.0, picture=False) == []
    assert at(200.0, picture=False) == []
    assert at(201.0) == ["WATCHDOG=1"]


def test_a_camera_that_never_was_does_not(feeding: tuple[Callable[..., list[str]], Any]) -> None:
    at, _ = feeding
    assert [at(now_s, picture=False)[-1] for now_s in (0.0, 20.0, 400.0)] == ["WATCHDOG=1"] * 3


def test_without_a_watchdog_only_the_start_is_told(manager: socket.socket) -> None:
    notifier = Notifier({"NOTIFY_SOCKET": str(manager.getsockname())})
    audience = WatchdogAudience(notifier, lambda: True, SetClock().now_s)
    audience.attend(_moment())
    audience.attend(_moment())
    assert _heard(manager) == ["READY=1\nSTATUS=Refereeing"]
    notifier.close()


def test_where_nobody_listens_nothing_happens(tmp_path: Path) -> None:
    for environ in ({}, MINUTE, {"NOTIFY_SOCKET": str(tmp_path / "nobody")}):
        notifier = Notifier(environ)
        notifier.tell("READY=1")
        notifier.close()


def test_an_abstract_socket_is_found_too() -> None:
    with socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM) as manager:
        name = f"engarde-test-{id(manager)}"
        manager.bind(f"\0{name}")
        manager.setblocking(False)
        notifier = Notifier({"NOTIFY_SOCKET": f"@{name}"})
        notifier.tell("READY=1")
        assert _heard(manager) == ["READY=1"]
        notifier.close()


def test_who_enters_turns_by_hand_without_a_camera_is_not_thrown_out(
    feeding: tuple[Callable[..., list[str]], Any],
) -> None:
    at, _ = feeding
    at(0.0)
    assert [at(15.0 * step, picture=False, held=True) for step in range(1, 9)] == [["WATCHDOG=1"]] * 8
    assert at(120.0 + CAMERA_GRACE_S + 5.0, picture=False) == []
