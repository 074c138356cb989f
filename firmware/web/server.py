"""Serves the scoreboard: two pages, and the public view sent to them whenever it changes. Read-only."""

from __future__ import annotations

import json
from functools import cache
from http import HTTPStatus
from pathlib import Path
from typing import Final

from display.draw.theme import DEFAULT
from display.page.figures import symbols
from display.view import Pose
from engine.record.course import Course
from engine.rules.track import BySide, Side
from firmware.loop.moment import Moment
from firmware.web.public import PublicTurn, last_turns, public
from firmware.web.requests import answer
from firmware.web.serving import LOOPBACK, Changing, SmallServer, Stream, page

DEFAULT_PORT: Final = 8765
_PAGES: Final = Path(__file__).with_name("pages")
_ADDRESSES: Final = {"/": "scoreboard.html", "/overlay": "overlay.html"}
_JSON: Final = {"Content-Type": "application/json"}


class Scoreboard(Changing):
    """What is shown now, and whoever waits for what comes next. ``attend`` may be called from another thread."""

    def __init__(self) -> None:
        super().__init__()
        self._told: tuple[Course | None, str, BySide[str]] | None = None
        self._turns: tuple[PublicTurn, ...] = ()

    def attend(self, moment: Moment) -> None:
        """Send what changed with this moment, if anything did."""
        course, language = moment.desk.course, moment.match.language
        if self._told is None or self._told[0] is not course or self._told[1:] != (language, moment.match.names):
            self._told = course, language, moment.match.names
            self._turns = last_turns(course, moment.match)
        self.put(json.dumps(public(moment.match, self._turns), ensure_ascii=False))


class WebServer(SmallServer):
    """Serves a scoreboard in a thread of its own until ``close``. ``url`` is where, at ``port``."""

    def __init__(self, scoreboard: Scoreboard, host: str = LOOPBACK, port: int = DEFAULT_PORT) -> None:
        """Port 0 takes any that is free. Raises WebError when the address cannot be had."""
        self._scoreboard = scoreboard
        super().__init__(self._answer, host, port, name="scoreboard", option="--web", usual=DEFAULT_PORT)

    def _answer(self, path: str) -> bytes | Stream | None:
        if path in _ADDRESSES:
            return _page(path)
        if path == "/events":
            return Stream(self._scoreboard)
        return answer(HTTPStatus.OK, self._scoreboard.now.encode(), _JSON) if path == "/state.json" else None


@cache
def _page(path: str) -> bytes:
    """The scoreboard for a phone or a television, or the strip for a stream; fencers as on the screen."""
    figures = symbols(DEFAULT, frozenset((side, pose) for side in Side for pose in Pose)).encode()
    return page((_PAGES / _ADDRESSES[path]).read_bytes().replace(b"<!--figures-->", figures))
