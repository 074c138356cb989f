"""The scoreboard as a setting: on and off while a match goes on."""

from __future__ import annotations

import http.client
import socket
from contextlib import closing
from typing import Any, cast

import numpy as np
import pytest

from firmware.loop.moment import Moment
from firmware.web.server import Scoreboard
from firmware.web.serving import WebError
from firmware.web.switched import EVERYBODY, LOOKED_UP_EVERY_S, SwitchedScoreboard, scoreboard_address
from vision.frame import Frame


def _free_port() -> int:
    with closing(socket.socket()) as asked:
        asked.bind(("127.0.0.1", 0))
        return int(asked.getsockname()[1])


def _moment(t_s: float) -> Moment:
    """Of its clock alone: what is told then is another test's matter."""
    return Moment(Frame(0, t_s, np.zeros((8, 8), np.uint8)), *cast(Any, (None,) * 9))


def _answers(port: int) -> bool:
    with closing(http.client.HTTPConnection("127.0.0.1", port, timeout=2)) as connection:
        try:
            connection.request("GET", "/")
            return connection.getresponse().status == 200
        except ConnectionRefusedError:
            return False


def test_it_is_served_while_it_is_on() -> None:
    said: list[str] = []
    port = _free_port()
    with closing(SwitchedScoreboard(said.append, (EVERYBODY, port))) as board:
        assert not _answers(port)
        assert board.address == ""
        for _ in range(2):
            board.switch(True)
            assert _answers(port)
            assert board.address == scoreboard_address(port)
        assert said == [f"The scoreboard is at {board.url} (for a stream: {board.url}overlay)."]
        board.switch(False)
        assert not _answers(port)
        board.switch(True)
        assert _answers(port)


def test_a_port_that_is_taken_ends_no_match() -> None:
    said: list[str] = []
    with closing(socket.socket()) as other:
        other.bind(("127.0.0.1", 0))
        other.listen()
        board = SwitchedScoreboard(said.append, ("127.0.0.1", other.getsockname()[1]))
        board.switch(True)
        assert "found it cannot be had" in said[0]
        assert board.url == ""
        with pytest.raises(WebError):
            board.open()


def test_one_for_this_machine_alone_has_no_address_for_others() -> None:
    with closing(SwitchedScoreboard(lambda said: None, ("127.0.0.1", 0))) as board:
        board.open()
        assert board.url.startswith("http://127.0.0.1:")
        assert board.address == ""


def test_a_network_that_comes_later_is_found(monkeypatch: pytest.MonkeyPatch) -> None:
    networks: list[str] = []
    monkeypatch.setattr(Scoreboard, "attend", lambda board, moment: None)
    monkeypatch.setattr("firmware.web.address.own_address", lambda: networks[-1] if networks else "")
    port = _free_port()
    with closing(SwitchedScoreboard(lambda said: None, (EVERYBODY, port))) as board:
        assert board.reachable == ""
        board.open()
        assert board.reachable == ""
        networks.append("192.168.4.1")
        board.attend(_moment(1.0))
        assert board.reachable == ""
        board.attend(_moment(LOOKED_UP_EVERY_S))
        assert board.reachable == f"http://192.168.4.1:{port}/"
        networks.append("10.0.0.7")
        board.attend(_moment(2 * LOOKED_UP_EVERY_S))
        assert board.reachable == f"http://10.0.0.7:{port}/"
        board.close()
        assert board.reachable == ""
