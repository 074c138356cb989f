"""Every port and page there is: what the documents say of them, who may change anything, and which scripts may run."""

from __future__ import annotations

import base64
import hashlib
import re
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import ExitStack, closing
from pathlib import Path
from threading import Event
from types import SimpleNamespace
from typing import Any, cast

import pytest

from firmware.book.scorebook import copies
from firmware.cli.first_start.answers import Site
from firmware.core.io import files
from firmware.extras.club.hall import Hall
from firmware.extras.club.server import WallServer
from firmware.web import door, login, serving
from firmware.web.address import Port
from firmware.web.scoreboard import Scoreboard, WebServer
from firmware.web.serving import Changing, Route, SmallServer
from tests.firmware.cli.first_start.conftest import first_start
from tests.firmware.web.conftest import Answer, asking, said
from tests.waiting import HANG_S
from vision.limits import MAX_PIXELS

pytestmark = pytest.mark.slow

ROOT = Path(__file__).parents[3]
DOCUMENTS = ("SECURITY.md", "PRIVACY.md")
ROW = re.compile(r"^\| (\d+), ([^|]+) \|[^|]*\|([^|]*)\|$", re.MULTILINE)


@pytest.fixture
def servers(tmp_path: Path) -> Iterator[dict[Port, SmallServer]]:
    """One of each."""
    evening = SimpleNamespace(now=None)
    hall = cast(Hall, SimpleNamespace(evening=evening, snapshot=Changing(), fencers={"1": '{"name": "\ud800"}'}))
    first = first_start(tmp_path, lambda words: (1, ""), None)
    with ExitStack() as held:
        yield {
            Port.SCOREBOARD: held.enter_context(closing(WebServer(Scoreboard(), port=0, book=tmp_path / "book"))),
            Port.SETUP: held.enter_context(closing(Site(first, "127.0.0.1", 0))),
            Port.WALL: held.enter_context(closing(WallServer(hall, "en", port=0))),
        }


def test_the_documents_name_every_port_and_page(servers: dict[Port, SmallServer]) -> None:
    rows = ROW.findall((ROOT / "SECURITY.md").read_text(encoding="utf-8"))
    told = {int(port): re.findall(r"`(/[^`]*)`", pages) for port, _, pages in rows}
    assert {port: sorted(pages) for port, pages in told.items()} == {
        port: sorted(server.routes) for port, server in servers.items()
    }
    privacy = (ROOT / "PRIVACY.md").read_text(encoding="utf-8")
    assert [port for port in Port if f"port {port}" not in privacy] == []
    assert servers.keys() == set(Port)


def test_the_documents_have_the_numbers_of_the_program() -> None:
    security, privacy = (" ".join((ROOT / name).read_text(encoding="utf-8").split()) for name in DOCUMENTS)
    for told in (
        f"{door.MAX_PLACES} at once",
        f"at most {1 / door.PAUSE_S:.0f} connections are taken a second",
        f"{door.RESERVED} file descriptors are never given to visitors",
        f"A request is whole within {serving.HEAD_S:.0f} seconds, an answer is taken within {serving.TAKE_S:.0f}.",
        f"eight signs of {len(login.LETTERS)}",
        f"beyond {MAX_PIXELS // 10**6} million pixels",
    ):
        assert told in security
    assert f"in `reports` there, with the match until then: {files.MAX_KEPT} at most" in privacy
    in_words = (door.IDLE_S, door.STAY_S, login.VALID_S, login.CODE_SIGNS, login.MAX_WRONG, login.WRONG_S)
    assert in_words == (1.0, 10.0, 3600.0, 8, 10, 60.0), "a second, ten seconds, an hour, eight, ten in a minute"
    assert (login.MAX_GUESSES, serving.MAX_ASIDE, copies.MAX_COPIES) == (1000, 8, 5), "a thousand, eight, five"


def test_whatever_changes_anything_wants_the_code(servers: dict[Port, SmallServer]) -> None:
    changing = [
        (port, path) for port, server in servers.items() for path, route in server.routes.items() if route.changes
    ]
    assert changing == [(Port.SETUP, "/do")]
    server = SmallServer({"/change": Route(lambda asked: b"", changes=True)}, "127.0.0.1", 0, usual=Port.WALL)
    with closing(server):
        assert asked(server, "/change", "POST").status == 403
        assert asked(server, "/change", "GET").status == 405


def test_no_page_runs_a_script_that_is_not_its_own(servers: dict[Port, SmallServer]) -> None:
    for server in servers.values():
        for path in server.routes:
            answer = asked(server, path.replace("*", "1"))
            policy, body = answer.headers["content-security-policy"], answer.text.encode("utf-8", "surrogateescape")
            assert "unsafe" not in policy
            assert policy.startswith("default-src 'none'")
            if b"<html" in body:
                for tag in (b"script", b"style"):
                    inside = re.findall(b"<%s>(.*?)</%s>" % (tag, tag), body, re.DOTALL)
                    assert body.count(b"<%s" % tag) == len(inside)
                    marks = (base64.b64encode(hashlib.sha256(each).digest()).decode() for each in inside)
                    allowed = " ".join(f"'sha256-{mark}'" for mark in marks) or "'none'"
                    assert f"{tag.decode()}-src {allowed};" in policy
                outside = re.sub(b"<script>.*?</script>", b"", body, flags=re.DOTALL)
                assert not re.search(rb"<[^>]*\s(?:on\w+|style)\s*=|javascript:", outside)
            else:
                assert "script-src" not in policy
            assert answer.status != 500


def asked(server: SmallServer, path: str, method: str = "GET", field: str = "") -> Answer:
    return said(server.port, asking(path, method="HEAD" if path == "/events" else method, field=field))


def test_others_are_answered_while_results_and_a_network_take_their_time(
    servers: dict[Port, SmallServer], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Each answer that takes long waits here until another page of the same server has come."""
    goes_on, made = Event(), []

    def slow(*given: object) -> bytes:
        made.append(given)
        assert goes_on.wait(HANG_S)
        return b"%PDF"

    monkeypatch.setattr("firmware.extras.club.server.results_pdf", slow)
    wall = servers[Port.WALL]
    cast(Any, wall)._hall.evening.now = object()
    first = first_start(tmp_path, lambda words: (1, "" if goes_on.wait(HANG_S) else "late"), None)
    with closing(Site(first, "127.0.0.1", 0)) as site, ThreadPoolExecutor(4) as phones:
        code = f"X-Engarde-Code: {site.login.code}\r\n"
        slow_ones = [phones.submit(asked, wall, "/results.pdf", "GET") for _ in range(3)]
        slow_ones.append(phones.submit(asked, site, "/state.json", "GET", code))
        assert asked(wall, "/wall.json").status == 200
        assert asked(site, "/picture.jpg", "GET", code).status == 503
        assert not any(each.done() for each in slow_ones)
        goes_on.set()
        assert [each.result().status for each in slow_ones] == [200] * 4
    assert len(made) == 1, "the results are made once for all"
