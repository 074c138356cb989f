"""A program that was told to stop and hangs: its lamps go off and it ends all the same, in under two seconds.

Python runs its signal handlers only between its own instructions: a camera driver that does not come back would hold
up the end for as long as it likes. The kernel's write to a pipe does not wait for that, so a thread hears of it.
"""

from __future__ import annotations

import contextlib
import os
import signal
import sys
import threading
from collections.abc import Callable, Iterator
from typing import Final

GRACE_S: Final = 1.5
"""How long an orderly end may take: two seconds less what the disorderly one needs."""

ENDINGS: Final = (signal.SIGTERM, signal.SIGINT, signal.SIGHUP)
STUCK: Final = 1


@contextlib.contextmanager
def ends_in_time(
    put_out: Callable[[], None], grace_s: float = GRACE_S, leave: Callable[[int], object] = os._exit
) -> Iterator[None]:
    """While this lasts: ``grace_s`` after a signal to end, if it still lasts, ``put_out`` is called and all is over.

    The scorebook needs no more: what was shown is on disk, and the kernel lets go of the camera. For the main thread
    only, where Python has its signals; ``leave`` stands in for the end in tests.
    """
    heard, told = os.pipe()
    os.set_blocking(told, False)
    done = threading.Event()
    before = signal.set_wakeup_fd(told, warn_on_full_buffer=False)

    def listen() -> None:
        while True:
            signals = os.read(heard, 64)
            if done.is_set() or not signals:
                return
            if any(number in ENDINGS for number in signals):
                break
        if not done.wait(grace_s):
            with contextlib.suppress(Exception):
                put_out()
            if sys.stderr is not None:
                os.write(2, b"The camera or the screen did not let go in time: ended without them.\n")
            leave(STUCK)

    listener = threading.Thread(target=listen, name="last resort", daemon=True)
    listener.start()
    try:
        yield
    finally:
        done.set()
        signal.set_wakeup_fd(before)
        os.write(told, b"\0")
        listener.join()
        os.close(told)
        os.close(heard)
