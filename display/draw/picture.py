"""Surfaces without a screen, and pictures of them."""

from __future__ import annotations

import io
from functools import cache
from importlib.resources import files

import pygame


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
