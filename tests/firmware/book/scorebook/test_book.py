"""The scorebook: what it keeps, and what it does when the disk or another program is in the way."""

from __future__ import annotations

import sqlite3
from contextlib import closing
from pathlib import Path
from typing import Any

import pytest

from engine.rules.cards import CARD_BY_NAME
from engine.rules.events import Event, MatchEvent, RoundEvent, TurnEvent
from engine.rules.referee import judge
from engine.rules.track import BySide, Side
from firmware.book.scorebook.book import open_scorebook, read_scorebook
from firmware.book.scorebook.file import NotKeptError, ScorebookError
from tests.firmware.conftest import SetClock, keep, whole_match

NAMES = BySide("Ana", "Bo")
OPENING: tuple[Event, ...] = (
    MatchEvent("ferti-classic", Side.WHITE, 2),
    RoundEvent(),
)


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / "data" / "book.sqlite"


def _moves(count: int) -> tuple[Event, ...]:
    """Opening moves by 1: White to 2, Black to 22, and so on, each with another card."""
    names = ["1a", "1b", "1c", "1d", "1e"][:count]
    spaces, turns = [1, 23], []
    for number, name in enumerate(names):
        spaces[number % 2] += 1 if number % 2 == 0 else -1
        turns.append(TurnEvent((CARD_BY_NAME[name],), spaces[0], spaces[1]))
    return tuple(turns)


def test_what_was_kept_is_replayed_to_the_same_state(path: Path) -> None:
    clock = SetClock(wall=1_800_000_000.0)
    with open_scorebook(path, clock) as book:
        journal = book.begin(NAMES, mode="play")
        state = keep(journal, (*OPENING, *_moves(3)))
    with open_scorebook(path) as book:
        (match,) = book.matches()
        played = book.replay(match.id)
    assert match.names == NAMES
    assert match.wall_s == 1_800_000_000.0
    assert played.problem == ""
    assert played.state == state
    assert [row.event for row in played.rows] == [*OPENING, *_moves(3)]
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
        keep(book.begin(NAMES, mode="play"), (*OPENING, *_moves(1)))
        keep(book.begin(NAMES, mode="demo", seed=3), OPENING)
    with open_scorebook(path) as book:
        played = book.unfinished()
        assert played is not None
        assert played.match.id == 1
        state = keep(book.resume(played), _moves(2)[1:], played.state)
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
        keep(first, _moves(1), state_1)
        keep(second, _moves(1), state_2)
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
        keep(journal, _moves(1), state)  # and then it goes on, with nothing lost or doubled
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
        keep(book.begin(NAMES, mode="play"), (*OPENING, *_moves(3)))
        book.connection.execute(change)
        played = book.replay(1)
        assert problem in played.problem
        assert [row.seq for row in played.rows] == [1, 2, 3]
        assert played.state is not None
        assert played.state.spaces == BySide(2, 23)
        unfinished = book.unfinished()
        assert unfinished is not None
        assert unfinished.match.id == 1
        state = keep(book.resume(unfinished), _moves(2)[1:], unfinished.state)
        goes_on = book.unfinished()
        assert goes_on is not None
        assert (goes_on.match.id, goes_on.state, goes_on.problem) == (2, state, "")
        assert [row.event for row in goes_on.rows] == [*OPENING, *_moves(2)]
        assert [row.wall_s for row in goes_on.rows[:3]] == [row.wall_s for row in played.rows]
        with closing(sqlite3.connect(path)) as tool:
            assert len(tool.execute("SELECT * FROM events WHERE match_id = 1").fetchall()) >= 4


FIRST, SECOND, THIRD = (
    TurnEvent((CARD_BY_NAME[name],), white, black)
    for name, white, black in (("1a", 2, 23), ("1b", 2, 22), ("1c", 3, 22))
)


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
