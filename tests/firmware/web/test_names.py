"""The names of this machine in its network, with a pretended Avahi."""

from __future__ import annotations

import socket
import subprocess
from contextlib import closing
from pathlib import Path

import pytest

from display.i18n import LANGUAGES, words
from firmware.web import serving
from firmware.web.address import PRIVATE, is_asked, is_in_this_network, names_here, network_name
from firmware.web.scoreboard import Scoreboard, WebServer
from firmware.web.switched import EVERYBODY, SwitchedScoreboard
from tests.firmware.web.conftest import got
from tests.waiting import until

UNIT = Path(__file__).parents[3] / "firmware" / "packaging" / "image" / "units" / "engarde-name"


@pytest.fixture(autouse=True)
def named(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(socket, "gethostname", lambda: "Salon")


@pytest.mark.parametrize(
    ("told", "name"),
    [
        ("echo 's \"salon-2.local\"'", "salon-2.local"),
        ("echo 's \"Salon.local\"'", "salon.local"),
        ("echo 'Call failed: The name org.freedesktop.Avahi was not provided' >&2; exit 1", "salon.local"),
        ("echo 's \"\"'", "salon.local"),
        ("printf 's \"\\xff\"'", "salon.local"),
    ],
)
def test_avahi_is_asked_what_this_machine_is_called(
    told: str, name: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """In the words of systemd 252 (Debian 12) and 257 (Debian 13), asked of Avahi 0.8 beside another of its name."""
    busctl = tmp_path / "busctl"
    busctl.write_text(f"#!/bin/sh\n{told}\n")
    busctl.chmod(0o755)
    monkeypatch.setenv("PATH", f"{tmp_path}:/usr/bin:/bin")
    assert network_name() == name
    busctl.unlink()
    monkeypatch.setenv("PATH", str(tmp_path))
    assert network_name() == "salon.local", "where Avahi cannot be asked"


@pytest.mark.parametrize("suffix", PRIVATE)
def test_what_a_router_puts_behind_a_name_is_of_this_network(suffix: str) -> None:
    assert is_asked(f"salon.{suffix}", names_here("0.0.0.0"), "10.0.0.2")
    assert is_in_this_network(f"http://salon.{suffix}:8765/")
    assert not is_in_this_network(f"http://salon.{suffix}.example/")


def test_a_table_that_is_renamed_answers_to_its_new_name_and_shows_it(monkeypatch: pytest.MonkeyPatch) -> None:
    """As when a second table of this name is switched on in the same network."""
    monkeypatch.setattr(serving, "NAME_S", 0.01)
    told = ["salon.local"]
    monkeypatch.setattr(serving, "network_name", lambda: told[-1])
    with closing(SwitchedScoreboard(lambda said: None, (EVERYBODY, 0))) as board:
        board.open()
        port = int(board.url.split(":")[2].strip("/"))
        assert got(port, "/state.json", host="salon-2.local").status == 421
        assert board.address == f"http://salon.local:{port}/"
        told.append("salon-2.local")
        assert until(lambda: board.address == f"http://salon-2.local:{port}/")
        assert got(port, "/state.json", host=f"salon-2.local:{port}").status == 200
        assert got(port, "/state.json", host="salon-2.lan").status == 200


@pytest.mark.parametrize("language", LANGUAGES)
def test_whoever_asks_by_another_name_is_told_the_way(language: str) -> None:
    with closing(WebServer(Scoreboard(language=language), port=0, names=["board.example"])) as server:
        answer = got(server.port, "/state.json", host="score.example")
        told = words(language).say("served.other_name", address=server.url)
        assert (answer.status, answer.text.strip()) == (421, told)
        assert got(server.port, "/state.json", host="board.example").status == 200


@pytest.mark.parametrize(
    ("host", "serial", "name"),
    [
        ("engarde", "10000000ABCD3F2A\0", "engarde-3f2a"),
        ("engarde", "", "engarde-9e4d"),
        ("salle", "10000000ABCD3F2A\0", "salle"),
    ],
)
def test_tables_of_one_image_are_named_after_their_serial_numbers(
    host: str, serial: str, name: str, tmp_path: Path
) -> None:
    for folder in ("etc", "proc/device-tree"):
        (tmp_path / folder).mkdir(parents=True)
    (tmp_path / "etc" / "hostname").write_text(f"{host}\n")
    (tmp_path / "etc" / "hosts").write_text(f"127.0.0.1 localhost\n127.0.1.1 {host}\n")
    (tmp_path / "etc" / "machine-id").write_text("0123456789abcdef0123456789ab9e4d\n")
    if serial:
        (tmp_path / "proc" / "device-tree" / "serial-number").write_text(serial)
    for _ in range(2):
        subprocess.run(["sh", str(UNIT), str(tmp_path)], check=True)
        assert (tmp_path / "etc" / "hostname").read_text() == f"{name}\n"
        assert (tmp_path / "etc" / "hosts").read_text() == f"127.0.0.1 localhost\n127.0.1.1 {name}\n"
