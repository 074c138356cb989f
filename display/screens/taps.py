"""A tap, whether of a finger or of the mouse."""

from __future__ import annotations

from collections.abc import Sequence

import pygame


def tap_place(event: pygame.event.Event, size: Sequence[int]) -> tuple[int, int] | None:
    """Where a finger or the left mouse button went down, in pixels; None for any other event.

    SDL makes a mouse event of every touch too; those are left out, so that no tap counts twice.
    """
    if event.type == pygame.FINGERDOWN:
        return int(event.x * size[0]), int(event.y * size[1])
    if event.type == pygame.MOUSEBUTTONDOWN and event.button == 1 and not getattr(event, "touch", False):
        return int(event.pos[0]), int(event.pos[1])
    return None
