"""What systemd hears, on a real socket; and when it stops hearing anything."""

from __future__ import annotations

import socket
from collections.abc import Callable, Iterator
from pathlib import Path
from types import SimpleNamespace
from typing import Any, cast

import pytest

from firmware.table.loop.moment import Moment
from firmware.table.loop.watched import TOLD_S
from firmware.table.service.watchdog import LAST_RESORT_S, Notifier, WatchdogAudience
from tests.firmware.conftest import SetClock

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


def _moment(*, held: bool = False) -> Moment:
    return cast(Moment, SimpleNamespace(held=held))


@pytest.fixture
def feeding(manager: socket.socket) -> Iterator[tuple[Callable[..., list[str]], Any]]:
    """A function that attends a moment at a time and gives what was heard; and a part to take away."""
    clock, parts = SetClock(), SimpleNamespace(fail=False)
    notifier = Notifier({"NOTIFY_SOCKET": str(manager.getsockname()), **MINUTE})
    audience = WatchdogAudience(notifier, lambda: parts.fail, clock.now_s)

    def at(now_s: float, *, held: bool = False) -> list[str]:
        clock.now = now_s
        audience.attend(_moment(held=held))
        return _heard(manager)

    yield at, parts
    notifier.close()
    assert _heard(manager) == ["STOPPING=1"]


def test_a_sitting_that_is_followed_by_another_is_not_the_end(manager: socket.socket) -> None:
    """The manager kills, after five seconds, what said that it ends: a book brought back, or the first start."""
    notifier = Notifier({"NOTIFY_SOCKET": str(manager.getsockname()), **MINUTE})
    WatchdogAudience(notifier, lambda: False, SetClock().now_s).goes_on()
    notifier.close()
    assert _heard(manager) == []


def test_ready_once_and_fed_four_times_a_period(feeding: tuple[Callable[..., list[str]], Any]) -> None:
    at, _ = feeding
    assert at(0.0) == ["READY=1\nSTATUS=Refereeing", "WATCHDOG=1"]
    assert [at(now_s) for now_s in (1.0, 14.9, 15.0, 29.0, 30.0)] == [[], [], ["WATCHDOG=1"], [], ["WATCHDOG=1"]]


def test_while_a_part_fails_it_is_not_told_that_all_is_well_and_gives_time_for_an_orderly_end(
    feeding: tuple[Callable[..., list[str]], Any],
) -> None:
    at, parts = feeding
    at(0.0)
    parts.fail = True
    (told,) = at(10.0)
    assert f"WATCHDOG_USEC={round(LAST_RESORT_S * 1e6)}" in told.splitlines()
    assert "WATCHDOG=1" not in told.splitlines()
    assert LAST_RESORT_S > 60.0 + TOLD_S
    assert [at(now_s) for now_s in (20.0, 40.0, 60.0)] == [[], [], []]
    parts.fail = False
    told, fed = at(61.0)
    assert told.splitlines() == ["STATUS=Refereeing", f"WATCHDOG_USEC={MINUTE['WATCHDOG_USEC']}"]
    assert fed == "WATCHDOG=1"
    assert at(76.0) == ["WATCHDOG=1"]


def test_who_plays_by_hand_meanwhile_is_not_thrown_out(feeding: tuple[Callable[..., list[str]], Any]) -> None:
    at, parts = feeding
    at(0.0)
    parts.fail = True
    assert [at(now_s, held=True) for now_s in (20.0, 400.0)] == [["WATCHDOG=1"]] * 2


def test_without_a_watchdog_only_the_start_is_told(manager: socket.socket) -> None:
    notifier = Notifier({"NOTIFY_SOCKET": str(manager.getsockname())})
    audience = WatchdogAudience(notifier, lambda: False, SetClock().now_s)
    audience.attend(_moment())
    audience.attend(_moment())
    assert _heard(manager) == ["READY=1\nSTATUS=Refereeing"]
    notifier.close()


def test_where_nobody_listens_nothing_happens(tmp_path: Path) -> None:
    for environ in ({}, MINUTE, {"NOTIFY_SOCKET": str(tmp_path / "nobody")}):
        notifier = Notifier(environ)
        notifier.tell("READY=1")
        notifier.close()
    assert list(tmp_path.iterdir()) == []


def test_an_abstract_socket_is_found_too() -> None:
    with socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM) as manager:
        name = f"engarde-test-{id(manager)}"
        manager.bind(f"\0{name}")
        manager.setblocking(False)
        notifier = Notifier({"NOTIFY_SOCKET": f"@{name}"})
        notifier.tell("READY=1")
        assert _heard(manager) == ["READY=1"]
        notifier.close()
