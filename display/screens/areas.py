"""Where things go on the table screen, for any size: rectangles only, nothing is drawn."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

import pygame

from display.draw.canvas import unit_of
from engine.rules.track import SPACES


@dataclass(frozen=True, slots=True)
class Areas:
    """The parts of the table screen. Sizes are multiples of ``unit_px``, which is larger in large print.

    Those of the band are multiples of ``band_unit_px``. ``print_scale``: how many times larger. ``near``: the duel has
    the room, so that the line for the eyes is over it, and the band is low.
    """

    screen: pygame.Rect
    header: pygame.Rect
    stage: pygame.Rect
    status: pygame.Rect
    band: pygame.Rect
    unit_px: float
    band_unit_px: float
    print_scale: float = 1.0
    near: bool = False


HEADER: Final = (50, 56)
"""How many units the header of a wide screen has, and in large print."""
NEAR_BAND: Final = (76, 92)
NEAR_STATUS: Final = (20, 22)
"""Likewise band and line for the eyes where the duel has the room."""


def areas(
    screen: pygame.Rect, print_scale: float = 1.0, band: pygame.Rect | None = None, *, near: bool = False
) -> Areas:
    """Header, stage with the piste, a line for the eyes, and the verdict band. Large print takes from the stage.

    ``band``: where it is instead of at the foot of the screen, directly below it and perhaps wider. ``near``: the duel
    is seen from near, which has what room there is; where the band is elsewhere, that changes nothing.
    """
    width, height = screen.width, screen.height + (band.height if band is not None else 0)
    unit_px = unit_of(width, height) * print_scale
    band_unit_px = unit_px if band is None else unit_of(band.width, height) * print_scale
    wide = band is None and width > height * 1.3
    large, near = print_scale > 1.0, near and wide
    header_px = round((HEADER[large] if wide else 92) * unit_px)
    band_px = (
        max(round(height * 0.3), round(124 * unit_px)) if large else max(round(height * 0.285), round(132 * unit_px))
    )
    status_px = round((27 if large else 30) * unit_px)
    if near:
        band_px, status_px = round(NEAR_BAND[large] * unit_px), round(NEAR_STATUS[large] * unit_px)
    left, top = screen.topleft
    header = pygame.Rect(left, top, width, header_px)
    band = pygame.Rect(left, screen.bottom - band_px, width, band_px) if band is None else band
    status = pygame.Rect(left, header.bottom if near else band.top - status_px, width, status_px)
    stage = pygame.Rect(left, status.bottom if near else header.bottom, width, 0)
    stage.height = (band.top if near else status.top) - stage.top
    return Areas(screen, header, stage, status, band, unit_px, band_unit_px, print_scale, near)


@dataclass(frozen=True, slots=True)
class Track:
    """The piste on the screen: a strip seen slightly from above.

    ``x_of(space)`` is the middle of a space on the line the fencers stand on. ``stage`` is what they may not leave.
    """

    box: pygame.Rect
    pitch_px: float
    stand_y: int
    stage: pygame.Rect

    def x_of(self, space: float) -> float:
        return self.box.left + (space - 0.5) * self.pitch_px

    @property
    def seen(self) -> range:
        """The spaces of which something is on the stage."""
        first, last = ((edge_px - self.box.left) / self.pitch_px for edge_px in (self.stage.left, self.stage.right))
        return range(max(1, int(first)), min(SPACES, int(last) + 2) + 1)


def track(stage: pygame.Rect, unit_px: float, print_scale: float = 1.0, *, near: bool = False) -> Track:
    """The piste at the foot of the stage; ``near``: the fencers have the room."""
    margin = stage.width * 0.06
    strip_px = 30 * unit_px / print_scale
    if not near:
        strip_px = max(strip_px, stage.height * 0.13)
    pitch_px = (stage.width - 2 * margin) / SPACES
    box = pygame.Rect(
        round(stage.left + margin),
        round(stage.bottom - strip_px - 3 * unit_px),
        round(pitch_px * SPACES),
        round(strip_px),
    )
    return Track(box, pitch_px, round(box.top + strip_px * 0.34), stage)
