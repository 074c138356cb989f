"""What the eyes give for a frame: what it shows alone, the table as agreed on, and outlines for drawing."""

from __future__ import annotations

from dataclasses import dataclass

from engine.rules.cards import Card
from engine.rules.track import Side
from engine.table.observation import TableObservation
from vision.board.calibration import Calibration
from vision.cells import Mask
from vision.geometry import Floats
from vision.marks.labels import Label
from vision.marks.markers import Marker
from vision.printed.table import Table
from vision.why.trouble import Trouble, troubles_of


@dataclass(frozen=True, slots=True)
class Seen:
    """One frame alone: the fencers' spaces (None where no tag is read on one) and the cards read, sorted.

    Cards that are read outside the play area are among them. ``unplaced`` are those whose tag is read, though nobody
    can say on which space it lies.
    """

    white: int | None = None
    black: int | None = None
    cards: tuple[Card, ...] = ()
    unplaced: tuple[Side, ...] = ()


@dataclass(frozen=True, slots=True, eq=False)
class Drawn:
    """What was recognised in the frame, for drawing: markers, tags and labels with their pixels, unread codes."""

    corners: tuple[Marker, ...] = ()
    tags: tuple[Marker, ...] = ()
    labels: tuple[Label, ...] = ()
    unread: tuple[Floats, ...] = ()


@dataclass(frozen=True, slots=True, eq=False)
class Look:
    """A frame's yield: what it shows alone, the table the frames agree on, and outlines for drawing.

    ``calibration`` is None until the board was found; ``of`` is the table that was looked at. ``arm``: the
    cells (8 by 8 px) in which nothing was read because an arm lies there, ``hand`` those at a hand or motion; None
    without one. ``mirrored``: the board is not found because the picture, of ``size_px`` across and down, is a mirror
    image.
    """

    seen: Seen
    table: TableObservation
    detections: Drawn
    calibration: Calibration | None
    of: Table
    arm: Mask | None = None
    mirrored: bool = False
    size_px: tuple[int, int] = (0, 0)
    hand: Mask | None = None

    @property
    def trouble(self) -> tuple[Trouble, ...]:
        """Where in the picture what keeps the eyes from being steady is."""
        tags = self.detections.tags
        return troubles_of(
            self.table, self.size_px, self.of, self.calibration, arm=self.hand, tags=tags, mirrored=self.mirrored
        )
