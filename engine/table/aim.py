"""Which way a camera has to be turned until all corner markers of the board are in its picture."""

from __future__ import annotations

from dataclasses import dataclass
from enum import Enum


class CameraTurn(Enum):
    """Where the camera is to look, as somebody at the players' side says it; White sits at the left."""

    LEFT = "left"
    RIGHT = "right"
    AWAY = "away"
    NEAR = "near"
    HIGHER = "higher"  # it is too close: the board sticks out on two sides


@dataclass(frozen=True, slots=True)
class Aim:
    """How many of the corner markers are seen, and what is to be done about the others.

    ``turn`` None with some missing: these lie in the picture and cannot be read, or, where none is seen, nobody knows
    where they are. ``mirrored``: the picture is a mirror image, and none can be read for that.
    """

    seen: int
    of: int
    turn: CameraTurn | None = None
    mirrored: bool = False

    @property
    def done(self) -> bool:
        """Whether all are seen."""
        return self.seen >= self.of
