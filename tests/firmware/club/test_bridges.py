"""What leaves the club for other machines: lamps, addresses, Home Assistant, fencing's own protocol."""

from __future__ import annotations

import json
import re
import shutil
import socket
import sys
import textwrap
import threading
import time
import tomllib
from collections.abc import Callable, Iterator
from contextlib import closing
from http.server import BaseHTTPRequestHandler, HTTPServer
from pathlib import Path
from random import Random
from typing import TYPE_CHECKING, Any, Final

import pytest

from engine.rules.track import BySide
from firmware.club.cyrano import Cyrano, message
from firmware.club.home import HomeAssistant
from firmware.club.hooks import Hooks, happened
from firmware.club.latin import plain
from firmware.club.reading import read
from firmware.club.simulated import judged_match, told_step
from firmware.club.telling import framed
from firmware.commands.club import _host_and_port
from firmware.config import ConfigError, load_config
from firmware.loop.moment import People

if TYPE_CHECKING:
    from tests.firmware.club.conftest import Club

NAMES: Final = BySide("Anna|%", "Ben")
README: Final = Path(__file__).parents[3] / "firmware" / "club" / "README.md"


def bodies(seed: int = 1, bout: str = "") -> list[dict[str, Any]]:
    return [told_step(step, NAMES, bout) for step in judged_match(Random(seed), points=3)]


def people() -> People:
    return People(NAMES, "en")


def test_what_happened_is_named_once() -> None:
    before: dict[str, Any] | None = None
    kinds: list[str] = []
    for body in map(read, bodies()):
        kinds += happened(before, body)
        before = body
    assert before is not None
    assert kinds.count("match") == kinds.count("won") == 1
    assert kinds.count("touch") == sum(before["score"].values())
    assert kinds.count("round") == before["round"]
    assert kinds.count("attack") >= 3
    assert happened(before, {**before, "kind": "undo", "phase": "turn"}) == ()


@pytest.fixture
def house() -> Iterator[tuple[str, list[dict[str, Any]]]]:
    """Somebody's server, and what it was sent."""
    got: list[dict[str, Any]] = []

    class Taking(BaseHTTPRequestHandler):
        def do_POST(self) -> None:
            got.append(json.loads(self.rfile.read(int(self.headers["Content-Length"]))))
            self.send_response(204)
            self.end_headers()

        def log_message(self, *_: object) -> None:
            pass

    server = HTTPServer(("127.0.0.1", 0), Taking)
    thread = threading.Thread(target=server.serve_forever, daemon=True)
    thread.start()
    yield f"http://127.0.0.1:{server.server_port}/touch", got
    server.shutdown()
    server.server_close()
    thread.join()


def test_a_command_and_an_address(
    house: tuple[str, list[dict[str, Any]]], tmp_path: Path, until: Callable[..., bool]
) -> None:
    address, got = house
    program = "import os,sys;open(sys.argv[1],'a').write(os.environ['ENGARDE_EVENT']+' '+sys.stdin.read()+chr(10))"
    command = f'{sys.executable} -c "{program}" {tmp_path / "heard"}'
    with closing(Hooks({"touch": (command, address)}, 5.0, people())) as hooks:
        touches = [body for body in bodies() if (read(body)["result"] or {}).get("winner")]
        hooks.tell(touches[0])
        assert until(lambda: got and (tmp_path / "heard").exists() and (tmp_path / "heard").read_text().endswith("\n"))
    assert got[0]["event"] == "touch"
    kind, _, text = (tmp_path / "heard").read_text().partition(" ")
    assert kind == "touch"
    assert json.loads(text) == got[0]


@pytest.mark.skipif(not shutil.which("curl"), reason="the example needs curl")
def test_the_examples_for_a_home_run(
    house: tuple[str, list[dict[str, Any]]], until: Callable[..., bool], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    text = README.read_text(encoding="utf-8")
    lines = text[text.index("      [events]") :].partition("\n\n")[0]
    given = tomllib.loads(textwrap.dedent(lines))["events"]
    address, got = house
    lamp = given["at_touch"].replace("http://wled.local/json/state", address)
    webhook, lights = given["at_won"]
    assert lamp != given["at_touch"]
    assert webhook.startswith("http://homeassistant.local:8123/api/webhook/")
    heard = tmp_path / "heard"
    broker = tmp_path / "mosquitto_pub"  # what it is given, in the place of a broker
    broker.write_text(f'#!/bin/sh\necho "$@" >{heard}\n')
    broker.chmod(0o755)
    monkeypatch.setenv("PATH", str(tmp_path), prepend=":")
    with closing(Hooks({"touch": (lamp,), "won": (address, lights)}, 5.0, people())) as hooks:
        hooks.tell(next(body for body in bodies() if read(body)["phase"] == "match_over"))
        assert until(lambda: len(got) == 2 and heard.exists() and heard.read_text())
    assert sorted(each.get("event", "lamp") for each in got) == ["lamp", "won"]
    assert heard.read_text() == "-h homeassistant.local -t wled/all/api -m FX=9\n"
    assert {f"at_{kind}" for kind in ("touch", "won")} == set(given)


@pytest.mark.slow
def test_nobody_waits_for_the_house(tmp_path: Path, until: Callable[..., bool]) -> None:
    said: list[str] = []
    sleeps = f'{sys.executable} -c "import time; time.sleep(60)"'
    wanted = dict.fromkeys(("turn", "attack", "touch"), (sleeps, "/no/such/program", "http://127.0.0.1:9/"))
    with closing(Hooks(wanted, 0.6, people(), said.append)) as hooks:
        began = time.monotonic()
        for body in bodies():
            hooks.tell(body)
        assert time.monotonic() - began < 0.5
        assert until(lambda: any("was not done within 0.6 s" in each for each in said))
        assert until(lambda: any("did not work" in each for each in said))
    assert sum("take too long" in each for each in said) == 1


def test_what_stands_under_events(tmp_path: Path) -> None:
    path = tmp_path / "config.toml"
    path.write_text('[events]\nat_touch = ["lamp --flash", "http://lamp.local/"]\nat_won = "horn"\ntimeout_s = 2\n')
    events = load_config(path).events
    assert events.wanted == {"touch": ("lamp --flash", "http://lamp.local/"), "won": ("horn",)}
    assert events.timeout_s == 2.0
    for wrong in ("at_touch = 3", 'at_touch = "\\"open"', "timeout_s = 0", 'touch = "horn"'):
        path.write_text(f"[events]\n{wrong}\n")
        with pytest.raises(ConfigError, match="events"):
            load_config(path)


def has(value: Any, path: list[str]) -> bool:
    return not path or (isinstance(value, dict) and path[0] in value and has(value[path[0]], path[1:]))


@pytest.mark.slow
def test_home_assistant_finds_a_table(club: Club, until: Callable[..., bool]) -> None:
    home = HomeAssistant("fk")
    told = dict(home.configurations("1"))
    assert home.configurations("1") == []
    assert len(told) == 5
    for name, text in told.items():
        entity = json.loads(text)
        assert (
            name == f"homeassistant/{name.split('/')[1]}/engarde-fk-1/{entity['unique_id'].rpartition('-')[2]}/config"
        )
        assert entity["state_topic"] == "engarde/1/fk/1/event"
        assert (entity["availability_topic"], "availability_template" in entity) == ("engarde/1/fk/1/status", False)
        paths = re.findall(r"value_json((?:\.\w+)+)", entity["value_template"])
        assert paths
        assert [path for path in paths if not any(has(body, path.split(".")[1:]) for body in bodies())] == []
    kept: list[str] = []
    hall = club.hall()
    hall._home = home_again = HomeAssistant("fk")
    club.publisher("2")
    assert until(lambda: "2" in home_again._known)
    assert kept == []


def test_fencings_own_protocol() -> None:
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as other:
        other.bind(("127.0.0.1", 0))
        other.settimeout(5)
        bridge = Cyrano("127.0.0.1", other.getsockname()[1], "evening|%x")
        told = [read(framed("7", "0" * 32, 1, 0.0, body)) for body in (*bodies(1, "1P2-1x4"), *bodies(2, "2T8-3"))]
        for event in told:
            bridge.tell(event)
            text = other.recv(2048).decode()
            assert text == message(event, "evening|%x")
            zones = text.strip("|").split("%")
            general, right, left = (
                zone.strip("|").split("|") if at else zone[:-1].split("|") for at, zone in enumerate(zones[:3])
            )
            assert general[:3] == ["EFP1.1", "INFO", "7"]
            assert len(general) == 17
            assert general[13] in ("W", "F", "H", "E")
            assert (right[-8], left[-8]) == tuple(str(event["score"][side]) for side in ("black", "white"))
        bridge.close()
    ends = [message(event, "x") for event in told if event["phase"] == "match_over"]
    assert all(("|V|" in text) and ("|D|" in text) for text in ends)
    assert "|2|A8|3|" in ends[1]
    assert "Anna" in ends[0]
    bouts = {"1L1-2x5": "|1|1||", "1S3-2": "|1|3|2|", "1P2-1x4": "|1|2||", "2T8-3": "|2|A8|3|", "": "||||"}
    assert all(f"|x{fields}" in message({**told[-1], "bout": bout}, "x") for bout, fields in bouts.items())
    named = {**told[-1], "names": {"white": "Zoë Ångström-Łukasz", "black": "Nguyễn | Weiß%"}}
    assert [f"|{name}|" in message(named, "x") for name in ("Zoe Angstrom-Lukasz", "Nguyen   Weiss")] == [True, True]
    assert _host_and_port("host") == ("host", 50100)
    with pytest.raises(ValueError, match="HOST:PORT"):
        _host_and_port("host:x")


@pytest.mark.parametrize(
    ("name", "spelt"),
    [
        ("Юрий Щукин", "Iurii Shchukin"),
        ("Олександр Ґудзь", "Oleksandr Gudz"),
        ("Ђорђе Његош", "Dorde Njegosh"),
        ("Γιώργος Παπαδόπουλος", "Giorgos Papadopoulos"),
        ("ΕΛΕΝΗ ΘΕΟΥ", "ELENI ThEOu"),
        ("Đỗ Thị Øst-Weiß", "Do Thi Ost-Weiss"),
        ("Anna O’Neill", "Anna O'Neill"),
        ("王芳", ""),
        ("Ana 王", ""),
    ],
)
def test_names_are_spelt_as_in_passports(name: str, spelt: str) -> None:
    assert plain(name) == spelt


def test_a_name_that_cannot_be_spelt_is_told_once() -> None:
    told: list[str] = []
    bridge = Cyrano("127.0.0.1", 9, said=told.append)
    event = read(framed("7", "0" * 32, 1, 0.0, {**bodies(1)[-1], "names": {"white": "王芳", "black": "Юрий"}}))
    for _ in range(2):
        bridge.tell(event)
    bridge.close()
    assert told == ["Cyrano has no letters for 王芳: result software is told White."]
    assert "|White|" in message(event, "x")
    assert "|Iurii|" in message(event, "x")
