"""Serves the scoreboard: two pages, and the public view sent to them whenever it changes. Read-only."""

from __future__ import annotations

import asyncio
import base64
import hashlib
import json
import re
import socket
import threading
from contextlib import suppress
from functools import cache
from http import HTTPStatus
from pathlib import Path
from typing import Final

from display.draw.theme import DEFAULT
from display.page.figures import symbols
from display.view import Pose
from engine.record.course import Course
from engine.rules.track import BySide, Side
from firmware.errors import EngardeError
from firmware.loop.moment import Moment
from firmware.web.door import WAITING, Door
from firmware.web.public import TurnTold, last_turns, public
from firmware.web.requests import (
    METHODS,
    MOST_HEAD,
    BadRequestError,
    Request,
    answer,
    beginning,
    is_asked,
    names_here,
    read_request,
)

DEFAULT_PORT: Final = 8765
LOOPBACK: Final = "127.0.0.1"
HEAD_S: Final = 5.0
"""A whole request comes within this, or the connection is closed."""
TAKE_S: Final = 10.0
"""What is sent is taken within this."""
_STILL_THERE_S: Final = 15.0
_LINGER_S: Final = 1.0
_PAGES: Final = Path(__file__).with_name("pages")
_ADDRESSES: Final = {"/": "scoreboard.html", "/overlay": "overlay.html"}
_END: Final = b"\r\n\r\n"
_JSON: Final = {"Content-Type": "application/json"}
_STREAM: Final = {"Content-Type": "text/event-stream; charset=utf-8", "X-Accel-Buffering": "no"}


class WebError(EngardeError, OSError):
    """The scoreboard cannot be served at this address."""


class Scoreboard:
    """What is shown now, and whoever waits for what comes next. ``attend`` may be called from another thread."""

    def __init__(self) -> None:
        self.now = "{}"
        self._told: tuple[Course | None, str, BySide[str]] | None = None
        self._turns: tuple[TurnTold, ...] = ()
        self._changed: asyncio.Event | None = None
        self._loop: asyncio.AbstractEventLoop | None = None

    def attend(self, moment: Moment) -> None:
        """Send what changed with this moment, if anything did."""
        course, language = moment.desk.course, moment.match.language
        if self._told is None or self._told[0] is not course or self._told[1:] != (language, moment.match.names):
            self._told = course, language, moment.match.names
            self._turns = last_turns(course, moment.match)
        text = json.dumps(public(moment.match, self._turns), ensure_ascii=False)
        if text != self.now:
            self.now = text
            if self._loop is not None:
                with suppress(RuntimeError):  # the server was closed meanwhile
                    self._loop.call_soon_threadsafe(self._wake)

    def change(self) -> asyncio.Event:
        """Set once something else is shown than now. Asked for in the server's own thread."""
        self._loop = asyncio.get_running_loop()
        self._changed = self._changed or asyncio.Event()
        return self._changed

    def _wake(self) -> None:
        if self._changed is not None:
            self._changed.set()
            self._changed = None


class WebServer:
    """Serves a scoreboard in a thread of its own until ``close``. ``url`` is where, at ``port``."""

    def __init__(self, scoreboard: Scoreboard, host: str = LOOPBACK, port: int = DEFAULT_PORT) -> None:
        """Port 0 takes any that is free. Raises WebError when the address cannot be had."""
        self._listening = _listening(host, port)
        self._scoreboard = scoreboard
        self._names = names_here(host)
        self._loop = asyncio.new_event_loop()
        self._door = self._loop.create_task(Door(self._listening, self._serve).open())
        self._thread = threading.Thread(target=self._run, name="scoreboard", daemon=True)
        self._thread.start()
        shown = f"[{host}]" if ":" in host else host
        self.port: int = self._listening.getsockname()[1]
        self.url = f"http://{shown}:{self.port}/"

    def close(self) -> None:
        """Let everybody go."""
        with suppress(RuntimeError):
            self._loop.call_soon_threadsafe(self._door.cancel)
        self._thread.join(timeout=1.5)
        self._listening.close()

    def _run(self) -> None:
        with suppress(asyncio.CancelledError):
            self._loop.run_until_complete(self._door)
        self._loop.close()

    async def _serve(self, connection: socket.socket) -> None:
        """One request, one answer. Raises OSError and TimeoutError where the other side does not do its part."""
        try:
            async with asyncio.timeout(HEAD_S):
                request = read_request(await _head(connection))
        except BadRequestError as error:
            await _send(connection, answer(error.status))
        else:
            if request.method == "HEAD":
                await _send(connection, self._answer(request, connection).partition(_END)[0] + _END)
            elif self._refusal(request, connection) is None and request.path == "/events":
                await self._stream(connection)
            else:
                await _send(connection, self._answer(request, connection))
        await _part(connection)

    def _refusal(self, request: Request, connection: socket.socket) -> HTTPStatus | None:
        if not is_asked(request.host, self._names, str(connection.getsockname()[0])):
            return HTTPStatus.MISDIRECTED_REQUEST
        if request.path not in (*_ADDRESSES, "/state.json", "/events"):
            return HTTPStatus.NOT_FOUND
        return None if request.method in METHODS else HTTPStatus.METHOD_NOT_ALLOWED

    def _answer(self, request: Request, connection: socket.socket) -> bytes:
        refusal = self._refusal(request, connection)
        if refusal is not None:
            return answer(refusal)
        if request.path in _ADDRESSES:
            return _page(request.path)
        if request.path == "/events":
            return beginning(HTTPStatus.OK, _STREAM)
        return answer(HTTPStatus.OK, self._scoreboard.now.encode(), _JSON)

    async def _stream(self, connection: socket.socket) -> None:
        """What is shown now and whatever comes, as server-sent events, until the other side goes or says anything."""
        loop = asyncio.get_running_loop()
        await _send(connection, beginning(HTTPStatus.OK, _STREAM))
        sent = ""
        gone = asyncio.ensure_future(loop.sock_recv(connection, 1))
        try:
            while not gone.done():
                changed = asyncio.ensure_future(self._scoreboard.change().wait())
                now = self._scoreboard.now
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
                    await _send(connection, b": still there\n\n")
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


@cache
def _page(path: str) -> bytes:
    """A whole answer with the scoreboard for a phone, or the strip for a stream. Only its own script may run."""
    figures = symbols(DEFAULT, frozenset((side, pose) for side in Side for pose in Pose)).encode()
    content = (_PAGES / _ADDRESSES[path]).read_bytes().replace(b"<!--figures-->", figures)
    scripts, styles = (_hashes(content, tag) for tag in (b"script", b"style"))
    policy = (
        f"default-src 'none'; script-src {scripts}; style-src {styles}; connect-src 'self'; base-uri 'none'; "
        "form-action 'none'; frame-ancestors *"
    )
    return answer(
        HTTPStatus.OK, content, {"Content-Type": "text/html; charset=utf-8", "Content-Security-Policy": policy}
    )


def _hashes(content: bytes, tag: bytes) -> str:
    """What a policy calls the scripts or styles that stand in this page."""
    found = re.findall(b"<%s>(.*?)</%s>" % (tag, tag), content, re.DOTALL)
    return " ".join(f"'sha256-{base64.b64encode(hashlib.sha256(each).digest()).decode()}'" for each in found)


def _listening(host: str, port: int) -> socket.socket:
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
            f"--web: expected to serve at {host} port {port}, found it cannot be had ({error.strerror or error}); "
            "choose another port, or stop the program that has it"
        ) from error
    except OverflowError:
        made.close()
        raise WebError(
            f"--web: expected a port from 0 to 65535, found {port}; leave the number out for {DEFAULT_PORT}"
        ) from None
    return made
