"""A stand-in for picamera2 and the libcamera under it, as the oldest and the newest that a Pi may have behave.

What it does was read from these sources:

- libcamera v0.3.2+rpt20241119 and v0.4.0 (Bookworm until 2025), src/ipa/rpi/common/ipa_base.cpp: metadata has
  ``AeLocked`` once the exposure was worked out once, and no ``AeState``; ``AE_ENABLE`` false keeps what there is.
- libcamera v0.5.0+rpt20250429 to v0.7.1+rpt20260429, the same file: ``AeState`` (0 idle where exposure time and gain
  are both manual, 1 searching, 2 converged) and no ``AeLocked``; src/libcamera/camera.cpp, ``patchControlList``:
  ``AeEnable`` stands for both modes.
- All of them, src/ipa/rpi/controller/rpi/agc_channel.cpp: converged means that exposure stood still for some frames;
  af.cpp: ``AfState`` is 0 (idle) in manual mode, 1 (scanning) from the trigger on, then 2 (focused) or 3 (failed), at
  whatever ``LensPosition`` the scan ended; continuous mode scans again when the scene has changed; ``LensPosition`` is
  heard in manual mode only, ``AfTrigger`` in automatic mode only.
- picamera2 0.3.12 (commit cab033c, Bookworm of 2023) and 0.3.36 (bd44842), its modules picamera2, controls, request:
  the signatures; a control that is not advertised is a RuntimeError; a request is released once, and goes back to the
  camera with the controls that were set meanwhile; ``FrameDurationLimits`` is (33333, 33333) where nothing else is
  asked for.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from types import SimpleNamespace
from typing import Any, Final

import cv2
import numpy as np

from vision.frame import Picture

SIZE_PX: Final = (64, 32)
_STRIDE: Final = 96
OLD, NEW = "libcamera 0.4.0, picamera2 0.3.12", "libcamera 0.7.1, picamera2 0.3.36"
GENERATIONS: Final = (OLD, NEW)
MONO: Final = ("AeEnable", "ExposureTime", "AnalogueGain", "FrameDurationLimits")
FIXED_FOCUS: Final = (*MONO, "AwbEnable", "ColourGains", "AeFlickerMode", "AeFlickerPeriod")
AUTOFOCUS: Final = (*FIXED_FOCUS, "AfMode", "AfTrigger", "AfMetering", "AfWindows", "LensPosition")
_TARGET: Final = 100.0  # of 255, which the exposure aims for
_STILL_FRAMES: Final = 5  # agc_channel.cpp, maxLockCount
_SCAN_FRAMES: Final = 6
_DELAY_FRAMES: Final = 2  # between a request's controls and what is seen of them


class FakePi:
    """A Pi with one camera, and its world. ``module`` stands in for picamera2; time passes frame by frame.

    ``light`` is how much there is, 1 for a usual room; ``sharp_at`` the dioptres at which the table is sharp, None
    where no scan finds it. ``steady``: the exposure converges. ``raises`` is raised by the method of that name.
    ``paints`` gives the luminance that is seen in usual light, None for a grey table of 64 by 32 pixels.
    """

    def __init__(self, generation: str = NEW, controls: tuple[str, ...] = AUTOFOCUS) -> None:
        self.generation, self.controls = generation, controls
        self.light, self.steady = 1.0, True
        self.sharp_at: float | None = 1.8
        self.there, self.frozen = True, False
        self.raises: dict[str, BaseException] = {}
        self.paints: Callable[[], Picture] | None = None
        self.hangs: Callable[[], object] = lambda: None  # what stop() waits for
        self.found: list[dict[str, Any]] = [{"Num": 0, "Model": "imx708", "Id": "/base/soc/i2c0mux/i2c@1/imx708@1a"}]
        self.now_s = 100.0
        self.made: list[Any] = []
        pi = self

        class Picamera2(_Camera):
            def __init__(self, camera_num: int = 0) -> None:
                super().__init__(pi, camera_num)

            @staticmethod
            def global_camera_info() -> list[dict[str, Any]]:
                pi.fail("global_camera_info")
                return pi.found

        transform = SimpleNamespace(Transform=lambda **flips: ("transform", flips))
        self.module = SimpleNamespace(Picamera2=Picamera2, MappedArray=_MappedArray, libcamera=transform)

    @property
    def camera(self) -> _Camera:
        """The one opened last."""
        opened: _Camera = self.made[-1]
        return opened

    def clock(self) -> float:
        """The machine's clock."""
        return self.now_s

    def sleep(self, for_s: float) -> None:
        """Time that passes without a frame."""
        self.now_s += for_s

    def fail(self, where: str) -> None:
        """What is to be raised there."""
        if where in self.raises:
            raise self.raises[where]


class _Camera:
    """One opened camera. ``told`` are the controls it was given, each with when; ``calls`` the rest."""

    def __init__(self, pi: FakePi, number: int) -> None:
        self.pi, self.number = pi, number
        self.held = False
        self.calls: list[str] = ["open"]
        self.told: list[tuple[float, dict[str, Any]]] = []
        pi.made.append(self)
        self.held = True
        pi.fail("open")
        if not pi.there:
            raise RuntimeError("Camera __init__ sequence did not complete.")
        self.camera_controls = dict.fromkeys(pi.controls, (0, 1, None))
        self.exposure_us, self.gain, self.colour_gains = 30_000.0, 1.0, (1.5, 1.7)
        self.ae = self.awb = True
        self.lens, self.af_mode, self.af_state = 1.0, 0, 0
        self.windows: Any = None
        self.limits_us = (0, 0)
        self._still = self._scan = 0
        self._pending: list[dict[str, Any]] = []
        self._seen_light = pi.light
        self.out = 0
        self.configuration: dict[str, Any] = {}

    def create_video_configuration(self, **given: Any) -> dict[str, Any]:
        known = {"main", "lores", "raw", "transform", "colour_space", "buffer_count", "controls", "display", "encode"}
        known |= {"queue"} if self.pi.generation == OLD else {"queue", "sensor", "use_case"}
        if set(given) - known:
            raise TypeError(f"create_video_configuration() got an unexpected keyword argument {set(given) - known}")
        self.pi.fail("create_video_configuration")
        given.setdefault("raw", {"size": SIZE_PX})
        given.setdefault("buffer_count", 6)
        given["controls"] = {"FrameDurationLimits": (33_333, 33_333)} | given.get("controls", {})
        return given

    def configure(self, given: dict[str, Any]) -> None:
        self.calls.append("configure")
        self.pi.fail("configure")
        self.set_controls(given["controls"])
        self.configuration = given

    def start(self) -> None:
        self.calls.append("start")
        self.pi.fail("start")
        self._apply(*self._pending)
        self._pending = []

    def set_controls(self, controls: dict[str, Any]) -> None:
        self.pi.fail("set_controls")
        unknown = set(controls) - set(self.camera_controls)
        if unknown:
            raise RuntimeError(f"Control {unknown} is not advertised by libcamera")
        self.told.append((self.pi.now_s, controls))
        self._pending.append(controls)

    def capture_request(
        self, wait: bool | None = None, signal_function: Callable[[object], None] | None = None
    ) -> object:
        assert wait is False, "waiting without end would hang with a camera that is gone"
        assert signal_function is not None
        self.pi.fail("capture_request")
        if not self.pi.there:
            raise RuntimeError("the camera has been disconnected")
        job = object()
        if not self.pi.frozen and self.out < self.configuration["buffer_count"]:
            self._expose()
            signal_function(job)
        return job

    def wait(self, job: object) -> _Request:
        assert not self.pi.frozen
        self.out += 1
        return _Request(self)

    def stop(self) -> None:
        self.calls.append("stop")
        self.pi.fail("stop")
        self.pi.hangs()

    def close(self) -> None:
        self.calls.append("close")
        self.held = False
        self.pi.fail("close")

    @property
    def frame_s(self) -> float:
        """How far frames are apart: by the limits, and as long as the exposure needs."""
        low_us, high_us = self.limits_us
        return float(min(max(low_us, self.exposure_us), high_us)) / 1e6

    @property
    def brightness(self) -> float:
        """What a grey table's luminance is, 0 to 255."""
        linear = self.pi.light * self.exposure_us * self.gain / 30_000
        return float(min(255.0, _TARGET * linear ** (1 / 2.2)))

    def _expose(self) -> None:
        """The next frame: controls of some frames ago hold, and the automatics take a step."""
        self.pi.now_s += self.frame_s
        if len(self._pending) > _DELAY_FRAMES:
            self._apply(self._pending.pop(0))
        elif self._pending:
            self._pending.append({})
        before_us = self.exposure_us * self.gain
        if self.ae:
            wanted = self.exposure_us * self.gain * (_TARGET / max(self.brightness, 1.0)) ** 1.1
            wanted = wanted if self.pi.steady else wanted * (1.3 if self._still % 2 else 0.7)
            total = math.sqrt(wanted * self.exposure_us * self.gain)
            self.exposure_us = min(total, 66_000.0)
            self.gain = min(max(1.0, total / self.exposure_us), 8.0)
        moved = abs(self.exposure_us * self.gain / before_us - 1) > 0.02 or not self.pi.steady
        self._still = self._still + 1 if self.steady_light and not moved else (self._still + 1) % 2
        self._focus()

    @property
    def steady_light(self) -> bool:
        """Whether it is as light as at the frame before."""
        before, self._seen_light = self._seen_light, self.pi.light
        return before == self.pi.light

    def _focus(self) -> None:
        if self._scan:
            self._scan -= 1
            self.af_state = 1
            if not self._scan:
                self.af_state = 3 if self.pi.sharp_at is None else 2
                self.lens = 0.0 if self.pi.sharp_at is None else self.pi.sharp_at

    def _apply(self, *given: dict[str, Any]) -> None:
        for controls in given:
            self.ae = controls.get("AeEnable", self.ae)
            self.awb = controls.get("AwbEnable", self.awb)
            if not self.ae:
                self.exposure_us = controls.get("ExposureTime", self.exposure_us)
                self.gain = controls.get("AnalogueGain", self.gain)
            self.limits_us = controls.get("FrameDurationLimits", self.limits_us)
            self.windows = controls.get("AfWindows", self.windows)
            mode, before = controls.get("AfMode", self.af_mode), self.af_mode
            self.af_mode = mode
            if mode != before or (mode == 1 and controls.get("AfTrigger") == 0):
                self.af_state, self._scan = 0, _SCAN_FRAMES if mode else 0
            if mode == 0:
                self.lens = controls.get("LensPosition", self.lens)

    def metadata(self) -> dict[str, Any]:
        """What libcamera reports with a frame."""
        told: dict[str, Any] = {
            "ExposureTime": round(self.exposure_us),
            "AnalogueGain": self.gain,
            "SensorTimestamp": round(self.pi.now_s * 1e9),
            "FrameDuration": round(self.frame_s * 1e6),
            "ScalerCrop": (0, 0, 4608, 2592),
        }
        if "ColourGains" in self.camera_controls:
            told["ColourGains"] = self.colour_gains
        if "AfMode" in self.camera_controls:
            told |= {"AfState": self.af_state if self.af_mode else 0, "LensPosition": self.lens}
        converged = self._still >= _STILL_FRAMES
        if self.pi.generation == OLD:
            return told | {"AeLocked": converged}
        return told | {"AeState": (2 if converged else 1) if self.ae else 0}


class _Request:
    """One frame, whose buffer is the camera's again once it is released."""

    def __init__(self, camera: _Camera) -> None:
        self.camera, self.released = camera, False
        self._metadata = camera.metadata()
        width, height = SIZE_PX
        if camera.pi.paints is not None:
            grey = cv2.convertScaleAbs(camera.pi.paints(), alpha=camera.brightness / _TARGET)
            self.planes = np.vstack([grey, np.full_like(grey[::2], 128)])
            return
        tone = round(camera.brightness)
        picture = np.full((height, width, 3), (tone, tone, tone), np.uint8)
        picture[: height // 4, :, :2] = 0  # a part of it is red
        packed = cv2.cvtColor(picture, cv2.COLOR_BGR2YUV_I420)
        self.planes = np.full((height * 3 // 2, _STRIDE), 7, np.uint8)
        self.planes[:height, :width] = packed[:height]
        chroma = packed[height:].reshape(2, height // 2, width // 2)
        self.planes[height:].reshape(2, height // 2, _STRIDE // 2)[:, :, : width // 2] = chroma

    def get_metadata(self) -> dict[str, Any]:
        assert not self.released
        return self._metadata

    def release(self) -> None:
        if self.released:
            raise RuntimeError("CompletedRequest: lock now has negative ref_count")
        self.released = True
        self.camera.out -= 1
        self.planes[:] = 255  # the next frame is written there


class _MappedArray:
    def __init__(self, request: _Request, stream: str, reshape: bool = True) -> None:
        assert stream == "main"
        assert not request.released, "a buffer that is the camera's again"
        self.array = request.planes

    def __enter__(self) -> _MappedArray:
        return self

    def __exit__(self, *_: object) -> None:
        del self.array
