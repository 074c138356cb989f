"""What systemd is told: that the game has begun, that it lives, that it ends.

A datagram to the socket that systemd names; where it names none nothing is sent. Source: sd_notify(3);
hardware/PLATFORM.md, "An appliance".
"""

from __future__ import annotations

import socket
from collections.abc import Callable, Mapping
from typing import Final

from firmware.loop.moment import Moment

CAMERA_GRACE_S: Final = 10.0
"""A camera that vanished for longer than this starves the watchdog: a new start may find it again."""


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
    """Feeds the watchdog from the loop while camera and screen live. Invited last: what hangs before it starves it.

    A camera that was missing from the start starves nobody: that was said, and a new start would not bring it. Nor does
    one that is missing while the menu is open or the game is paused.
    """

    def __init__(self, notifier: Notifier, screen_lives: Callable[[], bool], now_s: Callable[[], float]) -> None:
        self._notifier = notifier
        self._screen_lives = screen_lives
        self._now_s = now_s
        self._ready = False
        self._picture_s: float | None = None
        self._fed_s = float("-inf")

    def attend(self, moment: Moment) -> None:
        """Tell at the first moment that the game has begun, then feed as often as is wanted."""
        now_s = self._now_s()
        # Who enters turns by hand because the camera is gone is not to be thrown out in the middle of it.
        if moment.frame.y.size or (moment.held and self._picture_s is not None):
            self._picture_s = now_s
        self._feed(now_s)

    def wait(self) -> None:
        """Feed while something is asked at the screen, before the first frame."""
        self._feed(self._now_s())

    def goes_on(self) -> None:
        """This sitting is not the program's end."""
        self._notifier.goes_on = True

    def _feed(self, now_s: float) -> None:
        if not self._ready:
            self._ready = True
            self._notifier.tell("READY=1", "STATUS=Refereeing")
        every_s = self._notifier.feed_every_s
        if every_s is None or now_s - self._fed_s < every_s or not self._screen_lives():
            return
        if self._picture_s is None or now_s - self._picture_s <= CAMERA_GRACE_S:
            self._notifier.tell("WATCHDOG=1")
            self._fed_s = now_s
