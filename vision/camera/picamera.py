"""The Raspberry Pi's own camera, through picamera2, which is imported only when such a camera is opened.

The luminance is the main stream's Y plane, and all that is copied of a frame whose colours nobody asks for. Exposure,
gain, white balance and focus are locked and unlocked by ``vision.camera.settling``, the exposure at a whole number of
mains half-waves, so that neither the lamps nor the automatics change the picture under the reader. Source: picamera2
0.3.12 to 0.3.36; libcamera's control_ids_core.yaml and src/ipa/rpi/common/ipa_base.cpp, 0.1 to 0.7.1;
hardware/PLATFORM.md, "Cameras".
"""

from __future__ import annotations

import contextlib
import threading
import time
from collections.abc import Callable, Mapping
from functools import partial
from typing import Any, Final

import cv2
import numpy as np

from vision.camera.settling import Area, Automatics, CameraFeedback, Do, Focus, Order, Settling
from vision.camera.sources import Pace, SourceError
from vision.frame import Frame, Picture, coloured
from vision.printed.table import CameraFrame

FRAME_US: Final = (100_000, 200_000)
"""How far pictures are apart, in microseconds: ten a second, and in the dark, where exposures are longer, five."""
_FOCUS_FRAME_US: Final = (33_333, 200_000)  # while it focuses: a scan takes up to ninety frames, in af.cpp
_BUFFERS: Final = 4  # one is kept for its colours, one waits to be fetched, and the camera fills two
PATIENCE_S: Final = 2.0
"""How long a frame may be waited for; a camera whose cable came loose never delivers it, without any error."""
MAINS_HZ: Final = 50  # as in Europe; lamps flicker at twice that (hardware/PLATFORM.md)
# libcamera's AfModeEnum, AfTriggerEnum, AfMeteringEnum, AfStateEnum, AeStateEnum and AeFlickerModeEnum.
_MANUAL_FOCUS, _FOCUS_ONCE, _CONTINUOUS_FOCUS = 0, 1, 2
_START_SCAN: Final = 0  # AfTriggerEnum
_FOCUS_ANYWHERE, _FOCUS_IN_WINDOWS = 0, 1  # AfMeteringEnum
_FOCUS_STATES: Final = {2: Focus.SHARP, 3: Focus.FAILED}
_CONVERGED: Final = 2  # AeStateEnum
_MANUAL_FLICKER: Final = 1  # AeFlickerModeEnum
_STAY: Final = {"AfMode": _MANUAL_FOCUS, "FrameDurationLimits": FRAME_US}


class CameraMissingError(SourceError):
    """There is no such camera, or no picamera2 to drive it; the message says which, and the cure."""


class PiCamera:
    """A ``LiveSource`` over one camera of a Raspberry Pi, giving (height, width) luminance as the sensor takes it.

    Raises CameraMissingError when there is no picamera2, no such camera, or one that does not start, whatever picamera2
    raises.
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
        feedback: CameraFeedback | None = None,
    ) -> None:
        """``mains_hz`` is that of the lamps, 50 or 60; ``patience_s`` how long a frame may take. ``feedback`` is what
        the game tells meanwhile.

        The others stand in for picamera2 and the clock in tests.
        """
        self._module = _module() if module is None else module
        self._number, self._size, self._mains_hz = number, size, mains_hz
        self._clock, self._patience_s = clock, patience_s
        self._feedback = feedback or CameraFeedback()
        self._index = 0
        self._holds = threading.Lock()
        self._camera: Any = None
        self._request: Any = None
        self._open()
        self._began_s = self._clock()

    def read(self) -> Frame:
        """The next frame, on a clock that starts when the camera first does. It is in colour until the next is read.

        Raises CameraMissingError where none comes, whatever picamera2 raises.
        """
        try:
            if self._camera is None or self._turned is not self._feedback.turned:
                raise RuntimeError("a camera that has to be opened again")
            request = self._captured()
            with self._module.MappedArray(request, "main") as mapped:
                y = np.array(mapped.array[: self._size.height, : self._size.width])
            metadata: Mapping[str, Any] = request.get_metadata()
            if "ExposureTime" in metadata:
                for order in self._settling.step(self._told(metadata), y, self._clock()):
                    self._control(self._controls(order, metadata))
        except Exception as error:
            raise CameraMissingError(
                f"camera picamera2:{self._number}: expected a picture, found {error!r}; look at both ends of its cable"
            ) from error
        self._index += 1
        colours = partial(self._in_colour, request, y)
        return Frame(self._index - 1, self._clock() - self._began_s, y, colours, metadata.get("SensorTimestamp"))

    def reopen(self) -> None:
        """Stop the camera and open it again. Raises CameraMissingError; a driver that hangs does not come back."""
        self.close()
        self._open()

    def close(self) -> None:
        """Stop the camera and let go of it, whatever state it is in."""
        camera, self._camera = self._camera, None
        for step in (self._let_go, lambda: camera.stop(), lambda: camera.close()):
            with contextlib.suppress(Exception):
                step()

    def _open(self) -> None:
        number = self._number
        try:
            found = self._module.Picamera2.global_camera_info()
        except Exception as error:
            raise CameraMissingError(
                f"camera picamera2:{number}: expected a list of cameras from libcamera, found {error!r}; see what "
                "rpicam-hello --list-cameras says"
            ) from error
        if not 0 <= number < len(found):
            raise CameraMissingError(
                f"camera picamera2:{number} was asked for, but {len(found)} cameras are connected; "
                "check the ribbon cable at both ends, then see what rpicam-hello --list-cameras says"
            )
        try:
            self._start()
        except BaseException as error:
            self.close()
            if not isinstance(error, Exception):
                raise
            raise CameraMissingError(
                f"camera picamera2:{number} ({found[number].get('Model', 'no name')}) is connected but does not start "
                f"({error}); close other programs that use it and see what rpicam-hello says, or if it is a USB camera "
                "choose it by its number: --camera 0"
            ) from error

    def _start(self) -> None:
        """Raises whatever picamera2 raises; the camera may be held then (raspberrypi/picamera2#1401)."""
        self._camera = camera = self._module.Picamera2.__new__(self._module.Picamera2)
        camera.__init__(self._number)
        self._turned = self._feedback.turned
        turned = {"transform": self._module.libcamera.Transform(hflip=1, vflip=1)} if self._turned else {}
        configuration = camera.create_video_configuration(
            main={"size": (self._size.width, self._size.height), "format": "YUV420"},
            raw=None,
            buffer_count=_BUFFERS,
            controls={"FrameDurationLimits": FRAME_US},
            **turned,
        )
        camera.configure(configuration)
        # While it settles: focus by itself, and exposures that the lamps do not flicker at.
        pulse_us = round(1_000_000 / (2 * self._mains_hz))
        self._control({"AeFlickerMode": _MANUAL_FLICKER, "AeFlickerPeriod": pulse_us})
        if "AfMode" in camera.camera_controls:
            self._control(self._controls(Order(Do.KEEP_FOCUSING), {}))
        camera.start()
        now_s = self._clock()
        self._pace = Pace(now_s)
        self._settling = self._feedback.settling = Settling(self._feedback, now_s)

    def _captured(self) -> Any:
        """The next picture that is due. Raises TimeoutError where none comes."""
        while True:
            self._let_go()
            done = threading.Event()
            # Asked for so, it works in every picamera2: only later ones take a number of seconds to wait.
            job = self._camera.capture_request(wait=False, signal_function=lambda _, done=done: done.set())
            if not done.wait(self._patience_s):
                raise TimeoutError(f"no frame within {self._patience_s:g} s")
            self._request = request = self._camera.wait(job)
            if self._pace.takes(self._clock()):
                return request

    def _let_go(self) -> None:
        """Give the last picture's buffer back: there are no colours of it from then on."""
        with self._holds:
            request, self._request = self._request, None
            if request is not None:
                request.release()

    def _in_colour(self, request: Any, y: Picture) -> Picture:
        """The picture in colour; grey where the camera has its buffer back."""
        with self._holds:
            if self._request is not request:
                return coloured(y)
            with self._module.MappedArray(request, "main") as mapped:
                planes = np.array(mapped.array)
        return _colour(planes, self._size.width, self._size.height)

    def _told(self, metadata: Mapping[str, Any]) -> Automatics:
        """The state of its automatics: exposure by ``AeState`` since libcamera 0.5, before by ``AeLocked``."""
        exposed = metadata.get("AeState") == _CONVERGED or metadata.get("AeLocked") is True
        focuses = "AfMode" in self._camera.camera_controls
        focus = _FOCUS_STATES.get(metadata.get("AfState", 0), Focus.SEARCHING) if focuses else Focus.NONE
        return Automatics(exposed, focus)

    def _controls(self, order: Order, metadata: Mapping[str, Any]) -> dict[str, Any]:
        """The controls that carry out this order, at a frame with this metadata."""
        match order.do:
            case Do.OPEN_EXPOSURE:
                return {"AeEnable": True, "AwbEnable": True}
            case Do.LOCK_EXPOSURE:
                exposure = steady_exposure(metadata["ExposureTime"], metadata["AnalogueGain"], self._mains_hz)
                locked = dict(zip(("ExposureTime", "AnalogueGain"), exposure, strict=True))
                return {"AeEnable": False, **locked, "AwbEnable": False, "ColourGains": metadata.get("ColourGains")}
            case Do.KEEP_FOCUSING:
                return {"AfMode": _CONTINUOUS_FOCUS, "FrameDurationLimits": _FOCUS_FRAME_US}
            case Do.LOCK_FOCUS:
                return {**_STAY, "LensPosition": metadata.get("LensPosition")}
            case Do.FOCUS_AT:
                return {**_STAY, "LensPosition": 1000 / order.distance_mm}
            case Do.FOCUS_ONCE:
                windows = _windows(order.area, metadata.get("ScalerCrop"))
                scan = {"AfMode": _FOCUS_ONCE, "AfTrigger": _START_SCAN, **windows}
                return {**scan, "FrameDurationLimits": _FOCUS_FRAME_US}

    def _control(self, wanted: dict[str, Any]) -> None:
        """Set these controls; those this camera does not have are left out."""
        known = self._camera.camera_controls
        controls = {name: value for name, value in wanted.items() if name in known and value is not None}
        if controls:
            self._camera.set_controls(controls)


def _windows(area: Area | None, crop: tuple[int, int, int, int] | None) -> dict[str, Any]:
    """The controls that have the focus measured in this part of the picture, which shows ``crop`` of the sensor."""
    if area is None or crop is None:
        return {"AfMetering": _FOCUS_ANYWHERE}
    left, top, width, height = crop
    x, y = round(left + area[0] * width), round(top + area[1] * height)
    window = (x, y, round((area[2] - area[0]) * width), round((area[3] - area[1]) * height))
    return {"AfMetering": _FOCUS_IN_WINDOWS, "AfWindows": [window]}


def _colour(planes: Picture, width: int, height: int) -> Picture:
    """The planes as (height, width, 3) BGR. The stream pads its rows to the stride; OpenCV wants them cut."""
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
    except Exception as error:  # libraries that do not fit each other raise ValueError and worse
        raise CameraMissingError(
            f"the Pi camera needs picamera2, which cannot be loaded here ({error}); on a Raspberry Pi install "
            "python3-picamera2 with apt, elsewhere choose another --camera"
        ) from error
    return picamera2
