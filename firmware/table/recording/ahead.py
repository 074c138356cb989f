"""A live camera's next frame, waited for and made ready to be kept while the loop looks at the one before.

What of a frame is kept has to be chosen before it is looked at, and that takes half as long as a look. Here it is done
in a thread of its own, in the time for which the loop looks, draws, or waits for the camera.
"""

from __future__ import annotations

import queue
import threading
from collections.abc import Callable
from contextlib import suppress
from typing import Final

from vision.camera.sources import Source
from vision.frame import Frame
from vision.recording.codec import Patch

Prepared = tuple[Frame, Patch | None]
"""A frame as it is kept, and what changes the one before into it."""
PATIENCE_S: Final = 10.0
"""A frame is made ready in 30 ms; at load 30 on two cores, in a second. Chosen."""
_LET_GO_S: Final = 3.0  # longer than a camera that does not answer is waited for


class Ahead:
    """A ``Source`` before a live camera, one frame ahead of whoever reads; what ``prepare`` or the camera raises, too.

    A simulated table is not read ahead: what is done there depends on what was ruled on the frame before.
    """

    def __init__(
        self,
        camera: Source,
        prepare: Callable[[Frame], Prepared],
        hand_over: Callable[[Prepared], Frame],
        waits: Callable[[], None],
        hangs: Callable[[], None],
    ) -> None:
        """``prepare`` runs in the thread, one frame after the other; ``hand_over`` with whoever reads the frame.

        ``waits`` is called where the last frame is done with and the next one is waited for from here on; ``hangs``
        where ``prepare`` has taken longer than ``PATIENCE_S``: from then on frames are handed over as the camera has
        them.
        """
        self._camera, self._prepare, self._hand_over, self._waits = camera, prepare, hand_over, waits
        self._hangs = hangs
        self._taken: Frame | None = None
        """The frame that is being prepared."""
        self._hung = False
        self._wanted: queue.SimpleQueue[bool] = queue.SimpleQueue()
        self._ready: queue.SimpleQueue[Prepared | BaseException | None] = queue.SimpleQueue()
        self._waiting = False
        # A daemon: a camera that never answers must not keep the program from ending.
        self._thread = threading.Thread(target=self._prepares, name="ahead", daemon=True)
        self._thread.start()

    def read(self) -> Frame | None:
        """The next frame, None after the last; the one after it is waited for from now on."""
        if self._hung:
            frame = self._camera.read()
            return None if frame is None else self._hand_over((frame, None))
        self._want()
        self._waits()
        brought = self._brought()
        self._waiting = False
        if isinstance(brought, BaseException):
            raise brought
        if brought is None:
            return None
        if not self._hung:
            self._want()
        return self._hand_over(brought)

    def _brought(self) -> Prepared | BaseException | None:
        """The frame that the thread made ready; as the camera has it where that takes too long."""
        before = self._taken
        while True:
            with suppress(queue.Empty):
                return self._ready.get(timeout=PATIENCE_S)
            taken = self._taken
            if taken is not None and taken is before:  # a camera is waited for, however long it takes
                self._hung = True
                self._hangs()
                return taken, None
            before = taken

    def stop(self) -> None:
        """Wait for no further frame: one that was not read is nowhere."""
        self._wanted.put(False)
        self._thread.join(_LET_GO_S)

    def close(self) -> None:
        """Stop, and close the camera."""
        self.stop()
        self._camera.close()

    def _want(self) -> None:
        if not self._waiting:
            self._waiting = True
            self._wanted.put(True)

    def _prepares(self) -> None:
        while self._wanted.get():
            try:
                self._taken = frame = self._camera.read()
                self._ready.put(None if frame is None else self._prepare(frame))
                self._taken = None
            except BaseException as error:  # it is raised again where the frame is read
                self._ready.put(error)
