"""Small signs, so that colour is never the only one: tick, cross, eye, question, hand, arrows, swords, crown.

Each is a file of ``display/draw/signs``, square and white, that takes the colour it is asked for.
"""

from __future__ import annotations

from functools import lru_cache
from typing import Final

import pygame

from display.draw.picture import kept_picture
from display.draw.theme import Colour
from display.view import Tone


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
