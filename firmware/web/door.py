"""Who may come in: so many connections in all and from one address, and no longer than an answer takes.

A connection too many is closed before anything is read from it. Behind all of this stands one thought: whatever comes
over the network, the table's own files can still be opened and its frames still be looked at.
"""

from __future__ import annotations

import asyncio
import socket
import struct
from collections.abc import Awaitable, Callable
from contextlib import suppress
from functools import partial
from typing import Final

from firmware.web.requests import household_of

try:
    import resource
except ImportError:  # no such limits on this system
    resource = None  # type: ignore[assignment]

MAX_VISITS: Final = 256
"""Connections at once: a club's evening on phones, all of them behind one address where there is a proxy."""
RESERVED: Final = 128
"""Descriptors that are never given to visitors: scorebook, camera, sound, fonts."""
PAUSE_S: Final = 0.01
"""After a connection that was closed at once: a flood waits in the kernel, where it costs nothing."""
GONE_MS: Final = 30_000
"""What is sent is acknowledged within this."""
WAITING: Final = 64
"""Connections the kernel keeps until they are taken."""

Serve = Callable[[socket.socket], Awaitable[None]]


class Door:
    """Takes connections from a listening socket and has each served in a task of its own, until cancelled."""

    def __init__(self, listening: socket.socket, serve: Serve) -> None:
        self._listening = listening
        self._serve = serve
        self._inside: dict[str, list[asyncio.Task[None]]] = {}
        self._tasks: set[asyncio.Task[None]] = set()
        self._most = most_here()

    async def open(self) -> None:
        """Take connections as they come. Cancelled, it closes those that are left."""
        loop = asyncio.get_running_loop()
        try:
            while True:
                try:
                    connection, address = await loop.sock_accept(self._listening)
                except OSError:  # gone before it was taken, or the machine is out of descriptors
                    await asyncio.sleep(PAUSE_S)
                    continue
                visitor = household_of(str(address[0]))
                if not self._has_room(visitor):
                    _slam(connection)
                    await asyncio.sleep(PAUSE_S)
                    continue
                task = loop.create_task(self._one(connection))
                self._tasks.add(task)
                self._inside.setdefault(visitor, []).append(task)
                task.add_done_callback(partial(self._leave, visitor, connection))
                await asyncio.sleep(0)  # whoever had to leave goes before the next comes
        finally:
            for task in self._tasks:
                task.cancel()
            await asyncio.gather(*self._tasks, return_exceptions=True)

    def _has_room(self, visitor: str) -> bool:
        """Whether one more of this visitor comes in: where all places are taken, in place of the newest of whoever has
        most, so that nobody can take the places of all others. A page that loses its place asks again by itself."""
        if sum(map(len, self._inside.values())) < self._most:
            return True
        largest = max(self._inside.values(), key=len)
        if len(self._inside.get(visitor, ())) + 1 >= len(largest):
            return False
        largest.pop().cancel()
        return True

    def _leave(self, visitor: str, connection: socket.socket, task: asyncio.Task[None]) -> None:
        """Called for a visit that is over, and for one that had to leave before it began."""
        connection.close()
        self._tasks.discard(task)
        left = self._inside.get(visitor, [])
        if task in left:
            left.remove(task)
        if not left:
            self._inside.pop(visitor, None)

    async def _one(self, connection: socket.socket) -> None:
        with suppress(OSError, TimeoutError):
            connection.setblocking(False)
            if hasattr(socket, "TCP_USER_TIMEOUT"):  # a phone that went out of reach says nothing
                connection.setsockopt(socket.IPPROTO_TCP, socket.TCP_USER_TIMEOUT, GONE_MS)
            await self._serve(connection)


def most_here() -> int:
    """How many connections this process may have and still open whatever it needs."""
    if resource is None:
        return MAX_VISITS
    soft, _ = resource.getrlimit(resource.RLIMIT_NOFILE)
    return MAX_VISITS if soft == resource.RLIM_INFINITY else max(1, min(MAX_VISITS, soft - RESERVED))


def _slam(connection: socket.socket) -> None:
    """Close at once, with nothing left behind in the kernel."""
    with suppress(OSError):
        connection.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))
    connection.close()
