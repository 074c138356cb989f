"""The part of HTTP that the servers need: a request read strictly, and answers that all carry the same headers.

Every connection carries one request and one answer and is closed: nothing of one can be taken for part of another.
Source: RFC 9112, "Message Format"; RFC 9110, "Host and :authority" and "421 Misdirected Request".
"""

from __future__ import annotations

import ipaddress
import re
from collections.abc import Mapping
from dataclasses import dataclass
from functools import lru_cache
from http import HTTPStatus
from typing import Final

MAX_HEAD_BYTES: Final = 8192
"""No browser sends so many to a page without cookies."""
MAX_BODY_BYTES: Final = 10_000
"""Twenty times the longest answer of the first start's page."""
READ: Final = ("GET", "HEAD")
CHANGE: Final = ("POST",)
SAFE: Final = {
    "Cache-Control": "no-store",
    "X-Content-Type-Options": "nosniff",
    "Referrer-Policy": "no-referrer",
    "Cross-Origin-Resource-Policy": "same-origin",
}
NOTHING: Final = "default-src 'none'; frame-ancestors 'none'"
"""The policy of an answer that is no page."""

_REQUEST: Final = re.compile(rb"([A-Z]{1,20}) (/[!-~]*) HTTP/1\.[01]")
_FIELD: Final = re.compile(rb"([!#$%&'*+.^_`|~0-9A-Za-z-]+):[ \t]*([\t -~\x80-\xff]*?)[ \t]*")
_NAME: Final = re.compile(r"(\[[0-9A-Fa-f:.]{2,45}\]|[!-9;-Z\\^-~]{1,255})(?::[0-9]{1,5})?")
_LENGTH: Final = re.compile(r"[0-9]{1,10}")
_ONCE: Final = {"host", "content-length", "transfer-encoding"}


class BadRequestError(ValueError):
    """This is no request; ``status`` says what to answer."""

    def __init__(self, status: HTTPStatus) -> None:
        super().__init__(status.phrase)
        self.status = status


@dataclass(frozen=True, slots=True)
class WebRequest:
    """A request. ``path`` is without the query; ``host`` is the one that the browser asked for, in lower case, without
    the port; ``fields`` are the header's, names in small letters; ``body`` is empty until it was read,
    ``length`` its bytes.
    """

    method: str
    path: str
    host: str
    fields: Mapping[str, str]
    length: int = 0
    body: bytes = b""


def read_request(head: bytes) -> WebRequest:
    """The request of these bytes, which end with the empty line. Raises BadRequestError.

    Refused are folded lines, a host or a length said twice, chunks, and a body where nothing is changed: what two
    readers could take for two different requests.
    """
    first, *lines = head.removesuffix(b"\r\n\r\n").split(b"\r\n")
    asked, found = _REQUEST.fullmatch(first), [_FIELD.fullmatch(line) for line in lines]
    fields: dict[str, str] = {}
    for each in found:
        name = "" if each is None else each[1].decode("ascii").lower()
        if each is None or (name in _ONCE and name in fields):
            raise BadRequestError(HTTPStatus.BAD_REQUEST)
        fields[name] = each[2].decode("latin-1")
    host, length = _NAME.fullmatch(fields.get("host", "")), fields.get("content-length", "0")
    if asked is None or host is None or "transfer-encoding" in fields or not _LENGTH.fullmatch(length):
        raise BadRequestError(HTTPStatus.BAD_REQUEST)
    method = asked[1].decode("ascii")
    if int(length) and method in READ:
        raise BadRequestError(HTTPStatus.BAD_REQUEST)
    path = asked[2].decode("ascii").partition("?")[0]
    return WebRequest(method, path, host[1].lower().rstrip("."), fields, int(length))


def answer(status: HTTPStatus, body: bytes | None = None, headers: Mapping[str, str] | None = None) -> bytes:
    """A whole answer, as it goes over the wire; without a body of its own it says what the status means."""
    body = f"{status.value} {status.phrase}\n".encode() if body is None else body
    told = {"Content-Type": "text/plain; charset=utf-8", "Content-Length": str(len(body)), **(headers or {})}
    return beginning(status, told) + body


def beginning(status: HTTPStatus, headers: Mapping[str, str]) -> bytes:
    """Status line and headers. Every answer has the security headers of a page."""
    told = {"Content-Security-Policy": NOTHING, **SAFE, **headers, "Connection": "close"}
    lines = [f"HTTP/1.1 {status.value} {status.phrase}", *(f"{name}: {value}" for name, value in told.items())]
    return "\r\n".join([*lines, "", ""]).encode("latin-1")


def plain_address(address: str) -> str:
    """An address as a browser writes it: without a zone; IPv4-mapped IPv6 addresses as IPv4."""
    try:
        found = ipaddress.ip_address(address.partition("%")[0])
    except ValueError:
        return address
    inner = getattr(found, "ipv4_mapped", None)
    return str(inner or found)


@lru_cache(maxsize=1024)
def visitor_of(address: str) -> str:
    """The key of a visitor: an IPv4 address, or the /64 network that one IPv6 machine may use."""
    plain = plain_address(address)
    if ":" not in plain:
        return plain
    return str(ipaddress.ip_network(f"{plain}/64", strict=False))
