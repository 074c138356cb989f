"""The hall's web server for the building: the wall, a page for each fencer's phone, results. Read-only."""

from __future__ import annotations

import asyncio
import json
from collections.abc import Callable, Iterable, Mapping
from functools import cache
from http import HTTPStatus
from pathlib import Path
from types import MappingProxyType
from typing import Final
from urllib.parse import unquote

from display.i18n import LANGUAGES, words
from engine.competition.competition import Competition
from firmware.core.io.spreadsheet import csv_bytes
from firmware.extras.club.hall import Hall
from firmware.extras.club.results import results_csv, results_html, results_pdf
from firmware.web.address import LOOPBACK, Port
from firmware.web.requests import WebRequest, answer
from firmware.web.serving import Route, SmallServer, json_answer, page, page_file

_PAGES: Final = Path(__file__).with_name("pages")
_RESULTS: Final[Mapping[str, Callable[[Competition, str], bytes]]] = MappingProxyType(
    {
        "/results.html": lambda now, language: page(results_html(now, language).encode()),
        "/results.csv": lambda now, _: _file("text/csv; charset=utf-8", csv_bytes(results_csv(now))),
        "/results.pdf": lambda now, language: _file("application/pdf", results_pdf(now, language)),
    }
)


class WallServer(SmallServer):
    """Serves a hall's pages in a thread of its own until ``close``. ``url`` is where the wall is."""

    def __init__(
        self, hall: Hall, language: str, host: str = LOOPBACK, port: int = Port.WALL, names: Iterable[str] = ()
    ) -> None:
        """Port 0 takes any that is free; ``names``: others that it answers to. Raises WebError without the address."""
        self._hall, self._language = hall, language
        self._one_by_one = asyncio.Lock()
        self._made: dict[str, tuple[Competition, bytes]] = {}
        routes = {
            "/": Route(lambda asked: _page("wall.html")),
            "/still": Route(lambda asked: _page("wall.html")),  # the wall as it is now, to be drawn once
            "/events": Route(lambda asked: hall.snapshot),
            "/wall.json": Route(lambda asked: json_answer(hall.snapshot.now)),
            "/words.json": Route(lambda asked: json_answer(words_json(language))),
            "/fencers": Route(lambda asked: _page("fencer.html")),
            "/fencers.json": Route(lambda asked: json_answer(self._fencers())),
            "/fencer/*": Route(lambda asked: None if self._fencer(asked.path) is None else _page("fencer.html")),
            "/fencer/*.json": Route(lambda asked: json_answer(self._fencer(asked.path.removesuffix(".json")))),
            **dict.fromkeys(_RESULTS, Route(self._result)),
        }
        super().__init__(routes, host, port, usual=Port.WALL, names=names, language=lambda: language)

    @property
    def where(self) -> str:
        """A sentence with the addresses of its pages."""
        return (
            f"The wall is at {self.url}, fencers' phones find theirs at {self.url}fencers, results are at "
            f"{self.url}results.html."
        )

    def _fencers(self) -> str:
        now = self._hall.evening.now
        there = [] if now is None else [{"id": each.id, "name": each.name} for each in now.fencers.values()]
        return json.dumps({"competition": None if now is None else now.name, "fencers": there}, ensure_ascii=False)

    def _fencer(self, path: str) -> str | None:
        return self._hall.fencers.get(unquote(path.removeprefix("/fencer/")))

    async def _result(self, asked: WebRequest) -> bytes | None:
        """Made once for each state of the evening, one after the other: a PDF takes seconds of a Raspberry Pi."""
        async with self._one_by_one:
            now, make = self._hall.evening.now, _RESULTS[asked.path]
            if now is None:
                return None
            before, content = self._made.get(asked.path, (None, b""))
            if before is not now:
                content = await self.aside(lambda: make(now, self._language))
                self._made[asked.path] = now, content
            return content


@cache
def words_json(language: str) -> str:
    """The pages' words in every language; ``language`` is the wall's."""
    all_words = {each: words(each).topic("club") for each in LANGUAGES}
    return json.dumps({"language": language, "words": all_words}, ensure_ascii=False)


@cache
def _page(name: str) -> bytes:
    return page(page_file(_PAGES / name))


def _file(kind: str, content: bytes) -> bytes:
    return answer(HTTPStatus.OK, content, {"Content-Type": kind})
