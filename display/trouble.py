"""What keeps the eyes from seeing, and where in the camera's picture it is: as it comes from the loop, and as shown."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

from engine.rules.track import Side
from engine.table.observation import Why


@dataclass(frozen=True, slots=True)
class TroubleSpot:
    """A place of the camera's picture where something is wrong; x and y of its ``outline`` go from 0 to 1.

    ``why`` None: a code nobody can read. ``side``: whose tag it is. ``too_small``: the cards are too small in the
    picture to be read, however sharp it is.
    """

    why: Why | None
    outline: tuple[tuple[float, float], ...]
    side: Side | None = None
    too_small: bool = False

    @property
    def box(self) -> tuple[float, float, float, float]:
        """Left, top, right and bottom."""
        across, down = zip(*self.outline, strict=True)
        return min(across), min(down), max(across), max(down)

    @property
    def is_everything(self) -> bool:
        """Whether it is the picture as a whole."""
        left, top, right, bottom = self.box
        return right - left > _WHOLE and bottom - top > _WHOLE


_WHOLE: Final = 0.98


@dataclass(frozen=True, slots=True)
class TroubleView:
    """What keeps the eyes from seeing, what is to be done about it, and where in the picture it is.

    ``why`` is None where the eyes are steady, but a card cannot be read. Without spots nobody knows where.
    """

    why: Why | None
    text: str
    cure: str
    spots: tuple[TroubleSpot, ...]
