"""The scorebook: what it keeps, in which file, and what it does when the disk or another program is in the way."""

from __future__ import annotations

import json
import os
import shutil
import sqlite3
from contextlib import closing
from pathlib import Path
from typing import Any

import pytest

from engine.record.corrections import Correction, Setting
from engine.record.course import CORRECTED
from engine.rules.events import Event, MatchEvent, RoundEvent, event_to_json
from engine.rules.referee import judge
from engine.rules.track import BySide, Side
from firmware.book.scorebook.book import open_scorebook, read_scorebook
from firmware.book.scorebook.file import NotKeptError, ScorebookError
from firmware.book.scorebook.schema import seal
from tests.firmware.conftest import SetClock, keep, whole_match
from tests.matches import turn

NAMES = BySide("Ana", "Bo")
OPENING: tuple[Event, ...] = (MatchEvent("ferti-classic", Side.WHITE, 2), RoundEvent())
MOVES = FIRST, SECOND, THIRD = (turn("1a", 2, 23), turn("1b", 2, 22), turn("1c", 3, 22))


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / "data" / "book.sqlite"


def test_what_was_kept_is_replayed_to_the_same_state(path: Path) -> None:
    clock = SetClock(wall=1_800_000_000.0)
    with open_scorebook(path, clock) as book:
        journal = book.begin(NAMES, mode="play")
        state = keep(journal, (*OPENING, *MOVES))
    with open_scorebook(path) as book:
        (match,) = book.matches()
        played = book.replay(match.id)
    assert match.names == NAMES
    assert match.wall_s == 1_800_000_000.0
    assert played.problem == ""
    assert played.state == state
    assert [row.event for row in played.rows] == [*OPENING, *MOVES]
    assert [row.seq for row in played.rows] == [1, 2, 3, 4, 5]
    assert played.rows[2].ruling == {
        "ok": True,
        "ruling": "turn",
        "player": "white",
        "action": "advance",
        "parry": None,
    }


def test_nothing_refused_is_kept(path: Path) -> None:
    with open_scorebook(path) as book:
        journal = book.begin(NAMES, mode="play")
        state = keep(journal, OPENING)
        _, refused = judge(state, RoundEvent())
        with pytest.raises(ValueError, match="only accepted events"):
            journal.append(RoundEvent(), refused, 0.0)
        assert len(book.replay(1).rows) == 2


def test_the_unfinished_match_is_found_and_goes_on(path: Path) -> None:
    with open_scorebook(path) as book:
        assert book.unfinished() is None
        keep(book.begin(NAMES, mode="play"), (*OPENING, FIRST))
        keep(book.begin(NAMES, mode="demo", seed=3), OPENING)
    with open_scorebook(path) as book:
        played = book.unfinished()
        assert played is not None
        assert played.match.id == 1
        state = keep(book.resume(played), (SECOND,), played.state)
        assert book.replay(1).state == state
        assert len(book.replay(1).rows) == 4


@pytest.mark.slow
def test_a_finished_match_is_not_taken_up_again(path: Path) -> None:
    with open_scorebook(path) as book:
        keep(book.begin(NAMES, mode="play"), whole_match(5))
        assert book.replay(1).finished
        assert book.unfinished() is None


def test_two_programs_write_their_own_matches_into_one_book(path: Path) -> None:
    with open_scorebook(path) as one, open_scorebook(path) as other:
        first, second = one.begin(NAMES, mode="play"), other.begin(NAMES, mode="demo", seed=1)
        state_1, state_2 = keep(first, OPENING), keep(second, OPENING)
        keep(first, (FIRST,), state_1)
        keep(second, (FIRST,), state_2)
        assert [len(played.rows) for played in one.replay_all()] == [3, 3]


@pytest.mark.parametrize(
    ("whose", "hinders", "ends", "said"),
    [
        ("another's", "BEGIN EXCLUSIVE", "COMMIT", "another program has held it"),
        ("another's", "BEGIN; SELECT count(*) FROM events", "COMMIT", "another program has held it"),
        ("its own", "PRAGMA query_only = ON", "PRAGMA query_only = OFF", "read-only"),
        ("its own", "PRAGMA max_page_count = 1", "PRAGMA max_page_count = 10000", "the disk is full"),
    ],
)
def test_what_hinders_a_write_is_said_and_leaves_what_was_there(
    path: Path, monkeypatch: pytest.MonkeyPatch, whose: str, hinders: str, ends: str, said: str
) -> None:
    monkeypatch.setattr("firmware.book.scorebook.file.BUSY_S", 0.05)
    with open_scorebook(path) as book, closing(sqlite3.connect(path, isolation_level=None)) as other:
        journal = book.begin(NAMES, mode="play")
        state = keep(journal, OPENING)
        connection = other if whose == "another's" else book.connection
        for statement in hinders.split("; "):
            connection.execute(statement).fetchone()
        with pytest.raises(ScorebookError, match=said):
            keep(book.begin(BySide("A" * 5000, "Bo"), mode="play"), OPENING)
        connection.execute(ends)
        assert [len(played.rows) for played in book.replay_all()] == [2]
        keep(journal, (FIRST,), state)  # and then it goes on, with nothing lost or doubled
        assert [len(played.rows) for played in book.replay_all()] == [3]


def test_a_folder_that_cannot_be_made_is_said() -> None:
    with pytest.raises(ScorebookError, match="cannot be made"):
        open_scorebook(Path("/proc/nowhere/book.sqlite"))


def test_a_folder_in_place_of_the_book_is_said(path: Path) -> None:
    path.mkdir(parents=True)
    for opened in (open_scorebook, read_scorebook):
        for where in (path, Path("/")):
            with pytest.raises(ScorebookError, match=f"the scorebook {where} is no file"):
                opened(where)


def test_a_book_is_a_file_whatever_sqlite_makes_of_its_name(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    for name in (":memory:", "file:a?mode=memory"):
        open_scorebook(Path(name)).close()
        assert (tmp_path / name).is_file()


@pytest.mark.parametrize(
    ("where", "said"),
    [
        ("loop", "is a link, and nothing is written through one; name the file"),
        ("file/book.sqlite", "cannot be opened: Not a directory"),
    ],
)
def test_a_book_that_cannot_be_there_is_told_and_not_taken_for_an_empty_one(
    tmp_path: Path, where: str, said: str
) -> None:
    (tmp_path / "loop").symlink_to(tmp_path / "loop")
    (tmp_path / "file").touch()
    with pytest.raises(ScorebookError, match=said):
        read_scorebook(tmp_path / where)


def test_another_programs_database_is_left_alone(path: Path) -> None:
    path.parent.mkdir()
    other = sqlite3.connect(path)
    other.execute("CREATE TABLE recipes (name TEXT)")
    other.commit()
    other.close()
    before = path.read_bytes()
    with pytest.raises(ScorebookError, match="another program's database"):
        open_scorebook(path)
    assert path.read_bytes() == before


def test_a_newer_book_is_left_alone(path: Path) -> None:
    with open_scorebook(path) as book:
        book.connection.execute("PRAGMA user_version = 9")
    before = path.read_bytes()
    for opened in (open_scorebook, read_scorebook):
        with pytest.raises(ScorebookError, match="version 9, this program knows 5; upgrade the program"):
            opened(path)
    assert path.read_bytes() == before
    assert sorted(each.name for each in path.parent.iterdir()) == ["book.sqlite"]


@pytest.mark.parametrize(
    ("change", "problem"),
    [
        ("UPDATE events SET event = '{' WHERE seq = 4", "event 4"),
        ('UPDATE events SET event = \'{"event":"turn","cards":["9z"],"white":2,"black":23}\' WHERE seq = 4', "9z"),
        ('UPDATE events SET event = \'{"event":"round"}\' WHERE seq = 4', "the referee refuses it"),
        ("DELETE FROM events WHERE seq = 4", "event 4 is missing"),
        ("UPDATE events SET event = x'ff00' WHERE seq = 4", "event 4"),
        ("UPDATE events SET ruling = '' WHERE seq = 4", "event 4"),
    ],
)
def test_a_row_that_makes_no_sense_stops_the_replay_there(path: Path, change: str, problem: str) -> None:
    with open_scorebook(path) as book:
        keep(book.begin(NAMES, mode="play"), (*OPENING, *MOVES))
        book.connection.execute(change)
        played = book.replay(1)
        assert problem in played.problem
        assert [row.seq for row in played.rows] == [1, 2, 3]
        assert played.state is not None
        assert played.state.spaces == BySide(2, 23)
        unfinished = book.unfinished()
        assert unfinished is not None
        assert unfinished.match.id == 1
        state = keep(book.resume(unfinished), (SECOND,), unfinished.state)
        goes_on = book.unfinished()
        assert goes_on is not None
        assert (goes_on.match.id, goes_on.state, goes_on.problem) == (2, state, "")
        assert [row.event for row in goes_on.rows] == [*OPENING, FIRST, SECOND]
        assert [row.wall_s for row in goes_on.rows[:3]] == [row.wall_s for row in played.rows]
        with closing(sqlite3.connect(path)) as tool:
            assert len(tool.execute("SELECT * FROM events WHERE match_id = 1").fetchall()) >= 4


class LateToFail:
    """A connection whose next commit is done, and reported as failed: the sync of the folder was the last thing."""

    def __init__(self, connection: sqlite3.Connection) -> None:
        self._connection, self.fails = connection, False

    def __getattr__(self, name: str) -> Any:
        return getattr(self._connection, name)

    def execute(self, sql: str, *given: Any) -> sqlite3.Cursor:
        cursor = self._connection.execute(sql, *given)
        if sql == "COMMIT" and self.fails:
            self.fails = False
            error = sqlite3.OperationalError("disk I/O error")
            error.sqlite_errorcode = sqlite3.SQLITE_IOERR_FSYNC
            raise error
        return cursor


def test_what_was_said_not_to_be_kept_and_is_there_all_the_same_is_taken_out_again(path: Path) -> None:
    with open_scorebook(path) as book:
        book.connection = late = LateToFail(book.connection)  # type: ignore[assignment]
        journal = book.begin(NAMES, mode="play")
        _, ruling = judge(None, OPENING[0])
        late.fails = True
        with pytest.raises(NotKeptError, match="the disk does not answer"):
            journal.append(OPENING[0], ruling, 0.0)
        assert book.counts() == (1, 1)  # the whole of what is in doubt
        state = keep(journal, OPENING)
        assert book.counts() == (1, 2)
        state = keep(journal, (FIRST,), state)
        late.fails = True
        after, ruling = judge(state, SECOND)
        assert after is not None
        with pytest.raises(NotKeptError):
            journal.append(SECOND, ruling, 5.0)
        assert book.counts() == (1, 4)
        late.execute("PRAGMA query_only = ON")
        with pytest.raises(NotKeptError):
            journal.append(SECOND, ruling, 6.0)
        late.execute("PRAGMA query_only = OFF")
        keep(journal, (SECOND, THIRD), state)
    with open_scorebook(path) as book:
        (played,) = book.replay_all()
        assert [row.event for row in played.rows] == [*OPENING, FIRST, SECOND, THIRD]
        assert played.problem == ""


def test_an_entry_in_doubt_takes_out_no_other_programs(path: Path) -> None:
    with open_scorebook(path) as book, open_scorebook(path) as other:
        journal = book.begin(NAMES, mode="play")
        state = keep(journal, OPENING)
        theirs = other.resume(other.replay(1))
        book.connection.execute("PRAGMA query_only = ON")
        with pytest.raises(NotKeptError):
            keep(journal, (FIRST,), state)
        book.connection.execute("PRAGMA query_only = OFF")
        keep(theirs, (FIRST,), state)
        with pytest.raises(ScorebookError, match="another program is playing it"):
            keep(journal, (FIRST,), state)
        assert book.counts() == (1, 3)


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
