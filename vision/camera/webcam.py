"""A camera that OpenCV opens through Video4Linux: a USB webcam, or any other by its number or device path.

Pictures are asked for as MJPG, uncompressed ones take a USB 2 port for two to ten a second, and no more than ten a
second are decoded. Exposure, white balance and focus are locked and unlocked by ``vision.camera.settling``, as far as
the driver has them; the lamps' rhythm is told it. Source: OpenCV 4, modules/videoio/src/cap_v4l.cpp; Linux,
include/uapi/linux/v4l2-controls.h.
"""

from __future__ import annotations

import fcntl
import os
import struct
import time
from collections.abc import Callable
from contextlib import suppress
from typing import Any, Final

import cv2

from vision.camera.settling import Automatics, CameraFeedback, Do, Focus, Order, Settling
from vision.camera.sources import PERIOD_S, OneSize, Pace, SourceError, frame_of
from vision.frame import Frame, Picture

_MJPG: Final = cv2.VideoWriter.fourcc(*"MJPG")
# v4l2_exposure_auto_type: webcams that lower their frame rate in the dark know the last, other cameras the first.
_EXPOSURE_AUTO, _EXPOSURE_MANUAL, _APERTURE_PRIORITY = 0, 1, 3
_POWER_LINE_FREQUENCY: Final = 0x00980918  # V4L2_CID_POWER_LINE_FREQUENCY
_SET_CONTROL: Final = 0xC008561C  # VIDIOC_S_CTRL, of a control's number and value
_POWER_LINE: Final = {50: 1, 60: 2}


def set_mains_hz(device: int | str, mains_hz: int) -> None:
    """Tell a camera the rhythm of the lamps, 50 or 60, where its driver has a control for it."""
    path = f"/dev/video{device}" if isinstance(device, int) else device
    with suppress(OSError):
        opened = os.open(path, os.O_RDWR | os.O_NONBLOCK)
        try:
            fcntl.ioctl(opened, _SET_CONTROL, struct.pack("Ii", _POWER_LINE_FREQUENCY, _POWER_LINE[mains_hz]))
        finally:
            os.close(opened)


class WebCamera:
    """A ``LiveSource``: a camera by its number or device path.

    One that gives what is no picture, or one of another size than the one before, has to be reopened. Where it gives
    pictures of another size from then on, they are made to fit the first.
    """

    def __init__(
        self,
        device: int | str,
        size: tuple[int, int],
        *,
        open_capture: Callable[[int | str], Any] | None = None,
        clock: Callable[[], float] = time.monotonic,
        mains_hz: int = 50,
        tell_mains_hz: Callable[[int | str, int], None] = set_mains_hz,
        feedback: CameraFeedback | None = None,
    ) -> None:
        """``size`` is width and height to ask for, ``mains_hz`` that of the lamps, ``feedback`` what the game tells
        meanwhile. The others stand in for OpenCV, the driver and the clock in tests.

        Raises SourceError when no such camera opens.
        """
        self._device, self._size, self._mains_hz = device, size, mains_hz
        self._tell_mains_hz = tell_mains_hz
        self._feedback = feedback or CameraFeedback()
        self._focuses = False
        self._sizes = OneSize()
        self._pace = Pace(clock())
        self._open_capture: Callable[[Any], Any] = cv2.VideoCapture if open_capture is None else open_capture
        self._clock = clock
        self._capture: Any = self._opened()
        self._began_s = clock()
        self._index = 0

    def read(self) -> Frame:
        """The next frame. Raises SourceError where none comes."""
        image = None if self._capture is None else self._picture()
        if image is None:
            raise SourceError(f"camera {self._device}: expected a picture, found none; look at its cable and its plug")
        t_s = self._clock() - self._began_s
        frame = frame_of(image, self._index, t_s)
        self._index += 1
        frame = frame.turned() if self._feedback.turned else frame
        told = Automatics(focus=Focus.UNTOLD if self._focuses else Focus.NONE)
        for order in self._settling.step(told, frame.y, self._clock()):
            self._carry_out(order)
        return frame

    def reopen(self) -> None:
        """Let go of it and open it again. Raises SourceError where it does not open."""
        if self._capture is not None:
            self._let_go()
        self._capture = self._opened()

    def close(self) -> None:
        """Let go of the camera, its automatics on again: whoever uses it next finds it as it was."""
        if self._capture is not None:
            self._carry_out(Order(Do.OPEN_EXPOSURE))
            if self._focuses:
                self._carry_out(Order(Do.KEEP_FOCUSING))
            self._let_go()

    def _let_go(self) -> None:
        self._capture.release()
        self._capture = None

    def _grabbed(self) -> bool:
        """Wait for the next picture that is due; those between are not decoded. False where none comes."""
        while self._capture.grab():
            if self._pace.takes(self._clock()):
                return True
        return False

    def _picture(self) -> Picture | None:
        """The driver's picture; None where it gives anything else."""
        try:
            ok, image = self._capture.retrieve() if self._grabbed() else (False, None)
        except cv2.error:
            return None
        return self._sizes.fitted(image) if ok else None

    def _opened(self) -> Any:
        capture = self._open_capture(self._device)
        if not capture.isOpened():
            capture.release()
            raise SourceError(
                f"camera {self._device}: expected a camera, found none that opens; see which exist with "
                "`v4l2-ctl --list-devices`, and close other programs that use it"
            )
        capture.set(cv2.CAP_PROP_FOURCC, _MJPG)
        capture.set(cv2.CAP_PROP_FRAME_WIDTH, self._size[0])
        capture.set(cv2.CAP_PROP_FRAME_HEIGHT, self._size[1])
        capture.set(cv2.CAP_PROP_FPS, 1 / PERIOD_S)
        capture.set(cv2.CAP_PROP_BUFFERSIZE, 1)
        self._tell_mains_hz(self._device, self._mains_hz)
        self._focuses = bool(capture.set(cv2.CAP_PROP_AUTOFOCUS, 1))
        self._settling = Settling(self._feedback, self._clock())
        self._sizes.opened()
        self._feedback.settling = self._settling if _expose(capture) or self._focuses else None
        return capture

    def _carry_out(self, order: Order) -> None:
        """Have the driver do this. What it tells of a value while it is automatic may be old: none is written back."""
        capture = self._capture
        match order.do:
            case Do.OPEN_EXPOSURE:
                _expose(capture)
            case Do.LOCK_EXPOSURE:
                capture.set(cv2.CAP_PROP_AUTO_EXPOSURE, _EXPOSURE_MANUAL)
                capture.set(cv2.CAP_PROP_AUTO_WB, 0)
            case Do.FOCUS_ONCE | Do.KEEP_FOCUSING:
                capture.set(cv2.CAP_PROP_AUTOFOCUS, 0)  # switched on anew, it looks for the focus
                capture.set(cv2.CAP_PROP_AUTOFOCUS, 1)
            case Do.LOCK_FOCUS:
                capture.set(cv2.CAP_PROP_AUTOFOCUS, 0)


def _expose(capture: Any) -> bool:
    """Leave exposure and white balance to the camera; whether the driver has that for exposure."""
    capture.set(cv2.CAP_PROP_AUTO_WB, 1)
    return any(capture.set(cv2.CAP_PROP_AUTO_EXPOSURE, mode) for mode in (_APERTURE_PRIORITY, _EXPOSURE_AUTO))
