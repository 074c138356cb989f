"""Serves the scoreboard: two pages, the public view sent to them whenever it changes, and matches that are over.

Read-only.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable
from functools import cache
from pathlib import Path
from typing import Final

from display.i18n import LANGUAGES, words
from display.page.svg import symbols
from display.view import Pose, ViewModel
from display.words.review import share_text
from engine.record.course import Course
from engine.rules.state import Phase
from engine.rules.track import BySide, Side
from firmware.table.loop.moment import Moment
from firmware.table.loop.watched import Part
from firmware.web.address import LOOPBACK, Port, address_of
from firmware.web.match_pages import MATCHES, MatchPages
from firmware.web.public import Turns, last_turns, public
from firmware.web.serving import Changing, Route, SmallServer, json_answer, page, page_file

_PAGES: Final = Path(__file__).with_name("pages")
_ADDRESSES: Final = {"/": "scoreboard.html", "/overlay": "overlay.html"}


class Scoreboard(Changing):
    """The public view as JSON, and the streams that wait for its changes. ``attend`` may be called from another thread.

    ``language`` is the screen's, once it is known.
    """

    part: Final = Part.PORT

    def __init__(self, number: Callable[[], int | None] = lambda: None, language: str = LANGUAGES[0]) -> None:
        """``number`` gives that of the match in the scorebook, None where it is in none that is served."""
        super().__init__()
        self.language = language
        self._number = number
        self._told: tuple[Course | None, str, BySide[str]] | None = None
        self._turns: Turns = ()

    def attend(self, moment: Moment) -> None:
        course, language = moment.desk.course, moment.match.language
        self.language = language
        if self._told is None or self._told[0] is not course or self._told[1:] != (language, moment.match.match.names):
            self._told = course, language, moment.match.match.names
            self._turns = last_turns(course, moment.match)
        told = {**public(moment.match, self._turns), **self._page(moment.match)}
        self.put(json.dumps(told, ensure_ascii=False))

    def _page(self, view: ViewModel) -> dict[str, dict[str, str]]:
        """Path and link text of the page of a match that is over."""
        number = self._number() if view.phase is Phase.MATCH_OVER else None
        if number is None:
            return {}
        return {"page": {"address": address_of(number), "text": share_text(words(view.language), "match")}}


class WebServer(SmallServer):
    """Serves a scoreboard in a thread of its own until ``close``. ``url`` is where, at ``port``."""

    def __init__(
        self,
        scoreboard: Scoreboard,
        host: str = LOOPBACK,
        port: int = Port.SCOREBOARD,
        book: Path | None = None,
        names: Iterable[str] = (),
    ) -> None:
        """Port 0 takes any that is free; ``book``: the scorebook whose matches have pages here, None for none;
        ``names``: what it answers to besides this machine's own names.

        Raises WebError when the address cannot be had.
        """
        self._scoreboard = scoreboard
        routes = {
            **{path: Route(lambda asked: _page(asked.path)) for path in _ADDRESSES},
            "/events": Route(lambda asked: scoreboard),
            "/state.json": Route(lambda asked: json_answer(scoreboard.now)),
        }
        if book is not None:
            routes[MATCHES] = Route(MatchPages(book, self._language_now).answer)
        super().__init__(routes, host, port, usual=Port.SCOREBOARD, names=names, language=self._language_now)

    def _language_now(self) -> str:
        return self._scoreboard.language


@cache
def _page(path: str) -> bytes:
    """The scoreboard for a phone or a television, or the strip for a stream; fencers as on the screen."""
    figures = symbols(frozenset((side, pose) for side in Side for pose in Pose)).encode()
    return page(page_file(_PAGES / _ADDRESSES[path]).replace(b"<!--figures-->", figures))
