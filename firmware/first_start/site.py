"""Serves the page of the first start to those who have read its code off the screen."""

from __future__ import annotations

import hmac
import json
import secrets
import threading
from functools import partial
from http import HTTPStatus
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Final

from firmware.errors import EngardeError
from firmware.first_start.answers import FirstStart
from firmware.first_start.wifi import LETTERS
from firmware.web.names import is_asked, may_be_renamed, names_here, network_name, way_out
from firmware.web.serving import page_file

PORT: Final = 8766
PAGE: Final = Path(__file__).with_name("pages") / "setup.html"
_MOST_BODY: Final = 10_000
_CODE: Final = 8  # of 31 signs: nobody in the network guesses it
_POLICY: Final = (
    "default-src 'none'; script-src 'unsafe-inline'; style-src 'unsafe-inline'; connect-src 'self'; "
    "img-src 'self' blob:; base-uri 'none'; form-action 'none'; frame-ancestors 'none'"
)


class Site:
    """The page, until closed. ``code`` is what has to be known: it stands in the address behind the ``#``."""

    def __init__(
        self, first: FirstStart, host: str = "0.0.0.0", port: int = PORT, code: str | None = None, page: Path = PAGE
    ) -> None:
        """Port 0 takes any that is free. Raises EngardeError when the address cannot be had."""
        self.code = code or "".join(secrets.choice(LETTERS) for _ in range(_CODE))
        handler = partial(_Visit, first, self.code, host, page)
        try:
            self._server = _Server((host, port), handler)
        except OSError as error:
            raise EngardeError(
                f"expected to serve at {host} port {port}, found it cannot be had ({error.strerror or error}); choose "
                "another with --port"
            ) from error
        self.port = int(self._server.server_address[1])
        self._thread = threading.Thread(target=self._server.serve_forever, name="first start's page", daemon=True)
        self._thread.start()

    def close(self) -> None:
        """Let everybody go."""
        self._server.shutdown()
        self._server.server_close()
        self._thread.join(timeout=2.0)


class _Server(ThreadingHTTPServer):
    daemon_threads = True

    def handle_error(self, request: object, client_address: object) -> None:
        """Nothing: a phone that went away in the middle is no news."""


class _Visit(BaseHTTPRequestHandler):
    """One request. Whatever but the page itself wants the code."""

    timeout = 20
    server_version = "engarde"
    sys_version = ""

    def __init__(self, first: FirstStart, code: str, bound: str, page: Path, *rest: object) -> None:
        self._first, self._code, self._bound, self._page = first, code, bound, page
        super().__init__(*rest)  # type: ignore[arg-type]

    def do_GET(self) -> None:
        path = self.path.partition("?")[0]
        if not self._is_ours():
            return
        if path == "/":
            self._send(HTTPStatus.OK, page_file(self._page), "text/html; charset=utf-8")
        elif not self._knows_the_code():
            return
        elif path == "/state.json":
            self._send_json(self._first.state())
        elif path == "/picture.jpg":
            picture = self._first.picture()
            if picture is None:
                self._send(HTTPStatus.SERVICE_UNAVAILABLE, b"", "text/plain")
            else:
                self._send(HTTPStatus.OK, picture, "image/jpeg")
        else:
            self._send(HTTPStatus.NOT_FOUND, b"", "text/plain")

    def do_POST(self) -> None:
        if not (self._is_ours() and self._knows_the_code()):
            return
        length = self.headers.get("Content-Length", "")
        if self.path != "/do" or not length.isdecimal() or int(length) > _MOST_BODY:
            self._send(HTTPStatus.BAD_REQUEST, b"", "text/plain")
            return
        try:
            wish = json.loads(self.rfile.read(int(length)))
        except (ValueError, RecursionError):
            self._send(HTTPStatus.BAD_REQUEST, b"", "text/plain")
            return
        self._send_json(self._first.do(wish))

    def _is_ours(self) -> bool:
        """A page from elsewhere that has its own name point here is not one of ours."""
        host = self.headers.get("Host", "").rsplit(":", 1)[0].lower().rstrip(".")
        reached_at, port = self.connection.getsockname()[:2]
        if is_asked(host, names_here(self._bound), reached_at):
            return True
        if may_be_renamed(host) and is_asked(host, names_here(self._bound, network_name()), reached_at):
            return True
        told = way_out(self._first.language, reached_at, port)
        self._send(HTTPStatus.MISDIRECTED_REQUEST, f"{told}\n".encode(), "text/plain; charset=utf-8")
        return False

    def _knows_the_code(self) -> bool:
        if hmac.compare_digest(self.headers.get("X-Engarde-Code", "").encode(), self._code.encode()):
            return True
        self._send(HTTPStatus.FORBIDDEN, b"", "text/plain")
        return False

    def _send_json(self, value: object) -> None:
        self._send(HTTPStatus.OK, json.dumps(value, ensure_ascii=False).encode(), "application/json")

    def _send(self, status: HTTPStatus, body: bytes, kind: str) -> None:
        self.send_response(status)
        told = {"Content-Type": kind, "Content-Length": str(len(body)), "Cache-Control": "no-store"}
        told |= {
            "Content-Security-Policy": _POLICY,
            "X-Content-Type-Options": "nosniff",
            "Referrer-Policy": "no-referrer",
        }
        for name, value in told.items():
            self.send_header(name, value)
        self.end_headers()
        self.wfile.write(body)

    def log_message(self, format: str, *args: object) -> None:
        """Nothing: who looks at the page is nobody's business."""
