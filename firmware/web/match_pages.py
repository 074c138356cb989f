"""The pages of matches that are over, as ``engarde scores --html`` writes them, made when somebody asks for one.

A page takes seconds, for its rounds are reviewed: a program of its own makes it, which yields to the game, one page
at a time. Nothing is written to a disk.
"""

from __future__ import annotations

import asyncio
import re
import sqlite3
import subprocess
from collections import OrderedDict
from collections.abc import Callable
from concurrent.futures import Future, ThreadPoolExecutor
from contextlib import suppress
from http import HTTPStatus
from pathlib import Path
from typing import Final

from display.i18n import words
from display.page.notice import notice_page
from firmware.io.aside import yielding
from firmware.scorebook.glance import mark_of
from firmware.web.page_maker import NOT_OVER
from firmware.web.requests import WebRequest
from firmware.web.serving import page

MATCHES: Final = "/match/*"
_NUMBER: Final = re.compile(r"[1-9][0-9]{0,8}")
"""What the scorebook counts matches by; nobody plays a thousand million."""
WAIT_S: Final = 20.0
"""Whoever asks waits so long for a page; then he is told that it is being made, and asks anew by himself."""
AGAIN_S: Final = 5
MOST_MAKING_S: Final = 600.0
"""A Raspberry Pi needs a tenth of it for the longest evening."""
MOST_KEPT: Final = 8
"""Pages in memory, of some hundred kilobytes each: those of an evening."""
MOST_WANTED: Final = 4
"""Pages that are waited for at once; who asks for one more is told to come again."""
NOT_OVER_S: Final = 3.0
"""A match that was not over is not looked up again sooner, however often somebody asks."""
_LOOKED_EVERY_S: Final = 0.1

Made = tuple[str, bytes | None]
"""What came of making a page: of which mark, and its content; None where the match is not over."""
_Asked = tuple[int, str]


def address_of(number: int) -> str:
    """Where the page of this match is, from the scoreboard's own address."""
    return f"match/{number}"


class MatchPages:
    """Answers for ``/match/N`` until ``close``. ``language`` gives that of the screen."""

    def __init__(self, book: Path, language: Callable[[], str]) -> None:
        self._book, self._language = book, language
        self._maker = ThreadPoolExecutor(1, "match page")
        self._wanted: dict[_Asked, Future[Made]] = {}
        self._kept: OrderedDict[_Asked, Made] = OrderedDict()
        self._not_over: dict[int, float] = {}
        self._process: subprocess.Popen[bytes] | None = None
        self._closed = False

    async def answer(self, asked: WebRequest) -> bytes:
        """The page of the match whose number ends the path, or a sentence that says why there is none."""
        language, number = self._language(), asked.path.rpartition("/")[2]
        found = _NUMBER.fullmatch(number)
        try:
            mark = await asyncio.to_thread(mark_of, self._book, int(found[0])) if found is not None else ""
        except sqlite3.Error:
            return _sentence(HTTPStatus.SERVICE_UNAVAILABLE, language, "served.later", again=True)
        if found is None or not mark:
            return _sentence(HTTPStatus.NOT_FOUND, language, "served.unknown")
        return await self._answer((int(found[0]), language), mark)

    async def _answer(self, asked: _Asked, mark: str) -> bytes:
        number, language = asked
        now_s, began_s = asyncio.get_running_loop().time, asyncio.get_running_loop().time()
        if began_s < self._not_over.get(number, 0.0):
            return _sentence(HTTPStatus.NOT_FOUND, language, "served.not_over")
        while (kept := self._kept.get(asked)) is None or kept[0] != mark:
            making = self._begun(asked, mark)
            while making is not None and not making.done() and now_s() - began_s < WAIT_S:
                await asyncio.sleep(_LOOKED_EVERY_S)
            if making is None or not making.done():
                return _sentence(HTTPStatus.SERVICE_UNAVAILABLE, language, "served.later", again=True)
            self._wanted.pop(asked, None)
            made_of, content = making.result()  # else whoever asked is told that it cannot be made
            if content is None:
                self._not_over = {number: now_s() + NOT_OVER_S}
                return _sentence(HTTPStatus.NOT_FOUND, language, "served.not_over")
            self._keep(asked, (made_of, content))
        self._kept.move_to_end(asked)
        assert kept[1] is not None
        return page(kept[1])

    def _begun(self, asked: _Asked, mark: str) -> Future[Made] | None:
        """The page as it is being made now, begun where nobody else asked for it; None where too many are."""
        if asked not in self._wanted:
            if len(self._wanted) >= MOST_WANTED:
                self._wanted = {each: making for each, making in self._wanted.items() if not making.done()}
            if len(self._wanted) >= MOST_WANTED:
                return None
            self._wanted[asked] = self._maker.submit(self._make, asked, mark)
        return self._wanted[asked]

    def _keep(self, asked: _Asked, made: Made) -> None:
        self._kept[asked] = made
        while len(self._kept) > MOST_KEPT:
            self._kept.popitem(last=False)

    def _make(self, asked: _Asked, mark: str) -> Made:
        """In the maker's thread. Raises OSError, TimeoutExpired and CalledProcessError where it cannot be made."""
        number, language = asked
        command = yielding("firmware.web.page_maker", str(self._book), str(number), language)
        quiet = subprocess.DEVNULL
        with subprocess.Popen(command, stdin=quiet, stdout=subprocess.PIPE, stderr=quiet) as process:
            self._process = process
            try:
                if self._closed:
                    process.kill()
                content, _ = process.communicate(timeout=MOST_MAKING_S)
            finally:
                process.kill()
                self._process = None
        if process.returncode not in (0, NOT_OVER):
            raise subprocess.CalledProcessError(process.returncode, command)
        return mark, content if process.returncode == 0 else None

    def close(self) -> None:
        """Let go of what is being made."""
        self._closed = True
        self._maker.shutdown(wait=False, cancel_futures=True)
        if (process := self._process) is not None:
            with suppress(OSError):
                process.kill()


def _sentence(status: HTTPStatus, language: str, key: str, *, again: bool = False) -> bytes:
    """A page of one sentence; ``again``: it asks anew by itself."""
    text = notice_page(language, words(language).say(key), AGAIN_S if again else None)
    more = {"Retry-After": str(AGAIN_S)} if again else {}
    return page(text.encode(), status, more)
