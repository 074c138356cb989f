"""Frames from files, in order, on the file's own clock, and errors that name the cure."""

from __future__ import annotations

import os
from itertools import pairwise
from pathlib import Path

import cv2
import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from vision.camera.files import ImageFolder, VideoClock, VideoFile, is_raw_stream
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


# The clock of a video: own times where its rate varies, counted ones where it does not or its stamps are broken.

VIDEOS = Path(__file__).parent / "videos"
BROKEN_STAMPS = st.one_of(
    st.just(0.0), st.just(-3.7e17), st.just(float("nan")), st.floats(allow_nan=True, allow_infinity=True)
)


def times_of(path: Path, fps: float | None = None, told: list[str] | None = None) -> list[float]:
    video = VideoFile(path, fps, (told if told is not None else []).append)
    times = []
    while (frame := video.read()) is not None:
        times.append(frame.t_s)
    video.close()
    return times


def test_a_raw_stream_tells_that_its_rate_is_a_guess_and_how_to_give_it() -> None:
    told: list[str] = []
    guessed = times_of(VIDEOS / "raw.h264", told=told)
    assert len(guessed) == 30
    assert len(told) == 1
    assert "--fps" in told[0]
    assert str(VIDEOS / "raw.h264") in told[0]
    told.clear()
    assert times_of(VIDEOS / "raw.h264", 30.0, told) == [index / 30 for index in range(30)]
    assert told == []


def test_raw_streams_are_known_by_how_they_begin(tmp_path: Path) -> None:
    beginnings = {
        b"\0\0\0\1\x67": True,  # H.264
        b"\0\0\0\1\x40": True,  # H.265
        b"\0\0\1\x67": True,
        b"\xff\xd8\xff\xe0": True,  # pictures of JPEG one after the other
        b"\0\0\1\xba\x44": False,  # an MPEG program stream has times
        b"\0\0\0\x20ftypisom": False,
        b"RIFF": False,
        b"": False,
    }
    for beginning, raw in beginnings.items():
        (tmp_path / "film").write_bytes(beginning)
        assert is_raw_stream(tmp_path / "film") is raw, beginning


@given(st.sampled_from([10.0, 25.0, 30000 / 1001, 60.0]), st.floats(-5, 5), st.integers(2, 200))
def test_stamps_rounded_to_a_millisecond_are_of_a_constant_rate(fps: float, first_s: float, frames: int) -> None:
    clock = VideoClock(fps, counts=False)
    stamps = [round(first_s + index / fps, 3) for index in range(frames)]
    assert [clock.time_s(index, stamp) for index, stamp in enumerate(stamps)] == [n / fps for n in range(frames)]


@given(st.lists(st.floats(0.005, 20.0), min_size=1, max_size=100), st.floats(-100, 100), st.floats(1.0, 120.0))
def test_own_times_count_from_the_first_frame(steps_s: list[float], first_s: float, fps: float) -> None:
    clock = VideoClock(fps, counts=False)
    own = [0.0, *np.cumsum(steps_s)]
    given_ = [clock.time_s(index, first_s + own_s) for index, own_s in enumerate(own)]
    late = next((n for n, own_s in enumerate(own) if abs(own_s - n / fps) > 0.0021), len(own))
    assert given_[:late] == pytest.approx(own[:late], abs=0.003)
    assert given_[late:] == pytest.approx(own[late:], abs=0.003)


@given(st.lists(st.one_of(st.floats(0.0, 50.0), BROKEN_STAMPS), min_size=1, max_size=60))
def test_whatever_the_stamps_time_never_goes_back_nor_beyond_hours(stamps: list[float]) -> None:
    clock = VideoClock(25.0, counts=False)
    times = [clock.time_s(index, stamp) for index, stamp in enumerate(stamps)]
    assert times == sorted(times)
    assert times[0] >= 0.0
    assert all(later - before <= 3600.0 + 60.0 for before, later in pairwise(times))


@given(st.integers(2, 60), BROKEN_STAMPS)
def test_a_video_without_stamps_is_counted(frames: int, stamp: float) -> None:
    clock = VideoClock(25.0, counts=False)
    assert [clock.time_s(index, stamp) for index in range(frames)] == [index / 25 for index in range(frames)]
