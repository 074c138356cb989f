"""What a browser asks for, and what it is answered: the little of HTTP that a scoreboard needs.

Every connection carries one request and one answer and is closed: nothing of one can be taken for part of another.
Source: RFC 9112, "Message Format"; RFC 9110, "Host and :authority" and "421 Misdirected Request".
"""

from __future__ import annotations

import ipaddress
import re
from collections.abc import Mapping
from dataclasses import dataclass
from http import HTTPStatus
from typing import Final

MOST_HEAD: Final = 8192
"""Bytes. No browser sends so many to a page without cookies."""
METHODS: Final = ("GET", "HEAD")
SAFE: Final = {
    "Cache-Control": "no-store",
    "X-Content-Type-Options": "nosniff",
    "Referrer-Policy": "no-referrer",
    "Cross-Origin-Resource-Policy": "same-origin",
}
NOTHING: Final = "default-src 'none'; frame-ancestors 'none'"
"""The policy of an answer that is no page."""

_REQUEST: Final = re.compile(rb"([A-Z]{1,20}) (/[!-~]*) HTTP/1\.([01])\r\n")
_HOST: Final = re.compile(rb"\r\nhost:[ \t]*([!-~]{1,270}?)[ \t]*(?=\r\n)", re.IGNORECASE)
_NAME: Final = re.compile(r"(\[[0-9A-Fa-f:.]+\]|[^:\[\]]+)(?::\d{1,5})?")


class BadRequestError(ValueError):
    """This is no request; ``status`` says what to answer."""

    def __init__(self, status: HTTPStatus) -> None:
        super().__init__(status.phrase)
        self.status = status


@dataclass(frozen=True, slots=True)
class WebRequest:
    """What is asked for. ``path`` is without what comes after a question mark; ``host`` whom the browser believes to
    ask, in small letters and without the port."""

    method: str
    path: str
    host: str


def read_request(head: bytes) -> WebRequest:
    """The request of these bytes, which end with the empty line. Raises BadRequestError."""
    first = _REQUEST.match(head)
    hosts = _HOST.findall(head)
    if first is None or len(hosts) != 1:
        raise BadRequestError(HTTPStatus.BAD_REQUEST)
    name = _NAME.fullmatch(hosts[0].decode("ascii"))
    if name is None:
        raise BadRequestError(HTTPStatus.BAD_REQUEST)
    path = first[2].decode("ascii").partition("?")[0]
    return WebRequest(first[1].decode("ascii"), path, name[1].lower().rstrip("."))


def answer(status: HTTPStatus, body: bytes = b"", headers: Mapping[str, str] | None = None) -> bytes:
    """A whole answer, as it goes over the wire; without a body of its own it says what the status means."""
    if not body and headers is None:
        body = f"{status.value} {status.phrase}\n".encode()
        headers = {"Allow": ", ".join(METHODS)} if status is HTTPStatus.METHOD_NOT_ALLOWED else {}
    told = {"Content-Type": "text/plain; charset=utf-8", "Content-Length": str(len(body)), **(headers or {})}
    return beginning(status, told) + body


def beginning(status: HTTPStatus, headers: Mapping[str, str]) -> bytes:
    """What comes before a body. Every answer is as careful as a page."""
    told = {"Content-Security-Policy": NOTHING, **SAFE, **headers, "Connection": "close"}
    lines = [f"HTTP/1.1 {status.value} {status.phrase}", *(f"{name}: {value}" for name, value in told.items())]
    return "\r\n".join([*lines, "", ""]).encode("latin-1")


def plain_address(address: str) -> str:
    """An address as a browser writes it: without a zone, and as of version 4 where it is one in other clothes."""
    try:
        found = ipaddress.ip_address(address.partition("%")[0])
    except ValueError:
        return address
    inner = getattr(found, "ipv4_mapped", None)
    return str(inner or found)


def household_of(address: str) -> str:
    """Who counts as one visitor: an address, and of version 6 all that one machine may give itself."""
    plain = plain_address(address)
    if ":" not in plain:
        return plain
    return str(ipaddress.ip_network(f"{plain}/64", strict=False))
