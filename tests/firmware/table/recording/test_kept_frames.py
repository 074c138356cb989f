"""Frames of a camera that is recorded: in order, to the pixel, and whatever goes wrong is told."""

from __future__ import annotations

import queue
from pathlib import Path

import numpy as np
import pytest

from engine.table.presses import Button, Press
from firmware.table.camera.recorded import RecordedCamera, header_of
from firmware.table.camera.setup import TABLE_FILE, Setup
from firmware.table.recording.recorder import Recorder
from tests.waiting import HANG_S
from vision.camera.sources import SourceError
from vision.frame import GONE, Frame
from vision.printed.table import Table
from vision.recording.codec import Patch
from vision.recording.recording import frame_bytes

FRAMES = 12


class Camera:
    """So many noisy frames; one of them without a picture. ``asked`` counts how often it was read."""

    def __init__(self, fails_at: int | None = None) -> None:
        self.fails_at, self.asked = fails_at, 0

    def read(self) -> Frame | None:
        index = self.asked
        self.asked += 1
        if index == self.fails_at:
            raise SourceError("the camera burns")
        if index >= FRAMES:
            return None
        noise = np.random.default_rng(index).integers(100, 110, (256, 256), np.uint8)
        return Frame(index, index / 10, GONE if index == 5 else noise)

    def close(self) -> None:
        pass


def recorder_of(table: Table, path: Path) -> Recorder:
    return Recorder(path, header_of(Setup(table, TABLE_FILE.read_text())), 1000, pytest.fail)


def test_what_was_looked_at_is_in_the_file_as_it_was(table: Table, tmp_path: Path) -> None:
    path = tmp_path / "kept.rec"
    recorder = recorder_of(table, path)
    source = recorder.source(Camera())
    looked_at = []
    while (frame := source.read()) is not None:
        looked_at.append(frame)
        recorder.hear((Press(frame.t_s, Button.WHITE),), frame.t_s)
    recorder.close()
    assert [frame.index for frame in looked_at] == list(range(FRAMES))
    camera = RecordedCamera(path)
    for before in looked_at:
        again = camera.read()
        assert again is not None
        assert (again.index, again.t_s) == (before.index, before.t_s)
        assert np.array_equal(again.y, before.y)
        assert camera.due(again.t_s) == (Press(before.t_s, Button.WHITE),)
    assert camera.read() is None
    camera.close()


@pytest.mark.slow
def test_a_frame_is_packed_once_the_loop_is_done_with_it(
    table: Table, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    packed: queue.SimpleQueue[int] = queue.SimpleQueue()

    def packs(index: int, t_s: float, patch: Patch | None) -> bytes:
        packed.put(index)
        return frame_bytes(index, t_s, patch)

    monkeypatch.setattr("firmware.table.recording.recorder.frame_bytes", packs)
    recorder = recorder_of(table, tmp_path / "kept.rec")
    source = recorder.source(Camera())
    for number in range(3):
        assert source.read() is not None
        if number:
            assert packed.get(timeout=HANG_S) == number - 1
        with pytest.raises(queue.Empty):
            packed.get(timeout=0.1)
    recorder.close()
    assert packed.get(timeout=HANG_S) == 2


def test_what_the_camera_raises_is_raised_where_the_frame_is_read(table: Table, tmp_path: Path) -> None:
    recorder = recorder_of(table, tmp_path / "kept.rec")
    source = recorder.source(Camera(fails_at=3))
    assert [source.read() is not None for _ in range(3)] == [True] * 3
    with pytest.raises(SourceError, match="burns"):
        source.read()
    after = source.read()
    assert after is not None
    assert after.index == 4
    recorder.close()


def test_a_hand_shown_in_private_is_in_no_recording(table: Table, tmp_path: Path) -> None:
    """The page is opened at frame 4 and left at frame 8."""
    path = tmp_path / "private.rec"
    camera = Camera()
    header = header_of(Setup(table, TABLE_FILE.read_text()))
    recorder = Recorder(path, header, 1000, pytest.fail, is_private=lambda: camera.asked in range(5, 10))
    source = recorder.source(camera)
    looked_at = {}
    while (frame := source.read()) is not None:
        looked_at[frame.index] = frame
    recorder.close()
    again = RecordedCamera(path)
    kept = {}
    while (frame := again.read()) is not None:
        kept[frame.index] = frame
    again.close()
    assert list(looked_at) == list(range(FRAMES)), "what is not kept is looked at all the same"
    # Frame 5 has no picture: that the camera was gone may be known.
    assert list(kept) == [0, 1, 2, 3, 5, 9, 10, 11]
    for index, frame in kept.items():
        assert np.array_equal(frame.y, looked_at[index].y)
        assert frame.t_s == looked_at[index].t_s
