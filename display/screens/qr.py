"""QR codes on the screen, each with the words that say what it opens."""

from __future__ import annotations

from dataclasses import dataclass

import pygame

from display.draw.canvas import CENTRE, Canvas
from display.draw.parts import CASE
from display.draw.theme import Colour

QUIET = 4
"""Modules of white around a code, as its standard wants them."""
WHITE: Colour = (255, 255, 255)
BLACK: Colour = (0, 0, 0)


@dataclass(frozen=True, slots=True)
class ScanCode:
    """A code to be scanned: its modules, True for dark, and what it opens, in the players' language."""

    rows: tuple[tuple[bool, ...], ...]
    text: str


def draw_code(surface: pygame.Surface, rows: tuple[tuple[bool, ...], ...], box: pygame.Rect) -> pygame.Rect:
    """Draws the code as large as whole pixels allow into the middle of the box; gives what it takes."""
    modules = len(rows) + 2 * QUIET
    module_px = max(1, min(box.width, box.height) // modules)
    place = pygame.Rect(0, 0, modules * module_px, modules * module_px)
    place.center = box.center
    surface.fill(WHITE, place)
    for y, row in enumerate(rows):
        for x, dark in enumerate(row):
            if dark:
                left, top = place.left + (x + QUIET) * module_px, place.top + (y + QUIET) * module_px
                surface.fill(BLACK, (left, top, module_px, module_px))
    return place


def draw_codes(canvas: Canvas, codes: tuple[ScanCode, ...], box: pygame.Rect) -> None:
    """All codes side by side, the finer the wider, each over its words, on the dark of the lamps."""
    canvas.surface.fill(CASE, box)
    if not codes:
        return
    modules = [len(code.rows) + 2 * QUIET for code in codes]
    right = box.left
    for code, count in zip(codes, modules, strict=True):
        left, right = right, right + box.width * count // sum(modules)
        place = pygame.Rect(left, box.top, right - left, box.height).inflate(-8, -8)
        words = pygame.Rect(place.left, 0, place.width, round(place.height * 0.2))
        words.bottom = place.bottom
        draw_code(canvas.surface, code.rows, pygame.Rect(place.left, place.top, place.width, words.top - place.top))
        canvas.text(code.text, words, words.height * 0.5, canvas.theme.on_header, align=CENTRE, lines=2, least_px=8)
