"""The scorebook's file: made, held by one program, brought up to date, and told from everything else."""

from __future__ import annotations

import json
import os
import shutil
import sqlite3
from contextlib import closing
from pathlib import Path

import pytest

from engine.record.corrections import Correction, Setting
from engine.record.course import CORRECTED
from engine.rules.cards import CARD_BY_NAME
from engine.rules.events import Event, MatchEvent, RoundEvent, TurnEvent, event_to_json
from engine.rules.track import BySide, Side
from firmware.book.scorebook.book import open_scorebook, read_scorebook
from firmware.book.scorebook.file import NotKeptError, ScorebookError
from firmware.book.scorebook.schema import seal
from tests.firmware.conftest import keep

NAMES = BySide("Ana", "Bo")
OPENING: tuple[Event, ...] = (MatchEvent("ferti-classic", Side.WHITE, 2), RoundEvent())
FIRST = TurnEvent((CARD_BY_NAME["1a"],), 2, 23)
SECOND = TurnEvent((CARD_BY_NAME["1b"],), 2, 22)


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / "data" / "book.sqlite"


def test_an_empty_file_becomes_a_book_and_that_is_said(path: Path) -> None:
    path.parent.mkdir()
    path.touch()
    assert read_scorebook(path) is None
    with open_scorebook(path) as book:
        assert "was an empty file" in book.notice
        keep(book.begin(NAMES, mode="play"), OPENING)
    with open_scorebook(path) as book:
        assert book.notice == ""


def test_a_book_that_a_program_was_killed_while_it_made_is_none(path: Path) -> None:
    path.parent.mkdir()
    made = path.with_name("made")
    with closing(sqlite3.connect(made, isolation_level=None)) as connection:
        connection.execute("PRAGMA cache_size = 1")  # pages are in the file before the transaction ends
        connection.execute("BEGIN")
        connection.execute("CREATE TABLE matches (content BLOB)")
        connection.execute("INSERT INTO matches VALUES (zeroblob(100000))")
        for end in ("", "-journal"):
            shutil.copy(f"{made}{end}", f"{path}{end}")
    assert path.stat().st_size
    assert read_scorebook(path) is None
    assert not path.stat().st_size


def test_one_program_at_a_time_referees_by_a_book(path: Path) -> None:
    with open_scorebook(path, alone=True) as book:
        keep(book.begin(NAMES, mode="play"), OPENING)
        with pytest.raises(ScorebookError, match=rf"in use by another program \(process {os.getpid()}\); end that one"):
            open_scorebook(path, alone=True)
        with open_scorebook(path) as other:
            assert len(other.matches()) == 1, "reading, and a demo's own match, are let be"
    with open_scorebook(path, alone=True) as book:
        assert len(book.matches()) == 1


def test_a_book_that_was_taken_away_is_not_written_into(path: Path) -> None:
    with open_scorebook(path) as book:
        journal = book.begin(NAMES, mode="play")
        state = keep(journal, OPENING)
        elsewhere = path.with_name("elsewhere")
        path.rename(elsewhere)
        with pytest.raises(NotKeptError, match="moved, replaced or taken away"):
            keep(journal, (FIRST,), state)
        elsewhere.rename(path)
        keep(journal, (FIRST,), state)
        assert len(book.replay(1).rows) == 3


V1 = """
CREATE TABLE matches (id INTEGER PRIMARY KEY AUTOINCREMENT, white TEXT NOT NULL, black TEXT NOT NULL,
  mode TEXT NOT NULL CHECK (mode IN ('demo', 'play')), seed INTEGER, wall_s REAL NOT NULL);
CREATE TABLE events (match_id INTEGER NOT NULL REFERENCES matches (id), seq INTEGER NOT NULL CHECK (seq >= 1),
  kind TEXT NOT NULL, event TEXT NOT NULL, ruling TEXT NOT NULL, t_s REAL NOT NULL, wall_s REAL NOT NULL,
  PRIMARY KEY (match_id, seq)) WITHOUT ROWID;
PRAGMA application_id = 1162757956;
PRAGMA user_version = 1;
"""


def _version_1(path: Path, *, matches: int = 3) -> bytes:
    path.parent.mkdir(exist_ok=True)
    connection = sqlite3.connect(path)
    connection.executescript(V1)
    for match_id in range(1, matches + 1):
        connection.execute("INSERT INTO matches VALUES (?, 'Ana', 'Bo', 'play', NULL, 1.5)", (match_id,))
        for seq, event in enumerate((*OPENING, FIRST, SECOND), 1):
            text = json.dumps(event_to_json(event))
            row = (match_id, seq, event.name, text, '{"ok": true}', 0.5, 2.5)
            connection.execute("INSERT INTO events VALUES (?, ?, ?, ?, ?, ?, ?)", row)
    connection.commit()
    connection.close()
    return path.read_bytes()


def test_an_older_book_is_brought_up_to_date_and_a_copy_of_it_kept(path: Path) -> None:
    before = _version_1(path)
    read = read_scorebook(path)
    assert read is not None
    with read:
        assert [match.uid for match in read.matches()] == ["", "", ""]
        states = [played.state for played in read.replay_all()]
    assert path.read_bytes() == before, "reading brings nothing up to date"
    with open_scorebook(path) as book:
        assert [played.state for played in book.replay_all()] == states
        uids = {match.uid for match in book.matches()}
        assert len(uids) == 3
        assert all(len(uid) == 32 for uid in uids)
        unfinished = book.unfinished()
        assert unfinished is not None
        correction = Correction((Setting(score=BySide(1, 0)),), "agreed")
        book.resume(unfinished).append(correction, CORRECTED, 0.0)
        corrected = book.replay(3)
        assert corrected.state is not None
        assert corrected.state.score == BySide(1, 0)
        assert [row.event for row in corrected.corrections] == [correction]
    kept = path.with_name("book.sqlite.version-1-1")
    old = read_scorebook(kept)
    assert old is not None
    with old:
        assert [played.state for played in old.replay_all()] == states
    other = path.with_name("other.sqlite")
    other.write_bytes(before)
    with open_scorebook(other) as book:
        assert {match.uid for match in book.matches()} == uids, "two copies of a book agree on what its matches are"


def test_a_migration_that_is_cut_off_leaves_the_old_book(path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    _version_1(path)
    monkeypatch.setattr("firmware.book.scorebook.schema.uid_of", lambda *_: 1 / 0)
    with pytest.raises(ZeroDivisionError):
        open_scorebook(path)
    monkeypatch.undo()
    with open_scorebook(path) as book:
        assert len(book.matches()) == 3
    assert sorted(each.name for each in path.parent.iterdir()) == [
        "book.sqlite",
        "book.sqlite.version-1-1",
        "book.sqlite.version-1-2",
    ]


def test_write_ahead_logs_of_other_programs_are_taken_in_and_ended(path: Path) -> None:
    with open_scorebook(path) as book:
        keep(book.begin(NAMES, mode="play"), OPENING)
    tool = sqlite3.connect(path, isolation_level=None)
    tool.execute("PRAGMA journal_mode = WAL")
    tool.execute("UPDATE matches SET white = 'Anna'")
    seal(tool, (1,))
    crashed = {name: path.with_name(name).read_bytes() for name in ("book.sqlite", "book.sqlite-wal")}
    tool.close()
    for name, content in crashed.items():
        path.with_name(name).write_bytes(content)
    with open_scorebook(path) as book:
        assert book.matches()[0].names.white == "Anna"
        with closing(sqlite3.connect(path)) as tool:
            assert tool.execute("PRAGMA journal_mode").fetchone() == ("delete",)
    assert [each.name for each in path.parent.iterdir()] == ["book.sqlite"]
