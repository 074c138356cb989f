"""The camera's picture, with everything recognised drawn on it by whoever took it; and what is wrong, marked on it."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Final

import pygame

from display.draw.canvas import (
    BODY,
    CENTRE,
    LEAD,
    NOTE,
    Canvas,
    Point,
    cut_bottom,
    cut_left,
    cut_top,
    taper,
    thick_line,
)
from display.draw.pictures import sign
from display.draw.theme import DEFAULT, Colour, Theme
from display.view import Tone, TroubleSpot, TroubleView, ViewModel


@dataclass(frozen=True, slots=True)
class CameraPicture:
    """``bgr``: ``height_px`` rows of ``width_px`` pixels of three bytes, blue first, without padding.

    ``caption`` is a line across its top, empty for none: it says that this is not what is seen now.
    Raises ValueError when the number of bytes is not width times height times three.
    """

    bgr: bytes
    width_px: int
    height_px: int
    caption: str = ""

    def __post_init__(self) -> None:
        expected = self.width_px * self.height_px * 3
        if len(self.bgr) != expected:
            raise ValueError(
                f"a picture of {self.width_px}x{self.height_px} takes {expected} bytes, found {len(self.bgr)}: "
                f"hand over the contiguous bytes of a (height, width, 3) picture"
            )


def draw_camera(
    surface: pygame.Surface, picture: CameraPicture, box: pygame.Rect, theme: Theme = DEFAULT
) -> pygame.Rect:
    """Draws the picture as large as it fits into ``box``, and gives the rectangle it takes."""
    image = pygame.image.frombuffer(picture.bgr, (picture.width_px, picture.height_px), "BGR")
    share = min(box.width / picture.width_px, box.height / picture.height_px)
    size = max(1, round(picture.width_px * share)), max(1, round(picture.height_px * share))
    place = pygame.Rect((0, 0), size)
    place.center = box.center
    surface.blit(pygame.transform.smoothscale(image, size), place)
    pygame.draw.rect(surface, theme.header_active, place, width=2)
    return place


def draw_caption(canvas: Canvas, text: str, box: pygame.Rect) -> None:
    """A line across the top of the camera's place."""
    if not text:
        return
    line = pygame.Rect(box.left, box.top, box.width, max(20, round(box.height * 0.07 * canvas.theme.print_scale)))
    canvas.panel(line, canvas.theme.gold)
    words = line.inflate(-line.height, 0)
    canvas.text(text, words, LEAD * canvas.print_px, canvas.theme.header, align=CENTRE)


AMBER: Final[Colour] = (255, 176, 32)
EDGE: Final[Colour] = (24, 16, 8)
"""The marks are amber with a dark edge: they are told from any picture, and by whoever sees no colours."""
PICTURE_SHARE: Final = 0.6
"""How much of the stage's width the picture has at most."""
SMALL_SHARE: Final = 0.16
"""A spot that is narrower and lower than this share of the picture's width has a ring and an arrow."""
STRIP: Final = (0.3, 0.43)
STRIP_MARK: Final = (0.36, 0.35)
"""How much of the picture's height the strip has that says what to do, and in large print; and how much of the strip's
its sign."""
ALONE: Final = (0.36, 0.47)
"""How much of the height the distance has where the verdict says what the trouble is, and in large print."""
_MIN_RING: Final = 0.045
_LINE: Final = 0.009
_ARROW: Final = 0.13
_SHAPE: Final = 9 / 16


def draw_trouble(
    canvas: Canvas, box: pygame.Rect, view: ViewModel, trouble: TroubleView, camera: CameraPicture | None, unit: float
) -> None:
    """Draws the picture at the left of the box, the words at its right, and under them the distance."""
    pad = round(7 * unit)
    shape = camera.height_px / camera.width_px if camera is not None else _SHAPE
    height = box.height - 2 * pad
    width = min(round(height / shape), round(box.width * PICTURE_SHARE))
    picture = pygame.Rect(box.left + pad, box.top + pad, width, height)
    if camera is None:
        canvas.panel(picture, canvas.theme.header, 6)
        canvas.blit(sign("blind", max(8, round(min(picture.size) * 0.5)), AMBER), center=picture.center)
    else:
        draw_spots(canvas, draw_camera(canvas.surface, camera, picture, canvas.theme), trouble.spots)
    words = pygame.Rect(picture.right + 2 * pad, picture.top, 0, picture.height)
    words.width = box.right - 2 * pad - words.left
    _words(canvas, words, view, trouble, unit)


def draw_spots(canvas: Canvas, place: pygame.Rect, spots: tuple[TroubleSpot, ...]) -> None:
    """Draws the spots on the picture that takes this rectangle, and nothing outside it."""
    surface = canvas.surface
    before = surface.get_clip()
    surface.set_clip(before.clip(place))
    try:
        for spot in spots:
            _spot(surface, place, spot)
    finally:
        surface.set_clip(before)


def draw_cure(canvas: Canvas, trouble: TroubleView, box: pygame.Rect) -> None:
    """What to do, in a strip across the top of the camera's place."""
    large = canvas.theme.large_print
    strip, _ = cut_top(box, max(34, round(box.height * STRIP[large])))
    tone = canvas.theme.bands[Tone.REFUSED]
    canvas.panel(strip, tone.ground)
    mark_px = round(strip.height * STRIP_MARK[large])
    canvas.blit(sign("blind", mark_px, tone.mark), midleft=(strip.left + 6, strip.centery))
    words = pygame.Rect(strip.left + mark_px + 14, strip.top + 1, 0, strip.height - 2)
    words.width = strip.right - 6 - words.left
    canvas.text(trouble.cure, words, BODY * canvas.print_px, canvas.theme.ink, lines=3)


def _words(canvas: Canvas, box: pygame.Rect, view: ViewModel, trouble: TroubleView, unit: float) -> None:
    """What it is and what to do about it over the distance; where the verdict says so, the distance alone."""
    theme = canvas.theme
    said = view.verdict.headline == trouble.text
    foot, room = cut_bottom(box, round(ALONE[theme.large_print] * box.height if said else 34 * unit))
    if said:
        foot.centery = box.centery
    else:
        title, cure = cut_top(room, round(room.height * 0.34))
        canvas.text(trouble.text, title, BODY * unit, theme.bands[Tone.REFUSED].mark, lines=3, heavy=True)
        canvas.text(trouble.cure, cure, LEAD * unit, theme.ink, lines=6)
    number = canvas.number(view.piste.distance, cut_left(foot, round(foot.height * 1.3))[0], theme.ink, align=0.0)
    _, label = cut_left(foot, number.right + round(7 * unit) - foot.left)
    canvas.text(view.piste.distance_text, label, NOTE * unit, theme.ink_soft, valign=1.0)


def _spot(surface: pygame.Surface, place: pygame.Rect, spot: TroubleSpot) -> None:
    line = max(3.0, place.width * _LINE)
    left, top, right, bottom = (
        share * size for share, size in zip(spot.box, (place.width, place.height) * 2, strict=True)
    )
    if spot.is_everything:
        inner = place.inflate(-round(2 * line), -round(2 * line))
        points: list[Point] = [inner.topleft, inner.topright, inner.bottomright, inner.bottomleft, inner.topleft]
        _edged(surface, points, 1.6 * line)
        return
    small = max(right - left, bottom - top) < SMALL_SHARE * place.width
    if not small:
        points = [(place.left + x * place.width, place.top + y * place.height) for x, y in spot.outline]
        _edged(surface, [*points, points[0]], line)
        return
    middle = (place.left + (left + right) / 2, place.top + (top + bottom) / 2)
    radius = max(math.hypot(right - left, bottom - top) / 2 + line, _MIN_RING * place.width)
    for colour, width in ((EDGE, line + 4.0), (AMBER, line)):
        pygame.draw.circle(surface, colour, middle, radius + width / 2, max(1, round(width)))
    _arrow(surface, place, middle, radius + line, line)


def _arrow(surface: pygame.Surface, place: pygame.Rect, middle: Point, radius: float, line: float) -> None:
    """An arrow at the ring, from where the picture has most room."""
    dx, dy = place.centerx - middle[0], place.centery - middle[1]
    length = math.hypot(dx, dy)
    ux, uy = (dx / length, dy / length) if length > 1.0 else (0.0, 1.0)
    reach = _ARROW * place.width

    def at(along: float, aside: float = 0.0) -> Point:
        along += radius + line
        return middle[0] + ux * along - uy * aside, middle[1] + uy * along + ux * aside

    head = reach * 0.45
    for colour, more in ((EDGE, 2.0), (AMBER, 0.0)):
        taper(surface, colour, at(head * 0.8), line * 0.8 + more, at(reach), line * 0.8 + more)
        points = [at(-more), at(head + more, head * 0.55 + more), at(head + more, -head * 0.55 - more)]
        pygame.draw.polygon(surface, colour, points)


def _edged(surface: pygame.Surface, points: list[Point], width_px: float) -> None:
    thick_line(surface, EDGE, points, width_px + 4.0)
    thick_line(surface, AMBER, points, width_px)
