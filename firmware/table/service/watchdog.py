"""Tells systemd that the game has begun, that it lives, that it ends; and ends a program that hangs in ending.

A datagram to the socket that systemd names; where it names none nothing is sent. Source: sd_notify(3);
hardware/PLATFORM.md, "An appliance".
"""

from __future__ import annotations

import contextlib
import os
import signal
import socket
import sys
import threading
from collections.abc import Callable, Iterator, Mapping
from typing import Final

from firmware.table.loop.moment import Moment

LAST_RESORT_S: Final = 120.0
"""The watchdog's period while a part is missing for which the program ends by itself: it kills what hangs in ending."""


class Notifier:
    """Sends states to the service manager."""

    def __init__(self, environ: Mapping[str, str]) -> None:
        """``environ``: ``NOTIFY_SOCKET`` (a path, or ``@`` and an abstract name) and ``WATCHDOG_USEC``."""
        self._address = environ.get("NOTIFY_SOCKET", "")
        if self._address.startswith("@"):
            self._address = "\0" + self._address[1:]
        self._socket = socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM) if self._address else None
        period_us = environ.get("WATCHDOG_USEC", "")
        self.feed_every_s = int(period_us) / 4e6 if period_us.isdecimal() else None
        """How often the watchdog wants to be fed, with room to spare; None where there is none."""
        self.goes_on = False
        """Whether the program goes on once this is closed: the manager kills, soon, what said that it ends."""

    @property
    def is_heard(self) -> bool:
        """Whether a service manager started the game: it would only start it again."""
        return self._socket is not None

    def tell(self, *states: str) -> None:
        """Send states such as ``READY=1``. A manager that does not listen is no reason to stop a game."""
        if self._socket is None:
            return
        try:
            self._socket.sendto("\n".join(states).encode(), self._address)
        except OSError:
            return

    def close(self) -> None:
        """Tell that the program ends, unless it goes on as something else."""
        if not self.goes_on:
            self.tell("STOPPING=1")
        if self._socket is not None:
            self._socket.close()
            self._socket = None


class WatchdogAudience:
    """Feeds the watchdog from the loop while all is well. Invited last: what hangs before it starves it.

    While the program ``fails``, because a part is missing that only another start brings back, it is not fed, and given
    the time that an orderly end takes. Who plays by hand meanwhile or is at the menu is not thrown out of that.
    """

    def __init__(self, notifier: Notifier, fails: Callable[[], bool], now_s: Callable[[], float]) -> None:
        self._notifier = notifier
        self._fails = fails
        self._now_s = now_s
        self._status = ""
        self._fed_s = float("-inf")

    def attend(self, moment: Moment) -> None:
        """Tell at the first moment that the game has begun, then feed as often as is wanted."""
        self._feed(well=moment.held or not self._fails())

    def wait(self) -> None:
        """Feed while something is asked at the screen, before the first frame."""
        self._feed(well=True)

    def goes_on(self) -> None:
        """This sitting is not the program's end."""
        self._notifier.goes_on = True

    def _feed(self, *, well: bool) -> None:
        now_s, every_s = self._now_s(), self._notifier.feed_every_s
        status = "STATUS=Refereeing" if well else "STATUS=A part is missing: ends soon, to start anew"
        if status != self._status:
            period_s = LAST_RESORT_S if not well else 0.0 if every_s is None else 4 * every_s
            periods = () if every_s is None or not self._status else (f"WATCHDOG_USEC={round(period_s * 1e6)}",)
            self._notifier.tell(*(() if self._status else ("READY=1",)), status, *periods)
            self._status, self._fed_s = status, float("-inf")
        if well and every_s is not None and now_s - self._fed_s >= every_s:
            self._notifier.tell("WATCHDOG=1")
            self._fed_s = now_s


# A program that was told to stop and hangs: its lamps go off and it ends all the same, in under two seconds. Python
# runs its signal handlers only between its own instructions: a camera driver that does not come back would hold up the
# end. The kernel writes to a pipe without waiting for that, so a thread hears of it.

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
