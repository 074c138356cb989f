"""What tests of the reasons have in common: eyes that looked at a picture, and what is around in the next."""

from __future__ import annotations

from typing import Any

import numpy as np

from tests.tables import TABLE
from vision.board.pose_watch import BoardSeen
from vision.cells import Mask, thumbnail
from vision.eyes import Eyes
from vision.frame import Frame, Picture
from vision.look import Look
from vision.why.why import Around, Hint, WhyWatch


def looks(eyes: Eyes, *pictures: Picture, begins_s: float = 0.0, fps: float = 10.0) -> list[Look]:
    """What the eyes say of these pictures, one after the other."""
    return [eyes.look(Frame(number, begins_s + number / fps, y)) for number, y in enumerate(pictures)]


class Told:
    """A watch for reasons beside eyes that had so many looks at a picture and know where the board is."""

    def __init__(self, y: Picture, times: int = 10) -> None:
        self.eyes, self.watch = Eyes(TABLE), WhyWatch()
        looks(self.eyes, *[y] * times)
        assert self.eyes.calibration is not None
        self.camera = self.eyes.calibration.camera
        self.held = self.eyes._carried.memory.cards.held

    def px(self, x_mm: float, y_mm: float) -> tuple[int, int]:
        x, y = self.camera.project([(x_mm, y_mm, 0.0)])[0].astype(int).tolist()
        return x, y

    def sees(self, y: Picture, t_s: float, board: BoardSeen = BoardSeen.FOUND) -> object:
        """The trouble with this picture."""
        zones = self.eyes._pose.zones
        assert zones is not None
        self.watch.look(y, thumbnail(y), ())
        return self.watch.trouble(board, zones, t_s)

    def hint(
        self,
        t_s: float,
        near: Mask | bool = False,
        *,
        held: Any = None,
        sights: Any = (),
        unread: tuple[tuple[float, float], ...] = (),
    ) -> Hint:
        """What the watch hints at; a hand is in these cells, everywhere or nowhere."""
        zones = self.eyes._pose.zones
        assert zones is not None
        cells = np.full(zones.table.shape, near, np.uint8) if isinstance(near, bool) else near
        cards, free = self.held if held is None else held, not cells.any()
        around = Around(cards, sights, (), (), unread, False, cells, free, zones, self.camera, self.eyes.card_shapes)
        return self.watch.hint(around, t_s)
