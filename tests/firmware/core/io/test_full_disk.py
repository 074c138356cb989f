"""A full disk costs what was to be written there and no match: every writer that a match has, on a real full disk."""

from __future__ import annotations

import errno
import io
import os
from collections.abc import Callable, Iterator
from contextlib import ExitStack, suppress
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from engine.rules.track import BySide
from engine.table.presses import Button
from firmware.book.scorebook.book import open_scorebook
from firmware.book.scorebook.copies import copies_of
from firmware.cli.first_start.mark import StartMark
from firmware.core.config import save
from firmware.extras.hands.table_top import ActWriter, PressButton, TimedAct
from firmware.table.readers.apart import Fate
from firmware.table.readers.guard import KeptPictures, Mishap
from firmware.ui.lessons.progress import Progress
from tests.fakes.small_disk import small_disk

Write = Callable[[Path], object]


@pytest.fixture(params=["real", "injected"])
def full(request: pytest.FixtureRequest, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    """A folder in which there is no room, where root may have one; and one that any new file finds to be so."""
    folder = tmp_path / "full"
    folder.mkdir()
    held = ExitStack()
    if request.param == "real":
        held.enter_context(small_disk(folder))
        (folder / "menu.toml").write_text("[sound]\nvolume = 3\n")
        with suppress(OSError), open(folder / "fill", "wb", buffering=0) as file:
            while True:
                file.write(bytes(1000))
    else:
        (folder / "menu.toml").write_text("[sound]\nvolume = 3\n")
        real = os.open

        def opens(path: str, flags: int, *more: Any, **named: Any) -> int:
            if flags & os.O_CREAT:
                raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))
            return real(path, flags, *more, **named)

        monkeypatch.setattr(os, "open", opens)
    with held:
        yield folder
        monkeypatch.undo()


def learned(folder: Path) -> object:
    progress = Progress(folder / "lessons.json")
    progress.learned(["Ana"], "distance")
    assert "cannot be kept" in progress.notice
    return progress.of("Ana").lessons


def picture_kept(folder: Path) -> list[str]:
    said: list[str] = []
    noise = np.random.default_rng(1).integers(0, 255, (300, 400), np.uint8)
    KeptPictures(folder / "unread-pictures", said.append)(Mishap("zxing", Fate.HUNG, "0.75 s", noise))
    return said


WRITERS: dict[str, tuple[Write, Callable[[Any], bool]]] = {
    "a setting of the menu": (lambda folder: save(folder / "menu.toml", "match.points", 7), lambda kept: not kept),
    "what was learned": (learned, lambda lessons: lessons == {"distance"}),
    "a picture that a reader hung on": (picture_kept, lambda said: len(said) == 1 and "kept as" not in said[0]),
    "the step of the first start": (lambda folder: StartMark(folder / "first-start").begin(), lambda _: True),
}


@pytest.mark.parametrize("writer", WRITERS)
def test_what_cannot_be_written_ends_nothing(writer: str, full: Path) -> None:
    write, as_expected = WRITERS[writer]
    assert as_expected(write(full))
    assert (full / "menu.toml").read_text() == "[sound]\nvolume = 3\n", "what was there stays"
    assert {each.name for each in full.iterdir() if each.is_file() and each.stat().st_size} <= {"menu.toml", "fill"}


def test_acts_that_cannot_be_written_are_told_once(capsys: pytest.CaptureFixture[str]) -> None:
    with open("/dev/full", "wb", buffering=0) as device:
        writer = ActWriter(io.TextIOWrapper(io.BufferedWriter(device)))
        for t_s in (1.0, 2.0):
            writer(TimedAct(t_s, PressButton(Button.WHITE)))
        writer.close()
    assert capsys.readouterr().err.count("No space left on device") == 1


@pytest.mark.slow
def test_a_copy_that_finds_no_room_costs_no_match(
    tmp_path: Path, fill: Any, bot_match: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = tmp_path / "book.sqlite"
    with open_scorebook(path, alone=True) as book:
        fill(book, BySide("Ana", "Bo"), bot_match(1))
        before = book.counts()
        monkeypatch.setattr(os, "replace", no_room)
        monkeypatch.setattr(os, "link", no_room)
    with open_scorebook(path, alone=True) as book:
        assert book.counts() == before
        assert "No copy of the scorebook can be kept" in book.notice
    assert copies_of(path) == []


def no_room(*_: object, **__: object) -> None:
    raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))
