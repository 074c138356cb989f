"""Small portraits that people at the table choose for themselves: the heads of animals, drawn in code.

Which is whose is told apart by shape, not by colour alone: ears, muzzle and markings differ.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import Final, Literal

import pygame

from display.draw.theme import Colour, mix

_FINE: Final = 256
"""Portraits are drawn this many pixels wide, and made smaller from that."""
_DARK: Final[Colour] = (34, 28, 30)
_LIGHT: Final[Colour] = (252, 248, 240)

Ears = Literal["point", "round", "long", "flop", "tuft", "none"]
PortraitMark = Literal["cheeks", "eyes", "mane", "beak", "wide", "bib", "snout", "whiskers", "none"]


@dataclass(frozen=True, slots=True)
class Head:
    """How one animal looks: the ground of its medal, its fur, what is lighter or darker, its ears and what marks it."""

    ground: Colour
    fur: Colour
    second: Colour
    ears: Ears
    mark: PortraitMark


PORTRAITS: Final = {
    "fox": Head((206, 226, 214), (214, 108, 42), _LIGHT, "point", "cheeks"),
    "cat": Head((232, 214, 190), (104, 106, 116), (226, 172, 176), "point", "whiskers"),
    "bear": Head((214, 226, 236), (124, 80, 50), (206, 166, 124), "round", "snout"),
    "owl": Head((222, 214, 236), (132, 98, 70), (240, 222, 188), "tuft", "beak"),
    "frog": Head((240, 224, 186), (92, 158, 72), (206, 226, 150), "none", "wide"),
    "rabbit": Head((206, 224, 200), (226, 216, 206), (230, 168, 170), "long", "none"),
    "panda": Head((240, 214, 206), _LIGHT, _DARK, "round", "eyes"),
    "lion": Head((206, 222, 240), (228, 178, 84), (158, 90, 36), "round", "mane"),
    "mouse": Head((244, 228, 196), (164, 160, 164), (232, 176, 180), "round", "whiskers"),
    "penguin": Head((202, 230, 236), (44, 52, 70), _LIGHT, "none", "bib"),
    "pig": Head((214, 232, 204), (238, 168, 166), (216, 124, 128), "flop", "snout"),
    "dog": Head((236, 220, 228), (226, 196, 150), (122, 78, 46), "flop", "none"),
}
"""Every portrait there is, by the name it is kept under; ``portrait.NAME`` in the catalogues is what people read."""


@lru_cache(maxsize=64)
def portrait(name: str, size_px: int) -> pygame.Surface:
    """The round portrait of this name, so many pixels wide, on nothing."""
    head = PORTRAITS[name]
    fine = pygame.Surface((_FINE, _FINE), pygame.SRCALPHA, 32)
    pygame.draw.circle(fine, head.ground, (128, 128), 127)
    if head.mark == "mane":
        for x, y in ((128, 66), (76, 88), (180, 88), (58, 138), (198, 138), (82, 188), (174, 188), (128, 206)):
            pygame.draw.circle(fine, head.second, (x, y), 42)
    _ears(fine, head)
    if head.mark == "wide":
        for x in (84, 172):
            pygame.draw.circle(fine, head.fur, (x, 84), 36)
    _oval(fine, head.fur, (128, 142), (156, 146))
    _face(fine, head)
    rim = mix(head.ground, _DARK, 0.55)
    pygame.draw.circle(fine, rim, (128, 128), 127, 7)
    return pygame.transform.smoothscale(fine, (size_px, size_px))


def _ears(fine: pygame.Surface, head: Head) -> None:
    inner = head.second if head.mark != "cheeks" else mix(head.fur, _DARK, 0.6)
    for way in (-1, 1):
        match head.ears:
            case "point":
                _shape(fine, head.fur, way, ((70, 90), (58, 24), (12, 78)))
                _shape(fine, inner, way, ((60, 82), (54, 44), (28, 76)))
            case "round":
                pygame.draw.circle(fine, head.second if head.mark == "eyes" else head.fur, (128 + way * 62, 78), 34)
                if head.mark != "eyes":
                    pygame.draw.circle(fine, inner, (128 + way * 62, 78), 19)
            case "long":
                _oval(fine, head.fur, (128 + way * 36, 62), (44, 104))
                _oval(fine, inner, (128 + way * 36, 64), (20, 76))
            case "tuft":
                _shape(fine, head.fur, way, ((76, 116), (74, 36), (22, 84)))
            case "flop" if head.mark == "snout":
                _shape(fine, inner, way, ((76, 104), (72, 44), (22, 80)))


def _face(fine: pygame.Surface, head: Head) -> None:
    eye_x, eye_y, eye = 34, 126, 11
    nose: Colour = _DARK
    match head.mark:
        case "cheeks":
            for way in (-1, 1):
                _shape(fine, head.second, way, ((78, 142), (20, 150), (0, 206), (0, 214), (48, 202)))
        case "snout":
            _oval(fine, head.second, (128, 170), (86, 62))
            if head.ears == "flop":
                nose = mix(head.second, _DARK, 0.55)
                for x in (112, 144):
                    _oval(fine, nose, (x, 170), (14, 22))
        case "eyes":
            for way in (-1, 1):
                _shape(fine, head.second, way, ((14, 112), (40, 98), (58, 124), (44, 152), (20, 144)))
            eye = 8
        case "beak":
            for way in (-1, 1):
                pygame.draw.circle(fine, head.second, (128 + way * 36, 128), 38)
            pygame.draw.polygon(fine, (226, 150, 44), ((112, 150), (144, 150), (128, 186)))
            eye_x, eye_y, eye = 36, 128, 17
        case "wide":
            for way in (-1, 1):
                pygame.draw.circle(fine, _LIGHT, (128 + way * 44, 84), 24)
            _oval(fine, head.second, (128, 184), (104, 52))
            eye_x, eye_y, eye = 44, 86, 12
        case "bib":
            for way in (-1, 1):
                pygame.draw.circle(fine, head.second, (128 + way * 30, 128), 34)
            _oval(fine, head.second, (128, 176), (108, 76))
            pygame.draw.polygon(fine, (232, 156, 48), ((104, 150), (152, 150), (128, 180)))
        case "mane" | "whiskers":
            _oval(fine, mix(head.fur, _LIGHT, 0.55), (128, 174), (72, 50))
    if head.ears == "flop" and head.mark == "none":  # a dog's hang over its face
        _oval(fine, _LIGHT, (128, 172), (76, 66))
        for way in (-1, 1):
            _oval(fine, head.second, (128 + way * 74, 134), (46, 112))
    for way in (-1, 1):
        at = (128 + way * eye_x, eye_y)
        colour = _LIGHT if head.mark == "eyes" else _DARK
        pygame.draw.circle(fine, colour, at, eye + (3 if head.mark == "eyes" else 0))
        if head.mark == "eyes":
            pygame.draw.circle(fine, _DARK, at, eye - 1)
        pygame.draw.circle(fine, _LIGHT, (at[0] + 3, at[1] - 4), max(3, eye // 3))
    _mouth(fine, head, nose)


def _mouth(fine: pygame.Surface, head: Head, nose: Colour) -> None:
    if head.mark in ("beak", "bib"):
        return
    if head.mark == "wide":
        pygame.draw.arc(fine, _DARK, pygame.Rect(70, 130, 116, 70), 3.5, 5.92, 6)
        return
    if head.mark == "snout" and head.ears == "flop":
        pygame.draw.arc(fine, nose, pygame.Rect(100, 182, 56, 30), 3.5, 5.9, 5)
        return
    top = 196 if head.mark == "cheeks" else 160
    _oval(fine, (206, 110, 118) if head.ears == "long" else nose, (128, top), (30, 22))
    if head.mark != "cheeks":
        pygame.draw.line(fine, _DARK, (128, top + 8), (128, top + 22), 5)
        for left in (100, 128):
            pygame.draw.arc(fine, _DARK, pygame.Rect(left, top + 8, 28, 26), 3.3, 6.1, 5)
    if head.ears == "long":
        pygame.draw.rect(fine, _LIGHT, pygame.Rect(119, top + 32, 18, 16), border_radius=3)
    if head.mark == "whiskers":
        for way in (-1, 1):
            for rise in (-8, 4, 16):
                pygame.draw.line(fine, _DARK, (128 + way * 38, 172 + rise // 2), (128 + way * 94, 168 + rise), 3)


def _oval(fine: pygame.Surface, colour: Colour, middle: tuple[int, int], size: tuple[int, int]) -> None:
    box = pygame.Rect((0, 0), size)
    box.center = middle
    pygame.draw.ellipse(fine, colour, box)


def _shape(fine: pygame.Surface, colour: Colour, way: int, points: Sequence[tuple[int, int]]) -> None:
    """A shape of the right half, by how far from the middle line and how far down; ``way`` -1: its mirror image."""
    pygame.draw.polygon(fine, colour, [(128 + way * x, y) for x, y in points])
