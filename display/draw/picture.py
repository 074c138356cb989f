"""Pictures on disk."""

from __future__ import annotations

from pathlib import Path

import pygame


def save_png(surface: pygame.Surface, path: Path | str) -> None:
    """Writes the surface as PNG, making the folder where it is missing. Raises OSError when it cannot."""
    target = Path(path)
    target.parent.mkdir(parents=True, exist_ok=True)
    try:
        pygame.image.save(surface, str(target))
    except pygame.error as error:
        raise OSError(f"the picture {target} could not be written: {error}") from error


def new_surface(width_px: int, height_px: int) -> pygame.Surface:
    """A surface to draw on without any screen. Raises ValueError for a size nothing fits on."""
    if width_px < 320 or height_px < 200:
        raise ValueError(f"a picture of {width_px}x{height_px} is too small: at least 320x200 pixels are needed")
    return pygame.Surface((width_px, height_px), 0, 32)
