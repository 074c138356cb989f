"""The doctor's checks at a table where people play, made beside the game when somebody opens their page."""

from __future__ import annotations

import threading
from collections.abc import Callable
from typing import Final

from display.i18n import words
from display.menu.checks import CheckLine
from firmware.clock import SystemClock
from firmware.doctor.findings import Finding
from firmware.doctor.words import check_lines

STALE_S: Final = 5.0
"""Whoever looks at the page stays without new checks; who comes back after this sees how it is then."""


class Checks:
    """Every check in words. ``of`` gives none until they were made, which holds nobody up."""

    def __init__(self, now_s: Callable[[], float] | None = None) -> None:
        self._now_s = now_s or SystemClock().now_s
        self._found: tuple[Finding, ...] = ()
        self._asked_s = float("-inf")
        self._language = ""
        self._work: threading.Thread | None = None

    def of(self, examine: Callable[[], tuple[Finding, ...]], language: str) -> tuple[CheckLine, ...]:
        """The last findings in this language; ``examine``, in a thread of its own, makes them where there are none, in
        its language."""
        before_s, self._asked_s = self._asked_s, self._now_s()
        if self._work is not None and self._work.is_alive():
            return ()
        if self._asked_s - before_s > STALE_S or language != self._language:
            self._found, self._language = (), language
            self._work = threading.Thread(target=self._make, args=(examine,), name="checks", daemon=True)
            self._work.start()
            return ()
        return check_lines(self._found, words(language).say)

    def _make(self, examine: Callable[[], tuple[Finding, ...]]) -> None:
        self._found = examine()
