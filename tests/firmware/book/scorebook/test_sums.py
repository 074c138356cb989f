"""Every stored value has a checksum: a change is found and told, a copy mends it, older books get theirs."""

from __future__ import annotations

import random
import shutil
import sqlite3
from contextlib import closing
from pathlib import Path
from typing import Any

import pytest

from engine.rules.track import BySide
from firmware.book.scorebook.book import open_scorebook, read_scorebook
from firmware.book.scorebook.copies import back_up, restore
from firmware.book.scorebook.file import DamagedError, ScorebookError
from firmware.book.scorebook.schema import EVENT_COLUMNS, MATCH_COLUMNS, VERSION, first_changed
from firmware.cli.main import main
from tests.firmware.conftest import fill, whole_match

pytestmark = pytest.mark.slow

KEPT = Path(__file__).with_name("kept")
OLD = KEPT / "version-2.sqlite"
FLIPS = 120


@pytest.fixture(scope="module")
def whole(tmp_path_factory: pytest.TempPathFactory) -> bytes:
    path = tmp_path_factory.mktemp("summed") / "book.sqlite"
    with open_scorebook(path) as book:
        for seed in range(4):
            fill(book, BySide("Ána", f"Bo {seed}"), whole_match(seed))
    return path.read_bytes()


def values(path: Path) -> dict[str, list[Any]]:
    with closing(sqlite3.connect(path)) as connection:
        return {
            table: connection.execute(f"SELECT {columns} FROM {table} ORDER BY 1, 2").fetchall()
            for table, columns in (("matches", MATCH_COLUMNS), ("events", EVENT_COLUMNS))
        }


def test_no_flipped_bit_is_silent(whole: bytes, tmp_path: Path) -> None:
    (tmp_path / "whole.sqlite").write_bytes(whole)
    expected = values(tmp_path / "whole.sqlite")
    rng = random.Random(7)
    found = 0
    for number in range(FLIPS):
        bit = rng.randrange(8 * len(whole))
        path = tmp_path / f"{number}.sqlite"
        path.write_bytes(_flipped(whole, bit))
        try:
            book = read_scorebook(path)
            assert book is not None
            book.close()
            assert values(path) == expected, f"bit {bit} changed a value and nothing was said"
        except ScorebookError:
            found += 1
        path.unlink()
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
    path.write_bytes(_flipped(whole, 8 * (whole.rindex(near) + within) + bit))
    with pytest.raises(DamagedError, match="is damaged"):
        read_scorebook(path)
    with open_scorebook(path) as book:
        assert book.salvaged is not None
        assert (book.salvaged.mended, book.salvaged.changed) == (1, ())
        assert "Changed, and taken from a copy of the book: 1." in book.notice
    assert values(path) == expected


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
        assert len(book.matches()) == (3 if change == "DELETE FROM events WHERE match_id = 2" else 4)
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


def test_check_says_whole_only_of_what_is(whole: bytes, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = tmp_path / "book.sqlite"
    path.write_bytes(whole)
    with closing(sqlite3.connect(path, isolation_level=None)) as connection:
        connection.execute("UPDATE events SET ruling = '{}' WHERE match_id = 2 AND seq = 3")
    assert main(["book", "check", "--scorebook", str(path)]) == 0
    told = capsys.readouterr().out
    assert "Not what was written, and left as found: event 3 of match 2." in told
    assert main(["book", "check", "--scorebook", str(path)]) == 0
    assert capsys.readouterr().out.count("\n") == 1


@pytest.mark.parametrize(
    ("made", "named"),
    [
        ("CREATE TRIGGER evil AFTER INSERT ON events BEGIN DELETE FROM matches; END", "trigger evil"),
        ("CREATE VIEW more AS SELECT 1", "view more"),
        ("CREATE INDEX other ON events (kind)", "index other"),
        ("ALTER TABLE events ADD COLUMN more TEXT DEFAULT 'x'", "table events"),
        ("DROP INDEX matches_uid", "index matches_uid"),
    ],
)
def test_a_backup_that_is_not_made_as_a_book_is_is_refused(made: str, named: str, whole: bytes, tmp_path: Path) -> None:
    path, backup = tmp_path / "book.sqlite", tmp_path / "backup.sqlite"
    path.write_bytes(whole)
    backup.write_bytes(whole)
    with closing(sqlite3.connect(backup, isolation_level=None)) as connection:
        connection.execute(made)
    with pytest.raises(DamagedError, match=f"not as any scorebook has it: {named}"):
        restore(path, backup)
    assert path.read_bytes() == whole
