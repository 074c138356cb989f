"""A small server in a thread of its own: one request, one answer a connection, and streams of what changes.

What it says is up to its ``answering``; who may come in, and how long it may take, is the same for all.
"""

from __future__ import annotations

import asyncio
import base64
import hashlib
import os
import re
import socket
import threading
from collections.abc import Awaitable, Callable, Iterable, Mapping
from contextlib import suppress
from dataclasses import dataclass
from http import HTTPStatus
from pathlib import Path
from typing import Final

from display.i18n import LANGUAGES
from firmware.errors import EngardeError
from firmware.web.door import WAITING, Door
from firmware.web.names import host_name, is_asked, names_here, network_name, way_out
from firmware.web.requests import (
    METHODS,
    MOST_HEAD,
    BadRequestError,
    WebRequest,
    answer,
    beginning,
    read_request,
)

LOOPBACK: Final = "127.0.0.1"
HEAD_S: Final = 5.0
"""A whole request comes within this, or the connection is closed."""
TAKE_S: Final = 10.0
"""What is sent is taken within this."""
NAME_S: Final = 30.0
"""So often Avahi is asked for this machine's name, at 20 ms of a process of its own."""
_STILL_THERE_S: Final = 15.0  # pages/again.js waits for it
_AGAIN: Final = Path(__file__).with_name("pages") / "again.js"
_LINGER_S: Final = 1.0
_END: Final = b"\r\n\r\n"
_STREAM: Final = {"Content-Type": "text/event-stream; charset=utf-8", "X-Accel-Buffering": "no"}


class WebError(EngardeError, OSError):
    """The scoreboard cannot be served at this address."""


class Changing:
    """A text that changes, and whoever waits for what comes next. ``put`` may be called from another thread."""

    def __init__(self, now: str = "{}") -> None:
        self.now = now
        self._changed: asyncio.Event | None = None
        self._loop: asyncio.AbstractEventLoop | None = None

    def put(self, text: str) -> None:
        """This is it from now on; whoever waits is told where it is another."""
        if text != self.now:
            self.now = text
            if self._loop is not None:
                with suppress(RuntimeError):  # the server was closed meanwhile
                    self._loop.call_soon_threadsafe(self._wake)

    def change(self) -> asyncio.Event:
        """Set once something else holds than now. Asked for in the server's own thread."""
        self._loop = asyncio.get_running_loop()
        self._changed = self._changed or asyncio.Event()
        return self._changed

    def _wake(self) -> None:
        if self._changed is not None:
            self._changed.set()
            self._changed = None


@dataclass(frozen=True, slots=True)
class Stream:
    """An answer that goes on: what ``text`` is now, and whatever it becomes, as server-sent events."""

    text: Changing


@dataclass(frozen=True, slots=True)
class Later:
    """An answer that takes a while, begun only for who may ask: ``made`` gives it, and the others are served on."""

    made: Callable[[], Awaitable[bytes]]


Answering = Callable[[str], bytes | Stream | Later | None]
"""What is answered to a path: a whole answer, one that takes a while, a stream, or None where there is nothing."""


class SmallServer:
    """Answers until ``close``. ``url`` is where, at ``port``; ``network`` this machine's name in its network."""

    def __init__(
        self,
        answering: Answering,
        host: str,
        port: int,
        *,
        name: str,
        option: str,
        usual: int,
        names: Iterable[str] = (),
        language: Callable[[], str] = lambda: LANGUAGES[0],
    ) -> None:
        """Port 0 takes any that is free. ``option`` is what chose the address and ``usual`` the port it means
        by itself, for the sentence of a WebError; ``names`` are names that it answers to besides its own, ``language``
        is that of the sentence for whoever asked by another."""
        self._listening = _listening(host, port, option, usual)
        self._answering = answering
        self._bound, self._more, self._speaks = host, tuple(names), language
        self.network = host_name()
        self._names = names_here(host, more=self._more)
        self._loop = asyncio.new_event_loop()
        self._open = self._loop.create_task(self._attend())
        self._thread = threading.Thread(target=self._run, name=name, daemon=True)
        self._thread.start()
        shown = f"[{host}]" if ":" in host else host
        self.port: int = self._listening.getsockname()[1]
        self.url = f"http://{shown}:{self.port}/"

    def close(self) -> None:
        """Let everybody go."""
        with suppress(RuntimeError):
            self._loop.call_soon_threadsafe(self._open.cancel)
        self._thread.join(timeout=1.5)
        self._listening.close()

    def _run(self) -> None:
        with suppress(asyncio.CancelledError):
            self._loop.run_until_complete(self._open)
        self._loop.close()

    async def _attend(self) -> None:
        asking = asyncio.create_task(self._ask_for_name())
        try:
            await Door(self._listening, self._serve).open()
        finally:
            asking.cancel()
            await asyncio.gather(asking, return_exceptions=True)

    async def _ask_for_name(self) -> None:
        """Another machine of this name may come into the network at any time, and Avahi then renames one of them."""
        while True:
            self.network = await asyncio.to_thread(network_name)
            self._names = names_here(self._bound, self.network, self._more)
            await asyncio.sleep(NAME_S)

    async def _serve(self, connection: socket.socket) -> None:
        """One request, one answer. Raises OSError and TimeoutError where the other side does not do its part."""
        try:
            async with asyncio.timeout(HEAD_S):
                request = read_request(await _head(connection))
        except BadRequestError as error:
            await _send(connection, answer(error.status))
        else:
            found = await self._found(request, connection)
            if request.method == "HEAD":
                whole = beginning(HTTPStatus.OK, _STREAM) if isinstance(found, Stream) else found
                await _send(connection, whole.partition(_END)[0] + _END)
            elif isinstance(found, Stream):
                await _stream(connection, found.text)
            else:
                await _send(connection, found)
        await _part(connection)

    async def _found(self, request: WebRequest, connection: socket.socket) -> bytes | Stream:
        reached_at = str(connection.getsockname()[0])
        if not is_asked(request.host, self._names, reached_at):
            told = way_out(self._speaks(), reached_at, self.port)
            return answer(HTTPStatus.MISDIRECTED_REQUEST, f"{told}\n".encode())
        try:
            found = self._answering(request.path)
            if isinstance(found, Later) and request.method in METHODS:
                found = await found.made()
        except Exception:  # whatever a page lacks: who asked for it is told, and the others are served on
            if os.environ.get("ENGARDE_DEBUG"):
                raise
            return answer(HTTPStatus.INTERNAL_SERVER_ERROR)
        if found is None:
            return answer(HTTPStatus.NOT_FOUND)
        if isinstance(found, Later) or request.method not in METHODS:
            return answer(HTTPStatus.METHOD_NOT_ALLOWED)
        return found


def page(content: bytes, status: HTTPStatus = HTTPStatus.OK, headers: Mapping[str, str] | None = None) -> bytes:
    """A whole answer with this page, and these headers too. Only its own scripts and styles may run."""
    scripts, styles = (_hashes(content, tag) for tag in (b"script", b"style"))
    policy = (
        f"default-src 'none'; script-src {scripts}; style-src {styles}; connect-src 'self'; base-uri 'none'; "
        "form-action 'none'; frame-ancestors *"
    )
    told = {"Content-Type": "text/html; charset=utf-8", "Content-Security-Policy": policy, **(headers or {})}
    return answer(status, content, told)


def page_file(path: Path) -> bytes:
    """A page as it is kept, with the script that all pages share in its place."""
    return path.read_bytes().replace(b"/*again.js*/\n", _AGAIN.read_bytes())


def _hashes(content: bytes, tag: bytes) -> str:
    """What a policy calls the scripts or styles that stand in this page."""
    found = re.findall(b"<%s>(.*?)</%s>" % (tag, tag), content, re.DOTALL)
    marks = (f"'sha256-{base64.b64encode(hashlib.sha256(each).digest()).decode()}'" for each in found)
    return " ".join(marks) or "'none'"


async def _stream(connection: socket.socket, text: Changing) -> None:
    """What holds now and whatever comes, until the other side goes or says anything."""
    loop = asyncio.get_running_loop()
    await _send(connection, beginning(HTTPStatus.OK, _STREAM))
    sent = ""
    gone = asyncio.ensure_future(loop.sock_recv(connection, 1))
    try:
        while not gone.done():
            changed = asyncio.ensure_future(text.change().wait())
            now = text.now
            if now != sent:
                await _send(connection, f"data: {now}\n\n".encode())
                sent = now
            try:
                done, _ = await asyncio.wait(
                    {changed, gone}, timeout=_STILL_THERE_S, return_when=asyncio.FIRST_COMPLETED
                )
            finally:
                changed.cancel()
            if not done:
                await _send(connection, b"event: still\ndata:\n\n")
    finally:
        gone.cancel()
        await asyncio.gather(gone, return_exceptions=True)


async def _head(connection: socket.socket) -> bytes:
    """What comes up to the empty line and with it. Raises BadRequestError where there is too much of it, OSError."""
    loop = asyncio.get_running_loop()
    head = b""
    while _END not in head:
        if len(head) > MOST_HEAD:
            raise BadRequestError(HTTPStatus.REQUEST_HEADER_FIELDS_TOO_LARGE)
        more = await loop.sock_recv(connection, MOST_HEAD)
        if not more:
            raise ConnectionAbortedError
        head += more
    return head.partition(_END)[0] + _END


async def _send(connection: socket.socket, content: bytes) -> None:
    async with asyncio.timeout(TAKE_S):
        await asyncio.get_running_loop().sock_sendall(connection, content)


async def _part(connection: socket.socket) -> None:
    """Say that this was all, and wait a moment for the other side: closed at once, it might lose the answer."""
    connection.shutdown(socket.SHUT_WR)
    async with asyncio.timeout(_LINGER_S):
        while await asyncio.get_running_loop().sock_recv(connection, MOST_HEAD):
            pass


def _listening(host: str, port: int, option: str, usual: int) -> socket.socket:
    family = socket.AF_INET6 if ":" in host else socket.AF_INET
    made = socket.socket(family, socket.SOCK_STREAM)
    try:
        made.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        made.bind((host, port))
        made.listen(WAITING)
        made.setblocking(False)
    except OSError as error:
        made.close()
        raise WebError(
            f"{option}: expected to serve at {host} port {port}, found it cannot be had ({error.strerror or error}); "
            "choose another port, or stop the program that has it"
        ) from error
    except OverflowError:
        made.close()
        raise WebError(
            f"{option}: expected a port from 0 to 65535, found {port}; leave the number out for {usual}"
        ) from None
    return made
