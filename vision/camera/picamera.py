"""The Raspberry Pi's own camera, through picamera2, which is imported only when such a camera is opened.

The luminance comes straight from the main stream's Y plane (converting to colour costs more than reading). After a few
seconds exposure, gain, white balance and focus are locked, the exposure at a whole number of mains half-waves, so that
neither the lamps nor the automatics change the picture under the reader. A camera that gives no more frames is let go
of and opened again until it does. Source: picamera2 manual; libcamera's control ids; hardware/PLATFORM.md, "Cameras".
"""

from __future__ import annotations

import contextlib
import threading
import time
from collections.abc import Callable
from typing import Any, Final

import cv2
import numpy as np

from vision.camera.sources import GONE_FRAME_S, REOPEN_AFTER_S, SourceError
from vision.frame import GONE, Frame, Picture
from vision.printed.table import CameraFrame

SETTLE_S: Final = 2.0  # before that the automatics have hardly begun; chosen
LATEST_LOCK_S: Final = 10.0  # a focus that still hunts then would hunt all evening; chosen
PATIENCE_S: Final = 2.0
"""How long a frame may be waited for; a camera whose cable came loose never delivers it, without any error."""
MAINS_HZ: Final = 50  # as in Europe; lamps flicker at twice that (hardware/PLATFORM.md)
_MANUAL_FOCUS, _CONTINUOUS_FOCUS = 0, 2  # libcamera's AfModeEnum
_MANUAL_FLICKER: Final = 1  # AeFlickerModeEnum
_SCANNING: Final = 1  # AfStateEnum
_GONE_WRONG: Final = (RuntimeError, OSError, IndexError, TimeoutError)

Aside = Callable[[Callable[[], None]], None]
"""Runs a function in a thread of its own."""


class CameraMissingError(SourceError):
    """There is no such camera, or no picamera2 to drive it; the message says which, and the cure."""


class PiCamera:
    """A ``Source`` over one camera of a Raspberry Pi, giving (height, width) luminance as the sensor takes it.

    One that vanishes is waited for: it gives empty frames meanwhile. Raises CameraMissingError when there is no
    picamera2, no such camera, or one that does not start.
    """

    def __init__(
        self,
        number: int,
        size: CameraFrame,
        *,
        module: Any = None,
        clock: Callable[[], float] = time.monotonic,
        mains_hz: int = MAINS_HZ,
        patience_s: float = PATIENCE_S,
        sleep: Callable[[float], None] = time.sleep,
        aside: Aside | None = None,
    ) -> None:
        """``mains_hz`` is that of the lamps, 50 or 60; ``patience_s`` how long a frame may take.

        The others stand in for picamera2, time and threads in tests.
        """
        self._module = _module() if module is None else module
        found = self._module.Picamera2.global_camera_info()
        if not 0 <= number < len(found):
            raise CameraMissingError(
                f"camera picamera2:{number} was asked for, but {len(found)} cameras are connected; "
                "check the ribbon cable at both ends, then see what rpicam-hello --list-cameras says"
            )
        self._number, self._size, self._mains_hz = number, size, mains_hz
        self._clock, self._sleep = clock, sleep
        self._patience_s = patience_s
        self._aside = _in_a_thread if aside is None else aside
        self._attempt = threading.Event()
        self._attempt.set()
        self._attempted_s = 0.0
        self._found: PiCameraDevice | None = None
        self._closed = False
        self._waited_s = 0.0
        try:
            self._device: PiCameraDevice | None = self._opened()
        except _GONE_WRONG as error:
            raise CameraMissingError(
                f"camera picamera2:{number} is connected but does not start ({error}); close other programs that use "
                "it, then see what rpicam-hello says"
            ) from error
        self._began_s = self._device.began_s
        self._index = 0

    def read(self) -> Frame:
        """The next frame, on a clock that starts when the camera first does; an empty one while it is gone."""
        planes = self._planes()
        t_s = self._clock() - self._began_s
        index = self._index
        self._index += 1
        if planes is None:
            return Frame(index, t_s, GONE)
        width, height = self._size.width, self._size.height
        return Frame(index, t_s, planes[:height, :width], lambda: _colour(planes, width, height))

    @property
    def stuck_since_s(self) -> float | None:
        """When stopping or opening the camera began, by ``clock``, while that has not returned; else None.

        A driver that hangs there rarely comes back; another start of the program helps (raspberrypi/picamera2#962).
        """
        return None if self._attempt.is_set() else self._attempted_s

    def close(self) -> None:
        """Stop the camera and let go of it. One that hangs in that is left to itself."""
        self._closed = True
        device, self._device = self._device, None
        if device is not None:
            self._try(device.stop, self._patience_s)

    def _planes(self) -> Picture | None:
        """The next frame's planes as the stream has them; None while the camera is gone."""
        if self._device is None:
            self._look_for_it()
            self._device, self._found = self._found, None
        if self._device is None:
            return None
        device = self._device
        try:
            planes, metadata = device.capture(self._patience_s)
            device.settle(metadata, self._clock())
        except _GONE_WRONG:
            self._device, self._waited_s = None, 0.0
            # It may hang in stopping too; until that has returned it cannot be opened again.
            self._try(device.stop, REOPEN_AFTER_S)
            return None
        return planes

    def _look_for_it(self) -> None:
        """One attempt to open it again, aside, so that nobody waits longer than a moment for a camera that hangs."""
        if not self._attempt.is_set():
            self._attempt.wait(GONE_FRAME_S)
            return
        self._sleep(GONE_FRAME_S)
        self._waited_s += GONE_FRAME_S
        if self._waited_s >= REOPEN_AFTER_S:
            self._waited_s = 0.0
            self._try(self._open_again, GONE_FRAME_S)

    def _open_again(self) -> None:
        try:
            device = self._opened()
        except _GONE_WRONG:
            return
        if self._closed:
            device.stop()
        else:
            self._found = device

    def _try(self, what: Callable[[], None], for_s: float) -> None:
        """Run this aside and wait for it so long at most."""
        self._attempted_s = self._clock()
        self._attempt.clear()

        def run() -> None:
            try:
                what()
            finally:
                self._attempt.set()

        self._aside(run)
        self._attempt.wait(for_s)

    def _opened(self) -> PiCameraDevice:
        return PiCameraDevice(self._module, self._number, self._size, self._clock, self._mains_hz)


class PiCameraDevice:
    """One opened camera: raises RuntimeError, OSError, IndexError or TimeoutError where it does not do its work."""

    def __init__(self, module: Any, number: int, size: CameraFrame, clock: Callable[[], float], mains_hz: int) -> None:
        self._mains_hz = mains_hz
        self._mapped = module.MappedArray
        self._camera = module.Picamera2(number)
        try:
            configuration = self._camera.create_video_configuration(
                main={"size": (size.width, size.height), "format": "YUV420"}, buffer_count=3
            )
            self._camera.configure(configuration)
            # While it settles: focus by itself, and exposures that the lamps do not flicker at.
            pulse_us = round(1_000_000 / (2 * mains_hz))
            self._control({"AfMode": _CONTINUOUS_FOCUS, "AeFlickerMode": _MANUAL_FLICKER, "AeFlickerPeriod": pulse_us})
            self._camera.start()
        except BaseException:
            self._camera.close()
            raise
        self.began_s = clock()
        self._locked = False

    def capture(self, patience_s: float) -> tuple[Picture, dict[str, Any]]:
        """The planes of the next frame with their padding, and what the camera says about it."""
        done = threading.Event()
        # Asked for so, it works in every picamera2: only later ones take a number of seconds to wait.
        job = self._camera.capture_request(wait=False, signal_function=lambda _: done.set())
        if not done.wait(patience_s):
            raise TimeoutError(f"no frame within {patience_s:g} s")
        request = self._camera.wait(job)
        try:
            with self._mapped(request, "main") as mapped:
                planes = np.array(mapped.array)
            return planes, request.get_metadata() if not self._locked else {}
        finally:
            request.release()

    def settle(self, metadata: dict[str, Any], now_s: float) -> None:
        """Lock what the automatics arrived at, once they have arrived; the latest after ten seconds."""
        age_s = now_s - self.began_s
        if self._locked or age_s < SETTLE_S or "ExposureTime" not in metadata:
            return
        under_way = not metadata.get("AeLocked", True) or metadata.get("AfState") == _SCANNING
        if under_way and age_s < LATEST_LOCK_S:
            return
        exposure_us, gain = steady_exposure(metadata["ExposureTime"], metadata["AnalogueGain"], self._mains_hz)
        self._control(
            {
                "AeEnable": False,
                "ExposureTime": exposure_us,
                "AnalogueGain": gain,
                "AwbEnable": False,
                "ColourGains": metadata.get("ColourGains"),
                "AfMode": _MANUAL_FOCUS,
                "LensPosition": metadata.get("LensPosition"),
            }
        )
        self._locked = True

    def stop(self) -> None:
        """Let go of it, whatever state it is in."""
        for step in (self._camera.stop, self._camera.close):
            with contextlib.suppress(*_GONE_WRONG):
                step()

    def _control(self, wanted: dict[str, Any]) -> None:
        """Set these controls; those this camera does not have are left out."""
        known = self._camera.camera_controls
        controls = {name: value for name, value in wanted.items() if name in known and value is not None}
        if controls:
            self._camera.set_controls(controls)


def _colour(planes: Picture, width: int, height: int) -> Picture:
    """The planes as (height, width, 3) BGR. The stream pads its rows to the stride; OpenCV wants them cut."""
    stride = planes.shape[1]
    luminance = planes[:height, :width]
    chroma = planes[height:].reshape(2, height // 2, stride // 2)[:, :, : width // 2]
    packed = np.concatenate([luminance.ravel(), chroma.reshape(-1)]).reshape(height * 3 // 2, width)
    return np.asarray(cv2.cvtColor(packed, cv2.COLOR_YUV2BGR_I420), dtype=np.uint8)


def _in_a_thread(run: Callable[[], None]) -> None:
    threading.Thread(target=run, daemon=True).start()


def steady_exposure(exposure_us: int, gain: float, mains_hz: int) -> tuple[int, float]:
    """The nearest exposure that mains light does not flicker at, and the gain that keeps the brightness.

    Lamps pulse twice a mains wave: 10 ms at 50 Hz, 8.33 ms at 60 Hz. Exposures shorter than one pulse are kept as they
    are: so bright a scene is daylight.
    """
    pulse_us = 1_000_000 / (2 * mains_hz)
    if exposure_us < pulse_us:
        return exposure_us, gain
    steady_us = round(round(exposure_us / pulse_us) * pulse_us)
    return steady_us, max(1.0, gain * exposure_us / steady_us)


def _module() -> Any:
    try:
        import picamera2
    except ImportError as error:
        raise CameraMissingError(
            f"the Pi camera needs picamera2, which cannot be loaded here ({error}); on a Raspberry Pi install "
            "python3-picamera2 with apt, elsewhere choose another --camera"
        ) from error
    return picamera2
