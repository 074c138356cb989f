"""Who may come in: caps, time-outs, names of this machine, and answers that are all as careful as a page."""

from __future__ import annotations

import asyncio
import base64
import hashlib
import re
import resource
import socket
import time
from collections import Counter
from collections.abc import Iterator
from contextlib import ExitStack
from http import HTTPStatus
from typing import Final

import pytest
from hypothesis import given
from hypothesis import strategies as st

from firmware.web import door, serving
from firmware.web.door import Door, most_here
from firmware.web.requests import MOST_HEAD, BadRequestError, household_of, plain_address, read_request
from firmware.web.server import Scoreboard, WebServer

OWN: Final = socket.gethostname().partition(".")[0].lower()


@pytest.fixture
def few(monkeypatch: pytest.MonkeyPatch) -> None:
    """A door with few places, which are soon taken."""
    monkeypatch.setattr(door, "MAX_VISITS", 16)


@pytest.fixture
def port() -> Iterator[int]:
    made = WebServer(Scoreboard(), port=0)
    yield int(made.url.rsplit(":", 1)[1].strip("/"))
    made.close()


def said(port: int, request: bytes, *, source: str = "127.0.0.1") -> tuple[str, dict[str, str], bytes]:
    """The status line, the headers in small letters and the body of what is answered to these bytes."""
    with socket.create_connection(("127.0.0.1", port), timeout=5, source_address=(source, 0)) as connection:
        connection.sendall(request)
        found = b""
        while more := connection.recv(65536):
            found += more
    head, _, body = found.partition(b"\r\n\r\n")
    status, *lines = head.decode().split("\r\n")
    headers = dict(line.split(": ", 1) for line in lines)
    return status, {name.lower(): value for name, value in headers.items()}, body


def asking(path: str = "/state.json", host: str = "localhost", method: str = "GET") -> bytes:
    return f"{method} {path} HTTP/1.1\r\nHost: {host}\r\n\r\n".encode()


@pytest.mark.parametrize(
    ("request_bytes", "status"),
    [
        (asking(), 200),
        (asking(method="HEAD"), 200),
        (asking("/events", method="HEAD"), 200),
        (asking(host="LOCALHOST:8765"), 200),
        (asking(host="127.0.0.1"), 200),
        (asking(host="[::1]:80"), 200),
        (asking(host=f"{OWN}.local"), 200),
        (asking(host=f"{OWN}.fritz.box"), 200),
        (asking(host=f"{OWN}.home.arpa:8765"), 200),
        (asking(host=f"{OWN}.lan"), 200),
        (asking(host=f"{OWN}.internal"), 200),
        (asking(host="evil.lan"), 421),
        (asking(host="fritz.box"), 421),
        (asking(host=f"{OWN}.evil.example"), 421),
        (asking(host=f"{OWN}.lan.evil.example"), 421),
        (asking(host=f"evil.{OWN}.lan"), 421),
        (asking(host="evil.example"), 421),
        (asking(host="localhost.evil.example"), 421),
        (asking(host="192.0.2.7"), 421),
        (asking(host="a b"), 400),
        (asking(host=""), 400),
        (asking(host="localhost\r\nHost: evil.example"), 400),
        (b"GET /state.json HTTP/1.1\r\n\r\n", 400),
        (b"GET /state.json HTTP/2.0\r\nHost: localhost\r\n\r\n", 400),
        (b"GET http://evil.example/ HTTP/1.1\r\nHost: localhost\r\n\r\n", 400),
        (b"\x16\x03\x01\x02\r\n\r\n", 400),
        (b"GET / HTTP/1.1\r\nX: " + b"x" * (2 * MOST_HEAD), 431),
        (asking("/../../etc/passwd"), 404),
        (asking("/state.json/"), 404),
        (asking(method="POST"), 405),
        (asking("/nowhere", "evil.example", "POST"), 421),
    ],
)
def test_every_answer_is_as_careful_as_a_page(port: int, request_bytes: bytes, status: int) -> None:
    line, headers, body = said(port, request_bytes)
    assert line == f"HTTP/1.1 {status} {HTTPStatus(status).phrase}"
    assert headers["x-content-type-options"] == "nosniff"
    assert headers["referrer-policy"] == "no-referrer"
    assert headers["cross-origin-resource-policy"] == "same-origin"
    assert headers["cache-control"] == "no-store"
    assert headers["content-security-policy"] == "default-src 'none'; frame-ancestors 'none'"
    assert "server" not in headers
    assert bool(body) is not request_bytes.startswith(b"HEAD")
    assert headers.get("allow") == ("GET, HEAD" if status == 405 else None)


@pytest.mark.parametrize("path", ["/", "/overlay"])
def test_only_the_pages_own_script_may_run(port: int, path: str) -> None:
    _, headers, body = said(port, asking(path))
    policy = headers["content-security-policy"]
    assert "unsafe" not in policy
    for tag, allowed in ((b"script", "script-src"), (b"style", "style-src")):
        (inside,) = re.findall(b"<%s>(.*?)</%s>" % (tag, tag), body, re.DOTALL)
        assert body.count(b"<%s" % tag) == 1
        mark = base64.b64encode(hashlib.sha256(inside).digest()).decode()
        assert f"{allowed} 'sha256-{mark}';" in policy
    outside = re.sub(b"<script>.*?</script>", b"", body, flags=re.DOTALL)
    assert not re.search(rb"<[^>]*\s(?:on\w+|style)\s*=|javascript:", outside)


@pytest.mark.usefixtures("few")
def test_one_address_may_have_every_place_but_locks_nobody_out(port: int) -> None:
    """A proxy's guests come from one address; whoever comes from another takes the place of the newest of them."""
    with ExitStack() as held:
        guests = [
            held.enter_context(socket.create_connection(("127.0.0.1", port), source_address=("127.0.0.3", 0)))
            for _ in range(most_here())
        ]
        for guest in guests:
            guest.settimeout(5)
            guest.sendall(asking("/events"))
            assert guest.recv(5).startswith(b"HTTP/")
        assert closed_at_once(port, "127.0.0.3")
        assert said(port, asking(), source="127.0.0.4")[0].endswith("200 OK")
        assert said(port, asking(), source="127.0.0.5")[0].endswith("200 OK")
        assert ended(guests[-1])
        assert not ended(guests[0])


@pytest.mark.slow
@given(visitors=st.lists(st.integers(1, 4), max_size=40))
def test_whoever_has_less_than_a_fair_share_comes_in(visitors: list[int]) -> None:
    """Up to four visitors, at a door with eight places."""
    inside: Counter[str] = Counter()

    async def stay(connection: socket.socket) -> None:
        visitor = connection.getpeername()[0]
        inside[visitor] += 1
        try:
            await asyncio.Event().wait()
        finally:
            inside[visitor] -= 1

    async def come() -> Counter[str]:
        with socket.create_server(("127.0.0.1", 0)) as listening, ExitStack() as held:
            listening.setblocking(False)
            opened = asyncio.ensure_future(Door(listening, stay).open())
            for visitor in visitors:
                source = (f"127.0.0.{visitor}", 0)
                held.enter_context(socket.create_connection(listening.getsockname(), source_address=source))
                for _ in range(8):
                    await asyncio.sleep(0)
            stayed = inside.copy()
            opened.cancel()
            await asyncio.gather(opened, return_exceptions=True)
        return stayed

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(door, "most_here", lambda: 8)
        patch.setattr(door, "PAUSE_S", 0.0)
        stayed = asyncio.run(come())
    came = Counter(f"127.0.0.{visitor}" for visitor in visitors)
    assert stayed.total() == min(8, len(visitors))
    assert all(stayed[visitor] >= min(count, 8 // len(came)) for visitor, count in came.items())
    assert inside.total() == 0, "nobody is left when the door closes"


def ended(connection: socket.socket) -> bool:
    """Whether the other side has ended a stream; what came of it before is passed over."""
    connection.settimeout(0.2)
    try:
        while connection.recv(65536):
            pass
    except TimeoutError:
        return False
    except ConnectionResetError:
        pass
    return True


def closed_at_once(port: int, source: str) -> bool:
    """Whether a connection from there is closed before it has said anything.

    The door may be faster than we are: then connecting itself is told that the other end is gone already.
    """
    try:
        with socket.create_connection(("127.0.0.1", port), timeout=2, source_address=(source, 0)) as connection:
            return connection.recv(1) == b""
    except ConnectionResetError:
        return True


@pytest.mark.slow
@pytest.mark.usefixtures("few")
def test_a_crowd_is_kept_out_and_half_requests_end(
    port: int, monkeypatch: pytest.MonkeyPatch, capfd: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(serving, "HEAD_S", 2.0)
    with ExitStack() as held:
        crowd = [
            held.enter_context(
                socket.create_connection(("127.0.0.1", port), source_address=(f"127.0.2.{1 + number}", 0))
            )
            for number in range(most_here())
        ]
        for each in crowd[::2]:
            each.sendall(b"GET / HTTP/1.1\r\nHost: loc")
        assert closed_at_once(port, "127.0.0.1")
        with open("/dev/null", "rb"):
            pass  # descriptors are left for whatever the table needs
        began = time.monotonic()
        while time.monotonic() < began + 30:
            try:
                status, *_ = said(port, asking())
            except ConnectionResetError:
                continue
            assert status.endswith("200 OK")
            break
        else:
            pytest.fail("expected room once half a request was waited for long enough")
    assert capfd.readouterr() == ("", "")


def test_visitors_leave_descriptors_for_the_table(monkeypatch: pytest.MonkeyPatch) -> None:
    for soft, most in ((1024, door.MAX_VISITS), (150, 22), (100, 1)):
        monkeypatch.setattr(resource, "getrlimit", lambda _, soft=soft: (soft, soft))
        assert most_here() == most


def test_a_household_is_an_address_or_a_network_of_version_6() -> None:
    assert plain_address("::ffff:10.0.0.2") == "10.0.0.2"
    assert household_of("2001:db8::1:2:3:4") == household_of("2001:db8::5:6:7:8")
    assert household_of("10.0.0.2") != household_of("10.0.0.3")


def test_a_request_is_taken_apart() -> None:
    read = read_request(b"GET /overlay?a=b HTTP/1.0\r\nAccept: */*\r\nhOST:  Pi.Local.:80 \r\n\r\n")
    assert (read.method, read.path, read.host) == ("GET", "/overlay", "pi.local")
    with pytest.raises(BadRequestError):
        read_request(b"GET / HTTP/1.1\nHost: localhost\n\r\n\r\n")


def test_a_page_that_cannot_be_made_is_an_answer_too(caplog: pytest.LogCaptureFixture) -> None:
    def answering(path: str) -> bytes | None:
        raise KeyError(path)

    server = serving.SmallServer(answering, "127.0.0.1", 0, name="test", option="--web", usual=1)
    try:
        for _ in range(2):
            line, headers, body = said(server.port, asking("/secret"))
            assert line == "HTTP/1.1 500 Internal Server Error"
            assert headers["content-security-policy"] == "default-src 'none'; frame-ancestors 'none'"
            assert b"secret" not in body
    finally:
        server.close()
    assert caplog.records == []
