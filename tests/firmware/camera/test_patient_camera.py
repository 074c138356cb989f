"""A camera that hangs counts as gone, and is there again when it comes back."""

from __future__ import annotations

import threading

import numpy as np
import pytest

from firmware.camera.patient_camera import PatientCamera
from vision.camera.sources import SourceError
from vision.frame import Frame


class Scripted:
    """Gives what it is told: frames, an error, the end; hangs on the third read until it is let go."""

    def __init__(self) -> None:
        self.go_on = threading.Event()
        self.reads = 0
        self.closed = False

    def read(self) -> Frame | None:
        self.reads += 1
        if self.reads == 3:
            assert self.go_on.wait(20.0)
        if self.reads == 5:
            raise SourceError("camera 0: gone for good")
        return Frame(self.reads - 1, 0.2 * self.reads, np.full((4, 6), self.reads, np.uint8))

    def close(self) -> None:
        self.closed = True


@pytest.mark.slow
def test_frames_come_through_and_a_read_that_hangs_is_a_camera_that_is_gone() -> None:
    camera = Scripted()
    patient = PatientCamera(camera, deadline_s=0.1)
    frames = [patient.read() for _ in range(2)]
    assert [(frame.index, frame.t_s, int(frame.y[0, 0])) for frame in frames if frame] == [(0, 0.2, 1), (1, 0.4, 2)]
    gone = [patient.read() for _ in range(3)]
    assert all(frame is not None and frame.y.size == 0 for frame in gone)
    assert camera.reads == 3  # one read is under way, no more are asked for
    camera.go_on.set()
    back = patient.read()
    assert back is not None
    assert back.y[0, 0] == 3
    assert back.index == 5
    after = patient.read()
    times = [frame.t_s for frame in (*frames, *gone, back, after) if frame is not None]
    assert times == sorted(times)
    assert len(times) == 7


def test_what_the_camera_raises_is_raised_where_the_frame_was_asked_for() -> None:
    camera = Scripted()
    camera.go_on.set()
    patient = PatientCamera(camera, deadline_s=5.0)
    for _ in range(4):
        patient.read()
    with pytest.raises(SourceError, match="gone for good"):
        patient.read()


@pytest.mark.slow
def test_a_camera_that_hangs_for_ever_keeps_nobody_from_ending() -> None:
    camera = Scripted()
    patient = PatientCamera(camera, deadline_s=0.05)
    for _ in range(3):
        patient.read()
    patient.close()
    assert not camera.closed  # its driver still has it
    camera.go_on.set()


def test_it_is_closed_with_the_other_one() -> None:
    camera = Scripted()
    patient = PatientCamera(camera)
    patient.read()
    patient.close()
    assert camera.closed
