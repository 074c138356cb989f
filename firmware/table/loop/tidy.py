"""Garbage is collected between frames, a little at a time, so that no frame waits for it.

Left to itself Python goes through every object there is once enough have been made, libraries and the companion's
remembered positions among them: a fifth of a second in which camera, screen and panel stand still.
"""

from __future__ import annotations

import gc
import time
from collections.abc import Callable
from typing import Final

from firmware.table.loop.moment import Moment

YOUNG: Final = 1000
"""So many more objects than before have Python look at the new ones by itself: under a millisecond."""
MIDDLING: Final = 5
"""After so many such looks, those are gone through that outlived one: some milliseconds."""
AFTER_ROUNDS: Final = 10
"""After so many of these it is time for those that outlived both, between two frames."""
AFTER_MOMENTS: Final = 600
"""It is time after so many moments, too, a minute or two: freed tuples that Python lays up for later, up to two
thousand of each size, go only with such a collection."""
_WORTH_S: Final = 0.008  # a Raspberry Pi 4 takes three times as long as a laptop; chosen
_NEVER: Final = 1 << 30


class Tidy:
    """Collects garbage after a moment, when some has gathered: attends last. ``close`` leaves it to Python again.

    What outlived a collection that took long is set aside and not looked at again: it goes as its last user does, only
    circles among it would stay. ``now_s`` stands in for time in tests.
    """

    def __init__(self, now_s: Callable[[], float] = time.perf_counter) -> None:
        self._now_s = now_s
        self._moments = 0
        self._before = gc.get_threshold()
        self._collect()
        gc.freeze()
        gc.set_threshold(YOUNG, MIDDLING, _NEVER)

    def attend(self, moment: Moment) -> None:
        """The frame's work is done: the time for it."""
        self._moments += 1
        if gc.get_count()[2] < AFTER_ROUNDS and self._moments < AFTER_MOMENTS:
            return
        self._moments = 0
        if self._collect() > _WORTH_S:
            gc.freeze()

    def close(self) -> None:
        """As it was before."""
        gc.set_threshold(*self._before)
        gc.unfreeze()

    def _collect(self) -> float:
        """How long it took, in seconds."""
        began_s = self._now_s()
        gc.collect()
        return self._now_s() - began_s
