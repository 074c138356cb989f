"""Recordings: frames in order, on the recording's own clock, and errors that name the cure."""

from __future__ import annotations

import os
from pathlib import Path

import cv2
import numpy as np
import pytest

from vision.camera.files import ImageFolder, VideoFile
from vision.camera.sources import SourceError


def write_images(folder: Path, *tones: int) -> None:
    # Written in another order than their names sort in, so that only sorting gives the right one.
    for number in sorted(range(len(tones)), key=lambda number: -number):
        bgr = np.full((24, 32, 3), (tones[number], tones[number], tones[number]), np.uint8)
        assert cv2.imwrite(str(folder / f"frame{number:03d}.png"), bgr)


def test_a_closed_folder_has_no_more_frames(tmp_path: Path) -> None:
    write_images(tmp_path, 10, 50)
    source = ImageFolder(tmp_path)
    source.close()
    assert source.read() is None


@pytest.mark.parametrize("fps", [0.0, -1.0, float("nan"), 1e6])
def test_an_impossible_clock_is_refused(tmp_path: Path, fps: float) -> None:
    write_images(tmp_path, 10)
    with pytest.raises(SourceError, match="--fps: expected frames a second above 0"):
        ImageFolder(tmp_path, fps=fps)


def test_a_folder_without_images_and_an_image_that_is_none(tmp_path: Path) -> None:
    with pytest.raises(SourceError, match=r"expected images .* found none"):
        ImageFolder(tmp_path)
    (tmp_path / "a.png").write_bytes(b"not a picture")
    with pytest.raises(SourceError, match="not one of its 1 images can be read"):
        ImageFolder(tmp_path).read()


def test_what_cannot_be_read_in_a_folder_is_told_and_left_out(tmp_path: Path) -> None:
    write_images(tmp_path, 10, 50, 90, 130)
    first, second, third, _ = sorted(tmp_path.glob("*.png"))
    second.write_bytes(second.read_bytes()[:20])
    os.mkfifo(tmp_path / "000000.png")
    (tmp_path / "dangling.png").symlink_to(tmp_path / "nowhere")
    told: list[str] = []
    source = ImageFolder(tmp_path, 4.0, told.append)
    third.unlink()
    frames = []
    while (frame := source.read()) is not None:
        frames.append(frame)
    assert [(frame.index, frame.t_s, int(frame.y[0, 0])) for frame in frames] == [(0, 0.0, 10), (3, 0.75, 130)]
    assert [sentence.partition(":")[0] for sentence in told] == [str(second), str(third)]
    first.unlink()
    assert frames[0].bgr().shape == (24, 32, 3)


def test_a_video_s_frame_is_in_colour_where_somebody_asks_and_the_next_is_the_next(tmp_path: Path) -> None:
    path = tmp_path / "match.avi"
    writer = cv2.VideoWriter(str(path), cv2.VideoWriter.fourcc(*"MJPG"), 20.0, (64, 48))
    colours = [(20, 120, 220), (220, 120, 20), (120, 220, 20)]
    for colour in colours:
        writer.write(np.full((48, 64, 3), colour, np.uint8))
    writer.release()
    source = VideoFile(path)
    frame = None
    for colour in colours:
        frame = source.read()
        assert frame is not None
        assert np.abs(frame.bgr()[20, 20].astype(int) - colour).max() < 16
        assert np.abs(frame.bgr()[20, 20].astype(int) - colour).max() < 16
    assert source.read() is None
    source.close()
    assert frame is not None
    assert (frame.bgr() == frame.y[:, :, None]).all()  # as it was read


def test_a_file_that_is_no_video_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "match.mp4"
    path.write_bytes(b"nothing of the kind")
    with pytest.raises(SourceError, match=r"match\.mp4: expected a video"):
        VideoFile(path)


def test_of_very_many_that_cannot_be_read_the_first_are_told(tmp_path: Path) -> None:
    for number in range(30):
        (tmp_path / f"{number:03d}.png").touch()
    write_images(tmp_path, 90)
    told: list[str] = []
    folder = ImageFolder(tmp_path, told=told.append)
    frame = folder.read()
    assert frame is not None
    assert frame.index == 30
    assert len(told) == 20
    assert told[0].endswith("it is left out")
    assert told[-1].startswith(str(tmp_path / "019.png"))
    assert told[-1].endswith("it is left out, and so are others that come, without a word")
