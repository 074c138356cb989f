"""Who may come in: caps, time-outs, names of this machine, and answers that are all as careful as a page."""

from __future__ import annotations

import os
import resource
import socket
from collections.abc import Iterator
from contextlib import ExitStack, closing, suppress
from http import HTTPStatus
from typing import Final

import pytest

from firmware.web import door, serving
from firmware.web.address import Port, WebError, own_address
from firmware.web.door import places_here
from firmware.web.requests import MAX_HEAD_BYTES, WebRequest, plain_address, visitor_of
from firmware.web.scoreboard import Scoreboard, WebServer
from tests.firmware.web.conftest import asking, said
from tests.waiting import HANG_S

OWN: Final = socket.gethostname().partition(".")[0].lower()


@pytest.fixture
def few(monkeypatch: pytest.MonkeyPatch) -> None:
    """A door with few places, which are soon taken, and kept."""
    monkeypatch.setattr(door, "MAX_PLACES", 16)
    monkeypatch.setattr(door, "STAY_S", HANG_S)


@pytest.fixture
def port() -> Iterator[int]:
    with closing(WebServer(Scoreboard(), port=0)) as made:
        yield made.port


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
        (asking(host=f"{OWN}.lan"), 200),
        (asking(host="evil.lan"), 421),
        (asking(host=f"{OWN}.evil.example"), 421),
        (asking(host="evil.example"), 421),
        (asking(host="192.0.2.7"), 421),
        (asking(host="a b"), 400),
        (asking(host=""), 400),
        (asking(host="localhost\r\nHost: evil.example"), 400),
        (b"GET /state.json HTTP/1.1\r\n\r\n", 400),
        (b"GET /state.json HTTP/1.1\r\nHost: localhost\r\nContent-Length: 5\r\n\r\nhello", 400),
        (b"GET /state.json HTTP/1.1\r\nHost: localhost\r\nContent-Length: 0\r\nContent-Length: 0\r\n\r\n", 400),
        (b"GET /state.json HTTP/1.1\r\nHost: localhost\r\nContent-Length: -1\r\n\r\n", 400),
        (b"GET /state.json HTTP/1.1\r\nHost: localhost\r\nContent-Length: 0, 5\r\n\r\n", 400),
        (b"GET /state.json HTTP/1.1\r\nHost: localhost\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n", 400),
        (b"GET /state.json HTTP/1.1\r\nHost: localhost\r\nTransfer-Encoding : chunked\r\n\r\n", 400),
        (b"GET /state.json HTTP/1.1\r\nHost: localhost\r\n Transfer-Encoding: chunked\r\n\r\n", 400),
        (b"GET /state.json HTTP/1.1\r\nHost: localhost\r\nX: a\0b\r\n\r\n", 400),
        (b"GET /state.json HTTP/1.1\r\nHost: localhost\r\nX: a\nb\r\n\r\n", 400),
        (b"GET /state.json HTTP/1.1\r\nHost: localhost\r\nnonsense\r\n\r\n", 400),
        (b"GET /state.json HTTP/1.1\r\nHost: localhost\r\nX: " + b"x" * (MAX_HEAD_BYTES - 49) + b"\r\n\r\n", 431),
        (b"GET /state.json HTTP/2.0\r\nHost: localhost\r\n\r\n", 400),
        (b"GET http://evil.example/ HTTP/1.1\r\nHost: localhost\r\n\r\n", 400),
        (b"\x16\x03\x01\x02\r\n\r\n", 400),
        (b"GET / HTTP/1.1\r\nX: " + b"x" * (2 * MAX_HEAD_BYTES), 431),
        (b"POST /events HTTP/1.1\r\nHost: localhost\r\nContent-Length: 5\r\n\r\n", 405),
        (asking("/../../etc/passwd"), 404),
        (asking("/state.json/"), 404),
        (asking(method="POST"), 405),
        (asking("/nowhere", "evil.example", "POST"), 421),
    ],
)
def test_every_answer_is_as_careful_as_a_page(port: int, request_bytes: bytes, status: int) -> None:
    line, headers, text = said(port, request_bytes)
    assert line == f"HTTP/1.1 {status} {HTTPStatus(status).phrase}"
    assert headers["x-content-type-options"] == "nosniff"
    assert headers["referrer-policy"] == "no-referrer"
    assert headers["cross-origin-resource-policy"] == "same-origin"
    assert headers["cache-control"] == "no-store"
    assert headers["content-security-policy"] == "default-src 'none'; frame-ancestors 'none'"
    assert "server" not in headers
    assert bool(text) is not request_bytes.startswith(b"HEAD")
    assert headers.get("allow") == ("GET, HEAD" if status == 405 else None)


@pytest.mark.usefixtures("few")
def test_one_address_may_have_every_place_but_locks_nobody_out(port: int) -> None:
    """A proxy's guests come from one address; whoever comes from another takes the place of the newest of them."""
    with ExitStack() as held:
        guests = [
            held.enter_context(socket.create_connection(("127.0.0.1", port), source_address=("127.0.0.3", 0)))
            for _ in range(places_here())
        ]
        for guest in guests:
            guest.settimeout(HANG_S)
            guest.sendall(asking("/events"))
            assert guest.recv(5).startswith(b"HTTP/")
        assert closed_at_once(port, "127.0.0.3")
        assert said(port, asking(), source="127.0.0.4").status == 200
        assert said(port, asking(), source="127.0.0.5").status == 200
        assert ended(guests[-1], HANG_S)
        assert not ended(guests[0], 0.2)


def ended(connection: socket.socket, within_s: float) -> bool:
    """Whether the other side ends a stream in this time; what comes of it before is passed over."""
    connection.settimeout(within_s)
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
        with socket.create_connection(("127.0.0.1", port), timeout=HANG_S, source_address=(source, 0)) as connection:
            return connection.recv(1) == b""
    except ConnectionResetError:
        return True


@pytest.mark.slow
@pytest.mark.usefixtures("few")
@pytest.mark.parametrize("addresses", [1, 16])
def test_a_crowd_that_sends_nothing_keeps_nobody_out(
    port: int, addresses: int, monkeypatch: pytest.MonkeyPatch, capfd: pytest.CaptureFixture[str]
) -> None:
    """From the visitor's own address as from as many as there are places; half requests end."""
    monkeypatch.setattr(serving, "HEAD_S", 0.5)
    monkeypatch.setattr(door, "IDLE_S", 0.2)
    monkeypatch.setattr(door, "SILENT_S", 1.0)
    with ExitStack() as held:
        crowd = [
            held.enter_context(
                socket.create_connection(("127.0.0.1", port), source_address=(f"127.0.0.{1 + number % addresses}", 0))
            )
            for number in range(places_here())
        ]
        for each in crowd[::2]:
            each.sendall(b"GET / HTTP/1.1\r\nHost: loc")
        for path in ("/", "/overlay", "/state.json"):
            assert said(port, asking(path)).status == 200
        for each in crowd:
            each.settimeout(HANG_S)
            with suppress(ConnectionResetError):
                assert each.recv(1) == b""
    assert capfd.readouterr() == ("", "")


def take_all(held: ExitStack) -> None:
    """Open files until no descriptor is free; ``held`` closes them."""
    with suppress(OSError):
        while True:
            held.callback(os.close, os.open("/dev/null", os.O_RDONLY))


def test_whoever_runs_out_of_descriptors_goes_on(port: int) -> None:
    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    visitors = [socket.socket() for _ in range(5)]
    with ExitStack() as held:
        held.callback(resource.setrlimit, resource.RLIMIT_NOFILE, (soft, hard))
        for visitor in visitors:
            held.enter_context(visitor)
            visitor.settimeout(HANG_S)
        resource.setrlimit(resource.RLIMIT_NOFILE, (max(map(int, os.listdir("/proc/self/fd"))), hard))
        take_all(held)
        for visitor in visitors:
            visitor.connect(("127.0.0.1", port))
            visitor.sendall(asking())
        take_all(held)  # what tests of before left open may have been closed meanwhile
        assert own_address() == ""
        with pytest.raises(WebError):
            WebServer(Scoreboard(), port=0)
        resource.setrlimit(resource.RLIMIT_NOFILE, (soft, hard))
        assert [visitor.recv(15) for visitor in visitors] == [b"HTTP/1.1 200 OK"] * 5


def test_visitors_leave_descriptors_for_the_table(monkeypatch: pytest.MonkeyPatch) -> None:
    for soft, most in ((1024, door.MAX_PLACES), (150, 22), (100, 1)):
        monkeypatch.setattr(resource, "getrlimit", lambda _, soft=soft: (soft, soft))
        assert places_here() == most


def test_a_household_is_an_address_or_a_network_of_version_6() -> None:
    assert plain_address("::ffff:10.0.0.2") == "10.0.0.2"
    assert visitor_of("2001:db8::1:2:3:4") == visitor_of("2001:db8::5:6:7:8")
    assert visitor_of("10.0.0.2") != visitor_of("10.0.0.3")


def test_a_page_that_cannot_be_made_is_an_answer_too(caplog: pytest.LogCaptureFixture) -> None:
    def reply(asked: WebRequest) -> bytes | None:
        raise KeyError(asked.path)

    with closing(serving.SmallServer({"/secret": serving.Route(reply)}, "127.0.0.1", 0, usual=Port.WALL)) as server:
        for _ in range(2):
            answer = said(server.port, asking("/secret"))
            assert answer.line == "HTTP/1.1 500 Internal Server Error"
            assert "secret" not in answer.text
    assert caplog.records == []
