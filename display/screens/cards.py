"""Playing cards as pictures: face up with value and letter, face down, marked, crossed out."""

from __future__ import annotations

from functools import lru_cache

import pygame

from display.draw.canvas import SUPERSAMPLE, Canvas, blank, digits, shrunk, thick_line
from display.draw.theme import Colour, Theme, mix
from engine.rules.cards import Card

CARD_SHAPE = 1.45
"""Height of a card for a width of one."""


@lru_cache(maxsize=256)
def card_sprite(value: int | None, name: str, width_px: int, ring: Colour | None, theme: Theme) -> pygame.Surface:
    """A card of this width. ``value`` None: its back. ``name`` stands small in the corner. ``ring``: its frame."""
    height_px = round(width_px * CARD_SHAPE)
    image = blank(width_px, height_px)
    box = image.get_rect()
    radius = round(box.width * 0.12)
    edge = max(SUPERSAMPLE, round(box.width * (0.075 if ring else 0.03)))
    pygame.draw.rect(image, ring or mix(theme.ink, theme.paper, 0.25), box, border_radius=radius)
    inner = box.inflate(-2 * edge, -2 * edge)
    if value is None:
        _back(image, inner, radius, theme)
        return shrunk(image)
    pygame.draw.rect(image, theme.card, inner, border_radius=max(1, radius - edge))
    _face(image, inner, value, theme)
    small = shrunk(image)
    _print(small, str(value), 0.31, (0.5, 0.42), theme.ink)
    if name and width_px >= 34:
        _print(small, name, 0.1, (0.24, 0.115), theme.ink_soft)
    return small


def _print(image: pygame.Surface, text: str, share: float, place: tuple[float, float], colour: Colour) -> None:
    """Text on a card: how high it is and where its middle is, as shares of the card, so it is part of the picture."""
    drawn = digits(text, max(4, round(image.get_height() * share)), colour)
    box = drawn.get_rect()
    box.center = round(image.get_width() * place[0]), round(image.get_height() * place[1])
    image.blit(drawn, box)


def _face(image: pygame.Surface, box: pygame.Rect, value: int, theme: Theme) -> None:
    """One dot for each point of value along the lower edge: a card is read without its number too."""
    radius = box.width * 0.052
    gap = box.width * 0.155
    y = box.bottom - box.height * 0.1
    for number in range(value):
        x = box.centerx + (number - (value - 1) / 2) * gap
        pygame.draw.circle(image, theme.attack, (x, y), radius)


def _back(image: pygame.Surface, box: pygame.Rect, radius: int, theme: Theme) -> None:
    pygame.draw.rect(image, theme.card_back, box, border_radius=radius)
    line = mix(theme.card_back, theme.card, 0.45)
    frame = box.inflate(-box.width * 0.22, -box.width * 0.22)
    pygame.draw.rect(image, line, frame, width=max(1, round(box.width * 0.03)), border_radius=radius // 2)
    ends = ((frame.left, frame.top, frame.right, frame.bottom), (frame.left, frame.bottom, frame.right, frame.top))
    for x0, y0, x1, y1 in ends:
        thick_line(image, line, [(x0, y0), (x1, y1)], box.width * 0.03)


def draw_card(
    canvas: Canvas, card: Card | None, topleft: tuple[float, float], width_px: float, ring: Colour | None = None
) -> pygame.Rect:
    """Draws a card (None: face down) and gives its rectangle."""
    value, name = (card.value, str(card)) if card is not None else (None, "")
    image = card_sprite(value, name, max(8, round(width_px)), ring, canvas.theme)
    box = image.get_rect(topleft=(round(topleft[0]), round(topleft[1])))
    canvas.surface.blit(image, box)
    return box


def draw_value_card(canvas: Canvas, value: int, topleft: tuple[float, float], width_px: float) -> pygame.Rect:
    """Draws any card of this value: which letter does not matter."""
    image = card_sprite(value, "", max(8, round(width_px)), None, canvas.theme)
    box = image.get_rect(topleft=(round(topleft[0]), round(topleft[1])))
    canvas.surface.blit(image, box)
    return box
