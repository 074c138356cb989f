"""Text: pygame's own font, all sizes of it read from memory."""

from __future__ import annotations

import os

import pygame

from display.draw.canvas import font


def test_letters_are_those_that_pygame_draws_by_itself() -> None:
    for size_px in (1, 2, 17, 40, 96):
        ours = font(size_px).render("Größe 12, Riposte \u2026", True, (0, 0, 0))
        theirs = pygame.font.Font(None, size_px).render("Größe 12, Riposte \u2026", True, (0, 0, 0))
        assert pygame.image.tobytes(ours, "RGBA") == pygame.image.tobytes(theirs, "RGBA")


def test_a_size_more_keeps_no_file_open() -> None:
    font(20)
    before = len(os.listdir("/proc/self/fd"))
    held = [font(size_px) for size_px in range(300, 330)]
    assert len(held) == 30
    assert len(os.listdir("/proc/self/fd")) == before
