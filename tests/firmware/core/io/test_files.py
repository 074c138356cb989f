"""Written whole or not at all, on the disk with its folder, and read only where there is a file to read."""

from __future__ import annotations

import os
import re
import signal
import stat
from collections.abc import Callable, Iterator
from contextlib import suppress
from pathlib import Path

import pytest

from firmware.core.io import files
from firmware.core.io.database import open_database
from firmware.core.io.files import (
    MAX_TEXT,
    append_stream,
    edit_stream,
    expect_file,
    make_folder,
    new_stream,
    read_text,
    whole_file,
    write_new,
    write_state,
    write_whole,
)
from tests.fakes.small_disk import small_disk, unmount

SAVED = "# Jürgen\r\nvolume = 3\r\n"


@pytest.mark.parametrize("encoding", ["utf-8", "utf-8-sig"])
def test_text_is_read_as_windows_and_others_save_it(encoding: str, tmp_path: Path) -> None:
    (tmp_path / "a.toml").write_bytes(SAVED.encode(encoding))
    assert read_text(tmp_path / "a.toml") == SAVED.replace("\r", "")


def test_all_is_on_the_disk_when_it_returns_and_takes_nothings_place(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    synced: list[str] = []  # names of files and folders
    real = os.fsync

    def fsync(handle: int) -> None:
        synced.append(Path(os.readlink(f"/proc/self/fd/{handle}")).name)
        real(handle)

    monkeypatch.setattr(os, "fsync", fsync)
    path = tmp_path / "new" / "deep" / "state.json"
    write_state(path, "café")
    assert path.read_bytes() == "café".encode()
    assert (synced[:2], synced[3:]) == ([tmp_path.name, "new"], ["deep"])
    assert re.fullmatch(r"state\.json\.[0-9a-f]{8}\.part", synced[2])
    with pytest.raises(FileExistsError) as raised:
        write_new(path, [b"three"])
    assert raised.value.filename == str(path)
    write_new(path.with_name("two"), [b"one\n", b"two\n"])
    assert path.with_name("two").read_bytes() == b"one\ntwo\n"
    assert sorted(each.name for each in path.parent.iterdir()) == ["state.json", "two"]
    assert path.read_bytes() == "café".encode()
    assert [stat.S_IMODE(folder.stat().st_mode) for folder in path.parents[:2]] == [0o700, 0o700]


@pytest.mark.parametrize("old", ["what was there before", ""])
@pytest.mark.parametrize("moment", ["urandom", "open", "fchmod", "fsync", "replace"])
@pytest.mark.parametrize("after", [False, True])
def test_a_writer_that_is_killed_leaves_the_old_file_or_the_new(
    moment: str, after: bool, old: str, tmp_path: Path
) -> None:
    path = tmp_path / "a.csv"
    if old:
        path.write_text(old)
    real = getattr(os, moment)

    def die(*given: object, **named: object) -> None:
        if after:
            real(*given, **named)
        os.kill(os.getpid(), signal.SIGKILL)

    child = os.fork()
    if not child:
        setattr(os, moment, die)
        write_whole(path, "new")
        os._exit(0)
    assert os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]) == -signal.SIGKILL
    found = path.read_text() if path.exists() else ""
    assert found == ("new" if moment == "replace" and after else old)


def test_two_who_write_one_file_at_once_do_not_meet(tmp_path: Path) -> None:
    path = tmp_path / "menu.toml"
    with whole_file(path) as first:
        first.write(b"the first's")
        write_whole(path, "the second's")
        with whole_file(path) as third:
            third.write(b"the third's")
            assert len([*tmp_path.iterdir()]) == 3
            assert path.read_text() == "the second's"
        assert path.read_text() == "the third's"
    assert [each.name for each in tmp_path.iterdir()] == ["menu.toml"]
    assert path.read_text() == "the first's"


def test_what_a_killed_writer_left_is_removed_and_nothing_else(tmp_path: Path) -> None:
    path = tmp_path / "a[1].csv"
    others = ["a[1].csv.gz", "a1.csv.0badcafe.part", "b.csv.0badcafe.part", "a[1].csv.backup-1"]
    for name in ("a[1].csv.0badcafe.part", *others):
        (tmp_path / name).write_text("half")
    write_whole(path, "whole")
    assert sorted(each.name for each in tmp_path.iterdir()) == sorted(["a[1].csv", *others])


WRITERS: dict[str, Callable[[Path], object]] = {
    "whole": lambda path: write_whole(path, b"new"),
    "private": lambda path: write_whole(path, b"new", private=True),
    "named by the user": lambda path: write_whole(path, b"new", devices=True),
    "state": lambda path: write_state(path, "new"),
    "new": lambda path: write_new(path, [b"new"]),
    "streamed": lambda path: new_stream(path).close(),
    "appended": lambda path: append_stream(path).close(),
    "edited": lambda path: edit_stream(path).close(),
    "database": lambda path: open_database(path).close(),
}


@pytest.mark.parametrize("kind", WRITERS)
@pytest.mark.parametrize("leads_to", ["a file", "nothing", "a folder", "a pipe"])
def test_nothing_is_written_through_a_link(kind: str, leads_to: str, tmp_path: Path) -> None:
    """The link is replaced by the file, or nothing is written at all; what it leads to stays as it was."""
    house, stick = tmp_path / "house", tmp_path / "stick"
    house.mkdir()
    stick.mkdir()
    target = house / "target"
    if leads_to == "a file":
        target.write_text("the owner's")
    elif leads_to == "a folder":
        target.mkdir()
    elif leads_to == "a pipe":
        os.mkfifo(target)
    (stick / "a").symlink_to(target)
    with suppress(OSError):
        WRITERS[kind](stick / "a")
    written = not (stick / "a").is_symlink()
    assert written == (kind in ("whole", "private", "named by the user", "state"))
    if written:
        assert (stick / "a").read_text() == "new"
    assert [each.name for each in house.iterdir()] == ([] if leads_to == "nothing" else ["target"])
    if leads_to == "a file":
        assert target.read_text() == "the owner's"


@pytest.mark.parametrize("kind", WRITERS)
def test_what_is_private_is_so_from_its_first_moment(
    kind: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    made: list[int] = []
    real = os.open

    def watched(path: str, flags: int, mode: int = 0o777, *, dir_fd: int | None = None) -> int:
        handle = real(path, flags, mode, dir_fd=dir_fd)
        if flags & os.O_CREAT:
            made.append(stat.S_IMODE(os.fstat(handle).st_mode))
        return handle

    monkeypatch.setattr(os, "open", watched)
    before = os.umask(0)
    try:
        WRITERS[kind](tmp_path / "a")
    finally:
        os.umask(before)
    assert {*made} == {0o600}
    ordinary = kind in ("whole", "named by the user", "new")
    assert stat.S_IMODE((tmp_path / "a").stat().st_mode) == (0o644 if ordinary else 0o600)
    (tmp_path / "kept").touch(mode=0o600)  # one that is replaced keeps its rights; state becomes private
    (tmp_path / "state").touch(mode=0o644)
    write_whole(tmp_path / "kept", b"new")
    write_state(tmp_path / "state", b"new")
    assert {stat.S_IMODE((tmp_path / name).stat().st_mode) for name in ("kept", "state")} == {0o600}


def test_a_pipe_is_written_to_only_where_the_user_named_it(tmp_path: Path) -> None:
    os.mkfifo(tmp_path / "a")
    write_whole(tmp_path / "a", b"a file now")
    assert (tmp_path / "a").is_file()
    (tmp_path / "a").unlink()
    os.mkfifo(tmp_path / "a")
    reader = os.open(tmp_path / "a", os.O_RDONLY | os.O_NONBLOCK)
    write_whole(tmp_path / "a", b"through it", devices=True)
    assert os.read(reader, 100) == b"through it"
    os.close(reader)
    write_whole(Path("/dev/null"), "anything", devices=True)
    assert not Path("/dev/null").is_file()


@pytest.fixture
def stick(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    """A stick of its own file system, as large as a picture."""
    folder = tmp_path / "media" / "engarde-sda1"
    folder.mkdir(parents=True)
    with small_disk(folder):
        monkeypatch.setattr(files, "STICK_FOLDERS", (tmp_path / "media",))
        yield folder


def test_on_a_stick_no_folder_is_a_link(stick: Path, tmp_path: Path) -> None:
    house = tmp_path / "house"
    house.mkdir()
    (stick / "films").symlink_to(house)
    for write in (
        lambda: write_whole(stick / "films" / "a", "x"),
        lambda: write_whole(stick / "films" / ".." / "a", "x"),
        lambda: make_folder(stick / "films" / "new"),
        lambda: new_stream(stick / "films" / "a"),
    ):
        with suppress(OSError):
            write()
    assert [*house.iterdir()] == []
    assert sorted(each.name for each in tmp_path.iterdir()) == ["house", "media"]
    write_state(stick / "own" / "deep" / "a", "x")
    assert (stick / "own" / "deep" / "a").read_text() == "x"


def test_a_stick_that_is_gone_is_not_written_for(stick: Path) -> None:
    write_whole(stick / "a", "x")
    unmount(stick)
    for write in (
        lambda: write_whole(stick / "a", "x"),
        lambda: make_folder(stick / "new"),
        lambda: new_stream(stick / "b"),
    ):
        with pytest.raises(OSError, match="no stick is mounted there; put it in again"):
            write()
    assert [*stick.iterdir()] == []


def test_only_files_of_bounded_size_are_read(tmp_path: Path) -> None:
    os.mkfifo(tmp_path / "pipe")
    with pytest.raises(OSError, match="a file is expected, this is a pipe or a device"):
        read_text(tmp_path / "pipe")
    with pytest.raises(OSError, match="a file is expected, this is a pipe or a device"):
        read_text(Path("/dev/zero"))
    with pytest.raises(IsADirectoryError):
        read_text(tmp_path)
    with pytest.raises(FileNotFoundError):
        read_text(tmp_path / "nothing")
    with open(tmp_path / "huge", "wb") as stream:
        stream.truncate(MAX_TEXT + 1)
    with pytest.raises(OSError, match=f"at most {MAX_TEXT} bytes are expected, it has {MAX_TEXT + 1}"):
        read_text(tmp_path / "huge")
    expect_file(tmp_path / "huge", None)
