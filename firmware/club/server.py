"""What the hall answers browsers in the same building: the wall, a page for each fencer's phone, results. Read-only."""

from __future__ import annotations

import json
from collections.abc import Callable
from functools import cache
from http import HTTPStatus
from pathlib import Path
from typing import Final
from urllib.parse import unquote

from display.i18n import LANGUAGES, words
from firmware.club.hall import Hall
from firmware.club.results import results_csv, results_html
from firmware.club.results_pdf import results_pdf
from firmware.io.files import csv_bytes
from firmware.web.requests import answer
from firmware.web.serving import LOOPBACK, SmallServer, Stream, page, page_file

DEFAULT_PORT: Final = 8766
_PAGES: Final = Path(__file__).with_name("pages")
_JSON: Final = {"Content-Type": "application/json"}
_TOPIC: Final = "club."


class WallServer(SmallServer):
    """Serves a hall's pages in a thread of its own until ``close``. ``url`` is where the wall is."""

    def __init__(self, hall: Hall, language: str, host: str = LOOPBACK, port: int = DEFAULT_PORT) -> None:
        """Port 0 takes any that is free. Raises WebError when the address cannot be had."""
        self._hall, self._language = hall, language
        self._results: dict[str, Callable[[], tuple[str, bytes]]] = {
            "/results.csv": lambda: ("text/csv; charset=utf-8", csv_bytes(results_csv(hall.evening.now))),
            "/results.pdf": lambda: ("application/pdf", results_pdf(hall.evening.now, language)),
        }
        what = {"name": "wall", "option": "--web"}
        super().__init__(self._answer, host, port, **what, usual=DEFAULT_PORT, language=lambda: language)

    @property
    def where(self) -> str:
        """What is to be found at which address, for whoever started it."""
        return (
            f"The wall is at {self.url}, fencers' phones find theirs at {self.url}fencers, results are at "
            f"{self.url}results.html."
        )

    def _answer(self, path: str) -> bytes | Stream | None:
        if path in ("/", "/still"):  # the second as it is now, to be drawn once
            return _page("wall.html")
        if path == "/events":
            return Stream(self._hall.snapshot)
        if path == "/results.html":
            return None if self._hall.evening.now is None else page(self._html().encode())
        if path in self._results:
            return self._result(path)
        text = self._json(path)
        if text is not None:
            return answer(HTTPStatus.OK, text.encode(), _JSON)
        known = path == "/fencers" or unquote(path.removeprefix("/fencer/")) in self._hall.fencers
        return _page("fencer.html") if known else None

    def _html(self) -> str:
        return results_html(self._hall.evening.now, self._language)

    def _json(self, path: str) -> str | None:
        if path == "/wall.json":
            return self._hall.snapshot.now
        if path == "/words.json":
            return words_json(self._language)
        now = self._hall.evening.now
        if path == "/fencers.json":
            there = [] if now is None else [{"id": each.id, "name": each.name} for each in now.fencers.values()]
            return json.dumps({"competition": None if now is None else now.name, "fencers": there}, ensure_ascii=False)
        if path.startswith("/fencer/") and path.endswith(".json"):
            return self._hall.fencers.get(unquote(path[len("/fencer/") : -len(".json")]))
        return None

    def _result(self, path: str) -> bytes | None:
        if self._hall.evening.now is None:
            return None
        kind, content = self._results[path]()
        return answer(HTTPStatus.OK, content, {"Content-Type": kind})


@cache
def words_json(language: str) -> str:
    """What the pages say, in every language; ``language`` is the wall's."""
    all_words = {
        each: {
            key.removeprefix(_TOPIC): entry.other
            for key, entry in words(each).entries.items()
            if key.startswith(_TOPIC)
        }
        for each in LANGUAGES
    }
    return json.dumps({"language": language, "words": all_words}, ensure_ascii=False)


@cache
def _page(name: str) -> bytes:
    return page(page_file(_PAGES / name))
