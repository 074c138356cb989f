"""Scorebooks that somebody made on purpose: told in seconds, in little memory, whatever stands in them."""

from __future__ import annotations

import sqlite3
import struct
import time
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path
from typing import Any

import pytest

from firmware.book.scorebook import book as book_module
from firmware.book.scorebook import file, salvage
from firmware.book.scorebook.book import open_scorebook
from firmware.book.scorebook.file import DamagedError, ScorebookError, connect
from firmware.book.scorebook.page_reader import rows
from firmware.book.scorebook.salvage import read_damaged
from firmware.book.scorebook.schema import event_sums, match_sum

PAGE = 4096
HEAD = b"SQLite format 3\x00" + struct.pack(">H", PAGE)
MATCH = (1, "Ana", "Ben", "play", 1, 1.0, "one")
OPENING = (1, 1, "match", '{"event":"match","rules":"ferti-classic"}', "{}", 1.0, 1.0)


def made(path: Path, events: Iterator[tuple[Any, ...]], match: tuple[Any, ...] = MATCH) -> Path:
    with open_scorebook(path):
        pass
    with closing(sqlite3.connect(path)) as connection, connection:
        connection.execute("INSERT INTO matches VALUES (?, ?, ?, ?, ?, ?, ?)", match)
        connection.executemany("INSERT INTO events VALUES (?, ?, ?, ?, ?, ?, ?, ?)", events)
    return path


def turns(count: int) -> Iterator[tuple[Any, ...]]:
    yield OPENING
    yield from ((1, seq, "round", '{"event":"round"}', "{}", 1.0, 1.0) for seq in range(2, count + 1))


def test_a_file_whose_every_page_seems_full_of_rows_is_soon_gone_through() -> None:
    began_s = time.process_time()
    assert not list(rows(b"{}\n" * 1_000_000))
    assert time.process_time() - began_s < 1.0  # 0.02 s here; every pointer followed, 4


@pytest.mark.slow
def test_chains_that_lead_round_in_circles_are_followed_for_so_long_only() -> None:
    cell = b"\xbf\xff\x70\x01"  # a row of a megabyte, the first of its table
    content = bytearray(HEAD.ljust(PAGE, b"\0"))
    for number in range(2, 200):
        pointers = struct.pack(">80H", *range(400, 400 + 80))
        page = bytearray(struct.pack(">BHHHB", 0x0D, 0, 80, 400, 0) + pointers)
        page += b"\0" * (400 - len(page)) + cell * ((PAGE - 400) // len(cell))
        page[:4] = struct.pack(">BHB", 0x0D, 0, 0)  # its first bytes are no page's number
        content += page[:PAGE]
        struct.pack_into(">I", content, len(content) - 4, number)
    began_s = time.process_time()
    assert all(len(row) < 10 for row in rows(bytes(content)))
    assert time.process_time() - began_s < 5.0


def test_a_page_of_which_most_is_garbage_gives_what_is_not(tmp_path: Path) -> None:
    path = made(tmp_path / "book.sqlite", event_sums(match_sum(MATCH), turns(40)))
    content = bytearray(path.read_bytes())
    before = list(rows(bytes(content)))
    for start in range(0, len(content), PAGE):  # half of each page's rows, those nearest its end
        if content[start] in (0x0A, 0x0D):
            content[start + 3 * PAGE // 4 : start + PAGE] = b"\xff" * (PAGE // 4)
    found = list(rows(bytes(content)))
    assert 10 < len(found) < len(before)
    assert len(set(found) - set(before)) <= 2  # a row that was cut in two is a checksum's business


def test_more_rows_than_any_book_has_are_no_book(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    path = made(tmp_path / "book.sqlite", ((*row, 5) for row in turns(3000)))
    with closing(connect_damaged(path)):
        pass
    assert len(read_damaged(path).events[1]) == 3000
    monkeypatch.setattr(salvage, "MAX_ROWS", 2000)
    with pytest.raises(ScorebookError, match="larger than any can be"):
        read_damaged(path)


def connect_damaged(path: Path) -> sqlite3.Connection:
    with pytest.raises(DamagedError, match="event 1 of match 1 is not what was written"):
        connect(path)
    return sqlite3.connect(path)


def test_a_file_larger_than_any_book_is_not_gone_through(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    path = made(tmp_path / "book.sqlite", event_sums(match_sum(MATCH), turns(3000)))
    connect(path).close()
    monkeypatch.setattr(file, "MAX_FILE_BYTES", 100_000)
    with pytest.raises(ScorebookError, match=r"book.sqlite has \d MB, more than any can have; name another"):
        connect(path)


def test_a_match_longer_than_any_is_judged_so_far_and_the_rest_told(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.setattr(book_module, "MAX_EVENTS", 10)

    def undone() -> Iterator[tuple[Any, ...]]:
        yield OPENING
        for seq in range(2, 30):
            name = "undo" if seq % 2 else "round"
            yield (1, seq, name, f'{{"event":"{name}"}}', '{"ok":true}', 1.0, 1.0)

    path = made(tmp_path / "book.sqlite", event_sums(match_sum(MATCH), undone()))
    with open_scorebook(path) as book:
        played = book.replay(1)
    assert len(played.rows) == 10
    assert played.problem == "match 1, event 11: no match has so many"
