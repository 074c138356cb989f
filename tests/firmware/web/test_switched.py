"""The scoreboard as a setting: on and off while a match goes on."""

from __future__ import annotations

import http.client
from contextlib import closing

import pytest

from firmware.web.address import network_name
from firmware.web.switched import EVERYBODY, SwitchedScoreboard
from tests.waiting import HANG_S


def _answers(port: int) -> bool:
    with closing(http.client.HTTPConnection("127.0.0.1", port, timeout=HANG_S)) as connection:
        try:
            connection.request("GET", "/")
            return connection.getresponse().status == 200
        except ConnectionRefusedError:
            return False


def test_it_is_served_while_it_is_on(port: int) -> None:
    said: list[str] = []
    with closing(SwitchedScoreboard(said.append, (EVERYBODY, port))) as board:
        assert not _answers(port)
        assert board.address == ""
        for _ in range(2):
            board.open()
            assert _answers(port)
            assert board.address == f"http://{network_name()}:{port}/"
        assert said == [f"The scoreboard is at {board.url} (for a stream: {board.url}overlay)."]
        board.close()
        assert not _answers(port)
        assert board.reopen()
        assert _answers(port)


def test_one_for_this_machine_alone_has_no_address_for_others() -> None:
    with closing(SwitchedScoreboard(lambda said: None, ("127.0.0.1", 0))) as board:
        board.open()
        assert board.url.startswith("http://127.0.0.1:")
        assert board.address == ""


def test_a_network_that_comes_later_is_found(monkeypatch: pytest.MonkeyPatch, port: int) -> None:
    networks: list[str] = []
    monkeypatch.setattr("firmware.web.address.own_address", lambda: networks[-1] if networks else "")
    with closing(SwitchedScoreboard(lambda said: None, (EVERYBODY, port))) as board:
        assert board.reachable == ""
        board.open()
        assert not board.look_up()
        assert board.reachable == ""
        networks.append("192.168.4.1")
        assert board.look_up()
        assert board.reachable == f"http://192.168.4.1:{port}/"
        networks.append("10.0.0.7")
        assert board.look_up()
        assert board.reachable == f"http://10.0.0.7:{port}/"
        board.close()
        assert board.reachable == ""
