"""Connection limits: how many there are in all, and who has to leave for whom when all places are taken.

Whatever comes over the network, the table's own files can still be opened and its frames still be looked at.
"""

from __future__ import annotations

import asyncio
import socket
import struct
import time
from collections.abc import Awaitable, Callable
from contextlib import suppress
from dataclasses import dataclass, field
from typing import Final

from firmware.web.requests import visitor_of

try:
    import resource
except ImportError:  # no such limits on this system
    resource = None  # type: ignore[assignment]

MAX_PLACES: Final = 256
"""Connections at once: a club's evening on phones, all of them behind one address where there is a proxy."""
RESERVED: Final = 128
"""Descriptors that are never given to visitors: scorebook, camera, sound, fonts."""
STAY_S: Final = 10.0
"""So long nobody whose share is fair is sent away from an answer or a stream; a page that is asks again by itself."""
IDLE_S: Final = 1.0
"""A browser sends its request at once; Wi-Fi may lose it once and have it sent again."""
PAUSE_S: Final = 0.004
"""After a connection that cost another its place: at most 250 of a flood are taken a second, the others wait in the
kernel, where they cost nothing. tests/bench/bench_web.py measures what that takes from the referee."""
GONE_MS: Final = 30_000
"""What is sent is acknowledged within this."""
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
        self._count = count
        self._taken: dict[str, list[Place]] = {}

    def take(self, visitor: str, now_s: float) -> tuple[Place | None, Place | None]:
        """A place, None where there is none for this visitor now, and the one who loses his for it.

        While any is free nobody loses one. Then it is one of the visitor who has most, if that is more than the
        newcomer has with this one. Between equals it is the oldest that has sent no whole request for ``IDLE_S``, then
        the oldest answer or stream that had ``STAY_S``.
        """
        lost = None
        if sum(map(len, self._taken.values())) >= self._count:
            lost = self._loser(visitor, now_s)
            if lost is None:
                return None, None
            self.free(lost)
        place = Place(visitor, now_s)
        self._taken.setdefault(visitor, []).append(place)
        return place, lost

    def _loser(self, visitor: str, now_s: float) -> Place | None:
        own, largest = self._taken.get(visitor, []), max(self._taken.values(), key=len)
        over = len(largest) > len(own) + 1
        among = largest if over else own or [place for places in self._taken.values() for place in places]
        idle = min((place for place in among if not place.served), key=_since_s, default=None)
        if idle is not None and now_s - idle.since_s >= IDLE_S:
            return idle
        if over:
            return among[-1]
        served = min((place for place in among if place.served), key=_since_s, default=None)
        return served if served is not None and now_s - served.since_s >= STAY_S else idle

    def free(self, place: Place) -> None:
        """Give a place back; one that was lost already stays so."""
        left = self._taken.get(place.visitor, [])
        if place in left:
            left.remove(place)
        if not left:
            self._taken.pop(place.visitor, None)


def _since_s(place: Place) -> float:
    return place.since_s


Serve = Callable[[socket.socket, Place], Awaitable[None]]


class Door:
    """Takes connections from a listening socket and has each served in a task of its own, until cancelled."""

    def __init__(self, listening: socket.socket, serve: Serve) -> None:
        self._listening, self._serve = listening, serve
        self._places = Places(places_here())
        self._tasks: set[asyncio.Task[None]] = set()

    async def open(self) -> None:
        """Take connections as they come. Cancelled, it closes those that are left."""
        try:
            while True:
                try:
                    await self._take_one()
                except Exception:  # gone before it was taken, no descriptor left, or anything else: it costs no other
                    await asyncio.sleep(PAUSE_S)
        finally:
            for task in self._tasks:
                task.cancel()
            await asyncio.gather(*self._tasks, return_exceptions=True)

    async def _take_one(self) -> None:
        connection, address = await asyncio.get_running_loop().sock_accept(self._listening)
        place, lost = self._places.take(visitor_of(str(address[0])), time.monotonic())
        if lost is not None:
            lost.leave()
        if place is None:
            _reset(connection)
        else:
            self._begin(connection, place)
        # Whoever had to leave goes before the next comes.
        await asyncio.sleep(0 if place is not None and lost is None else PAUSE_S)

    def _begin(self, connection: socket.socket, place: Place) -> None:
        def over(task: asyncio.Task[None]) -> None:
            """Called for a visit that had to leave before it began, too."""
            connection.close()
            self._tasks.discard(task)
            self._places.free(place)

        task = asyncio.get_running_loop().create_task(self._one(connection, place))
        place.leave = task.cancel
        self._tasks.add(task)
        task.add_done_callback(over)

    async def _one(self, connection: socket.socket, place: Place) -> None:
        with suppress(OSError, TimeoutError):
            connection.setblocking(False)
            if hasattr(socket, "TCP_USER_TIMEOUT"):  # a phone that went out of reach says nothing
                connection.setsockopt(socket.IPPROTO_TCP, socket.TCP_USER_TIMEOUT, GONE_MS)
            await self._serve(connection, place)


def places_here() -> int:
    """How many connections this process may have and still open whatever it needs."""
    if resource is None:
        return MAX_PLACES
    soft, _ = resource.getrlimit(resource.RLIMIT_NOFILE)
    return MAX_PLACES if soft == resource.RLIM_INFINITY else max(1, min(MAX_PLACES, soft - RESERVED))


def _reset(connection: socket.socket) -> None:
    """Close at once, with nothing left behind in the kernel."""
    with suppress(OSError):
        connection.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))
    connection.close()
