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
from http import HTTPStatus
from pathlib import Path
from typing import Final

from display.i18n import words
from display.page.page import notice_page
from firmware.book.scorebook.book import mark_of
from firmware.core.io.libraries import yielding
from firmware.web.page_maker import NOT_OVER
from firmware.web.requests import WebRequest
from firmware.web.serving import page

MATCHES: Final = "/match/*"
_NUMBER: Final = re.compile(r"[1-9][0-9]{0,8}")
"""A match's number in the scorebook, below a thousand million."""
WAIT_S: Final = 20.0
"""How long a visitor waits for a page; after that, a page that says it is being made, and reloads itself."""
AGAIN_S: Final = 5
MAX_MAKING_S: Final = 600.0
"""A Raspberry Pi needs a tenth of it for the longest evening."""
MAX_KEPT: Final = 8
"""Pages in memory, of some hundred kilobytes each: those of an evening."""
MAX_WANTED: Final = 4
"""Pages that are waited for at once; who asks for one more is told to come again."""
NOT_OVER_S: Final = 3.0
"""A match that was not over is not looked up again sooner, however often somebody asks."""

_Asked = tuple[int, str]


class MatchPages:
    """Answers for ``/match/N``, in a server's own thread. ``language`` gives that of the screen."""

    def __init__(self, book: Path, language: Callable[[], str]) -> None:
        self._book, self._language = book, language
        self._one_by_one = asyncio.Lock()
        self._making: dict[_Asked, asyncio.Task[None]] = {}
        self._kept: OrderedDict[_Asked, tuple[str, bytes]] = OrderedDict()  # each with its match's mark
        self._not_over: dict[int, float] = {}

    async def answer(self, asked: WebRequest) -> bytes:
        """The page of the match whose number ends the path, or a sentence that says why there is none."""
        language, found = self._language(), _NUMBER.fullmatch(asked.path.rpartition("/")[2])
        try:
            mark = await asyncio.to_thread(mark_of, self._book, int(found[0])) if found is not None else ""
        except sqlite3.Error:
            return _sentence(HTTPStatus.SERVICE_UNAVAILABLE, language, "served.later", again=True)
        if found is None or not mark:
            return _sentence(HTTPStatus.NOT_FOUND, language, "served.unknown")
        return await self._answer((int(found[0]), language), mark)

    async def _answer(self, asked: _Asked, mark: str) -> bytes:
        number, language = asked
        loop = asyncio.get_running_loop()
        until_s = loop.time() + WAIT_S
        while (kept := self._kept.get(asked)) is None or kept[0] != mark:
            if loop.time() < self._not_over.get(number, 0.0):
                return _sentence(HTTPStatus.NOT_FOUND, language, "served.not_over")
            if asked not in self._making and len(self._making) < MAX_WANTED:
                self._making[asked] = loop.create_task(self._make(asked, mark))
                self._making[asked].add_done_callback(lambda made: made.cancelled() or made.exception())
                self._making[asked].add_done_callback(lambda _: self._making.pop(asked))
            done = asked in self._making and await asyncio.wait([self._making[asked]], timeout=until_s - loop.time())
            if not done or not done[0]:
                return _sentence(HTTPStatus.SERVICE_UNAVAILABLE, language, "served.later", again=True)
            done[0].pop().result()  # raises where it could not be made
        self._kept.move_to_end(asked)
        return kept[1]

    async def _make(self, asked: _Asked, mark: str) -> None:
        """Raises OSError, TimeoutError and CalledProcessError where it cannot be made."""
        number, language = asked
        command, quiet = yielding("firmware.web.page_maker", str(self._book), str(number), language), subprocess.DEVNULL
        async with self._one_by_one, asyncio.timeout(MAX_MAKING_S):
            process = await asyncio.create_subprocess_exec(*command, stdin=quiet, stdout=subprocess.PIPE, stderr=quiet)
            try:
                content, _ = await process.communicate()
            finally:
                if process.returncode is None:
                    process.kill()
                    await process.wait()
        if process.returncode == NOT_OVER:
            self._not_over = {number: asyncio.get_running_loop().time() + NOT_OVER_S}
        elif process.returncode:
            raise subprocess.CalledProcessError(process.returncode, command)
        else:
            self._kept[asked] = mark, page(content)
            if len(self._kept) > MAX_KEPT:
                self._kept.popitem(last=False)


def _sentence(status: HTTPStatus, language: str, key: str, *, again: bool = False) -> bytes:
    """A page of one sentence; ``again``: it asks anew by itself."""
    text = notice_page(language, words(language).say(key), AGAIN_S if again else None)
    more = {"Retry-After": str(AGAIN_S)} if again else {}
    return page(text.encode(), status, more)
