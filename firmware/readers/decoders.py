"""Decodes picture files and videos in another process, and gives up on one that takes too long."""

from __future__ import annotations

from typing import Any, Final

from firmware.readers.apart import DECODERS, START_S, Apart, Fate, NoAnswerError
from vision.camera.decoding import PICTURE, VIDEO_FPS, VIDEO_FRAME, NotDecodedError
from vision.frame import Picture

DEADLINE_S: Final = 1.5  # twelve megapixels take a Raspberry Pi 4 less than half of that


class Decoders:
    """A ``Decoder`` that neither hangs nor crashes. ``module``: as in ``Apart``."""

    def __init__(self, *, deadline_s: float = DEADLINE_S, module: str = DECODERS) -> None:
        self._deadline_s = deadline_s
        self._apart = Apart(module, START_S)  # no game waits: what is not decoded would be left out

    def picture(self, path: str, colour: bool) -> Picture | None:
        answer: Picture | None = self._ask(PICTURE, path, colour)
        return answer

    def video_fps(self, path: str) -> float | None:
        answer: float | None = self._ask(VIDEO_FPS, path)
        return answer

    def video_frame(self, path: str, index: int, colour: bool) -> Picture | None:
        answer: Picture | None = self._ask(VIDEO_FRAME, path, index, colour)
        return answer

    def close(self) -> None:
        self._apart.close()

    def _ask(self, name: str, *how: object) -> Any:
        try:
            return self._apart.ask(self._deadline_s, name, None, *how)
        except NoAnswerError as error:
            said = f" ({error})" if error.fate is not Fate.HUNG else f" for {self._deadline_s:g} s"
            raise NotDecodedError(f"what decodes it {error.fate.value}{said}") from error
