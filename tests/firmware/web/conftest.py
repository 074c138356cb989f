"""A visitor of a server on this machine: what is answered to a request."""

from __future__ import annotations

import socket
from collections.abc import Mapping
from typing import NamedTuple

from tests.waiting import HANG_S


class Answer(NamedTuple):
    """``headers`` are by their names in small letters; what is no text in ``text`` is escaped."""

    line: str
    headers: Mapping[str, str]
    text: str

    @property
    def status(self) -> int:
        return int(self.line.split()[1])


def asking(path: str = "/state.json", host: str = "localhost", method: str = "GET", field: str = "") -> bytes:
    """A request; ``field``: a line of its header more."""
    return f"{method} {path} HTTP/1.1\r\nHost: {host}\r\n{field}\r\n".encode()


def said(port: int, request: bytes, *, source: str = "127.0.0.1") -> Answer:
    """What is answered to these bytes."""
    with socket.create_connection(("127.0.0.1", port), timeout=HANG_S, source_address=(source, 0)) as connection:
        connection.sendall(request)
        found = b""
        while more := connection.recv(65536):
            found += more
    head, _, body = found.partition(b"\r\n\r\n")
    line, *fields = head.decode().split("\r\n")
    headers = dict(each.split(": ", 1) for each in fields)
    text = body.decode("utf-8", "surrogateescape")
    return Answer(line, {name.lower(): value for name, value in headers.items()}, text)


def got(port: int, path: str, method: str = "GET", host: str = "localhost") -> Answer:
    """What is answered at this path."""
    return said(port, asking(path, host, method))
