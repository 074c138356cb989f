"""Moves shown in well under a second: eases the fencers from where they were last shown to where they stand now."""

from __future__ import annotations

from dataclasses import replace
from typing import Final

from display.view import ViewModel
from engine.rules.track import BySide

MOVE_S: Final = 0.45


class Animator:
    """Remembers where the fencers were shown. Its clock is handed in."""

    def __init__(self) -> None:
        self._from: BySide[int] | None = None
        self._to: BySide[int] | None = None
        self._since_s = 0.0
        self._progress = 1.0

    def step(self, view: ViewModel, now_s: float) -> tuple[ViewModel, float]:
        """The view with the place each fencer comes from, and the share of the way he has gone (0 to 1)."""
        spaces = view.fencers.map(lambda fencer: fencer.space)
        if self._to is None:
            self._from = self._to = spaces
        elif spaces != self._to:
            self._from, self._to, self._since_s, self._progress = self._to, spaces, now_s, 0.0
        progress = min(1.0, max(0.0, (now_s - self._since_s) / MOVE_S)) if self._from != self._to else 1.0
        # A frame may be a little older than the picture drawn before it: nobody ever goes back.
        self._progress = max(self._progress, progress)
        return replace(view, before_spaces=self._from), self._progress

    @property
    def moving(self) -> bool:
        """Whether the next picture differs from this one by itself."""
        return self._from != self._to and self._progress < 1.0
