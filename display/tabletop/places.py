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
CUT_MM: Final = 24.0
"""So much less in large print beside words, of both ends together: the board's frame."""
BEHIND_MM: Final = (84.0, 68.0)
"""So much of the picture there is above the middle of the piste, and in large print: the fencers' heads, some crowd."""
BEFORE_MM: Final = (276.0, 264.0)
"""How far the picture reaches towards the players, and in large print: past the play area."""
HEADER: Final = (52, 68)
BAND: Final = (72, 100)
"""How many units high the players and the verdict are over the table, and in large print."""
PANEL: Final = (0.32, 0.41)
"""How much of the width the words beside the table have, and the most in large print, where the table leaves it."""
HAND_SHARE: Final = (0.29, 0.36)
"""Of the picture's height, for the cards in hand if all of them is seen, and in large print."""
SEEN_SHARE: Final = (1.0, 0.55)
"""How much of that height is seen. In large print the lower half of a card, which says the same upside down, is beyond
the edge: so the words over the table are larger, and no number on it is smaller."""

_PILE_MM: Final = (628.0, -190.0)


@dataclass(frozen=True, slots=True)
class Places:
    """The areas of the screen; ``scale`` is in pixels a mm along the piste, ``squash`` times that across it.

    ``print_px`` is the unit of what is written, larger than ``unit_px`` in large print. ``hand_px`` is how high the
    cards in hand may be, of which the ``fan`` shows the upper part or all.
    ``origin`` is the pixel of the middle of space 1.
    """

    header: pygame.Rect
    band: pygame.Rect
    picture: pygame.Rect
    fan: pygame.Rect
    hand_px: int
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
        """How wide a card in hand is."""
        return round(min(self.hand_px * 0.9 * CARD_MM[0] / CARD_MM[1], self.fan.width * 0.12))


def places(
    size: tuple[int, int], foot_px: int, pictures: TablePictures, *, with_panel: bool, print_scale: float = 1.0
) -> Places:
    """The areas of a screen of this size, whose buttons take ``foot_px`` at its foot.

    A panel of words takes its room from the right of the table. Large print takes it from what nobody reads there: the
    crowd, the wood, and the lower half of the cards in hand.
    """
    width, height = size
    unit_px = min(width / 800, height / 480)
    large = print_scale > 1.0
    header = pygame.Rect(0, 0, width, round(HEADER[large] * unit_px))
    band = pygame.Rect(0, header.bottom, width, round(BAND[large] * unit_px))
    height_px = height - foot_px - band.bottom
    hand_px = round(height_px * HAND_SHARE[large])
    fan_px = round(hand_px * SEEN_SHARE[large])
    squash, wide_mm = pictures.squash, X_MM[1] - X_MM[0] - (CUT_MM if large and with_panel else 0.0)
    tall_mm = BEHIND_MM[large] + BEFORE_MM[large] * squash
    scale = (height_px - fan_px) / tall_mm
    panel_px = 0
    if with_panel:
        panel_px = round(min(max(width - wide_mm * scale, width * PANEL[False]), width * PANEL[large]))
    picture = pygame.Rect(0, band.bottom, width - panel_px, height_px)
    panel = pygame.Rect(picture.right, band.bottom, panel_px, picture.height)
    scale = min(scale, picture.width / wide_mm)
    left = picture.centerx - (X_MM[0] + X_MM[1]) / 2 * scale
    spare_px = picture.height - fan_px - tall_mm * scale
    origin = (left, picture.top + spare_px * 0.6 + BEHIND_MM[large] * scale)
    fan = pygame.Rect(picture.left, picture.bottom - fan_px, picture.width, fan_px)
    return Places(header, band, picture, fan, hand_px, panel, unit_px, unit_px * print_scale, scale, squash, origin)


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


def pile_box(places: Places) -> pygame.Rect:
    """Where the pile is drawn, and can be taken from."""
    x, y = places.px(*_PILE_MM)
    box = pygame.Rect(0, 0, round(63 * places.scale), round(88 * places.scale * places.squash))
    box.center = round(x), round(y)
    return box


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
