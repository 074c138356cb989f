"""What leaves the club for other machines: lamps and addresses."""

from __future__ import annotations

import json
import shutil
import sys
import textwrap
import threading
import tomllib
from collections.abc import Iterator
from contextlib import closing
from http.server import BaseHTTPRequestHandler, HTTPServer
from pathlib import Path
from random import Random
from typing import Any, Final

import pytest

from engine.rules.track import BySide
from firmware.core.config import ConfigError, load_config
from firmware.extras.club.demo import judged_match, told_step
from firmware.extras.club.hooks import Hooks, happened
from firmware.extras.club.messages import read
from firmware.table.loop.moment import People
from tests.waiting import HANG_S, until

NAMES: Final = BySide("Anna|%", "Ben")
README: Final = Path(__file__).parents[4] / "firmware" / "extras" / "club" / "README.md"


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


def test_a_command_and_an_address(house: tuple[str, list[dict[str, Any]]], tmp_path: Path) -> None:
    address, got = house
    program = "import os,sys;open(sys.argv[1],'a').write(os.environ['ENGARDE_EVENT']+' '+sys.stdin.read()+chr(10))"
    command = f'{sys.executable} -c "{program}" {tmp_path / "heard"}'
    with closing(Hooks({"touch": (command, address)}, HANG_S, people())) as hooks:
        touches = [body for body in bodies() if (read(body)["result"] or {}).get("winner")]
        hooks.tell(touches[0])
        assert until(lambda: got and (tmp_path / "heard").exists() and (tmp_path / "heard").read_text().endswith("\n"))
    assert got[0]["event"] == "touch"
    kind, _, text = (tmp_path / "heard").read_text().partition(" ")
    assert kind == "touch"
    assert json.loads(text) == got[0]


@pytest.mark.skipif(not shutil.which("curl"), reason="the example needs curl")
def test_the_examples_for_a_home_run(
    house: tuple[str, list[dict[str, Any]]], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
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
    with closing(Hooks({"touch": (lamp,), "won": (address, lights)}, HANG_S, people())) as hooks:
        hooks.tell(next(body for body in bodies() if read(body)["phase"] == "match_over"))
        assert until(lambda: len(got) == 2 and heard.exists() and heard.read_text())
    assert sorted(each.get("event", "lamp") for each in got) == ["lamp", "won"]
    assert heard.read_text() == "-h homeassistant.local -t wled/all/api -m FX=9\n"
    assert {f"at_{kind}" for kind in ("touch", "won")} == set(given)


@pytest.mark.slow
def test_nobody_waits_for_the_house(tmp_path: Path) -> None:
    said: list[str] = []
    waits = f"sh -c 'until [ -e {tmp_path / 'go'} ]; do sleep 0.02; done'"
    wanted = dict.fromkeys(("turn", "attack", "touch"), (waits, "/no/such/program", "http://127.0.0.1:9/"))
    with closing(Hooks(wanted, HANG_S, people(), said.append)) as hooks:
        for body in bodies():
            hooks.tell(body)
        assert not any("was not done" in each for each in said), "it waited for a command that waits"
        assert sum("take too long" in each for each in said) == 1
        (tmp_path / "go").touch()
        assert until(lambda: sum("did not work" in each for each in said) == 2)


@pytest.mark.slow
def test_a_command_that_takes_too_long_is_told() -> None:
    said: list[str] = []
    with closing(Hooks({"match": ("sleep 60",)}, 0.1, people(), said.append)) as hooks:
        hooks.tell(bodies()[0])
        assert until(lambda: said)
    assert said == ["events.match: sleep 60 was not done within 0.1 s."]


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
