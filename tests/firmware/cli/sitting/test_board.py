"""The scoreboard of a sitting: its codes are read off the whole screen, and lead to the match that was written."""

from __future__ import annotations

import json
import socket
from collections.abc import Callable, Iterator
from contextlib import ExitStack
from dataclasses import replace
from pathlib import Path
from types import SimpleNamespace
from typing import Any
from urllib.request import urlopen

import cv2
import numpy as np
import pygame
import pytest
import zxingcpp

from display.draw.theme import CLEAR_LARGE, DEFAULT
from display.i18n import LANGUAGES
from display.screens.camera import CameraPicture
from display.screens.compose import Arrangement
from display.window import Window
from display.words.present import present
from engine.rules.events import Event
from engine.rules.track import BySide
from engine.table.desk import EndTurn
from firmware.book.scorebook.book import open_scorebook
from firmware.cli.sitting.board import BG_STATS, Codes, open_scoreboard, switch_scoreboard
from firmware.cli.sitting.household import menu_of
from firmware.core.config import Config
from firmware.table.loop.watched import Part, Watch
from firmware.web import switched
from tests.display.showcase import situations
from tests.firmware.conftest import SetClock
from tests.waiting import HANG_S
from vision.printed.tags import qr_rows

ADDRESS = "http://192.168.4.1:8765/"


def at_a_table(folder: Path, watch: Watch, window: Any = None, language: str = "en") -> tuple[Any, Any]:
    """As much of a wish and a sitting as a scoreboard takes."""
    settings = SimpleNamespace(language=language, scoreboard="off", scoreboard_names=())
    sitting = SimpleNamespace(window=window, camera=SimpleNamespace(live=True), watch=watch)
    return SimpleNamespace(settings=settings, scorebook=folder / "book.sqlite"), sitting


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
    table, sitting = at_a_table(tmp_path, Watch(), window, "de")
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
    table, sitting = at_a_table(tmp_path, watch)
    moment: Any = SimpleNamespace(held=False)
    port, other = taken_port
    with ExitStack() as held:
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
        "firmware.cli.doctor.checkup.TableDoctor", lambda *_: SimpleNamespace(machine=lambda language: ("5.1 V",))
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


SIZES = ((800, 480), (1024, 600), (1280, 720), (1920, 1080))
PHOTOGRAPH_PX = 1700
"""How wide a telephone's picture of the screen is: no pixel of one lies on a pixel of the other."""
CAMERA = CameraPicture(bytes((96, 110, 118)) * (64 * 36), 64, 36)


@pytest.fixture
def window(request: pytest.FixtureRequest) -> Iterator[Window]:
    """A window of the size and theme that were asked for, over a match with a scoreboard."""
    size, theme = request.param
    pygame.display.init()
    opened = Window(pygame.display.set_mode(size), theme)
    opened.codes = Codes(lambda: ADDRESS, lambda: 1234)
    yield opened
    pygame.display.quit()


def read(surface: pygame.Surface) -> set[str]:
    """What is read off a blurred picture of the whole screen, a little turned, that does not keep to its pixels."""
    width, height = surface.get_size()
    rows = np.frombuffer(pygame.image.tobytes(surface, "RGB"), np.uint8).reshape(height, width, 3)
    grey = cv2.cvtColor(rows, cv2.COLOR_RGB2GRAY)
    share = PHOTOGRAPH_PX / width
    grey = cv2.resize(grey, None, fx=share, fy=share, interpolation=cv2.INTER_AREA if share < 1 else cv2.INTER_LINEAR)
    turn = cv2.getRotationMatrix2D((grey.shape[1] / 2, grey.shape[0] / 2), 3.0, 0.95)
    photograph = cv2.GaussianBlur(cv2.warpAffine(grey, turn, grey.shape[::-1]), (0, 0), 1.0)
    return {found.text for found in zxingcpp.read_barcodes(photograph)}


@pytest.mark.slow
@pytest.mark.parametrize(
    "window",
    [(size, theme) for size in SIZES for theme in (DEFAULT, CLEAR_LARGE)],
    indirect=True,
    ids=lambda wish: f"{wish[0][0]}x{wish[0][1]}-{wish[1].name}",
)
@pytest.mark.parametrize("arrangement", [Arrangement.TABLE, Arrangement.BOTH])
def test_the_play_and_the_page_are_read_off_the_whole_screen(window: Window, arrangement: Arrangement) -> None:
    window.arrangement = arrangement
    language = LANGUAGES[SIZES.index(window.surface.get_size())]
    view = present(replace(situations()["match_over"], language=language, mode="play"))
    for now_s in (0.0, 60.0):  # by then the victory was celebrated
        window.show(view, CAMERA if arrangement is Arrangement.BOTH else None, now_s)
    found = read(window.surface)
    assert f"{ADDRESS}match/1234" in found
    assert any(text.startswith(BG_STATS) for text in found)
