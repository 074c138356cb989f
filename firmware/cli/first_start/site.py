"""Serves the page of the first start; all but the page itself is for those who have read the code off the screen."""

from __future__ import annotations

import json
from http import HTTPStatus
from pathlib import Path
from typing import Final

from firmware.cli.first_start.answers import FirstStart
from firmware.web.ports import Port
from firmware.web.requests import WebRequest, answer
from firmware.web.serving import Reply, Route, SmallServer, asked_json, json_answer, page, page_file

PAGE: Final = Path(__file__).with_name("pages") / "setup.html"


class Site(SmallServer):
    """The page, until closed. The login's code stands in its address behind the ``#``."""

    def __init__(
        self, first: FirstStart, host: str = "0.0.0.0", port: int = Port.SETUP, code: str = "", path: Path = PAGE
    ) -> None:
        """Port 0 takes any that is free, an empty ``code`` a new one. Raises WebError when the address cannot be
        had."""
        self._first = first
        shown = page(page_file(path), images="'self' blob:", framed="'none'")
        routes = {
            "/": Route(lambda asked: shown),
            "/state.json": Route(self._state, login=True),
            "/picture.jpg": Route(self._picture, login=True),
            "/do": Route(self._do, changes=True),
        }
        super().__init__(
            routes, host, port, usual=Port.SETUP, option="--port", language=lambda: first.language, code=code
        )

    async def _state(self, asked: WebRequest) -> Reply:
        return json_answer(json.dumps(await self.aside(self._first.state), ensure_ascii=False))

    async def _picture(self, asked: WebRequest) -> Reply:
        picture = await self.aside(self._first.picture)
        if picture is None:
            return answer(HTTPStatus.SERVICE_UNAVAILABLE)
        return answer(HTTPStatus.OK, picture, {"Content-Type": "image/jpeg"})

    async def _do(self, asked: WebRequest) -> Reply:
        wish = asked_json(asked)
        return json_answer(json.dumps(await self.aside(lambda: self._first.do(wish)), ensure_ascii=False))
