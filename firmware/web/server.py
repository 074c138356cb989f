"""Serves the scoreboard: two pages, and the public view sent to them whenever it changes. Read-only."""

from __future__ import annotations

import asyncio
import json
import socket
import threading
from collections.abc import AsyncIterator
from pathlib import Path
from typing import Final

import uvicorn
from starlette.applications import Starlette
from starlette.requests import Request
from starlette.responses import FileResponse, JSONResponse, Response, StreamingResponse
from starlette.routing import Route

from firmware.errors import EngardeError
from firmware.loop.moment import Moment
from firmware.web.public import public

DEFAULT_PORT: Final = 8765
LOOPBACK: Final = "127.0.0.1"
_PAGES: Final = Path(__file__).with_name("pages")
_HEADERS: Final = {
    "Content-Security-Policy": "default-src 'none'; style-src 'unsafe-inline'; script-src 'unsafe-inline'; "
    "connect-src 'self'; frame-ancestors *",
    "Cache-Control": "no-store",
    "X-Content-Type-Options": "nosniff",
    "Referrer-Policy": "no-referrer",
}
_STILL_THERE_S: Final = 15.0


class WebError(EngardeError, OSError):
    """The scoreboard cannot be served at this address."""


class Scoreboard:
    """What is shown now, and whoever waits for what comes next. ``attend`` may be called from another thread."""

    def __init__(self) -> None:
        self._now = "{}"
        self._changed = asyncio.Event()
        self._loop: asyncio.AbstractEventLoop | None = None
        self._ended = False

    def attend(self, moment: Moment) -> None:
        """Send what changed with this moment, if anything did."""
        text = json.dumps(public(moment.match), ensure_ascii=False)
        if text != self._now:
            self._now = text
            self._tell()

    def close(self) -> None:
        """Let everybody go who waits."""
        self._ended = True
        self._tell()

    def _tell(self) -> None:
        if self._loop is not None and not self._loop.is_closed():
            self._loop.call_soon_threadsafe(self._wake)

    def _wake(self) -> None:
        self._changed.set()
        self._changed = asyncio.Event()

    async def page(self, request: Request) -> Response:
        """The scoreboard for a phone, or the strip for a stream."""
        name = "overlay.html" if request.url.path == "/overlay" else "scoreboard.html"
        return FileResponse(_PAGES / name, media_type="text/html; charset=utf-8", headers=_HEADERS)

    async def state(self, request: Request) -> Response:
        """What is shown now, as JSON."""
        return JSONResponse(json.loads(self._now), headers=_HEADERS)

    async def events(self, request: Request) -> Response:
        """What is shown now and whatever comes, as server-sent events."""
        self._loop = asyncio.get_running_loop()
        headers = {**_HEADERS, "X-Accel-Buffering": "no"}
        return StreamingResponse(self._stream(), media_type="text/event-stream", headers=headers)

    async def _stream(self) -> AsyncIterator[str]:
        sent = ""
        while not self._ended:
            changed = self._changed
            if self._now != sent:
                sent = self._now
                yield f"data: {sent}\n\n"
            try:
                await asyncio.wait_for(changed.wait(), _STILL_THERE_S)
            except TimeoutError:
                yield ": still there\n\n"


class WebServer:
    """Serves a scoreboard in a thread of its own until ``close``. ``url`` is where."""

    def __init__(self, scoreboard: Scoreboard, host: str = LOOPBACK, port: int = DEFAULT_PORT) -> None:
        """Port 0 takes any that is free. Raises WebError when the address cannot be had."""
        self._socket = _listening(host, port)
        routes = [
            Route("/", scoreboard.page),
            Route("/overlay", scoreboard.page),
            Route("/state.json", scoreboard.state),
            Route("/events", scoreboard.events),
        ]
        config = uvicorn.Config(
            Starlette(routes=routes),
            log_level="critical",
            access_log=False,
            lifespan="off",
            timeout_graceful_shutdown=1,
        )
        self._scoreboard = scoreboard
        self._server = uvicorn.Server(config)
        self._thread = threading.Thread(target=self._serve, name="scoreboard", daemon=True)
        self._thread.start()
        shown = f"[{host}]" if ":" in host else host
        self.url = f"http://{shown}:{self._socket.getsockname()[1]}/"

    def close(self) -> None:
        """Let everybody go; at once for those who do not."""
        self._scoreboard.close()
        self._server.should_exit = True
        self._thread.join(timeout=1.5)
        self._socket.close()

    def _serve(self) -> None:
        self._server.run(sockets=[self._socket])


def _listening(host: str, port: int) -> socket.socket:
    family = socket.AF_INET6 if ":" in host else socket.AF_INET
    made = socket.socket(family, socket.SOCK_STREAM)
    try:
        made.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        made.bind((host, port))
        made.listen(64)
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
