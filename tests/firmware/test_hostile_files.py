"""Files that somebody made on purpose, or that a dying card made: one plain sentence, or the file is let be."""

from __future__ import annotations

import json
import sys
import zlib
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from firmware.companion.deck_file import load_deck
from firmware.config import ConfigError, load_config
from firmware.errors import EngardeError
from firmware.lessons.progress import Progress
from firmware.menu.saved import _read as read_menu
from firmware.panel.buttons import load_presses
from vision.board.calibration import CalibrationError, read_calibration
from vision.printed.table import TableError, read_table
from vision.recording.recording import RecordedFrames, RecordingError

DEEP = 20 * sys.getrecursionlimit()
DEEP_TOML = "a = " + "[" * DEEP
DEEP_JSON = "[" * DEEP


def _deck(path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("ENGARDE_DECKS", str(path.parent))
    path.rename(path.with_name("deck-A.json"))
    load_deck("A")


READERS: dict[str, tuple[str, type[Exception], Callable[[Path, pytest.MonkeyPatch], Any]]] = {
    "table": (DEEP_TOML, TableError, lambda path, _: read_table(path.read_text())),
    "calibration": (DEEP_TOML, CalibrationError, lambda path, _: read_calibration(path.read_text())),
    "config": (DEEP_TOML, ConfigError, lambda path, _: load_config(path)),
    "presses": (DEEP_JSON, ValueError, lambda path, _: load_presses(path.with_name("film"))),
    "deck": (DEEP_JSON, EngardeError, _deck),
}


@pytest.mark.parametrize("kind", READERS)
def test_what_nests_without_end_is_one_sentence(kind: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    text, error, read = READERS[kind]
    path = tmp_path / "film.buttons.json"
    path.write_text(text, encoding="utf-8")
    with pytest.raises(error) as raised:
        read(path, monkeypatch)
    assert not isinstance(raised.value, RecursionError)
    assert "\n" not in str(raised.value)


@pytest.mark.parametrize("kind", ["table", "calibration", "config"])
def test_a_number_without_end_is_one_sentence(kind: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    _, error, read = READERS[kind]
    path = tmp_path / "numbers.toml"
    path.write_text(f"a = {'9' * 5000}\n", encoding="utf-8")
    with pytest.raises(error, match="TOML"):
        read(path, monkeypatch)


def test_what_was_set_in_the_menu_never_stops_a_game(tmp_path: Path) -> None:
    (tmp_path / "menu.toml").write_text(DEEP_TOML, encoding="utf-8")
    assert read_menu(tmp_path / "menu.toml") == {}


def test_progress_that_cannot_be_read_is_kept_aside(tmp_path: Path) -> None:
    (tmp_path / "progress.json").write_text(DEEP_JSON, encoding="utf-8")
    assert Progress(tmp_path / "progress.json").notice


@pytest.mark.parametrize("t_s", [10**400, 1e12, -1e300])
def test_a_press_at_a_time_that_never_comes_is_refused(t_s: float, tmp_path: Path) -> None:
    (tmp_path / "film.buttons.json").write_text(json.dumps([{"t": t_s, "button": "white"}]), encoding="utf-8")
    with pytest.raises(ValueError, match="entry 0: expected a time t in seconds"):
        load_presses(tmp_path / "film")


@pytest.mark.parametrize("header", [b"[]", b"3", DEEP_JSON.encode(), b"\xff"])
def test_a_recording_whose_header_is_no_object_is_named(header: bytes, tmp_path: Path) -> None:
    path = tmp_path / "a.engarde"
    path.write_bytes(
        b"engarde recording, version 1, header of %d bytes, checksum %08x\n%s"
        % (len(header), zlib.crc32(header), header)
    )
    with pytest.raises(RecordingError, match=r"a\.engarde: expected"):
        RecordedFrames(path)
