"""For all tests: none fails because a day is slow, none waits for garbage, and none leaves anything open."""

from __future__ import annotations

import gc
import os
import re
import sqlite3
import threading
import traceback
from collections.abc import Iterator
from contextlib import suppress
from importlib import import_module
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest
from hypothesis import HealthCheck, settings

if TYPE_CHECKING:
    from display.window import Window

# Neither an example nor the making of it may be too slow. The same code has the same examples every time, so that a
# change is told from chance; new ones are looked for with "make explore".
ANY_DAY = settings(settings.default, deadline=None, suppress_health_check=[HealthCheck.too_slow])
settings.register_profile("any_day", ANY_DAY, derandomize=True)
settings.register_profile("explore", ANY_DAY, max_examples=1000, print_blob=True)
settings.load_profile("any_day")


pytest_plugins = "tests.said"

ROOT = Path(__file__).parent.parent
WHOLLY_SLOW = re.compile(r"^pytestmark = .*\bslow\b", re.MULTILINE)


def pytest_ignore_collect(collection_path: Path, config: pytest.Config) -> bool | None:
    """Where slow tests are left out, a file of nothing else is not even taken apart."""
    if config.getoption("markexpr") != "not slow" or collection_path.suffix != ".py":
        return None
    return True if WHOLLY_SLOW.search(collection_path.read_text(encoding="utf-8")) else None


def pytest_collection(session: pytest.Session) -> None:
    """Of processes that run tests side by side each takes the files in from another one on: pytest puts what it made of
    a file on disk, and so each makes some of them and finds the rest, where all would make all."""
    number = int(os.environ.get("PYTEST_XDIST_WORKER", "gw0").removeprefix("gw"))
    if number == 0:
        return
    paths = sorted((ROOT / "tests").rglob("test_*.py"))
    first = len(paths) * number // int(os.environ["PYTEST_XDIST_WORKER_COUNT"])
    for path in (*paths[first:], *paths[:first]):
        if pytest_ignore_collect(path, session.config) is None:
            with suppress(Exception, pytest.skip.Exception):  # whoever collects it says what is wrong with it
                import_module(".".join(path.relative_to(ROOT).with_suffix("").parts))


# Left to itself Python goes through all that was made so often that taking sources apart takes three times as long.
gc.set_threshold(100_000, 20, 50)


def pytest_collection_finish(session: pytest.Session) -> None:
    """Set aside the modules and tests, 400,000 objects that stay: a whole collection takes 0.3 s with them."""
    gc.collect()
    gc.freeze()


class KeepsAside:
    """The module ``gc`` for ``firmware.table.loop.tidy``, which would unfreeze what was set aside before any test."""

    def __getattr__(self, name: str) -> Any:
        return getattr(gc, name)

    def collect(self) -> int:
        """Without what is old: it is never set aside here, and would be gone through again and again."""
        return gc.collect(1)

    def freeze(self) -> None: ...

    def unfreeze(self) -> None: ...


@pytest.fixture(autouse=True, scope="session")
def modules_stay_set_aside() -> Iterator[None]:
    """Every session at the table begins with a whole collection: it goes through what tests made, not the modules."""
    with pytest.MonkeyPatch.context() as changed:
        changed.setattr("firmware.table.loop.tidy.gc", KeepsAside())
        yield


OPENED: list[tuple[sqlite3.Connection, threading.Thread, str]] = []
"""Every connection to a database since the running test began, with the thread that opened it and where."""
_connect = sqlite3.connect


def _connect_noted(*args: Any, **options: Any) -> sqlite3.Connection:
    connection: sqlite3.Connection = _connect(*args, **options)
    OPENED.append((connection, threading.current_thread(), "".join(traceback.format_stack(limit=6)[:-1])))
    return connection


def _is_open(connection: sqlite3.Connection) -> bool:
    try:
        connection.total_changes  # noqa: B018  # asked in any thread; a closed one raises
    except sqlite3.ProgrammingError:
        return False
    return True


@pytest.fixture(autouse=True, scope="session")
def connections_are_noted() -> Iterator[None]:
    """Python itself tells of an unclosed connection from 3.13 on, and only once it is garbage."""
    with pytest.MonkeyPatch.context() as changed:
        changed.setattr(sqlite3, "connect", _connect_noted)
        yield


@pytest.fixture(autouse=True, scope="session")
def fonts_of_this_machine_are_left_out() -> Iterator[None]:
    """What fonts are installed decides which names are refused: a test that is about others names them itself."""
    with pytest.MonkeyPatch.context() as changed:
        changed.setattr("display.draw.fonts.SYSTEM_FONTS", ())
        yield


ROOMS_IN_ONE_THREAD = ("coach", "companion", "hands", "lessons", "recording", "screen")
"""Rooms of ``tests/firmware`` in which parts are called in the test's own thread: a frame hands work to another thread
twenty times, which takes a fifth of its time. The other rooms have parts in threads, as the program has."""


@pytest.fixture(autouse=True)
def no_part_fails(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """Fails the test in which a part of the table failed and was left out, unless it is about that (``parts_fail``)."""
    if request.node.get_closest_marker("parts_fail") or not request.node.nodeid.startswith("tests/firmware"):
        yield
        return
    from firmware.table.loop.guard import Guard

    failed: list[tuple[str, BaseException]] = []
    blame = Guard.blame

    def blamed(guard: Guard, member: object, doing: str, error: BaseException) -> None:
        failed.append((f"{type(member).__name__}.{doing}", error))
        blame(guard, member, doing, error)

    monkeypatch.setattr(Guard, "blame", blamed)
    if request.node.path.parent.name in ROOMS_IN_ONE_THREAD:
        monkeypatch.setattr(Guard, "attempt", lambda guard, work, **how: work())
        monkeypatch.setattr(Guard, "judge", lambda guard, doing, work, otherwise: work())
    yield
    for what, error in failed:
        raise AssertionError(f"{what} failed in the middle of a game") from error


@pytest.fixture(autouse=True)
def nothing_stays_open() -> Iterator[None]:
    """Fails the test that leaves a connection open; files, sockets and processes tell of themselves once collected.

    What this test made is still young: older objects, which would take long to go through, are left alone.
    """
    before = len(OPENED)
    yield
    for connection, thread, _ in OPENED[before:]:
        if thread is not threading.current_thread() and _is_open(connection):
            thread.join(60)  # it reads beside the game, and closes what it opened when it is done
    left = [where for connection, _, where in OPENED[before:] if _is_open(connection)]
    del OPENED[before:]
    gc.collect(1)
    assert not left, "connections to a database are left open, opened at:\n\n" + "\n".join(left)


@pytest.fixture
def window(monkeypatch: pytest.MonkeyPatch) -> Iterator[Window]:
    """A small window, of 800 by 480 pixels, on SDL's dummy driver: everything but the glass."""
    import pygame  # most tests draw nothing

    from display.window import Window

    monkeypatch.setenv("SDL_VIDEODRIVER", "dummy")
    pygame.display.init()
    yield Window(pygame.display.set_mode((800, 480)))
    pygame.display.quit()
