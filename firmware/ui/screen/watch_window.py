"""The live window of ``engarde watch``: the picture with everything drawn on it, what it says, and its keys."""

from __future__ import annotations

import time
from collections import deque
from collections.abc import Callable
from typing import Final

from display.i18n import next_language
from display.screens.camera import CameraPicture
from display.window import Window, WindowRequest
from display.words.watching import Watched, watch_view
from engine.rules.track import BySide
from firmware.ui.screen.screens import drawn_picture
from vision.frame import Frame
from vision.look import Look

_REDRAWN_EVERY_S: Final = 0.05
_FPS_OVER_FRAMES: Final = 20


class WatchWindow:
    """Shows frame after frame. Space pauses and goes on, the right arrow shows the next frame, T changes the language.

    ``ended`` once it was closed.
    """

    def __init__(
        self,
        window: Window,
        language: str,
        *,
        clock: Callable[[], float] = time.monotonic,
        sleep: Callable[[float], None] = time.sleep,
    ) -> None:
        """``clock`` and ``sleep`` stand in for time in tests."""
        self._window = window
        self._language = language
        self._clock, self._sleep = clock, sleep
        self._times: deque[float] = deque(maxlen=_FPS_OVER_FRAMES)
        self._paused = False
        self.ended = False

    def show(self, frame: Frame, look: Look) -> None:
        """Draw this frame, and stay with it while paused."""
        self._times.append(self._clock())
        picture = drawn_picture(frame, look)
        self._draw(frame, look, picture)
        stays = self._asked()
        while stays and not self.ended:
            self._draw(frame, look, picture)
            self._sleep(_REDRAWN_EVERY_S)
            stays = self._asked()

    def _asked(self) -> bool:
        """Take what was asked for; whether this frame is to stay."""
        next_frame = False
        for request in self._window.poll():
            if request in (WindowRequest.QUIT, WindowRequest.LEAVE):
                self.ended = True
            elif request is WindowRequest.LANGUAGE:
                self._language = next_language(self._language)
            elif request is WindowRequest.ACT:
                self._paused = not self._paused
                self._times.clear()
            elif request in (WindowRequest.BLACK, WindowRequest.FORWARD):
                self._paused = next_frame = True
        return self._paused and not next_frame

    def _draw(self, frame: Frame, look: Look, picture: CameraPicture | None) -> None:
        calibration = look.calibration
        watched = Watched(
            look.table,
            BySide(look.seen.white, look.seen.black),
            look.seen.cards,
            None if calibration is None else (calibration.rms_px, calibration.rms_mm),
            self._fps(),
            frame.t_s,
            self._paused,
            look.mirrored,
        )
        self._window.show_watch(watch_view(watched, self._language), picture)

    def _fps(self) -> float | None:
        if self._paused or len(self._times) < 2 or self._times[-1] <= self._times[0]:
            return None
        return (len(self._times) - 1) / (self._times[-1] - self._times[0])
