"""Players renamed, joined and forgotten; what is forgotten is nowhere in the file any more."""

from __future__ import annotations

import json
import sqlite3
from pathlib import Path

import pytest

from firmware.book.scorebook.book import open_scorebook
from firmware.book.scorebook.people import event_texts, make_change, plan_forget
from firmware.book.scorebook.schema import seal
from tests.firmware.conftest import bot_match, keep_match

SECRET = "Zachariasz\u00f3"


@pytest.fixture
def path(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A book in which somebody has played four matches under three spellings, and a Player 1 is there already."""
    path = tmp_path / "book.sqlite"
    monkeypatch.setenv("ENGARDE_SCOREBOOK", str(path))
    with open_scorebook(path) as book:
        for seed, (white, black) in enumerate(
            [(SECRET, "Bo"), ("Bo", SECRET.upper()), (f" {SECRET.lower()}", "Ana"), ("Player 1", "Ana"), (SECRET, "Bo")]
        ):
            keep_match(book, white, black, bot_match(seed, points=1))
    return path


def bytes_of(path: Path) -> bytes:
    """The file and whatever SQLite has beside it."""
    return b"".join(file.read_bytes() for file in sorted(path.parent.glob(f"{path.name}*")))


def test_it_is_gone_from_freed_pages_too(path: Path) -> None:
    """A match deleted by another program leaves its page as it was, free: VACUUM drops it."""
    connection = sqlite3.connect(path)
    connection.execute("PRAGMA secure_delete = OFF")
    connection.execute("CREATE TABLE scratch (note TEXT)")
    connection.executemany("INSERT INTO scratch VALUES (?)", [(f"{SECRET} {'x' * 900}",)] * 50)
    connection.commit()
    connection.execute("DROP TABLE scratch")
    connection.commit()
    connection.close()
    assert bytes_of(path).count(SECRET.encode()) > 20
    with open_scorebook(path) as book:
        make_change(book, plan_forget(book, SECRET))
        assert SECRET.encode() not in bytes_of(path)
    for spelling in (SECRET, SECRET.upper(), SECRET.lower()):
        assert spelling.encode() not in bytes_of(path)
        assert spelling.encode("utf-16-le") not in bytes_of(path)


def test_it_is_gone_from_a_write_ahead_log_too(path: Path) -> None:
    connection = sqlite3.connect(path)
    connection.execute("PRAGMA journal_mode = WAL")
    with open_scorebook(path) as book:
        make_change(book, plan_forget(book, SECRET))
        assert SECRET.encode() not in bytes_of(path)
    connection.close()


def test_what_somebody_noted_with_a_correction_is_rewritten(path: Path) -> None:
    note = f"{SECRET.upper()} had moved; {SECRET}s friend saw it"
    connection = sqlite3.connect(path)
    connection.execute(
        "UPDATE events SET event = ? WHERE match_id = 1 AND seq = 2",
        (json.dumps({"event": "round", "changes": [{"turn": 1}], "why": note}),),
    )
    seal(connection, (1,))
    connection.commit()
    connection.close()
    with open_scorebook(path) as book:
        make_change(book, plan_forget(book, SECRET))
        (text,) = (text for match_id, seq, text in event_texts(book) if (match_id, seq) == (1, 2))
    assert json.loads(text) == {
        "event": "round",
        "changes": [{"turn": 1}],
        "why": f"Player 2 had moved; {SECRET}s friend saw it",
    }, "a longer word that begins like the name is another word"
