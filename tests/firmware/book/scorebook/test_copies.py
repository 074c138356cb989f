"""Backup and restore: checked copies, numbered, and nothing overwritten by either."""

from __future__ import annotations

import errno
import os
import sqlite3
from collections.abc import Callable
from contextlib import closing
from pathlib import Path

import pytest

from engine.rules.events import MatchEvent, RoundEvent, UndoEvent
from engine.rules.track import BySide
from firmware.book.scorebook.book import open_scorebook, read_scorebook
from firmware.book.scorebook.copies import back_up, restore
from firmware.book.scorebook.file import NotKeptError, ScorebookError
from tests.fakes.small_disk import make_read_only, small_disk
from tests.firmware.conftest import fill, keep, whole_match

pytestmark = pytest.mark.slow

NAMES = BySide("Ana", "Bo")


@pytest.fixture
def path(tmp_path: Path) -> Path:
    path = tmp_path / "data" / "book.sqlite"
    with open_scorebook(path) as book:
        for seed in range(3):
            fill(book, NAMES, whole_match(seed))
    return path


@pytest.fixture
def stick(tmp_path: Path) -> Path:
    folder = tmp_path / "stick"
    folder.mkdir()
    return folder


def matches(path: Path) -> list[tuple[str, int]]:
    book = read_scorebook(path)
    assert book is not None
    with book:
        return [(played.match.uid, len(played.rows)) for played in book.replay_all()]


def test_backups_are_numbered_and_none_is_ever_overwritten(path: Path, stick: Path) -> None:
    first = back_up(path, stick)
    assert first.path.name == "engarde-scorebook-0001.sqlite"
    assert first.matches == 3
    before = first.path.read_bytes()
    (stick / "engarde-scorebook-0007.sqlite").write_bytes(b"somebody's")
    assert back_up(path, stick).path.name == "engarde-scorebook-0008.sqlite"
    assert first.path.read_bytes() == before
    assert matches(first.path) == matches(path)
    assert sorted(each.name for each in stick.iterdir()) == [
        f"engarde-scorebook-{number}.sqlite" for number in ("0001", "0007", "0008")
    ]


def test_a_book_in_use_is_backed_up_between_two_events(path: Path, stick: Path) -> None:
    with open_scorebook(path, alone=True) as book:
        fill(book, NAMES, whole_match(9))
        assert back_up(path, stick).matches == 4


def test_a_restore_keeps_the_present_book_and_says_what_only_it_has(path: Path, stick: Path) -> None:
    backup = back_up(path, stick)
    then = matches(path)
    with open_scorebook(path) as book:
        fill(book, NAMES, whole_match(9))
    now = matches(path)
    done = restore(path, backup.path)
    assert (done.matches, done.events) == (backup.matches, backup.events)
    assert done.only_in_kept == now[-1][1]
    assert done.kept == path.with_name("book.sqlite.before-restore-1")
    assert matches(path) == then
    assert matches(done.kept) == now
    again = restore(path, done.kept)
    assert again.kept == path.with_name("book.sqlite.before-restore-2")
    assert matches(path) == now
    assert sorted(each.name for each in path.parent.iterdir()) == [
        "book.sqlite",
        "book.sqlite.before-restore-1",
        "book.sqlite.before-restore-2",
        "book.sqlite.lock",
    ]


def test_a_restore_works_without_a_book_and_over_a_damaged_one(path: Path, stick: Path) -> None:
    backup = back_up(path, stick)
    then = matches(path)
    path.unlink()
    assert restore(path, backup.path).kept is None
    assert matches(path) == then
    path.write_bytes(b"rubbish" * 1000)
    done = restore(path, backup.path)
    assert done.only_in_kept is None
    assert done.kept is not None
    assert done.kept.read_bytes() == b"rubbish" * 1000
    assert matches(path) == then


def recipes() -> bytes:
    with closing(sqlite3.connect(":memory:")) as connection:
        connection.execute("CREATE TABLE recipes (name TEXT)")
        return connection.serialize()


@pytest.mark.parametrize(
    ("spoil", "words"),
    [
        (lambda content: content[: len(content) // 2], "is damaged"),
        (lambda content: content[:8192] + os.urandom(4096) + content[12288:], "is damaged"),
        (lambda content: b"no backup at all" * 300, "is damaged"),
        (lambda content: content[:60] + b"\x00\x00\x00\x09" + content[64:], "is of version 9"),
        (lambda content: recipes(), "another program's database"),
    ],
)
def test_a_backup_that_is_not_whole_is_not_restored(
    path: Path, stick: Path, spoil: Callable[[bytes], bytes], words: str
) -> None:
    backup = back_up(path, stick).path
    backup.write_bytes(spoil(backup.read_bytes()))
    spoilt, before = backup.read_bytes(), path.read_bytes()
    with pytest.raises(ScorebookError, match=words):
        restore(path, backup)
    assert (backup.read_bytes(), path.read_bytes()) == (spoilt, before)
    assert sorted(each.name for each in path.parent.iterdir()) == ["book.sqlite", "book.sqlite.lock"]


def test_a_folder_is_not_moved_away_for_a_backup(path: Path, stick: Path) -> None:
    open_scorebook(path).close()
    backup = back_up(path, stick).path
    mine = stick / "mine"
    mine.mkdir()
    with pytest.raises(ScorebookError, match="is no file"):
        restore(mine, backup)
    assert sorted(stick.iterdir()) == sorted((backup, mine))


def test_a_book_that_is_in_use_is_not_replaced(path: Path, stick: Path) -> None:
    backup = back_up(path, stick).path
    with open_scorebook(path, alone=True), pytest.raises(ScorebookError, match="in use by another program"):
        restore(path, backup)


def test_a_full_and_a_read_only_disk_are_said_and_nothing_half_is_left(tmp_path: Path, stick: Path) -> None:
    small, opening = tmp_path / "small", (MatchEvent("ferti-classic"), RoundEvent())
    path = small / "book.sqlite"
    small.mkdir()
    with small_disk(small, "300k"):
        (small / "ballast").write_bytes(bytes(150_000))
        with open_scorebook(path) as book:
            journal = book.begin(BySide("Ana" * 500, "Bo"), mode="play")
            states = [keep(journal, opening)]

            def goes_on() -> None:
                states.append(keep(journal, (UndoEvent() if len(states) % 2 else RoundEvent(),), states[-1]))

            def goes_on_for_ever() -> None:
                while True:
                    goes_on()

            with pytest.raises(NotKeptError, match="the disk is full; make room and start again"):
                goes_on_for_ever()
            played = book.replay(1)
            assert (len(played.rows), played.problem) == (len(states) + 1, "")
            back_up(path, stick)
            with pytest.raises(ScorebookError, match=r"full|No space left"):
                back_up(stick / "engarde-scorebook-0001.sqlite", small)
            assert sorted(each.name for each in small.iterdir()) == ["ballast", "book.sqlite"], "no half backup is left"
            (small / "ballast").unlink()
            goes_on()
        make_read_only(small)
        with open_scorebook(path) as book, pytest.raises(NotKeptError, match="read-only"):
            keep(book.begin(NAMES, mode="play"), opening)
        with pytest.raises(NotKeptError, match="Read-only file system"):
            open_scorebook(path, alone=True)
        assert [rows for _, rows in matches(path)] == [len(states) + 1], "with room again it went on"


def test_a_disk_too_full_to_name_the_holder_keeps_nobody_from_holding_the_book(
    path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def full(*given: object) -> int:
        raise OSError(errno.ENOSPC, "No space left on device")

    monkeypatch.setattr(os, "pwrite", full)
    with open_scorebook(path, alone=True), pytest.raises(ScorebookError, match="in use by another program"):
        open_scorebook(path, alone=True)


def test_a_book_that_is_shorter_than_its_copy_is_told_once(path: Path) -> None:
    before = path.read_bytes()
    with open_scorebook(path, alone=True) as book:
        fill(book, NAMES, whole_match(9))
    path.write_bytes(before)  # as a card has it that lied about all that was written since
    with open_scorebook(path, alone=True) as book:
        assert f"{len(whole_match(9))} events fewer" in book.notice
    with open_scorebook(path, alone=True) as book:
        assert book.notice == ""


def test_a_book_that_was_restored_has_lost_nothing(path: Path, stick: Path) -> None:
    backup = back_up(path, stick).path
    with open_scorebook(path, alone=True) as book:
        fill(book, NAMES, whole_match(9))
    restore(path, backup)
    with open_scorebook(path, alone=True) as book:
        assert book.notice == ""
        fill(book, NAMES, whole_match(8))
