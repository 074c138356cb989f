"""The scoreboard of a sitting: the codes on its screen and the link on its page lead to the match that was written."""

from __future__ import annotations

import json
import socket
from collections.abc import Callable
from contextlib import ExitStack
from dataclasses import replace
from pathlib import Path
from types import SimpleNamespace
from typing import Any
from urllib.request import urlopen

import pytest

from display.words.present import present
from engine.rules.events import Event
from engine.rules.track import BySide
from engine.table.desk import EndTurn
from firmware.book.scorebook.book import open_scorebook
from firmware.cli.sitting.board import open_scoreboard, switch_scoreboard
from firmware.cli.sitting.household import menu_of
from firmware.core.config import Config
from firmware.table.loop.watched import Part
from firmware.table.service.retry import Watch
from firmware.web import switched
from tests.display.showcase import situations
from tests.firmware.conftest import SetClock
from tests.waiting import HANG_S
from vision.printed.tags import qr_rows

ADDRESS = "http://192.168.4.1:8765/"


@pytest.mark.parametrize("written", [True, False])
def test_the_codes_lead_to_the_match_that_was_written_down(
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    bot_match: Callable[..., tuple[Event, ...]],
    keep: Any,
    written: bool,
) -> None:
    monkeypatch.setattr(switched, "reachable", lambda *_: ADDRESS)
    window = SimpleNamespace(codes=None)
    sitting: Any = SimpleNamespace(window=window, camera=SimpleNamespace(live=True), watch=Watch())
    settings = SimpleNamespace(language="de", scoreboard="off", scoreboard_names=())
    table: Any = SimpleNamespace(settings=settings, scorebook=tmp_path / "book.sqlite")
    with ExitStack() as held:
        book = held.enter_context(open_scorebook(table.scorebook))
        keep(book.begin(BySide("Ana", "Bo"), mode="play"), bot_match(1, points=1))
        keep(book.begin(BySide("Ana", "Bo"), mode="play"), bot_match(2, points=1))
        at = ("127.0.0.1", 0), sitting, book if written else None, held
        board = open_scoreboard(table, *at, lambda said: None)
        assert board is not None
        assert board.url
        over = present(replace(situations()["match_over"], mode="play"))
        code, _ = window.codes(over)
        assert code.rows == qr_rows(f"{ADDRESS}match/2" if written else ADDRESS)
        board.attend(SimpleNamespace(match=over, desk=SimpleNamespace(course=None)))  # type: ignore[arg-type]
        with urlopen(f"{board.url}state.json", timeout=HANG_S) as answer:
            page = json.load(answer).get("page")
        assert (page and page["address"]) == ("match/2" if written else None)
    assert not board.url, "closed with the match"


def test_a_port_that_is_taken_is_said_and_had_once_it_is_free(
    tmp_path: Path, taken_port: tuple[int, socket.socket]
) -> None:
    """Asked for with the command, and switched on in the menu: the match goes on."""
    said: list[str] = []
    clock = SetClock()
    watch = Watch(said.append, clock.now_s, aside=lambda run: run())
    sitting: Any = SimpleNamespace(window=None, camera=SimpleNamespace(live=True), watch=watch)
    settings = SimpleNamespace(language="en", scoreboard="off", scoreboard_names=())
    moment: Any = SimpleNamespace(held=False)
    port, other = taken_port
    with ExitStack() as held:
        table: Any = SimpleNamespace(settings=settings, scorebook=tmp_path / "book.sqlite")
        board = open_scoreboard(table, ("127.0.0.1", port), sitting, None, held, said.append)
        assert board is not None
        assert "Address already in use" in said[0]
        for _ in range(100):
            clock.now += 1.0
            watch.attend(moment)
        assert watch.is_missing(Part.PORT)
        switch_scoreboard(board, watch, on=False)
        assert not watch.is_missing(Part.PORT)
        switch_scoreboard(board, watch, on=True)
        other.close()
        for _ in range(20):
            clock.now += 1.0
            watch.attend(moment)
        assert not watch.is_missing(Part.PORT)
        assert board.url


def test_the_menu_says_where_the_scoreboard_is(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(
        "firmware.cli.sitting.checks.TableDoctor", lambda *_: SimpleNamespace(machine=lambda language: ("5.1 V",))
    )
    wish = SimpleNamespace(camera=SimpleNamespace(spec=SimpleNamespace(live=False)))
    panel = SimpleNamespace(wired=False)
    sitting: Any = SimpleNamespace(window=None, sound=None, wish=wish, seat=None, panel=panel, watch=Watch())
    with open_scorebook(tmp_path / "book.sqlite") as book:
        for address, told in ((ADDRESS, 2), ("", 1)):
            sitting.board = SimpleNamespace(address=address)
            machine, _ = menu_of(Config(), EndTurn.BUTTON, book, sitting)
            lines = machine.more("en")
            assert lines[-1] == "5.1 V"
            assert len(lines) == told
            assert not address or address in lines[0]
