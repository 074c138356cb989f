"""The matches of the book are read beside the game: nobody waits, and nothing that was known is forgotten."""

from __future__ import annotations

import threading
from pathlib import Path
from typing import Any

import pytest

from engine.rules.track import BySide, Side
from firmware.book.scorebook.book import Scorebook, open_scorebook
from firmware.book.scorebook.modes import AT_A_TABLE
from firmware.book.scores.players import house
from firmware.book.scores.summaries import read_summaries
from firmware.ui.menu import machine as module
from firmware.ui.menu.machine import Matches
from tests.firmware.conftest import BotMatch, Keep
from tests.waiting import HANG_S


class Slow:
    """Reads a book once it may, and counts how often."""

    def __init__(self) -> None:
        self.may = threading.Event()
        self.read = 0

    def __call__(self, book: Scorebook) -> Any:
        assert self.may.wait(HANG_S)
        self.read += 1
        return read_summaries(book)


@pytest.fixture
def slow(monkeypatch: pytest.MonkeyPatch) -> Slow:
    slow = Slow()
    monkeypatch.setattr(module, "read_summaries", slow)
    monkeypatch.setattr(module, "SOON_S", 0.0)
    return slow


def _done(matches: Matches) -> None:
    work = matches._work
    assert work is not None
    work.join(HANG_S)
    assert not matches.reading


def _another(book: Path, bot_match: BotMatch, keep: Keep, seed: int) -> None:
    with open_scorebook(book) as opened:
        keep(opened.begin(BySide("Ana", "Bo"), mode="play"), bot_match(seed, "ferti-advanced", 1, Side.WHITE))


def test_nobody_waits_for_a_book_and_what_was_known_stays(
    tmp_path: Path, slow: Slow, bot_match: BotMatch, keep: Keep
) -> None:
    book = tmp_path / "book.sqlite"
    _another(book, bot_match, keep, 1)
    matches = Matches(book, AT_A_TABLE)
    assert matches.known.summaries == ()
    assert matches.reading
    slow.may.set()
    _done(matches)
    first = matches.known
    assert [each.match.names.white for each in first.summaries] == ["Ana"]
    assert first.house == house(first.summaries, modes=AT_A_TABLE)
    assert matches.known is first
    assert slow.read == 1
    slow.may.clear()
    _another(book, bot_match, keep, 2)
    matches.look_again()
    assert matches.known is first
    matches.look_again()
    assert matches.known is first
    slow.may.set()
    _done(matches)
    assert len(matches.known.summaries) == 2  # asked again meanwhile: read once more
    _done(matches)
    assert slow.read == 3
    assert len(matches.known.summaries) == 2


def test_a_book_that_cannot_be_read_tells_nothing_new(
    tmp_path: Path, slow: Slow, bot_match: BotMatch, keep: Keep
) -> None:
    slow.may.set()
    book = tmp_path / "book.sqlite"
    matches = Matches(book, AT_A_TABLE)
    assert matches.known.summaries == ()
    _done(matches)
    _another(book, bot_match, keep, 1)
    slow.may.clear()
    matches.look_again()
    assert matches.known.house.players == ()
    slow.may.set()
    _done(matches)
    before = matches.known
    assert len(before.summaries) == 1
    book.write_bytes(b"no scorebook at all" * 100)
    matches.look_again()
    assert matches.known is before
    _done(matches)
    assert matches.known is before
