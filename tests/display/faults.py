"""What an eye would find wrong with the texts of a screen, found without one."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import combinations
from typing import Final

import pygame

from display.draw.canvas import DrawnText

MIN_PX: Final = 9
"""Less than this nobody reads on a small screen."""
TOUCHING_PX: Final = 1
"""Two texts may share so much: the outermost pixels of a text's rectangle have no ink."""


def text_faults(texts: Sequence[DrawnText], box: pygame.Rect) -> Iterator[str]:
    """One line for each text that is cut off, not wholly inside ``box``, too small, or on another text."""
    for text in texts:
        if text.cut:
            yield f"{text.text!r} does not fit"
        if not box.contains(text.rect):
            yield f"{text.text!r} is outside: {text.rect} in {box}"
        if text.size_px < MIN_PX:
            yield f"{text.text!r} is {text.size_px} px high, less than {MIN_PX}"
    for one, other in combinations(texts, 2):
        shared = one.rect.clip(other.rect)
        if shared.width > TOUCHING_PX and shared.height > TOUCHING_PX:
            yield f"{one.text!r} and {other.text!r} are on each other: {one.rect}, {other.rect}"
