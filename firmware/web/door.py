"""Who may come in: so many connections in all and from one address, and no longer than an answer takes.

A connection too many is closed before anything is read from it. Behind all of this stands one thought: whatever comes
over the network, the table's own files can still be opened and its frames still be looked at.
"""

from __future__ import annotations

import asyncio
import socket
import struct
from collections import Counter
from collections.abc import Awaitable, Callable
from contextlib import suppress
from typing import Final

from firmware.web.requests import household_of

try:
    import resource
except ImportError:  # no such limits on this system
    resource = None  # type: ignore[assignment]

MOST: Final = 64
"""Connections at once: a household with its guests, and a stream."""
MOST_EACH: Final = 12
"""Of one address: some pages left open, and what they load."""
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
        self._inside: Counter[str] = Counter()
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
                if self._inside.total() >= self._most or self._inside[visitor] >= MOST_EACH:
                    _slam(connection)
                    await asyncio.sleep(PAUSE_S)
                    continue
                self._inside[visitor] += 1
                task = loop.create_task(self._one(connection, visitor))
                self._tasks.add(task)
                task.add_done_callback(self._tasks.discard)
        finally:
            for task in self._tasks:
                task.cancel()
            await asyncio.gather(*self._tasks, return_exceptions=True)

    async def _one(self, connection: socket.socket, visitor: str) -> None:
        try:
            with connection, suppress(OSError, TimeoutError):
                connection.setblocking(False)
                if hasattr(socket, "TCP_USER_TIMEOUT"):  # a phone that went out of reach says nothing
                    connection.setsockopt(socket.IPPROTO_TCP, socket.TCP_USER_TIMEOUT, GONE_MS)
                await self._serve(connection)
        finally:
            self._inside[visitor] -= 1
            if not self._inside[visitor]:
                del self._inside[visitor]


def most_here() -> int:
    """How many connections this process may have and still open whatever it needs."""
    if resource is None:
        return MOST
    soft, _ = resource.getrlimit(resource.RLIMIT_NOFILE)
    return MOST if soft == resource.RLIM_INFINITY else max(1, min(MOST, soft - RESERVED))


def _slam(connection: socket.socket) -> None:
    """Close at once, with nothing left behind in the kernel."""
    with suppress(OSError):
        connection.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))
    connection.close()
