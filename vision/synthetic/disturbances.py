"""Disturbances that keep a real picture from being perfect, each with its own strength: 0 none, 0.5 typical, 1 hard."""

from __future__ import annotations

from dataclasses import dataclass, fields
from typing import Final

TYPICAL_STRENGTH: Final = 0.5


@dataclass(frozen=True, slots=True)
class Disturbances:
    """One strength from 0 to 1 for each disturbance. Raises ValueError for a strength outside.

    - ``uneven_light``: the lamp stands to one side, corners are darker
    - ``shadows``: soft shadows of figures, cards and hands
    - ``glare``: reflections of the lamp on board and cards
    - ``defocus``: the lens is not quite in focus
    - ``motion_blur``: exposure time, for what moves and for a shaken camera
    - ``shake``: the camera is not quite still
    - ``noise``: of the sensor, stronger in the dark
    - ``flicker``: brightness changes a little from frame to frame
    """

    uneven_light: float = 0.0
    shadows: float = 0.0
    glare: float = 0.0
    defocus: float = 0.0
    motion_blur: float = 0.0
    shake: float = 0.0
    noise: float = 0.0
    flicker: float = 0.0

    def __post_init__(self) -> None:
        for name in NAMES:
            strength = getattr(self, name)
            if not 0.0 <= strength <= 1.0:
                raise ValueError(
                    f"disturbance {name}: expected a strength 0 (none) to 1 (hard), found {strength}; typical is 0.5"
                )

    @staticmethod
    def all(strength: float) -> Disturbances:
        """Every disturbance at the same strength."""
        return Disturbances(**dict.fromkeys(NAMES, strength))


NAMES: Final = tuple(field.name for field in fields(Disturbances))
NONE: Final = Disturbances()
TYPICAL: Final = Disturbances.all(TYPICAL_STRENGTH)
HARD: Final = Disturbances.all(1.0)
PRESETS: Final = {"none": NONE, "typical": TYPICAL, "hard": HARD}
