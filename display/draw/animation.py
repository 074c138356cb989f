"""Moves shown in well under a second, and victories for some: what is staged between two moments of the match.

Verdicts, scores and lamps never wait for it: they are shown with the first picture.
"""

from __future__ import annotations

from dataclasses import replace
from typing import Final

from display.draw.poses import length_s
from display.view import Pose, ViewModel
from engine.rules.state import Reason
from engine.rules.track import BySide

ROUND_JOY_S: Final = 3.0
MATCH_JOY_S: Final = 6.0
JOY_STEP_S: Final = 0.05
"""A celebration is drawn anew this often."""
RAISED_S: Final = 0.9
"""So long a blade is raised, and so long it is not."""
LEAF_S: Final = 8.0
"""So long one leaf of a panel is read where not all of it has room at once: about twenty-five words."""

_Shown = BySide[tuple[Pose, int]]


class Animator:
    """Remembers how the fencers were shown. Its clock is handed in. ``on`` False: all is shown as it stands."""

    def __init__(self, *, on: bool = True) -> None:
        self.on = on
        self._from: _Shown | None = None
        self._to: _Shown | None = None
        self._since_s = 0.0
        self._length_s = 0.0
        self._progress = 1.0
        self._ended: int | None = None
        self._joy_s: float | None = None
        self._joy_since_s = 0.0
        self._joy_length_s = 0.0
        self._read: object = None
        self._read_since_s = 0.0
        self._leaf = 0
        self._by_hand = False

    def step(self, view: ViewModel, now_s: float) -> tuple[ViewModel, float]:
        """The view with how each fencer was shown before, and the share of the way he has gone (0 to 1)."""
        celebrated = self._celebrate(view, now_s)
        shown = celebrated.piste.fencers.map(lambda fencer: (fencer.pose, fencer.space))
        if self._to is None or not self.on:
            self._from = self._to = shown
        elif shown != self._to:
            self._from, self._to, self._since_s, self._progress = self._to, shown, now_s, 0.0
            self._length_s = max(
                length_s(before, now) for (_, before), (_, now) in zip(self._from.items(), shown.items(), strict=True)
            )
        turned = self.leaf(view.panel or view.ending, now_s)
        progress = 1.0
        if self._from != self._to:
            progress = min(1.0, max(0.0, (now_s - self._since_s) / self._length_s))
        # A frame may be a little older than the picture drawn before it: nobody ever goes back.
        self._progress = max(self._progress, progress) if self._from != self._to else 1.0
        assert self._from is not None
        before = self._from
        return (
            replace(
                celebrated,
                piste=replace(
                    celebrated.piste,
                    moments=self.on,
                    before_spaces=before.map(lambda one: one[1]),
                    before_poses=before.map(lambda one: one[0]),
                ),
                panel=view.panel and replace(view.panel, turned=turned),
                ending=view.ending and replace(view.ending, turned=turned),
            ),
            self._progress,
        )

    @property
    def moving(self) -> bool:
        """Whether the next picture differs from this one by itself."""
        return (self._from != self._to and self._progress < 1.0) or self._joy_s is not None

    def turn(self, by: int) -> None:
        """Turn so many leaves of what is read, back for a negative number."""
        self._leaf, self._by_hand = self._leaf + by, True

    def leaf(self, read: object, now_s: float) -> int:
        """How many leaves are turned of what is read now: as many as there was time to read since it was shown first.

        Once somebody has turned one by hand, no more turn by themselves.
        """
        if read != self._read:
            self._read, self._read_since_s, self._by_hand = read, now_s, False
            self._leaf = 0
        if not self._by_hand:
            self._leaf = max(0, int((now_s - self._read_since_s) / LEAF_S))
        return self._leaf

    def _celebrate(self, view: ViewModel, now_s: float) -> ViewModel:
        """The view while a victory is celebrated: how long already, and the winner's blade raised and lowered.

        A round that was over already when first seen is not celebrated, nor is a draw. The touch and the score are
        shown of every round; a bot's blade is not raised over a person.
        """
        ending, first = view.ending, self._to is None
        mark = view.serial if ending is not None else None
        if mark is None or not self.on:
            self._joy_s = None
        elif self._ended is None and not first and ending is not None and ending.winner is not None:
            self._joy_since_s, self._joy_s = now_s, 0.0
            self._joy_length_s = MATCH_JOY_S if ending.match_over else ROUND_JOY_S
        self._ended = mark
        if self._joy_s is None or ending is None or ending.winner is None:
            return view
        since_s = max(self._joy_s, JOY_STEP_S * ((now_s - self._joy_since_s) // JOY_STEP_S))
        if since_s >= self._joy_length_s:
            self._joy_s = None
            return view
        self._joy_s = since_s
        fencers = view.piste.fencers
        # Whoever hit is seen to hit before he rejoices.
        raised = int(since_s / RAISED_S) % 2 == 1 if ending.reason is Reason.HIT else int(since_s / RAISED_S) % 2 == 0
        if raised and view.celebrated is not None:
            winner = replace(fencers[view.celebrated], pose=Pose.TRIUMPH)
            fencers = fencers.put(view.celebrated, winner)
        return replace(view, piste=replace(view.piste, joy_s=since_s, fencers=fencers))
