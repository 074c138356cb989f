"""Surfaces without a screen, and the pictures that are files: portraits that players choose, and signs.

Portraits are heads of animals, told apart by shape and not by colour alone: ears, muzzle and markings differ. Signs are
white and take the colour they are asked for, so that colour is never the only one to say something.
"""

from __future__ import annotations

import io
from functools import cache, lru_cache
from importlib.resources import files
from typing import Final

import pygame

from display.draw.theme import Colour
from display.view import Tone


def png_of(surface: pygame.Surface) -> bytes:
    """The surface as the content of a PNG file."""
    file = io.BytesIO()
    pygame.image.save(surface, file, "png")
    return file.getvalue()


def new_surface(width_px: int, height_px: int) -> pygame.Surface:
    """A surface to draw on without any screen. Raises ValueError for a size nothing fits on."""
    if width_px < 320 or height_px < 200:
        raise ValueError(f"a picture of {width_px}x{height_px} is too small: at least 320x200 pixels are needed")
    return pygame.Surface((width_px, height_px), 0, 32)


@cache
def kept_picture(folder: str, name: str) -> pygame.Surface:
    """The picture of this name in a folder of ``display/draw``. Raises FileNotFoundError where there is none."""
    with (files("display.draw") / folder / f"{name}.png").open("rb") as stream:
        return pygame.image.load(stream, ".png")


PORTRAITS: Final = ("fox", "cat", "bear", "owl", "frog", "rabbit", "panda", "lion", "mouse", "penguin", "pig", "dog")
"""Every portrait there is, by the name it is kept under; ``portrait.NAME`` in the catalogues is what people read."""


@lru_cache(maxsize=64)
def portrait(name: str, size_px: int) -> pygame.Surface:
    """The round portrait of this name, so many pixels wide, on nothing."""
    return pygame.transform.smoothscale(kept_picture("heads", name), (size_px, size_px))


@lru_cache(maxsize=128)
def sign(name: str, side_px: int, colour: Colour) -> pygame.Surface:
    """The sign of this name as a square picture. Raises FileNotFoundError for a name there is none of."""
    image = pygame.transform.smoothscale(kept_picture("signs", name), (max(1, side_px), max(1, side_px)))
    image.fill((255, 255, 255, 0), special_flags=pygame.BLEND_RGBA_ADD)  # shrinking has made it a little darker
    image.fill((*colour, 255), special_flags=pygame.BLEND_RGBA_MULT)
    return image


TONE_SIGNS: Final[dict[Tone, str]] = {
    Tone.READY: "swords",
    Tone.LEGAL: "tick",
    Tone.PREVIEW: "eye",
    Tone.REFUSED: "cross",
    Tone.UNSEEN: "blind",
    Tone.QUESTION: "question",
    Tone.WON: "crown",
    Tone.PAUSED: "pause",
}
