"""Decodes picture files and videos in another process, and gives up on one that hangs or is too much work."""

from __future__ import annotations

from typing import Any, Final

from firmware.table.readers.apart import DECODERS, START_S, Apart, NoAnswerError
from firmware.table.readers.progress import Limits
from vision.camera.decoding import PICTURE, VIDEO_FPS, VIDEO_FRAME, NotDecodedError
from vision.frame import Picture

LIMITS: Final = Limits(cpu_s=1.5, asleep_s=1.5, wait_s=START_S)
"""Twelve megapixels take a Raspberry Pi 4 less than half of that; a stick that was asleep takes a second to answer."""


class Decoders:
    """A ``Decoder`` that neither hangs nor crashes. ``module``: as in ``Apart``."""

    def __init__(self, *, limits: Limits = LIMITS, module: str = DECODERS) -> None:
        self._limits = limits
        self._apart = Apart(module, START_S)  # no game waits: what is not decoded would be left out

    def picture(self, path: str, colour: bool) -> Picture | None:
        answer: Picture | None = self._ask(PICTURE, path, colour)
        return answer

    def video_fps(self, path: str) -> float | None:
        answer: float | None = self._ask(VIDEO_FPS, path)
        return answer

    def video_frame(self, path: str, index: int, colour: bool) -> tuple[Picture, float] | None:
        answer: tuple[Picture, float] | None = self._ask(VIDEO_FRAME, path, index, colour)
        return answer

    def close(self) -> None:
        self._apart.close()

    def _ask(self, name: str, *how: object) -> Any:
        try:
            return self._apart.ask(self._limits, name, None, *how)
        except NoAnswerError as error:
            raise NotDecodedError(f"what decodes it {error.fate.value} ({error})") from error
