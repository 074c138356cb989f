"""The cost of looking at a frame, in millions of instructions, and how much of it one frame may take.

The steps that can wait for the next frame ask here. Fitted to the instructions that an arm64 processor took for 300
frames of a foreign film (``tests/bench/arm64_in_debian.sh``); zbar's to its time beside zxing-cpp's.
"""

from __future__ import annotations

from typing import Any, Final

from vision.frame import Picture
from vision.marks.foreign import ARUCO, ZBAR, ZXING, Run

PER_MEGAPIXEL: Final = {ZXING: 16.0, ARUCO: 60.0, ZBAR: 240.0}
"""Of what a reader gets: zxing-cpp with what makes it black and white and denser, or a whole picture as it is."""
FINDERS_PER_MEGAPIXEL: Final = 115.0
"""Of a part of the picture in which finder patterns are searched."""
FIT: Final = 12.0
"""A label fitted to what is left of it, by a finder pattern that has no other to go with; more where it has."""
FIT_AT_CORNERS: Final = FIT / 2
"""The same where its corners are known."""
HAND: Final = 10.0
"""Telling a hand from the table in a frame that has one."""
MAX_WORK: Final = 84.0
"""More is not begun in a frame. Of 440 frames none takes more than 120 then; with 80 a table came to rest a frame
later in six places, with this in one."""


class Work:
    """Asks ``run`` for every reader, and adds up what was spent in this frame."""

    def __init__(self, run: Run) -> None:
        self._run = run
        self.spent = 0.0

    def begin(self) -> None:
        """Another frame."""
        self.spent = 0.0

    def allows(self, cost: float) -> bool:
        """Whether this frame can take so much more."""
        return self.spent + cost <= MAX_WORK

    def __call__(self, name: str, y: Picture, *how: object) -> Any | None:
        self.spent += PER_MEGAPIXEL[name] * y.size / 1e6
        return self._run(name, y, *how)
