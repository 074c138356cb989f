"""Where everything of the played table goes on the screen, and from pixels to millimetres and back."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Final

import pygame

from display.tabletop.model import CARD_MM, LyingCard
from display.tabletop.pictures import TablePictures

X_MM: Final = (-78.0, 694.0)
"""From the left end of the board to its right end, and a little more."""
BEHIND_MM: Final = 84.0
"""So much of the picture there is above the middle of the piste: the fencers' heads, and some of the crowd."""
BEFORE_MM: Final = 276.0
"""How far the play area reaches towards the players."""
HEADER: Final = (52, 68)
BAND: Final = (72, 100)
"""How many units high the players and the verdict are over the table, and in large print."""
PANEL: Final = (0.32, 0.41)
"""How much of the width the words beside the table have, and in large print."""
FAN_SHARE: Final = 0.29
"""Of the picture's height, for the cards in hand."""


@dataclass(frozen=True, slots=True)
class Places:
    """The areas of the screen; ``scale`` is in pixels a mm along the piste, ``squash`` times that across it.

    ``print_px`` is the unit of what is written, larger than ``unit_px`` in large print.
    ``origin`` is the pixel of the middle of space 1.
    """

    header: pygame.Rect
    band: pygame.Rect
    picture: pygame.Rect
    fan: pygame.Rect
    panel: pygame.Rect
    unit_px: float
    print_px: float
    scale: float
    squash: float
    origin: tuple[float, float]

    def px(self, x_mm: float, y_mm: float) -> tuple[float, float]:
        """The pixel of a place on the table."""
        return self.origin[0] + x_mm * self.scale, self.origin[1] - y_mm * self.scale * self.squash

    def mm(self, place: tuple[float, float]) -> tuple[float, float]:
        """The place on the table under a pixel."""
        return (place[0] - self.origin[0]) / self.scale, (self.origin[1] - place[1]) / self.scale / self.squash

    @property
    def hand_card_px(self) -> int:
        """How wide a card in hand is: all of it is seen."""
        return round(min(self.fan.height * 0.9 * CARD_MM[0] / CARD_MM[1], self.fan.width * 0.12))


def places(
    size: tuple[int, int], foot_px: int, pictures: TablePictures, *, with_panel: bool, print_scale: float = 1.0
) -> Places:
    """The areas of a screen of this size, whose buttons take ``foot_px`` at its foot.

    A panel of words takes its room from the right of the table, and large print from the table's height.
    """
    width, height = size
    unit_px = min(width / 800, height / 480)
    large = print_scale > 1.0
    header = pygame.Rect(0, 0, width, round(HEADER[large] * unit_px))
    band = pygame.Rect(0, header.bottom, width, round(BAND[large] * unit_px))
    panel_px = round(width * PANEL[large]) if with_panel else 0
    picture = pygame.Rect(0, band.bottom, width - panel_px, height - foot_px - band.bottom)
    panel = pygame.Rect(picture.right, band.bottom, panel_px, picture.height)
    fan_px = round(picture.height * FAN_SHARE)
    squash = pictures.squash
    tall_mm = BEHIND_MM + BEFORE_MM * squash
    scale = min((picture.height - fan_px) / tall_mm, picture.width / (X_MM[1] - X_MM[0]))
    left = picture.centerx - (X_MM[0] + X_MM[1]) / 2 * scale
    spare_px = picture.height - fan_px - tall_mm * scale
    origin = (left, picture.top + spare_px * 0.6 + BEHIND_MM * scale)
    fan = pygame.Rect(picture.left, picture.bottom - fan_px, picture.width, fan_px)
    return Places(header, band, picture, fan, panel, unit_px, unit_px * print_scale, scale, squash, origin)


def fan_boxes(places: Places, counts: tuple[int, ...]) -> tuple[tuple[pygame.Rect, ...], ...]:
    """Where each card of each hand stands, as much of it as is seen; two hands share the width, White's left."""
    width = places.hand_card_px
    room_px = places.fan.width // max(1, len(counts))
    boxes = []
    for number, count in enumerate(counts):
        step = min(width * 1.06, (room_px * 0.9 - width) / max(1, count - 1))
        left = places.fan.left + number * room_px + (room_px - (step * (count - 1) + width)) / 2
        top = places.fan.top + round(places.fan.height * 0.06)
        boxes.append(
            tuple(
                pygame.Rect(round(left + step * place), top, width, places.fan.bottom - top) for place in range(count)
            )
        )
    return tuple(boxes)


def covers(card: LyingCard, x_mm: float, y_mm: float) -> bool:
    """Whether this place lies on the card."""
    angle = math.radians(card.turn_deg)
    dx, dy = x_mm - card.x_mm, y_mm - card.y_mm
    across = dx * math.cos(angle) + dy * math.sin(angle)
    along = dy * math.cos(angle) - dx * math.sin(angle)
    return abs(across) <= CARD_MM[0] / 2 and abs(along) <= CARD_MM[1] / 2


def handle_mm(card: LyingCard) -> tuple[float, float]:
    """Where the handle is by which a card is turned: beyond the middle of its top."""
    angle = math.radians(card.turn_deg)
    reach = CARD_MM[1] / 2 + 16.0
    return card.x_mm - reach * math.sin(angle), card.y_mm + reach * math.cos(angle)
