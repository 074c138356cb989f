"""Damaged, changed and made-up scorebooks: set aside untouched, told in seconds, and nothing that was whole is lost.

Every stored value has a checksum: a change is found and told, a copy mends it, older books get theirs.
"""

from __future__ import annotations

import marshal
import random
import shutil
import sqlite3
import struct
import time
from collections.abc import Callable, Iterator
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
from firmware.book.scorebook import book as book_module
from firmware.book.scorebook import file, salvage
from firmware.book.scorebook.book import Scorebook, open_scorebook, read_scorebook
from firmware.book.scorebook.copies import back_up, restore
from firmware.book.scorebook.file import DamagedError, ScorebookError, connect
from firmware.book.scorebook.page_reader import page_size, rows
from firmware.book.scorebook.salvage import Choice, Found, news_of, read_damaged
from firmware.book.scorebook.schema import EVENT_COLUMNS, MATCH_COLUMNS, VERSION, event_sums, first_changed, match_sum
from tests.firmware.conftest import fill, keep, whole_match

pytestmark = pytest.mark.slow

PAGE = 4096
MATCHES = 10
EVENTS = f"SELECT {EVENT_COLUMNS} FROM events"


@pytest.fixture(scope="module")
def whole(tmp_path_factory: pytest.TempPathFactory) -> bytes:
    """The bytes of a book of finished matches and one that goes on, some with names too long for a page."""
    path = tmp_path_factory.mktemp("whole") / "book.sqlite"
    with open_scorebook(path) as book:
        for seed in range(MATCHES - 1):
            names = BySide("Ána", "B" * 9000) if seed == 3 else BySide("Ána", f"Bo {seed}")
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
        row[:2]: row
        for each in read.events.values()
        for (packed,) in each.values()
        for row in (marshal.loads(packed)[0],)
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
    "two pages swapped": lambda whole: (_swapped(whole, *_pages_of(whole, 10)[2:4]), set()),
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


@pytest.mark.parametrize(
    ("made", "named"),
    [
        ("CREATE TRIGGER evil AFTER INSERT ON events BEGIN DELETE FROM events; END", "trigger evil"),
        ("CREATE VIEW evil AS SELECT * FROM events", "view evil"),
        ("CREATE TABLE evil (x TEXT)", "table evil"),
        ("CREATE INDEX evil ON events (kind)", "index evil"),
        ("ALTER TABLE matches ADD COLUMN evil TEXT", "table matches"),
        ("ALTER TABLE events ADD COLUMN evil TEXT DEFAULT 'x'", "table events"),
        ("DROP INDEX matches_uid", "index matches_uid"),
    ],
)
def test_what_is_not_made_as_a_book_is_is_neither_restored_nor_kept(
    made: str, named: str, whole: bytes, tmp_path: Path
) -> None:
    path, backup = tmp_path / "book.sqlite", tmp_path / "backup.sqlite"
    for each in (path, backup):
        each.write_bytes(whole)
        with closing(sqlite3.connect(each, isolation_level=None)) as connection:
            connection.execute(made)
    with pytest.raises(DamagedError, match=f"not as any scorebook has it: {named}"):
        read_scorebook(path)
    with pytest.raises(DamagedError, match=f"not as any scorebook has it: {named}"):
        restore(path, backup)
    with open_scorebook(path) as book:
        assert book.salvaged is not None
        names = {name for (name,) in book.connection.execute("SELECT name FROM sqlite_schema")}
        assert "evil" not in names
        assert "matches_uid" in names
        assert book.counts()[1] == len(all_events(whole, tmp_path))


KEPT = Path(__file__).with_name("kept")
OLD = KEPT / "version-2.sqlite"
FLIPS = 80


def values(path: Path) -> dict[str, list[Any]]:
    with closing(sqlite3.connect(path)) as connection:
        return {
            table: connection.execute(f"SELECT {columns} FROM {table} ORDER BY 1, 2").fetchall()
            for table, columns in (("matches", MATCH_COLUMNS), ("events", EVENT_COLUMNS))
        }


def test_no_flipped_bit_is_silent(whole: bytes, tmp_path: Path) -> None:
    path = tmp_path / "book.sqlite"
    path.write_bytes(whole)
    expected = values(path)
    rng = random.Random(7)
    found = 0
    for _ in range(FLIPS):
        bit = rng.randrange(8 * len(whole))
        path.write_bytes(_flipped(whole, bit))
        try:
            book = read_scorebook(path)
            assert book is not None
            book.close()
            assert values(path) == expected, f"bit {bit} changed a value and nothing was said"
        except ScorebookError:
            found += 1
    assert found > FLIPS // 3


def _flipped(content: bytes, bit: int) -> bytes:
    changed = bytearray(content)
    changed[bit // 8] ^= 1 << bit % 8
    return bytes(changed)


@pytest.mark.parametrize(
    ("near", "within"),
    [(b'"event": "turn"', 12), ("Ána".encode(), 1), (b"Bo 2", 3), (b'"action"', 4), (b"play", 0), (b'"ok": true', 7)],
)
@pytest.mark.parametrize("bit", [1, 7])
def test_one_flipped_bit_in_a_value_is_found_told_and_taken_from_a_copy(
    near: bytes, within: int, bit: int, whole: bytes, tmp_path: Path
) -> None:
    path = tmp_path / "book.sqlite"
    path.write_bytes(whole)
    expected = values(path)
    with open_scorebook(path, alone=True):
        pass  # as a table does, which keeps a copy
    broken = _flipped(whole, 8 * (whole.rindex(near) + within) + bit)
    path.write_bytes(broken)
    with pytest.raises(DamagedError, match="is damaged"):
        read_scorebook(path)
    with open_scorebook(path) as book:
        assert book.salvaged is not None
        assert (book.salvaged.mended, book.salvaged.changed) == (1, ())
        assert "Changed, and taken from a copy of the book: 1." in book.notice
        assert book.salvaged.aside.read_bytes() == broken
    assert values(path) == expected
    with open_scorebook(path) as book:
        assert book.salvaged is None


@pytest.mark.parametrize(
    ("change", "place"),
    [
        ("UPDATE events SET ruling = '{}' WHERE match_id = 2 AND seq = 3", "event 3 of match 2"),
        ("UPDATE events SET t_s = t_s + 1 WHERE match_id = 2 AND seq = 3", "event 3 of match 2"),
        (
            "UPDATE events SET event = replace(event, 'turn', x'00') WHERE match_id = 2 AND seq = 3",
            "event 3 of match 2",
        ),
        ("UPDATE events SET sum = 99 WHERE match_id = 2 AND seq = 3", "event 3 of match 2"),
        ("UPDATE matches SET black = 'Zoe' WHERE id = 3", "event 1 of match 3"),
        ("DELETE FROM events WHERE match_id = 2 AND seq = 3", "event 4 of match 2"),
        ("DELETE FROM events WHERE match_id = 2", "match 2"),
        ("DELETE FROM matches WHERE id = 2", "match 2, which has no names,"),
    ],
)
def test_whatever_was_changed_is_named_and_stands_as_it_was_found(
    change: str, place: str, whole: bytes, tmp_path: Path
) -> None:
    path = tmp_path / "book.sqlite"
    path.write_bytes(whole)
    with closing(sqlite3.connect(path, isolation_level=None)) as connection:
        connection.execute(change)
        assert first_changed(connection) == place
    with pytest.raises(DamagedError, match=f"{place} is not what was written"):
        read_scorebook(path)
    with open_scorebook(path) as book:
        assert book.salvaged is not None
        assert len(book.matches()) == MATCHES - (change == "DELETE FROM events WHERE match_id = 2")
        assert first_changed(book.connection) == ""
    with open_scorebook(path) as book:
        assert book.salvaged is None


def test_what_was_changed_is_neither_backed_up_nor_restored_as_checked(whole: bytes, tmp_path: Path) -> None:
    path, stick = tmp_path / "book.sqlite", tmp_path / "stick"
    stick.mkdir()
    path.write_bytes(whole)
    copy = back_up(path, stick).path
    for each in (path, copy):
        with closing(sqlite3.connect(each, isolation_level=None)) as connection:
            connection.execute("UPDATE matches SET black = 'Zoe' WHERE id = 3")
    before = path.read_bytes()
    with pytest.raises(DamagedError, match="event 1 of match 3"):
        back_up(path, stick)
    with pytest.raises(DamagedError, match="event 1 of match 3"):
        restore(path, copy)
    assert path.read_bytes() == before
    assert sorted(each.name for each in stick.iterdir()) == [copy.name]


@pytest.mark.parametrize("version", [2, 3, 4])
def test_a_kept_book_of_before_is_read_and_brought_up_to_date(tmp_path: Path, version: int) -> None:
    path, old = tmp_path / "book.sqlite", tmp_path / "old.sqlite"
    shutil.copy(KEPT / f"version-{min(version, 3)}.sqlite", old)
    with closing(sqlite3.connect(old, isolation_level=None)) as connection:
        connection.execute(f"PRAGMA user_version = {version}")  # 4 allows one more mode than 3
    shutil.copy(old, path)
    before = values(path)
    assert [len(before[table]) for table in ("matches", "events")] == [3, 51]
    read = read_scorebook(path)
    assert read is not None
    with read:
        states = [played.state for played in read.replay_all()]
    assert path.read_bytes() == old.read_bytes(), "reading brings nothing up to date"
    with open_scorebook(path) as book:
        assert book.notice == ""
        assert [played.state for played in book.replay_all()] == states
        assert book.connection.execute("PRAGMA user_version").fetchone() == (VERSION,)
        assert first_changed(book.connection) == ""
    assert values(path) == before
    assert values(path.with_name(f"book.sqlite.version-{version}-1")) == before
    with closing(sqlite3.connect(path)) as connection:
        assert connection.execute("SELECT name, seq FROM sqlite_sequence").fetchall() == [("matches", 3)]


def test_a_changed_book_of_version_3_is_found_out_before_it_is_brought_up_to_date(tmp_path: Path) -> None:
    path = tmp_path / "book.sqlite"
    shutil.copy(KEPT / "version-3.sqlite", path)
    with closing(sqlite3.connect(path, isolation_level=None)) as connection:
        connection.execute("UPDATE events SET t_s = t_s + 1 WHERE match_id = 2 AND seq = 3")
    with open_scorebook(path) as book:
        assert book.salvaged is not None
        assert book.salvaged.matches == 3


def test_an_older_backup_is_restored_and_then_brought_up_to_date(tmp_path: Path) -> None:
    path = tmp_path / "book.sqlite"
    assert restore(path, OLD).matches == 3
    with open_scorebook(path) as book:
        assert len(book.matches()) == 3
        assert first_changed(book.connection) == ""


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
