"""Connection limits: how many there are, and which is closed for a newcomer when all places are taken.

A flood of visitors leaves the table its file descriptors and its processor.
"""

from __future__ import annotations

import asyncio
import resource
import socket
import struct
import time
from collections.abc import Awaitable, Callable
from contextlib import suppress
from dataclasses import dataclass, field
from functools import partial
from typing import Final

from firmware.web.requests import visitor_of

MAX_PLACES: Final = 256
"""Connections at once: a club's evening on phones, all of them behind one address where there is a proxy."""
RESERVED: Final = 128
"""Descriptors that are never given to visitors: scorebook, camera, sound, fonts."""
STAY_S: Final = 10.0
"""A visitor with a fair share keeps an answer or a stream for so long; a page that loses it reconnects."""
IDLE_S: Final = 1.0
"""A browser sends its request at once; Wi-Fi may lose it once and have it sent again."""
SILENT_S: Final = 5.0
"""A connection that has sent nothing is closed after this."""
PAUSE_S: Final = 0.004
"""After a connection that cost another its place: at most 250 of a flood are taken a second, the others wait in the
kernel, where they cost nothing. Taken as fast as a fifth of a core allows they come back as fast: the referee is slower
and visitors wait longer, as tests/bench/bench_web.py shows."""
GONE_MS: Final = 30_000
"""Time limit for acknowledging what was sent."""
WAITING: Final = 64
"""Connections the kernel keeps until they are taken."""


@dataclass(eq=False, slots=True)
class Place:
    """A visitor's connection. ``served``: its whole request has come, and its answer or stream is on its way."""

    visitor: str
    since_s: float
    served: bool = False
    leave: Callable[[], object] = field(default=lambda: None)


class Places:
    """So many places, shared among visitors: the more there are, the smaller is everybody's share."""

    def __init__(self, count: int) -> None:
        self._free = count
        self._taken: dict[str, list[Place]] = {}

    def take(self, visitor: str, now_s: float) -> tuple[Place | None, Place | None]:
        """A place, None where there is none for this visitor now, and the place another visitor loses for it.

        While any is free nobody loses one. Then it is one of the visitor who has most, if that is more than the
        newcomer has with this one. Between equals it is the oldest that has sent no whole request for ``IDLE_S``, then
        the oldest answer or stream that had ``STAY_S``.
        """
        lost = None
        if not self._free:
            lost = self._loser(visitor, now_s)
            if lost is None:
                return None, None
            self.free(lost)
        self._free -= 1
        place = Place(visitor, now_s)
        self._taken.setdefault(visitor, []).append(place)
        return place, lost

    def _loser(self, visitor: str, now_s: float) -> Place | None:
        own, largest = self._taken.get(visitor, []), max(self._taken.values(), key=len)
        over = len(largest) > len(own) + 1
        among = [largest] if over else [own] if own else list(self._taken.values())
        idle, served = (_oldest(among, served) for served in (False, True))
        if idle is not None and now_s - idle.since_s >= IDLE_S:
            return idle
        if over:
            return largest[-1]
        return served if served is not None and now_s - served.since_s >= STAY_S else idle

    def free(self, place: Place) -> None:
        """Give a place back; one that was lost already stays so."""
        left = self._taken.get(place.visitor, [])
        if place in left:
            left.remove(place)
            self._free += 1
        if not left:
            self._taken.pop(place.visitor, None)


def _oldest(among: list[list[Place]], served: bool) -> Place | None:
    """The oldest that is served or not; each visitor's stand in the order in which they came."""
    first = (next((place for place in places if place.served is served), None) for places in among)
    return min(filter(None, first), key=lambda place: place.since_s, default=None)


Serve = Callable[[socket.socket, Place], Awaitable[None]]


class Door:
    """Takes connections from a listening socket, and has each served in a task of its own once it sends anything."""

    def __init__(self, listening: socket.socket, serve: Serve) -> None:
        # Numbers of descriptors: asyncio writes out a socket's addresses whenever it looks one up.
        self._listening, self._descriptor, self._serve = listening, listening.fileno(), serve
        self._places = Places(places_here())
        self._silent: set[Place] = set()
        self._tasks: set[asyncio.Task[None]] = set()
        self._again: asyncio.TimerHandle | None = None
        if hasattr(socket, "TCP_USER_TIMEOUT"):  # inherited: a phone that went out of reach says nothing
            listening.setsockopt(socket.IPPROTO_TCP, socket.TCP_USER_TIMEOUT, GONE_MS)

    async def open(self) -> None:
        """Take connections as they come. Cancelled, it closes those that are left."""
        loop = asyncio.get_running_loop()
        loop.add_reader(self._descriptor, self._take_one, loop)
        try:
            while True:
                await asyncio.sleep(IDLE_S)
                for place in [each for each in self._silent if time.monotonic() - each.since_s >= SILENT_S]:
                    place.leave()
        finally:
            if self._again is not None:
                self._again.cancel()
            loop.remove_reader(self._descriptor)
            for place in [*self._silent]:
                place.leave()
            for task in self._tasks:
                task.cancel()
            await asyncio.gather(*self._tasks, return_exceptions=True)

    def _take_one(self, loop: asyncio.AbstractEventLoop) -> None:
        pause_s = PAUSE_S
        with suppress(OSError):  # gone before it was taken, or the machine is out of descriptors
            connection, address = self._listening.accept()
            place, lost = self._places.take(visitor_of(str(address[0])), time.monotonic())
            if lost is not None:
                lost.leave()
            if place is None:
                _reset(connection)
            else:
                connection.setblocking(False)
                self._silent.add(place)
                place.leave = partial(self._end, loop, connection, place)
                loop.add_reader(connection.fileno(), self._begin, loop, connection, place)
                pause_s = 0.0 if lost is None else PAUSE_S
        if pause_s:
            loop.remove_reader(self._descriptor)
            self._again = loop.call_later(pause_s, loop.add_reader, self._descriptor, self._take_one, loop)

    def _begin(self, loop: asyncio.AbstractEventLoop, connection: socket.socket, place: Place) -> None:
        loop.remove_reader(connection.fileno())
        self._silent.discard(place)
        task = loop.create_task(self._one(connection, place))
        self._tasks.add(task)
        place.leave = task.cancel
        task.add_done_callback(self._tasks.discard)
        task.add_done_callback(lambda _: self._end(loop, connection, place))  # one that never began, too

    async def _one(self, connection: socket.socket, place: Place) -> None:
        with suppress(OSError, TimeoutError):
            await self._serve(connection, place)

    def _end(self, loop: asyncio.AbstractEventLoop, connection: socket.socket, place: Place) -> None:
        loop.remove_reader(connection.fileno())
        connection.close()
        self._silent.discard(place)
        self._places.free(place)


def places_here() -> int:
    """How many connections this process may have and still open whatever it needs."""
    soft, _ = resource.getrlimit(resource.RLIMIT_NOFILE)
    return MAX_PLACES if soft == resource.RLIM_INFINITY else max(1, min(MAX_PLACES, soft - RESERVED))


def _reset(connection: socket.socket) -> None:
    """Close at once, with nothing left behind in the kernel."""
    with suppress(OSError):
        connection.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))
    connection.close()
