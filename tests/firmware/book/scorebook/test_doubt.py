"""What a failing disk wrote although it said not to: taken out again, and nothing else with it."""

from __future__ import annotations

import sqlite3
from pathlib import Path
from typing import Any

import pytest

from engine.rules.cards import CARD_BY_NAME
from engine.rules.events import Event, MatchEvent, RoundEvent, TurnEvent
from engine.rules.referee import judge
from engine.rules.track import BySide, Side
from firmware.book.scorebook.book import open_scorebook
from firmware.book.scorebook.file import NotKeptError, ScorebookError
from tests.firmware.conftest import keep

NAMES = BySide("Ana", "Bo")
OPENING: tuple[Event, ...] = (MatchEvent("ferti-classic", Side.WHITE, 2), RoundEvent())
FIRST, SECOND, THIRD = (
    TurnEvent((CARD_BY_NAME[name],), white, black)
    for name, white, black in (("1a", 2, 23), ("1b", 2, 22), ("1c", 3, 22))
)


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / "book.sqlite"


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
        book._connection = late = LateToFail(book.connection)  # type: ignore[assignment]
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
