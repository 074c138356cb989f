"""The clock of a video: own times where its rate varies, counted ones where it does not or its stamps are broken."""

from __future__ import annotations

from itertools import pairwise
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from vision.camera.files import VideoClock, VideoFile, is_raw_stream

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
