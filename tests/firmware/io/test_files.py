"""Written whole or not at all, on the disk with its folder, and read only where there is a file to read."""

from __future__ import annotations

import os
import re
import stat
from pathlib import Path

import pytest

from firmware.io.files import (
    MOST_TEXT,
    NotTextError,
    beside,
    expect_file,
    make_folder,
    read_text,
    write_new,
    write_state,
    write_whole,
)

SAVED = "# Jürgen\r\nvolume = 3\r\n"


@pytest.mark.parametrize("encoding", ["utf-8", "utf-8-sig"])
def test_text_is_read_as_windows_and_others_save_it(encoding: str, tmp_path: Path) -> None:
    (tmp_path / "a.toml").write_bytes(SAVED.encode(encoding))
    assert read_text(tmp_path / "a.toml") == SAVED.replace("\r", "")


@pytest.mark.parametrize(
    ("encoding", "found"),
    [
        ("utf-16", "UTF-16"),
        ("utf-16-le", "0xfc in line 1"),
        ("latin-1", "0xfc in line 1"),
        ("cp1252", "0xfc in line 1"),
    ],
)
def test_another_encoding_is_named_with_the_file_and_the_cure(encoding: str, found: str, tmp_path: Path) -> None:
    path = tmp_path / "a.toml"
    path.write_bytes(SAVED.encode(encoding))
    with pytest.raises(NotTextError) as raised:
        read_text(path)
    assert raised.value.filename == str(path)
    assert raised.value.strerror is not None
    assert found in raised.value.strerror
    assert raised.value.strerror.endswith("save it as UTF-8")


@pytest.fixture
def synced(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """What was synced, in order: names of files and folders."""
    names: list[str] = []
    real = os.fsync

    def fsync(handle: int) -> None:
        names.append(Path(os.readlink(f"/proc/self/fd/{handle}")).name)
        real(handle)

    monkeypatch.setattr(os, "fsync", fsync)
    return names


def test_file_and_folder_are_on_the_disk_when_it_returns(tmp_path: Path, synced: list[str]) -> None:
    path = tmp_path / "new" / "deep" / "state.json"
    write_state(path, "café")
    assert path.read_bytes() == "café".encode()
    assert (synced[:2], synced[3:]) == ([tmp_path.name, "new"], ["deep"])
    assert re.fullmatch(r"state\.json\.[0-9a-f]{8}\.part", synced[2])
    assert [each.name for each in path.parent.iterdir()] == ["state.json"]


@pytest.mark.parametrize("moment", ["open", "fsync", "replace"])
def test_what_fails_leaves_the_old_file_and_names_it(
    moment: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = tmp_path / "a.csv"
    write_whole(path, "old")

    def full(*_: object, **__: object) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr("builtins.open" if moment == "open" else f"os.{moment}", full)
    with pytest.raises(OSError, match="No space left on device") as raised:
        write_whole(path, "new")
    monkeypatch.undo()
    assert raised.value.filename == str(path)
    assert [each.name for each in tmp_path.iterdir()] == ["a.csv"]
    assert path.read_text() == "old"


def test_two_who_write_one_file_at_once_do_not_meet(tmp_path: Path) -> None:
    path = tmp_path / "menu.toml"
    with beside(path) as first:
        first.write_text("the first's")
        write_whole(path, "the second's")
        with beside(path) as third:
            third.write_text("the third's")
            assert {first, third} < {*tmp_path.iterdir()}
            assert first.read_text() == "the first's"
            os.replace(third, path)
        os.replace(first, path)
    assert [each.name for each in tmp_path.iterdir()] == ["menu.toml"]
    assert path.read_text() == "the first's"


def test_what_a_killed_writer_left_is_removed_and_nothing_else(tmp_path: Path) -> None:
    path = tmp_path / "a[1].csv"
    others = ["a[1].csv.gz", "a1.csv.0badcafe.part", "b.csv.0badcafe.part", "a[1].csv.backup-1"]
    for name in ("a[1].csv.0badcafe.part", *others):
        (tmp_path / name).write_text("half")
    write_whole(path, "whole")
    assert sorted(each.name for each in tmp_path.iterdir()) == sorted(["a[1].csv", *others])


def test_a_link_stays_a_link_and_rights_stay_as_they_are(tmp_path: Path) -> None:
    target = tmp_path / "elsewhere.csv"
    target.write_text("old")
    target.chmod(0o600)
    (tmp_path / "a.csv").symlink_to(target)
    write_whole(tmp_path / "a.csv", b"new")
    assert (tmp_path / "a.csv").is_symlink()
    assert target.read_text() == "new"
    assert stat.S_IMODE(target.stat().st_mode) == 0o600


def test_a_device_just_gets_the_content(tmp_path: Path) -> None:
    write_whole(Path("/dev/null"), "anything")
    assert not Path("/dev/null").is_file()
    read_end, write_end = os.pipe()
    write_whole(Path(f"/proc/self/fd/{write_end}"), "through a pipe")
    assert os.read(read_end, 100) == b"through a pipe"
    os.close(read_end)
    os.close(write_end)


def test_a_new_file_never_takes_anothers_place(tmp_path: Path) -> None:
    write_new(tmp_path / "a", ["one", "two"])
    assert (tmp_path / "a").read_text() == "one\ntwo\n"
    with pytest.raises(FileExistsError) as raised:
        write_new(tmp_path / "a", ["three"])
    assert raised.value.filename == str(tmp_path / "a")
    assert (tmp_path / "a").read_text() == "one\ntwo\n"
    assert len([*tmp_path.iterdir()]) == 1


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
        stream.truncate(MOST_TEXT + 1)
    with pytest.raises(OSError, match=f"at most {MOST_TEXT} bytes are expected, it has {MOST_TEXT + 1}"):
        read_text(tmp_path / "huge")
    expect_file(tmp_path / "huge", None)


def test_the_mark_at_the_beginning_of_a_text_from_windows_is_no_part_of_it(tmp_path: Path) -> None:
    (tmp_path / "a").write_bytes(b"\xef\xbb\xbfpoints = 3\r\n")
    assert read_text(tmp_path / "a") == "points = 3\n"


def test_a_folder_that_is_there_is_let_be(tmp_path: Path, synced: list[str]) -> None:
    make_folder(tmp_path)
    assert synced == []
    (tmp_path / "file").touch()
    with pytest.raises(OSError, match="file"):
        make_folder(tmp_path / "file" / "deep")
