"""The web server of this program, in a thread of its own: one request, one answer a connection, and streams.

What is answered is a table of routes; who may ask, connect and change anything, and how long that may take, is the same
for all of them.
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
from concurrent.futures import Future
from contextlib import suppress
from dataclasses import dataclass, replace
from functools import cache
from http import HTTPStatus
from pathlib import Path
from typing import Final, TypeVar

from display.draw.fonts import family, font_faces
from display.i18n import LANGUAGES
from engine.strict.text import Bounds, MalformedError, Plain, json_of
from firmware.web.address import Port, WebError, host_name, is_asked, names_here, network_name, way_out
from firmware.web.door import WAITING, Door, Place
from firmware.web.login import Login
from firmware.web.requests import (
    CHANGE,
    MAX_BODY_BYTES,
    MAX_HEAD_BYTES,
    READ,
    BadRequestError,
    WebRequest,
    answer,
    beginning,
    plain_address,
    read_request,
)

T = TypeVar("T")

MAX_PORT: Final = 65535
HEAD_S: Final = 5.0
"""A whole request comes within this, or the connection is closed."""
TAKE_S: Final = 10.0
"""Time limit for sending an answer."""
NAME_S: Final = 30.0
"""So often Avahi is asked for this machine's name, at 20 ms of a process of its own."""
MAX_ASIDE: Final = 8
"""Slow answers that are made at once; one more waits."""
CODE_FIELD: Final = "x-engarde-code"
"""The header field in which a page sends the screen's code."""
FONT_KEPT_S: Final = 30 * 86400
"""A browser asks anew after so long: a month, as a newer program may bring newer letters."""
_STILL_THERE_S: Final = 15.0  # pages/again.js waits for it
_AGAIN: Final = Path(__file__).with_name("pages") / "again.js"
_LINGER_S: Final = 1.0
_END: Final = b"\r\n\r\n"
_STREAM: Final = {"Content-Type": "text/event-stream; charset=utf-8", "X-Accel-Buffering": "no"}


class Changing:
    """A text that changes, and streams that wait for the change. ``put`` may be called from another thread."""

    def __init__(self, now: str = "{}") -> None:
        self.now = now
        self._changed: asyncio.Event | None = None
        self._loop: asyncio.AbstractEventLoop | None = None

    def put(self, text: str) -> None:
        """Replace the text; streams are woken where it differs."""
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


Reply = bytes | Changing | None
"""A whole answer; what is now and whatever it becomes, as server-sent events; or None where there is nothing."""


@dataclass(frozen=True, slots=True)
class Route:
    """The reply at a path. ``login``: it wants the screen's code, as every reply that ``changes`` anything does."""

    reply: Callable[[WebRequest], Reply | Awaitable[Reply]]
    changes: bool = False
    login: bool = False


class SmallServer:
    """Answers until ``close``. ``url`` is where, at ``port``; ``network`` this machine's name in its network.

    ``routes`` are by path, where a star stands for a part of it. ``login`` knows the code that the screen has to show.
    """

    def __init__(
        self,
        routes: Mapping[str, Route],
        host: str,
        port: int,
        *,
        usual: Port,
        option: str = "--web",
        names: Iterable[str] = (),
        language: Callable[[], str] = lambda: LANGUAGES[0],
        code: str = "",
    ) -> None:
        """Port 0 takes any that is free. ``option`` is what chose the address and ``usual`` the port it means
        by itself, for the sentence of a WebError; ``names`` are names that it answers to besides its own, ``language``
        is that of the sentence for whoever asked by another, ``code`` the first one of the login, empty for any."""
        self.routes, self.login = {"/font/*": Route(_font), **routes}, Login(code)
        self._listening = _listening(host, port, option, usual)
        self._runner = asyncio.Runner(loop_factory=asyncio.new_event_loop)
        try:
            self._loop = self._runner.get_loop()
        except OSError as error:
            self._listening.close()
            raise WebError(f"{option}: expected a free file descriptor, found {error.strerror}; try later") from error
        self._bound, self._more, self._speaks = host, tuple(names), language
        self.network = host_name()
        self._names = names_here(host, more=self._more)
        self._slots = asyncio.Semaphore(MAX_ASIDE)
        self._open = self._loop.create_task(Door(self._listening, self._serve).open())
        self._asking = self._loop.create_task(self._ask_for_name())
        self._thread = threading.Thread(target=self._run, name=usual.name.lower(), daemon=True)
        self._thread.start()
        shown = f"[{host}]" if ":" in host else host
        self.port: int = self._listening.getsockname()[1]
        self.url = f"http://{shown}:{self.port}/"

    def close(self) -> None:
        with suppress(RuntimeError):
            self._loop.call_soon_threadsafe(self._open.cancel)
        self._thread.join(timeout=1.5)
        self._listening.close()

    async def aside(self, work: Callable[[], T]) -> T:
        """Run slow work in a thread while others are served; gives its result, raises its error."""
        await self._slots.acquire()
        made: Future[T] = Future()
        made.set_running_or_notify_cancel()

        def make() -> None:
            try:
                made.set_result(work())
            except Exception as error:
                made.set_exception(error)
            with suppress(RuntimeError):  # the server was closed meanwhile
                self._loop.call_soon_threadsafe(self._slots.release)

        try:
            threading.Thread(target=make, name="slow answer", daemon=True).start()
        except RuntimeError:  # no more threads are to be had
            self._slots.release()
            raise
        return await asyncio.wrap_future(made)

    def _run(self) -> None:
        with self._runner, suppress(asyncio.CancelledError):
            self._loop.run_until_complete(self._open)

    async def _ask_for_name(self) -> None:
        """Another machine of this name may come into the network at any time, and Avahi then renames one of them."""
        while True:
            with suppress(RuntimeError):
                self.network = await self.aside(network_name)
                self._names = names_here(self._bound, self.network, self._more)
            await asyncio.sleep(NAME_S)

    async def _serve(self, connection: socket.socket, place: Place) -> None:
        """One request, one answer. Raises OSError and TimeoutError where the other side does not do its part."""
        try:
            async with asyncio.timeout(HEAD_S):
                head, begun = await _head(connection)
                request = read_request(head)
                reply: Reply = self._refusal(request, connection)
                if reply is None and request.length:
                    request = replace(request, body=await _body(connection, begun, request.length))
        except BadRequestError as error:
            await _send(connection, answer(error.status))
        else:
            place.served = True
            found = reply or await self._answered(request)
            if request.method == "HEAD":
                whole = beginning(HTTPStatus.OK, _STREAM) if isinstance(found, Changing) else found
                await _send(connection, whole.partition(_END)[0] + _END)
            elif isinstance(found, Changing):
                await _stream(connection, found)
            else:
                await _send(connection, found)
        place.served = False
        await _part(connection)

    def _refusal(self, request: WebRequest, connection: socket.socket) -> bytes | None:
        """The answer to a visitor who may not ask this; None for one who may."""
        reached_at, visitor = str(connection.getsockname()[0]), str(connection.getpeername()[0])
        if not is_asked(request.host, self._names, reached_at):
            told = way_out(self._speaks(), reached_at, self.port)
            return answer(HTTPStatus.MISDIRECTED_REQUEST, f"{told}\n".encode())
        route = self._route(request.path)
        if route is None:
            return answer(HTTPStatus.NOT_FOUND)
        methods = CHANGE if route.changes else READ
        if request.method not in methods:
            return answer(HTTPStatus.METHOD_NOT_ALLOWED, headers={"Allow": ", ".join(methods)})
        if route.login or route.changes:
            status = self.login.refused(request.fields.get(CODE_FIELD, ""), plain_address(visitor))
            return None if status is None else answer(status)
        return None

    def _route(self, path: str) -> Route | None:
        """That of this very path, else of the longest pattern that fits."""
        exact = self.routes.get(path)
        fitting = (each for each in self.routes if "*" in each and _pattern(each).fullmatch(path))
        return exact or self.routes.get(max(fitting, key=len, default=""))

    async def _answered(self, request: WebRequest) -> bytes | Changing:
        route = self._route(request.path)
        assert route is not None
        try:
            made = route.reply(request)
            found = await made if isinstance(made, Awaitable) else made
        except MalformedError:
            return answer(HTTPStatus.BAD_REQUEST)
        except Exception:  # whatever a page lacks: who asked for it is told, and the others are served on
            if os.environ.get("ENGARDE_DEBUG"):
                raise
            return answer(HTTPStatus.INTERNAL_SERVER_ERROR)
        return answer(HTTPStatus.NOT_FOUND) if found is None else found


def asked_json(request: WebRequest) -> Plain:
    """The JSON value in a request's body. Raises MalformedError."""
    return json_of(request.body, Bounds(MAX_BODY_BYTES))


def json_answer(text: str | None) -> bytes | None:
    """An answer with this JSON; None for None."""
    return None if text is None else answer(HTTPStatus.OK, utf8(text), {"Content-Type": "application/json"})


def utf8(text: str) -> bytes:
    """The text in UTF-8, question marks for what has no place in it: one bad name costs no page."""
    return text.encode(errors="replace")


def page(
    content: bytes,
    status: HTTPStatus = HTTPStatus.OK,
    headers: Mapping[str, str] | None = None,
    *,
    images: str = "'none'",
    framed: str = "*",
) -> bytes:
    """A whole answer with this page, and these headers too. Only its own scripts and styles may run.

    It is written in the screen's letters, where its first style names them.

    ``images`` and ``framed`` say in the policy's words whose pictures it shows and whose pages may show it.
    """
    content = content.replace(b"<style>", b"<style>" + font_faces(list(_fonts())).encode(), 1)
    scripts, styles = (_hashes(content, tag) for tag in (b"script", b"style"))
    policy = (
        f"default-src 'none'; script-src {scripts}; style-src {styles}; img-src {images}; connect-src 'self'; "
        "font-src 'self'; "
        f"base-uri 'none'; form-action 'none'; frame-ancestors {framed}"
    )
    told = {"Content-Type": "text/html; charset=utf-8", "Content-Security-Policy": policy, **(headers or {})}
    return answer(status, content, told)


def page_file(path: Path) -> bytes:
    """A page as it is kept, with the script that all pages share in its place."""
    return path.read_bytes().replace(b"/*again.js*/\n", _AGAIN.read_bytes())


@cache
def _fonts() -> Mapping[str, Path]:
    """Both weights of the screen's letters by their addresses."""
    return {f"/font/{file.name}": file for file in family()}


def _font(asked: WebRequest) -> bytes | None:
    """A weight of the screen's letters, which browsers keep."""
    headers = {"Content-Type": "font/ttf", "Cache-Control": f"public, max-age={FONT_KEPT_S}"}
    file = _fonts().get(asked.path)
    return None if file is None else answer(HTTPStatus.OK, file.read_bytes(), headers)


@cache
def _pattern(path: str) -> re.Pattern[str]:
    return re.compile("([^/]*)".join(map(re.escape, path.split("*"))))


def _hashes(content: bytes, tag: bytes) -> str:
    """The policy's hashes of this page's scripts or styles."""
    found = re.findall(b"<%s>(.*?)</%s>" % (tag, tag), content, re.DOTALL)
    marks = (f"'sha256-{base64.b64encode(hashlib.sha256(each).digest()).decode()}'" for each in found)
    return " ".join(marks) or "'none'"


async def _stream(connection: socket.socket, text: Changing) -> None:
    """Send the text and its changes until the other side leaves or sends anything."""
    loop = asyncio.get_running_loop()
    await _send(connection, beginning(HTTPStatus.OK, _STREAM))
    sent = ""
    gone = asyncio.ensure_future(loop.sock_recv(connection, 1))
    try:
        while not gone.done():
            changed = asyncio.ensure_future(text.change().wait())
            now = text.now
            if now != sent:
                await _send(connection, utf8(f"data: {now}\n\n"))
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


async def _head(connection: socket.socket) -> tuple[bytes, bytes]:
    """The head with its empty line, and the bytes after it. Raises BadRequestError for too long a head, OSError."""
    loop = asyncio.get_running_loop()
    head = b""
    while _END not in head:
        if len(head) >= MAX_HEAD_BYTES:
            raise BadRequestError(HTTPStatus.REQUEST_HEADER_FIELDS_TOO_LARGE)
        more = await loop.sock_recv(connection, MAX_HEAD_BYTES - len(head))
        if not more:
            raise ConnectionAbortedError
        head += more
    before, _, after = head.partition(_END)
    return before + _END, after


async def _body(connection: socket.socket, begun: bytes, length: int) -> bytes:
    """So many bytes, of which these came already. Raises BadRequestError for too many, OSError."""
    if length > MAX_BODY_BYTES:
        raise BadRequestError(HTTPStatus.REQUEST_ENTITY_TOO_LARGE)
    body = begun
    while len(body) < length:
        more = await asyncio.get_running_loop().sock_recv(connection, length - len(body))
        if not more:
            raise ConnectionAbortedError
        body += more
    return body[:length]


async def _send(connection: socket.socket, content: bytes) -> None:
    async with asyncio.timeout(TAKE_S):
        await asyncio.get_running_loop().sock_sendall(connection, content)


async def _part(connection: socket.socket) -> None:
    """Say that this was all, and wait a moment for the other side: closed at once, it might lose the answer."""
    connection.shutdown(socket.SHUT_WR)
    async with asyncio.timeout(_LINGER_S):
        while await asyncio.get_running_loop().sock_recv(connection, MAX_HEAD_BYTES):
            pass


def _listening(host: str, port: int, option: str, usual: Port) -> socket.socket:
    if not 0 <= port <= MAX_PORT:
        raise WebError(
            f"{option}: expected a port from 0 to {MAX_PORT}, found {port}; leave the number out for {usual}"
        )
    family, dual = (socket.AF_INET6, socket.has_dualstack_ipv6()) if ":" in host else (socket.AF_INET, False)
    try:
        made = socket.create_server((host, port), family=family, backlog=WAITING, dualstack_ipv6=dual)
    except OSError as error:
        why = (error.strerror or str(error)).partition(" (while ")[0]
        raise WebError(
            f"{option}: expected to serve at {host} port {port}, found it cannot be had ({why}); choose another port, "
            "or stop the program that has it"
        ) from error
    made.setblocking(False)
    return made
