"""The pictures of the played table, where everything goes on the screen, and from pixels to millimetres and back."""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Final

import pygame

from display.draw.canvas import unit_of
from display.screens.camera import CameraPicture
from display.tabletop.model import CARD_MM, LyingCard
from engine.rules.cards import Card
from engine.rules.track import BySide


@dataclass(frozen=True, slots=True, eq=False)
class Cutout:
    """``rgba``: rows of ``width_px`` pixels of four bytes, premultiplied; ``foot_px`` is where it touches its place."""

    rgba: bytes
    width_px: int
    height_px: int
    foot_px: tuple[float, float]


@dataclass(frozen=True, slots=True, eq=False)
class TablePictures:
    """The empty table seen from far above the players, and cutouts of all that can be on it.

    ``scale`` is in pixels a mm along the piste, and ``squash`` times that away from the players. ``origin_px`` is where
    the middle of space 1 is in ``ground``. Cards are seen straight from above, with ``card_scale`` pixels a mm;
    ``inks`` are the colours of their values.
    """

    ground: CameraPicture
    scale: float
    squash: float
    origin_px: tuple[float, float]
    cards: Mapping[Card, Cutout]
    back: Cutout
    card_scale: float
    inks: Mapping[int, tuple[int, int, int]]
    figures: BySide[Cutout]
    arms: BySide[Cutout]


X_MM: Final = (-78.0, 694.0)
"""From the left end of the board to its right end, and a little more."""
CUT_MM: Final = 24.0
"""So much less in large print beside words, of both ends together: the board's frame."""
BEHIND_MM: Final = (64.0, 40.0)
"""So much of the picture there is above the middle of the piste, and in large print: the fencers' heads, some crowd."""
BEFORE_MM: Final = (250.0, 228.0)
"""How far it reaches towards the players, and in large print: the play area's edge is under the cards in hand."""
FOOT_SHARE: Final = (0.062, 0.08)
"""Of the screen's height, for the small buttons along the foot, and in large print."""
HEADER: Final = (51, 62)
BAND: Final = (42, 58)
"""How many units high the players and the one line of the verdict are over the table, and in large print."""
ACT_SHARE: Final = (0.25, 0.33)
"""Of the picture's width, for the one button beside the hands, and beside one hand where words take room from it."""
SPACE_MM: Final = (28.0, 36.0)
"""A space of the piste, along and across."""
FIGURE_MM: Final = (20.0, 75.0)
"""Half as wide, and as high as a fencer is taken hold of."""
PANEL: Final = (0.32, 0.41)
"""How much of the width the words beside the table have, and the most in large print, where the table leaves it."""
HAND_SHARE: Final = (0.29, 0.33)
"""Of the picture's height, for the cards in hand, and in large print."""

_PILE_MM: Final = (628.0, -190.0)


@dataclass(frozen=True, slots=True)
class Places:
    """The areas of the screen; ``scale`` is in pixels a mm along the piste, ``squash`` times that across it.

    ``print_px`` is the unit of what is written, larger than ``unit_px`` in large print. ``fan`` is for the cards in
    hand, ``act`` for the one button beside them. ``origin`` is the pixel of the middle of space 1.
    """

    header: pygame.Rect
    band: pygame.Rect
    picture: pygame.Rect
    fan: pygame.Rect
    act: pygame.Rect
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
        return round(min(self.fan.height * 0.84 * CARD_MM[0] / CARD_MM[1], self.fan.width * 0.12))


def places(
    size: tuple[int, int],
    foot_px: int,
    pictures: TablePictures,
    *,
    with_panel: bool,
    print_scale: float = 1.0,
    hands: int = 1,
) -> Places:
    """The areas of a screen of this size, whose buttons take ``foot_px`` at its foot.

    A panel of words takes its room from the right of the table. Large print takes it from what nobody reads there: the
    crowd and the wood. ``hands`` is how many stand at the foot.
    """
    width, height = size
    unit_px = unit_of(width, height)
    large = print_scale > 1.0
    header = pygame.Rect(0, 0, width, round(HEADER[large] * unit_px))
    band = pygame.Rect(0, header.bottom, width, round(BAND[large] * unit_px))
    height_px = height - foot_px - band.bottom
    fan_px = round(height_px * HAND_SHARE[large])
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
    act_px = round(picture.width * ACT_SHARE[with_panel and hands < 2])
    act = pygame.Rect(picture.right - act_px, fan.top, act_px, fan.height).inflate(-round(20 * unit_px), 0)
    act.height = round(min(fan.height * 0.7, 76 * unit_px))
    act.bottom = fan.bottom - round(10 * unit_px)
    return Places(header, band, picture, fan, act, panel, unit_px, unit_px * print_scale, scale, squash, origin)


def fan_boxes(places: Places, counts: tuple[int, ...]) -> tuple[tuple[pygame.Rect, ...], ...]:
    """Where each card of each hand stands; two hands share the width beside the button, White's left."""
    width = places.hand_card_px
    height = round(width * CARD_MM[1] / CARD_MM[0])
    whole_px = places.act.left - places.fan.left
    room_px = whole_px // max(1, len(counts))
    boxes = []
    for number, count in enumerate(counts):
        step = min(width * 1.06, (room_px * 0.94 - width) / max(1, count - 1))
        wide = step * (count - 1) + width
        left = places.fan.left + number * room_px + (room_px - wide) / 2
        if len(counts) == 1:  # under the middle of the table, where there is room
            left = min(max(left, places.fan.centerx - wide / 2), places.act.left - wide - places.unit_px * 8)
        top = places.fan.bottom - height - round(5 * places.unit_px)
        boxes.append(tuple(pygame.Rect(round(left + step * place), top, width, height) for place in range(count)))
    return tuple(boxes)


def space_box(places: Places, space: int) -> pygame.Rect:
    """A space of the piste."""
    x, y = places.px(SPACE_MM[0] * (space - 1), 0.0)
    box = pygame.Rect(0, 0, round(SPACE_MM[0] * places.scale), round(SPACE_MM[1] * places.scale * places.squash))
    box.center = round(x), round(y)
    return box


def figure_box(places: Places, x_mm: float, y_mm: float) -> pygame.Rect:
    """The picture of a fencer who stands there: he stands up from his place."""
    wide, tall = FIGURE_MM[0] * places.scale, FIGURE_MM[1] * places.scale
    x, y = places.px(x_mm, y_mm)
    box = pygame.Rect(0, 0, round(2 * wide), round(tall + 28 * places.scale))
    box.midtop = round(x), round(y - tall * 0.55)
    return box


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
