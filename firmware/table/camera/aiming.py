"""The first time a camera looks at a board it is turned the right way: shown and spoken, until all markers are seen."""

from __future__ import annotations

from dataclasses import replace
from typing import Final

from display.view import Situation
from engine.table.desk import Desk
from engine.table.observation import Aim
from engine.table.presses import Press
from firmware.table.loop.moment import Helper, Moment
from firmware.table.loop.requests import AIM, Hold, Release
from vision.board.aim import aim_of
from vision.look import Look

STANDS_S: Final = 0.7
"""So long a camera has to look the same way before that is said: while it is turned nobody is talked at."""


class Aiming(Helper):
    """Holds the game until all corner markers are seen, or somebody presses a button to play all the same.

    With two markers the eyes could begin: but the board may be knocked, and arms cover what is left.
    """

    def __init__(self) -> None:
        super().__init__()
        self._holds = False
        self._told: Aim | None = None
        self._now: Aim | None = None
        self._since_s = 0.0
        self.done = False

    def hear(self, presses: tuple[Press, ...], now_s: float) -> tuple[Press, ...]:
        """A press means to play all the same, and nothing else."""
        if not self._holds or not presses:
            return presses
        self._end()
        return ()

    def advise(self, situation: Situation, look: Look, desk: Desk) -> Situation:
        """With what is to be done about the camera."""
        return situation if not self._holds else replace(situation, devices=replace(situation.devices, aim=self._told))

    def attend(self, moment: Moment) -> None:
        """Look where the markers are."""
        if self.done or not moment.frame.y.size:
            return
        height_px, width_px = moment.frame.y.shape
        aim, now_s = aim_of(moment.look.detections.corners, moment.look.of, (width_px, height_px)), moment.frame.t_s
        aim = replace(aim, mirrored=moment.look.mirrored)
        if aim != self._now:
            self._now, self._since_s = aim, now_s
        if now_s - self._since_s < STANDS_S:
            return
        self._told = aim
        if aim.done:
            self._end()
        elif not self._holds:
            self._holds = True
            self._asked.append(Hold(AIM))

    def _end(self) -> None:
        self.done = True
        if self._holds:
            self._holds = False
            self._asked.append(Release(AIM))
