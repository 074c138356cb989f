"""QR codes on the screen, each with the words that say what it opens."""

from __future__ import annotations

from dataclasses import dataclass

import pygame

from display.draw.canvas import BODY, CENTRE, LEFT, NOTE, Canvas
from display.draw.parts import CASE
from display.draw.pictures import sign
from display.draw.theme import Colour

GAP_PX = 5
"""Between codes and words: a code brings its own white with it."""
MARK = 1.2
"""How large the sign before them is, for as much: it says where their code is."""
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


@dataclass(frozen=True, slots=True)
class _Place:
    """Where a code is drawn and where its words, and how many pixels a module has at least; ``way``: where it is."""

    code: ScanCode
    box: pygame.Rect
    words: pygame.Rect
    module_px: int
    way: str = ""


def draw_codes(canvas: Canvas, codes: tuple[ScanCode, ...], box: pygame.Rect) -> None:
    """All codes with their words, on the dark of the lamps: side by side, or the finer below where that is larger."""
    canvas.surface.fill(CASE, box)
    if not codes:
        return
    wished = NOTE * canvas.unit_px
    for place in max(
        _beside(codes, box), _below(codes, box), key=lambda places: min(each.module_px for each in places)
    ):
        draw_code(canvas.surface, place.code.rows, place.box)
        words = place.words
        if place.way:
            mark_px = round(MARK * wished)
            canvas.blit(sign(place.way, mark_px, canvas.theme.gold), midleft=(words.left, words.centery))
            words = pygame.Rect(words.left + mark_px + GAP_PX, words.top, words.width - mark_px - GAP_PX, words.height)
        size = BODY * canvas.print_px if canvas.theme.large_print or not place.way else wished
        align = LEFT if place.way else CENTRE
        canvas.text(place.code.text, words, size, canvas.theme.on_header, align=align, lines=3)


def _modules(code: ScanCode) -> int:
    return len(code.rows) + 2 * QUIET


def _beside(codes: tuple[ScanCode, ...], box: pygame.Rect) -> list[_Place]:
    """Side by side, the finer the wider, each over its words."""
    places = []
    every = sum(map(_modules, codes))
    right = box.left
    for code in codes:
        left, right = right, right + box.width * _modules(code) // every
        place = pygame.Rect(left, box.top, right - left, box.height).inflate(-2 * GAP_PX, -2 * GAP_PX)
        words = pygame.Rect(place.left, 0, place.width, round(place.height * 0.2))
        words.bottom = place.bottom
        upper = pygame.Rect(place.left, place.top, place.width, words.top - place.top)
        places.append(_Place(code, upper, words, min(upper.size) // _modules(code)))
    return places


def _below(codes: tuple[ScanCode, ...], box: pygame.Rect) -> list[_Place]:
    """Of two codes the coarser with the words of both beside it, and the finer below: neither is much too small."""
    if len(codes) != 2:
        return _beside(codes, box)
    inner = box.inflate(-2 * GAP_PX, -2 * GAP_PX)
    coarse, fine = sorted(codes, key=_modules)

    def coarse_beside(fine_px: int) -> int:
        return min(inner.height - GAP_PX - fine_px * _modules(fine), inner.width // 2) // _modules(coarse)

    most = min(inner.width, inner.height) // _modules(fine)
    fine_px = max(range(most + 1), key=lambda each: (min(each, coarse_beside(each)), each))
    coarse_px = max(0, coarse_beside(fine_px))
    lower = pygame.Rect(inner.left, 0, inner.width, fine_px * _modules(fine))
    side_px = coarse_px * _modules(coarse)
    gap_px = (inner.height - lower.height - side_px) // 3
    upper = pygame.Rect(inner.left, inner.top + gap_px, side_px, side_px)
    lower.top = upper.bottom + max(GAP_PX, gap_px)
    words = pygame.Rect(upper.right + GAP_PX, upper.top, inner.right - upper.right - GAP_PX, upper.height // 2)
    least = min(coarse_px, fine_px)
    return [
        _Place(coarse, upper, words, least, "arrow_left"),
        _Place(fine, lower, words.move(0, words.height), least, "arrow_down"),
    ]
