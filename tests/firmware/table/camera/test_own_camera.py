"""Which camera looks at the table where nobody names one."""

from __future__ import annotations

import pytest

from firmware.table.camera import camera
from firmware.table.camera.camera import CameraKind, camera_spec, own_camera
from firmware.table.panel import devices


@pytest.mark.parametrize(
    ("pi", "has_picamera2", "kind"),
    [
        (True, False, CameraKind.PI),  # what is missing there is told with its cure
        (True, True, CameraKind.PI),
        (False, True, CameraKind.PI),
        (False, False, CameraKind.DEVICE),
    ],
)
def test_a_pi_takes_its_own_camera_and_a_laptop_its_webcam(
    monkeypatch: pytest.MonkeyPatch, pi: bool, has_picamera2: bool, kind: CameraKind
) -> None:
    monkeypatch.setattr(devices, "is_a_pi", lambda: pi)
    monkeypatch.setattr(camera, "find_spec", lambda name: object() if has_picamera2 else None)
    assert camera_spec(own_camera("auto")).kind is kind


@pytest.mark.parametrize("named", ["picamera2:1", "/dev/video3", "synthetic", "https://board.example/video"])
def test_a_camera_that_the_settings_name_is_that_one(named: str) -> None:
    assert own_camera(named) == named
