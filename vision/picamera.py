"""The Raspberry Pi's own camera, through picamera2, which is imported only when such a camera is opened.

The luminance comes straight from the main stream's Y plane (converting to colour costs more than reading). After a few
seconds exposure, gain, white balance and focus are locked, the exposure at a whole number of mains half-waves, so that
neither the lamps nor the automatics change the picture under the reader. Source: picamera2 manual; PI.md, "Cameras".
"""

from __future__ import annotations

import time
from collections.abc import Callable
from typing import Any, Final

import cv2
import numpy as np

from vision.frame import Frame, Picture
from vision.sources import SourceError
from vision.table import CameraFrame

SETTLE_S: Final = 2.0
MAINS_HZ: Final = 50
_MANUAL_FOCUS: Final = 0  # libcamera's AfModeEnum.Manual


class CameraMissingError(SourceError):
    """There is no such camera, or no picamera2 to drive it; the message says which, and the cure."""


class PiCamera:
    """A ``Source`` over one camera of a Raspberry Pi, giving (height, width) luminance as the sensor takes it.

    Raises CameraMissingError when there is no picamera2 or no such camera.
    """

    def __init__(
        self,
        number: int,
        size: CameraFrame,
        *,
        module: Any = None,
        clock: Callable[[], float] = time.monotonic,
        mains_hz: int = MAINS_HZ,
    ) -> None:
        """``module`` stands in for picamera2 in tests; ``clock`` gives seconds."""
        picamera2 = _module() if module is None else module
        found = picamera2.Picamera2.global_camera_info()
        if not 0 <= number < len(found):
            raise CameraMissingError(
                f"camera picamera2:{number} was asked for, but {len(found)} cameras are connected; "
                "check the ribbon cable at both ends, then see what rpicam-hello --list-cameras says"
            )
        self._width, self._height = size.width, size.height
        self._clock = clock
        self._mains_hz = mains_hz
        self._camera = picamera2.Picamera2(number)
        self._mapped = picamera2.MappedArray
        configuration = self._camera.create_video_configuration(
            main={"size": (self._width, self._height), "format": "YUV420"}, buffer_count=3
        )
        self._camera.configure(configuration)
        self._camera.start()
        self._began_s = clock()
        self._index = 0
        self._locked = False

    def read(self) -> Frame:
        """The next frame, on a clock that starts when the camera does."""
        request = self._camera.capture_request()
        try:
            with self._mapped(request, "main") as mapped:
                planes = np.array(mapped.array)
            metadata = request.get_metadata() if not self._locked else None
        finally:
            request.release()
        t_s = self._clock() - self._began_s
        if metadata is not None and t_s >= SETTLE_S:
            self._lock(metadata)
        frame = Frame(self._index, t_s, planes[: self._height, : self._width], lambda: self._colour(planes))
        self._index += 1
        return frame

    def close(self) -> None:
        """Stop the camera and let go of it."""
        self._camera.stop()
        self._camera.close()

    def _lock(self, metadata: dict[str, Any]) -> None:
        """Hold what the automatics arrived at; controls this camera does not have are left out."""
        exposure_us, gain = steady_exposure(metadata["ExposureTime"], metadata["AnalogueGain"], self._mains_hz)
        wanted: dict[str, Any] = {
            "AeEnable": False,
            "ExposureTime": exposure_us,
            "AnalogueGain": gain,
            "AwbEnable": False,
            "ColourGains": metadata.get("ColourGains"),
            "AfMode": _MANUAL_FOCUS,
            "LensPosition": metadata.get("LensPosition"),
        }
        known = self._camera.camera_controls
        self._camera.set_controls(
            {name: value for name, value in wanted.items() if name in known and value is not None}
        )
        self._locked = True

    def _colour(self, planes: Picture) -> Picture:
        # The stream pads its rows to the stride; OpenCV wants them cut.
        width, height = self._width, self._height
        stride = planes.shape[1]
        luminance = planes[:height, :width]
        chroma = planes[height:].reshape(2, height // 2, stride // 2)[:, :, : width // 2]
        packed = np.concatenate([luminance.ravel(), chroma.reshape(-1)]).reshape(height * 3 // 2, width)
        return np.asarray(cv2.cvtColor(packed, cv2.COLOR_YUV2BGR_I420), dtype=np.uint8)


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
