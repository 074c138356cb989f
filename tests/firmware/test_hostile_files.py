"""Files that somebody made on purpose, or that a dying card made: one plain sentence, or the file is let be."""

from __future__ import annotations

import json
import math
import os
import struct
import subprocess
import sys
import zlib
from pathlib import Path
from typing import Any

import cv2
import numpy as np
import pytest

from engine.strict.text import MalformedError, toml_of
from firmware.cli.main import main
from firmware.table.camera.recorded import RecordedCamera, header_of
from firmware.table.camera.setup import TABLE_FILE, Setup
from firmware.table.panel.buttons import load_presses
from tests.waiting import HANG_S
from vision.board.calibration import Calibration, CalibrationError
from vision.board.calibration_text import calibration_text, read_calibration
from vision.geometry import Camera
from vision.limits import MAX_PIXELS
from vision.printed.table import TableError, load_table, read_table
from vision.recording.recording import RecordedFrames, RecordingError, frame_bytes, header_bytes, note_bytes


@pytest.mark.parametrize("t_s", [10**400, 1e12, -1e300])
def test_a_press_at_a_time_that_never_comes_is_refused(t_s: float, tmp_path: Path) -> None:
    (tmp_path / "film.buttons.json").write_text(json.dumps([{"t": t_s, "button": "white"}]), encoding="utf-8")
    with pytest.raises(ValueError, match=r"\[0\].t: expected a"):
        load_presses(tmp_path / "film")


@pytest.mark.parametrize("header", [b"[]", b"3", b"[" * 20_000, b"\xff"])
def test_a_recording_whose_header_is_no_object_is_named(header: bytes, tmp_path: Path) -> None:
    path = tmp_path / "a.engarde"
    path.write_bytes(
        b"engarde recording, version 1, header of %d bytes, checksum %08x\n%s"
        % (len(header), zlib.crc32(header), header)
    )
    with pytest.raises(RecordingError, match=r"a\.engarde: .*expected"):
        RecordedFrames(path)


LONG_KEYS = (
    "a." * 50_000 + "a = 1",
    "[" + "a." * 50_000 + "a]",
    "x = {" + '"a" . ' * 30_000 + "a = 1}",
    "'a'." * 50_000 + "a=1",
)


@pytest.mark.parametrize("text", LONG_KEYS, ids=["key", "heading", "inline", "quoted"])
def test_a_key_of_many_parts_fills_no_memory(text: str) -> None:
    with pytest.raises(MalformedError, match="at most 20 parts"):
        toml_of(text)


def test_keys_as_long_as_any_that_is_meant_are_read() -> None:
    long = ".".join("abcdefghijklmnopqrst")
    text = f"a.b.'c d'.\"e\" = 1\n[{long}]\nx = [{'1.5, ' * 500}2.5] # a.b{'.c' * 15}"
    assert toml_of(text)["a"]["b"]["c d"]["e"] == 1


GOOD_VERDICT = {
    "t": 1.0,
    "event": {"event": "turn", "cards": ["3b"], "white": 4, "black": 23},
    "ruling": {"ok": True, "state": None},
}


GOOD_MATCH = {"entries": [{"event": "match"}], "names": {"white": "A", "black": "B"}, "end_turn": "auto", "settle_s": 1}


def _each(key: str, *values: Any) -> list[dict[str, Any]]:
    return [{key: value} for value in values]


BAD_NOTES: list[Any] = [
    *_each("verdict", None, {}, 1e300),
    *({"verdict": {**GOOD_VERDICT, **bad}} for bad in ({"t": 1e300}, {"event": {"event": 3}}, {"opened_s": "soon"})),
    *({"verdict": {**GOOD_VERDICT, "ruling": bad}} for bad in ({}, {"ok": False}, {"ok": True, "state": "x"})),
    *_each("press", None, {"t": 1}, {"t": 1e300, "button": "white"}, {"t": 1, "button": []}, {"t": 1, "button": "no"}),
    *_each("begin", None, "match", {"match": GOOD_VERDICT["event"]}, {"match": None}),
    {"begin": {"match": {"event": "match"}, "names": ["Ana"]}},
    {"begin": {"match": {"event": "match"}, "names": {"white": "\x1b[2J", "black": "Bo"}}},
    *_each("enter", None, {}, {"event": "turn", "cards": "3b"}),
    *({"end_turn": "never"}, {"agreed": 3}, {}),
]


@pytest.mark.parametrize("note", BAD_NOTES, ids=[json.dumps(note)[:50] for note in BAD_NOTES])
def test_a_note_of_the_wrong_kind_is_one_sentence(note: Any, tmp_path: Path) -> None:
    path = tmp_path / "a.engarde"
    path.write_bytes(_header() + frame_bytes(0, 1.0, None) + note_bytes(note))
    camera = RecordedCamera(path)
    with pytest.raises(RecordingError, match=r"a\.engarde: .*expected") as raised:
        camera.asks()
    assert len(str(raised.value)) < 300
    camera.close()


def _header(**changed: Any) -> bytes:
    setup = Setup(load_table(TABLE_FILE), TABLE_FILE.read_text(encoding="utf-8"))
    return header_bytes({**header_of(setup), **changed})


@pytest.mark.parametrize(
    "changed",
    [
        *_each("match", [], "x", 3, {}, {"entries": [], "names": {"white": "Ana", "black": "Bo"}}),
        *({"match": {**GOOD_MATCH, **bad}} for bad in ({"names": ["Ana"]}, {"end_turn": "x"}, {"settle_s": 1e999})),
        *_each("table", None, 3, "", LONG_KEYS[0]),
        *_each("calibration", 3, [], "", LONG_KEYS[0]),
    ],
)
def test_a_header_of_the_wrong_kinds_is_one_sentence(changed: dict[str, Any], tmp_path: Path) -> None:
    path = tmp_path / "a.engarde"
    path.write_bytes(_header(**changed))
    with pytest.raises(RecordingError, match="this recording's header cannot be used"):
        RecordedCamera(path)


@pytest.mark.parametrize("t_s", [float("nan"), float("inf"), 0.5, -1e300, 1e10])
def test_frames_follow_one_another_on_a_clock(t_s: float, tmp_path: Path) -> None:
    path = tmp_path / "a.engarde"
    path.write_bytes(_header() + frame_bytes(0, 1.0, None) + frame_bytes(1, t_s, None))
    camera = RecordedCamera(path)
    assert camera.read() is not None
    with pytest.raises(RecordingError, match="expected frame 1 after 1 s, found it at"):
        camera.read()
    camera.close()


def test_texts_of_a_recording_have_bounds(tmp_path: Path) -> None:
    path = tmp_path / "a.engarde"
    path.write_bytes(_header(program="x" * 2_000_000))
    with pytest.raises(RecordingError, match=r"a header of 20\d{5} bytes"):
        RecordedCamera(path)
    path.write_bytes(_header() + frame_bytes(0, 1.0, None) + note_bytes({"hold": "x" * 2_000_000}))
    camera = RecordedCamera(path)
    with pytest.raises(RecordingError, match=r"a note has 20\d{5} bytes"):
        camera.asks()
    camera.close()


def test_a_record_that_never_ends_is_told(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["judge", "--record", "/dev/zero"]) == 1
    assert "/dev/zero: a file is expected, this is a pipe or a device" in capsys.readouterr().err


@pytest.mark.parametrize("encoding", ["utf-16", "latin-1"])
@pytest.mark.parametrize(
    "words", [("judge", "--record"), ("book", "import"), ("play", "--camera", "synthetic", "--headless", "--acts")]
)
def test_a_text_in_another_encoding_is_told_with_its_file_and_the_cure(
    words: tuple[str, ...], encoding: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    file = tmp_path / "notepad.txt"
    file.write_bytes('[White "J\u00fcrgen"]\n'.encode(encoding))
    assert main([*words, str(file)]) == 1
    said = capsys.readouterr().err
    assert str(file) in said
    assert "save it as UTF-8" in said


@pytest.mark.parametrize("number", ["1e300", "-1e300", "nan", "inf", "9" * 400, "1e6"])
def test_absurd_numbers_in_a_table_or_calibration_are_told(number: str) -> None:
    table = TABLE_FILE.read_text(encoding="utf-8")
    for key in ("size_mm = ", "y_mm = [", "width = ", "hfov_deg = ", "offset_mm = ["):
        before, _, after = table.partition(f"\n{key}")
        rest = after.lstrip("-0123456789.")
        with pytest.raises(TableError):
            read_table(f"{before}\n{key}{number}{rest}")
    camera = Camera(np.diag([2000.0, 2000.0, 1.0]), np.zeros(5), np.eye(3), np.array([0.0, 0.0, 900.0]), 2304, 1296)
    text = calibration_text(Calibration(camera, 0.1, 0.1))
    for key in ("focal_px = [", "middle_px = [", "distortion = [", "translation_mm = [", "width = "):
        before, _, after = text.partition(f"\n{key}")
        rest = after.lstrip("-0123456789.e+")
        with pytest.raises(CalibrationError):
            read_calibration(f"{before}\n{key}{number}{rest}")


@pytest.mark.parametrize(
    "name", ["config.toml", "film.buttons.json", "table.toml", "cal.toml", "import", "backs.txt", "events", "record"]
)
def test_a_pipe_where_a_file_belongs_is_not_waited_for(
    name: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    os.mkfifo(tmp_path / name)
    (tmp_path / "film").mkdir()
    cv2.imwrite(str(tmp_path / "film" / "1.png"), np.zeros((64, 64), np.uint8))
    camera = ["--headless", "--camera", str(tmp_path / "film")]
    words = {
        "config.toml": ["play", *camera, "--config", str(tmp_path / name)],
        "film.buttons.json": ["play", *camera],
        "table.toml": ["watch", "--headless", "--camera", str(tmp_path / "film"), "--table", str(tmp_path / name)],
        "cal.toml": ["watch", "--headless", "--camera", str(tmp_path / "film"), "--calibration", str(tmp_path / name)],
        "import": ["book", "import", str(tmp_path / name)],
        "events": ["judge", str(tmp_path / name)],
        "record": ["judge", "--record", str(tmp_path / name)],
        "backs.txt": ["print", "--out", str(tmp_path), "--backs-from", str(tmp_path / name)],
    }[name]
    assert main(words) == 1
    told = capsys.readouterr().err.splitlines()[-1]
    assert "a file is expected, this is a pipe or a device" in told
    assert name in told


@pytest.mark.slow
def test_a_picture_larger_than_any_cameras_is_told_before_it_is_unpacked(tmp_path: Path) -> None:
    """By the command itself: OpenCV asks once how much it may unpack, when it is loaded."""
    side = math.isqrt(MAX_PIXELS) + 1
    row = bytes(1 + side)
    body, head = zlib.compress(row * side, 9), struct.pack(">IIBBBBB", side, side, 8, 0, 0, 0, 0)
    chunks = ((b"IHDR", head), (b"IDAT", body), (b"IEND", b""))
    (tmp_path / "1.png").write_bytes(
        b"\x89PNG\r\n\x1a\n"
        + b"".join(
            struct.pack(">I", len(data)) + kind + data + struct.pack(">I", zlib.crc32(kind + data))
            for kind, data in chunks
        )
    )
    command = [sys.executable, "-m", "firmware", "watch", "--headless", "--camera", str(tmp_path)]
    done = subprocess.run(command, capture_output=True, text=True, timeout=HANG_S, check=False)
    told, end = done.stderr.splitlines()
    assert done.returncode == 1
    assert "1.png: expected an image of at most 25 million pixels, found something unreadable; it is left out" in told
    assert "not one of its 1 images can be read" in end
