"""A move on the screen goes on while a frame is waited for."""

from __future__ import annotations

import threading

import numpy as np
import pytest

from firmware.table.camera import meanwhile
from firmware.table.camera.meanwhile import Meanwhile
from tests.waiting import HANG_S
from vision.camera.sources import SourceError
from vision.frame import Frame


class Slow:
    """A camera whose frame comes when it is let go."""

    def __init__(self) -> None:
        self.free = threading.Event()
        self.threads: list[int] = []
        self.fails = False

    def read(self) -> Frame | None:
        self.threads.append(threading.get_ident())
        assert self.free.wait(HANG_S)
        if self.fails:
            raise SourceError("the camera is gone")
        return Frame(len(self.threads), 0.0, np.zeros((2, 2), np.uint8))

    def close(self) -> None: ...


class Screen:
    """A move of so many pictures; after the last one the camera is let go."""

    def __init__(self, pictures: int, camera: Slow) -> None:
        self.left = pictures
        self.camera = camera
        self.threads: list[int] = []

    @property
    def moving(self) -> bool:
        return self.left > 0

    def go_on(self) -> None:
        self.threads.append(threading.get_ident())
        self.left -= 1
        if not self.left:
            self.camera.free.set()


@pytest.fixture(autouse=True)
def at_once(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(meanwhile, "PICTURE_S", 0.001)


def test_the_move_is_drawn_here_and_the_frame_is_waited_for_elsewhere() -> None:
    camera = Slow()
    screen = Screen(4, camera)
    source = Meanwhile(camera, screen)
    frame = source.read()
    assert frame is not None
    assert frame.index == 1
    assert screen.threads == [threading.get_ident()] * 4
    assert camera.threads != [threading.get_ident()]
    source.close()


def test_while_nothing_moves_it_is_the_camera_and_no_more() -> None:
    camera = Slow()
    camera.free.set()
    source = Meanwhile(camera, Screen(0, camera))
    assert source.read() is not None
    assert camera.threads == [threading.get_ident()]
    source.close()


def test_what_goes_wrong_with_the_camera_is_told() -> None:
    camera = Slow()
    camera.fails = True
    source = Meanwhile(camera, Screen(2, camera))
    with pytest.raises(SourceError, match="the camera is gone"):
        source.read()
    source.close()
