"""What the menu does on a stick, or has the machine do: waited for shortly, as it may take long, and hang."""

from __future__ import annotations

import threading
from collections.abc import Callable
from typing import Final

from display.i18n import words

SOON_S: Final = 1.0
"""So long the game waits for it. Chosen: a copy onto a good stick takes a third of that."""


class Errand:
    """One thing is done at a time; ``told`` says how it stands with one that takes long."""

    def __init__(self) -> None:
        self._thread: threading.Thread | None = None
        self._came: list[str] = []

    def do(self, work: Callable[[], str], failed: Callable[[], str]) -> str:
        """What this work says, where that comes soon; ``failed`` where it raises. Nothing while another is at work."""
        if self._thread is not None and self._thread.is_alive():
            return ""

        def run() -> None:
            try:
                self._came.append(work())
            except Exception:  # of a stick that is pulled out anything may come
                self._came.append(failed())

        self._came.clear()
        # A daemon: a stick that hangs must not keep the program from ending.
        self._thread = threading.Thread(target=run, name="errand", daemon=True)
        self._thread.start()
        self._thread.join(SOON_S)
        return self._came.pop() if self._came else ""

    def told(self, language: str) -> str:
        """That it is still at work, or what came of it; empty where nothing was begun, or all was told at once."""
        if self._thread is not None and self._thread.is_alive():
            return words(language).say("menu.still_at_work")
        return self._came[-1] if self._came else ""

    def leave(self) -> None:
        """Another page is shown: what came of it is not told there."""
        if self._thread is not None and not self._thread.is_alive():
            self._came.clear()
