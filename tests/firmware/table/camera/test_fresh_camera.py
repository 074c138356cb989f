"""A camera that is stuck on one picture counts as gone; one that repeats a picture for a moment does not."""

from __future__ import annotations

import numpy as np
import pytest

from firmware.table.camera.live_camera import FreshCamera
from vision.frame import GONE, Frame, Picture


class Pictures:
    """Gives these pictures, five a second; ``taken_ns`` are the times of their sensor, if it tells any."""

    def __init__(self, *pictures: Picture, taken_ns: tuple[int, ...] = ()) -> None:
        self._pictures, self._next, self.closed = pictures, 0, False
        self._taken_ns = taken_ns

    def read(self) -> Frame | None:
        if self._next == len(self._pictures):
            return None
        y = self._pictures[self._next]
        self._next += 1
        sensor_ns = self._taken_ns[self._next - 1] if self._taken_ns else None
        return Frame(self._next - 1, 0.2 * (self._next - 1), y, lambda: np.zeros((*y.shape, 3), np.uint8), sensor_ns)

    def reopen(self) -> None:
        pass

    def close(self) -> None:
        self.closed = True


def noise(seed: int) -> Picture:
    return np.random.default_rng(seed).integers(0, 256, (6, 8), np.uint8)


def seen(*pictures: Picture, taken_ns: tuple[int, ...] = ()) -> list[bool]:
    camera, frames = FreshCamera(Pictures(*pictures, taken_ns=taken_ns)), []
    while (frame := camera.read()) is not None:
        assert frame.t_s == pytest.approx(0.2 * frame.index)
        frames.append(frame)
    return [frame.y.size > 0 for frame in frames]


def test_fresh_pictures_pass() -> None:
    assert seen(*map(noise, range(6))) == [True] * 6


def test_one_that_is_repeated_for_long_is_none_until_another_comes() -> None:
    stuck = [noise(1).copy() for _ in range(6)]
    assert seen(noise(0), *stuck, noise(2), noise(2)) == [True, True, True, True, False, False, False, True, True]


def test_a_camera_that_is_gone_in_between_does_not_make_an_old_picture_fresh() -> None:
    assert seen(noise(0), GONE, GONE, GONE, GONE, noise(0), noise(1)) == [True, *[False] * 5, True]


def test_a_sensor_that_tells_its_time_is_believed_whatever_the_pictures_are_like() -> None:
    one = noise(1)
    assert seen(*[one] * 6, taken_ns=(1, 2, 3, 4, 5, 6)) == [True] * 6
    assert seen(*map(noise, range(6)), taken_ns=(1, 2, 2, 2, 2, 3)) == [True, True, True, True, False, True]


def test_a_covered_lens_is_dark_and_not_gone() -> None:
    assert seen(*[np.full((6, 8), 3, np.uint8)] * 6) == [True] * 6


def test_it_is_closed_with_the_camera() -> None:
    pictures = Pictures()
    FreshCamera(pictures).close()
    assert pictures.closed
