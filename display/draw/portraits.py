"""Small portraits that people at the table choose for themselves: the heads of animals.

They are told apart by shape, not by colour alone: ears, muzzle and markings differ.
"""

from __future__ import annotations

from functools import lru_cache
from typing import Final

import pygame

from display.draw.picture import kept_picture

PORTRAITS: Final = ("fox", "cat", "bear", "owl", "frog", "rabbit", "panda", "lion", "mouse", "penguin", "pig", "dog")
"""Every portrait there is, by the name it is kept under; ``portrait.NAME`` in the catalogues is what people read."""


@lru_cache(maxsize=64)
def portrait(name: str, size_px: int) -> pygame.Surface:
    """The round portrait of this name, so many pixels wide, on nothing."""
    return pygame.transform.smoothscale(kept_picture("heads", name), (size_px, size_px))
