"""Damaged scorebooks of many kinds: set aside untouched, and nothing that was whole is lost."""

from __future__ import annotations

import random
import sqlite3
import struct
from collections.abc import Callable
from contextlib import closing
from pathlib import Path
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from engine.rules.events import RoundEvent, YieldEvent
from engine.rules.state import Phase
from engine.rules.track import BySide
from engine.table.presses import NoteKind
from firmware.book.scorebook.book import Scorebook, open_scorebook, read_scorebook
from firmware.book.scorebook.file import DamagedError, ScorebookError, read_whole
from firmware.book.scorebook.found import Choice, Found, unpacked
from firmware.book.scorebook.page_reader import page_size, rows
from firmware.book.scorebook.salvage import news_of, read_damaged
from firmware.book.scorebook.sums import EVENT_COLUMNS
from tests.firmware.conftest import fill, keep, whole_match

pytestmark = pytest.mark.slow

PAGE = 4096
MATCHES = 16
EVENTS = f"SELECT {EVENT_COLUMNS} FROM events"


@pytest.fixture(scope="module")
def whole(tmp_path_factory: pytest.TempPathFactory) -> bytes:
    """The bytes of a book of finished matches and one that goes on, some with names too long for a page."""
    path = tmp_path_factory.mktemp("whole") / "book.sqlite"
    with open_scorebook(path) as book:
        for seed in range(MATCHES - 1):
            names = BySide("Ana", "B" * 9000) if seed == 3 else BySide("Ana", f"Bo {seed}")
            fill(book, names, whole_match(seed))
        fill(book, BySide("Cy", "Di"), whole_match(99)[:7])
    return path.read_bytes()


def all_events(content: bytes, folder: Path) -> dict[tuple[int, int], tuple[object, ...]]:
    """Every event as SQLite itself reads it."""
    path = folder / "asked.sqlite"
    path.write_bytes(content)
    connection = sqlite3.connect(path)
    found = {(row[0], row[1]): row for row in connection.execute(EVENTS)}
    connection.close()
    path.unlink()
    return found


def rows_on(content: bytes, damaged: set[int]) -> set[tuple[Any, Any]]:
    """The events that lie on these pages (from 0), read from the whole book."""
    lost = set()
    for number in damaged:
        alone = bytes(number * PAGE) + content[number * PAGE : (number + 1) * PAGE]
        lost |= {(row[0], row[1]) for row in rows(alone) if len(row) == 8}
    return lost


def test_every_row_is_read_from_the_bytes_alone(whole: bytes, tmp_path: Path) -> None:
    expected: dict[Any, Any] = {**all_events(whole, tmp_path)}
    assert len(expected) > 300
    found = {(row[0], row[1]): row[:7] for row in rows(whole) if len(row) == 8}
    assert {key: expected[key] for key in found} == found
    path = tmp_path / "book.sqlite"
    path.write_bytes(whole)
    read = read_damaged(path)
    assert {
        row[:2]: row for each in read.events.values() for (packed,) in each.values() for row in (unpacked(packed)[0],)
    } == expected
    assert sorted(read.matches) == list(range(1, MATCHES + 1))
    assert read.matches[4][0][2] == "B" * 9000, "a row that goes over several pages"


def _garbled(content: bytes, place: int, length: int) -> bytes:
    return content[:place] + random.Random(place).randbytes(length) + content[place + length :]


def _pages_of(content: bytes, kind: int) -> list[int]:
    return [number for number in range(1, len(content) // PAGE) if content[number * PAGE] == kind]


def _broken_index(content: bytes) -> bytes:
    """The index of names points into nowhere; every table is whole."""
    for number in _pages_of(content, 0x0A):
        page = content[number * PAGE : (number + 1) * PAGE]
        if any(len(row) == 2 for row in rows(bytes(PAGE) + page)):
            return _garbled(content, number * PAGE, 400)
    raise AssertionError("there is no index page")


def _swapped(content: bytes, one: int, other: int) -> bytes:
    pages = [content[place : place + PAGE] for place in range(0, len(content), PAGE)]
    pages[one], pages[other] = pages[other], pages[one]
    return b"".join(pages)


Damage = Callable[[bytes], tuple[bytes, set[int]]]
"""The broken bytes, and the pages whose rows may be lost."""

KINDS: dict[str, Damage] = {
    "header zeroed": lambda whole: (bytes(100) + whole[100:], set()),
    "header garbled": lambda whole: (_garbled(whole, 0, 100), set()),
    "first sector gone": lambda whole: (bytes(512) + whole[512:], set()),
    "schema garbled": lambda whole: (_garbled(whole, 100, 400), set()),
    "first page gone": lambda whole: (bytes(PAGE) + whole[PAGE:], set()),
    "a leaf garbled": lambda whole: (_garbled(whole, _pages_of(whole, 10)[3] * PAGE, PAGE), {_pages_of(whole, 10)[3]}),
    "a leaf zeroed": lambda whole: (
        whole[: _pages_of(whole, 10)[2] * PAGE] + bytes(PAGE) + whole[(_pages_of(whole, 10)[2] + 1) * PAGE :],
        {_pages_of(whole, 10)[2]},
    ),
    "the branches gone": lambda whole: (_garbled(whole, _pages_of(whole, 2)[0] * PAGE, PAGE), {_pages_of(whole, 2)[0]}),
    "cut in half": lambda whole: (whole[: len(whole) // 2], set(range(len(whole) // 2 // PAGE, len(whole) // PAGE))),
    "cut in a page": lambda whole: (whole[: 5 * PAGE + 700], set(range(5, len(whole) // PAGE))),
    "last page lost": lambda whole: (whole[:-PAGE], {len(whole) // PAGE - 1}),
    "an index broken": lambda whole: (_broken_index(whole), set()),
    "a bad sector": lambda whole: (_garbled(whole, 7 * PAGE + 512, 512), {7}),
    "two pages swapped": lambda whole: (
        _swapped(whole, *_pages_of(whole, 10)[2:4]),
        set(),
    ),
    "rubbish at the end": lambda whole: (
        whole[:-PAGE] + random.Random(3).randbytes(3 * PAGE),
        {len(whole) // PAGE - 1},
    ),
}


def assert_goes_on(book: Scorebook) -> None:
    """Whatever is in the book, its last match can be played on, or another begun."""
    unfinished = book.unfinished()
    if unfinished is None or unfinished.state is None:
        keep(book.begin(BySide("Ana", "Bo"), mode="play"), ())
        return
    journal = book.resume(unfinished)
    state = unfinished.state
    if state.phase in (Phase.SETUP, Phase.ROUND_OVER):
        keep(journal, (RoundEvent(),), state)
    elif state.to_act is not None:
        keep(journal, (YieldEvent(),), state)
    again = book.unfinished()
    assert again is None or again.problem == ""


@pytest.mark.parametrize("kind", KINDS)
def test_nothing_that_was_whole_is_lost(kind: str, whole: bytes, tmp_path: Path) -> None:
    expected = all_events(whole, tmp_path)
    broken, damaged = KINDS[kind](whole)
    assert broken != whole
    lost = rows_on(whole, damaged)
    assert len(lost) < len(expected)
    path = tmp_path / "book.sqlite"
    path.write_bytes(broken)
    with pytest.raises(ScorebookError, match="is damaged"):
        read_scorebook(path)
    assert path.read_bytes() == broken, "looking changes nothing"
    with open_scorebook(path) as book:
        assert book.salvaged is not None
        assert book.salvaged.aside.read_bytes() == broken, "the damaged file is kept as it was"
        assert book.salvaged.aside.name in book.notice
        there = {(row[0], row[1]): row for row in book.connection.execute(EVENTS)}
        sound = {key: row for key, row in expected.items() if key not in lost}
        whole_so_far = {key for key in sound if not any((key[0], seq) in lost for seq in range(1, key[1]))}
        assert there.keys() >= whole_so_far
        assert {key: row for key, row in there.items() if key not in lost}.items() <= sound.items(), "none comes to it"
        for played in book.replay_all():
            assert played.problem == "", "what is in the book can be judged; the rest lies in the damaged file"
            assert [row.seq for row in played.rows] == list(range(1, len(played.rows) + 1))
        assert book.salvaged.matches == len(book.matches())
        assert book.salvaged.events == len(there)
        assert_goes_on(book)


@pytest.mark.parametrize(
    "content",
    [b"not a database at all\n" * 400, bytes(20000), b"\x00", b"SQLite format 3\x00", b"SQLite format 3\x00" * 99],
    ids=["text", "zeros", "one byte", "sixteen bytes", "only headings"],
)
def test_what_never_was_a_book_is_kept_and_a_new_one_begun(content: bytes, tmp_path: Path) -> None:
    path = tmp_path / "book.sqlite"
    for number in (1, 2):
        path.write_bytes(content)
        with open_scorebook(path) as book:
            assert "nothing in it could be read" in book.notice
            assert book.salvaged is not None
            assert news_of(book.salvaged) == (NoteKind.BOOK_LOST, 0)
            assert book.matches() == ()
        assert path.with_name(f"book.sqlite.damaged-{number}").read_bytes() == content
    assert path.with_name("book.sqlite.damaged-1").read_bytes() == content


def test_a_transaction_that_was_cut_off_is_rolled_back_in_a_damaged_book_too(whole: bytes, tmp_path: Path) -> None:
    path = tmp_path / "book.sqlite"
    path.write_bytes(whole)
    writer = sqlite3.connect(path, isolation_level=None)
    writer.execute("PRAGMA cache_size = 1")
    writer.execute("BEGIN IMMEDIATE")
    writer.execute("UPDATE events SET ruling = ruling || ' '")  # spills onto the disk before it is committed
    journal = path.with_name("book.sqlite-journal").read_bytes()
    half = path.read_bytes()
    writer.close()
    assert half != whole
    leaf = _pages_of(whole, 10)[-1]
    broken = half[: leaf * PAGE] + bytes(PAGE) + half[(leaf + 1) * PAGE :]
    path.write_bytes(broken)
    path.with_name("book.sqlite-journal").write_bytes(journal)
    with open_scorebook(path) as book:
        assert not path.with_name("book.sqlite-journal").exists()
        there = {(row[0], row[1]): row for row in book.connection.execute(EVENTS)}
    expected = all_events(whole, tmp_path)
    assert all(row == expected[key] for key, row in there.items()), "no row of a transaction that never was"
    assert len(there) > len(expected) - 60


def test_what_lies_beside_a_damaged_book_is_kept_with_it(whole: bytes, tmp_path: Path) -> None:
    path = tmp_path / "book.sqlite"
    path.write_bytes(bytes(100) + whole[100:])
    path.with_name("book.sqlite-wal").write_bytes(b"a log of who knows what")
    with open_scorebook(path) as book:
        assert book.salvaged is not None
        assert book.salvaged.matches == MATCHES
        aside = book.salvaged.aside
    assert aside.with_name(f"{aside.name}-wal").read_bytes() == b"a log of who knows what"
    assert not path.with_name("book.sqlite-wal").exists()


def test_a_foreign_journal_does_no_harm(whole: bytes, tmp_path: Path) -> None:
    path = tmp_path / "book.sqlite"
    for end, content in (("-journal", b"somebody's notes"), ("-wal", random.Random(1).randbytes(5000))):
        path.write_bytes(whole)
        path.with_name(f"book.sqlite{end}").write_bytes(content)
        with open_scorebook(path) as book:
            assert book.notice == ""
            assert len(book.matches()) == MATCHES
        assert all_events(path.read_bytes(), tmp_path) == all_events(whole, tmp_path)


def test_a_rescue_that_was_cut_off_is_brought_to_its_end(whole: bytes, tmp_path: Path) -> None:
    path = tmp_path / "book.sqlite"
    path.with_name("book.sqlite.recovering").write_bytes(whole)
    with open_scorebook(path) as book:
        assert len(book.matches()) == MATCHES
    path.write_bytes(bytes(100) + whole[100:])
    path.with_name("book.sqlite.recovering").write_bytes(b"half a book")
    with open_scorebook(path) as book:
        assert len(book.matches()) == MATCHES
        assert book.salvaged is not None
        assert (book.salvaged.matches, book.salvaged.cut) == (MATCHES, 0)
        assert news_of(book.salvaged) == (NoteKind.BOOK_SALVAGED, MATCHES)


def kept_in(path: Path) -> dict[tuple[int, int], Any]:
    """The events of a book."""
    with closing(sqlite3.connect(path)) as tool:
        return {row[:2]: row for row in tool.execute(EVENTS)}


def test_a_rescued_book_can_be_damaged_and_rescued_again(whole: bytes, tmp_path: Path) -> None:
    path = tmp_path / "book.sqlite"
    leaf = _pages_of(whole, 10)[1]
    path.write_bytes(_garbled(whole, leaf * PAGE, PAGE))
    with open_scorebook(path) as book:
        uids = [match.uid for match in book.matches()]
    first = kept_in(path)
    path.write_bytes(bytes(100) + path.read_bytes()[100:])
    with open_scorebook(path) as book:
        assert [match.uid for match in book.matches()] == uids
    assert kept_in(path) == first


@settings(max_examples=60, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(st.data())
def test_no_bytes_ever_stop_the_reader(whole: bytes, data: st.DataObject) -> None:
    content = bytearray(whole[: data.draw(st.integers(0, len(whole)))])
    for _ in range(data.draw(st.integers(0, 20))):
        if content:
            content[data.draw(st.integers(0, len(content) - 1))] = data.draw(st.integers(0, 255))
    for row in rows(bytes(content)):
        assert isinstance(row, tuple)


def test_the_size_of_a_page_is_read_or_the_usual_one() -> None:
    heading = b"SQLite format 3\x00"
    assert page_size(heading + struct.pack(">H", 1024) + bytes(99)) == 1024
    assert page_size(heading + struct.pack(">H", 1) + bytes(99)) == 65536
    assert page_size(heading + struct.pack(">H", 1000) + bytes(99)) == 4096
    assert page_size(b"") == 4096


@pytest.mark.parametrize(
    "texts",
    [
        ("turn", "\udc80 rubbish", "7"),
        ("\x00z", '{"event": "yield"}', "\udc80"),
        ("\x00z", "[]", '{"ok": true}'),
        ("turn", "[1]", "7"),
    ],
)
def test_rubbish_in_the_shape_of_a_row_is_not_kept_as_one(texts: tuple[str, str, str]) -> None:
    found = Found()
    found.sort((2, 1, *texts, 84, -201050709))
    assert Choice(found).match(2).events == ()


def _flipped(content: bytes, near: bytes, within: int) -> bytes:
    at = content.rindex(near) + within
    return content[:at] + bytes([content[at] ^ 0x80]) + content[at + 1 :]


@pytest.mark.parametrize("near", [b'"action": "advance"', b'"event": "turn"', b"Bo 1", b"CREATE UNIQUE INDEX"])
def test_one_bit_that_makes_a_text_none_is_damage_like_any_other(near: bytes, whole: bytes, tmp_path: Path) -> None:
    path = tmp_path / "book.sqlite"
    path.write_bytes(_flipped(whole, near, 1))
    before = all_events(whole, tmp_path)
    with open_scorebook(path) as book:
        assert book.salvaged is not None
        matches, events = book.counts()
        assert events >= len(before) - 1
        assert matches == len({match for match, _ in before})
        assert book.salvaged.aside.read_bytes() == _flipped(whole, near, 1)
    with open_scorebook(path) as book:
        assert book.salvaged is None


@pytest.mark.parametrize(
    ("made", "named"),
    [
        ("CREATE TRIGGER evil AFTER INSERT ON events BEGIN DELETE FROM events; END", "trigger evil"),
        ("CREATE VIEW more AS SELECT * FROM events", "view more"),
        ("CREATE TABLE other (x TEXT)", "table other"),
        ("ALTER TABLE matches ADD COLUMN secret TEXT", "table matches"),
    ],
)
def test_what_no_scorebook_has_is_left_behind(made: str, named: str, whole: bytes, tmp_path: Path) -> None:
    path = tmp_path / "book.sqlite"
    path.write_bytes(whole)
    before = all_events(whole, tmp_path)
    with closing(sqlite3.connect(path, isolation_level=None)) as connection:
        connection.execute(made)
    with pytest.raises(DamagedError, match=named):
        read_whole(path)
    with open_scorebook(path) as book:
        assert book.salvaged is not None
        names = {name for (name,) in book.connection.execute("SELECT name FROM sqlite_schema")}
        assert not names & {"evil", "more", "other"}
        assert book.counts()[1] == len(before)
