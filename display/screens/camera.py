"""The camera's picture, with everything recognised already drawn on it by whoever took it."""

from __future__ import annotations

from dataclasses import dataclass

import pygame

from display.draw.canvas import CENTRE, LEAD, Canvas
from display.draw.theme import DEFAULT, Theme


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
