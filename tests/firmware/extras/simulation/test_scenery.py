"""The scenery is painted once, and anew where the disk has something else or nothing."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from firmware.core.config import cache_folder
from firmware.extras.simulation.camera import kept_scenery
from vision.frame import Picture

SIZE = (5, 4)
PICTURE: Picture = np.arange(60, dtype=np.uint8).reshape(4, 5, 3)


class Painter:
    """Counts how often it paints."""

    def __init__(self) -> None:
        self.times = 0

    def __call__(self) -> Picture:
        self.times += 1
        return PICTURE.copy()


@pytest.fixture(autouse=True)
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "cache"))
    return cache_folder()


def shown(painter: Painter, made_from: bytes = b"a table", size: tuple[int, int] = SIZE) -> Picture:
    picture = kept_scenery(made_from, size, painter)
    assert np.array_equal(picture, PICTURE)
    return picture


def test_it_is_painted_once() -> None:
    painter = Painter()
    for _ in range(3):
        shown(painter)
    assert painter.times == 1


def test_what_is_made_from_something_else_is_another() -> None:
    painter = Painter()
    shown(painter)
    shown(painter, b"another table")
    assert painter.times == 2


@pytest.mark.parametrize(
    "spoil",
    [
        lambda content: b"",
        lambda content: content[:40],
        lambda content: content[:-1] + bytes([content[-1] ^ 1]),
        lambda content: content + b"more",
        lambda content: b"\x80\x04N." * 50,
    ],
)
def test_what_was_spoilt_is_painted_anew_and_kept(folder: Path, spoil: object) -> None:
    painter = Painter()
    shown(painter)
    assert callable(spoil)
    for file in folder.iterdir():
        file.write_bytes(spoil(file.read_bytes()))
    shown(painter)
    shown(painter)
    assert painter.times == 2


def test_few_are_kept(folder: Path) -> None:
    painter = Painter()
    for number in range(9):
        shown(painter, bytes([number]))
    assert len(list(folder.iterdir())) <= 4
    shown(painter, bytes([8]))
    assert painter.times == 9


def test_without_a_folder_it_is_painted_each_time(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "file").touch()
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "file"))
    painter = Painter()
    shown(painter)
    shown(painter)
    assert painter.times == 2
