"""The scoreboard of a sitting: the codes on its screen and the link on its page lead to the match that was written."""

from __future__ import annotations

import json
from collections.abc import Callable
from contextlib import ExitStack
from dataclasses import replace
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest

from display.words.present import present
from display.workshop.showcase import situations
from engine.rules.events import Event
from engine.rules.track import BySide
from firmware.scorebook.book import open_scorebook
from firmware.sitting.board import open_scoreboard
from firmware.web.switched import SwitchedScoreboard
from vision.printed.qr import qr_rows

ADDRESS = "http://192.168.4.1:8765/"


@pytest.mark.parametrize("written", [True, False])
def test_the_codes_lead_to_the_match_that_was_written_down(
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    bot_match: Callable[..., tuple[Event, ...]],
    keep: Any,
    written: bool,
) -> None:
    monkeypatch.setattr(SwitchedScoreboard, "reachable", ADDRESS)
    window = SimpleNamespace(codes=None)
    sitting: Any = SimpleNamespace(window=window, camera=SimpleNamespace(live=True))
    settings = SimpleNamespace(language="de", scoreboard="off", scoreboard_names=())
    table = SimpleNamespace(settings=settings, scorebook=tmp_path / "book.sqlite")
    wish: Any = SimpleNamespace(web=("127.0.0.1", 0), table=table)
    with ExitStack() as held:
        book = held.enter_context(open_scorebook(table.scorebook))
        keep(book.begin(BySide("Ana", "Bo"), mode="play"), bot_match(1, points=1))
        keep(book.begin(BySide("Ana", "Bo"), mode="play"), bot_match(2, points=1))
        board = open_scoreboard(wish, sitting, book if written else None, held, lambda said: None)
        assert board is not None
        assert board.url
        over = present(replace(situations()["match_over"], mode="play"))
        code, _ = window.codes(over)
        assert code.rows == qr_rows(f"{ADDRESS}match/2" if written else ADDRESS)
        board._board.attend(SimpleNamespace(match=over, desk=SimpleNamespace(course=None)))  # type: ignore[arg-type]
        page = json.loads(board._board.now).get("page")
        assert (page and page["address"]) == ("match/2" if written else None)
    assert not board.url, "closed with the match"
