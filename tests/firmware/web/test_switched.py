"""The scoreboard as a setting: on and off while a match goes on."""

from __future__ import annotations

import http.client
import socket
from contextlib import closing

import pytest

from firmware.web.serving import WebError
from firmware.web.switched import EVERYBODY, SwitchedScoreboard, scoreboard_address


def _free_port() -> int:
    with closing(socket.socket()) as asked:
        asked.bind(("127.0.0.1", 0))
        return int(asked.getsockname()[1])


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
