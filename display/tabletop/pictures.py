"""What the table and the things on it look like, as plain pixels: made by whoever simulates the table."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from display.screens.camera import CameraPicture
from engine.rules.cards import Card
from engine.rules.track import BySide


@dataclass(frozen=True, slots=True, eq=False)
class Cutout:
    """``rgba``: rows of ``width_px`` pixels of four bytes, premultiplied; ``foot_px`` is where it touches its place."""

    rgba: bytes
    width_px: int
    height_px: int
    foot_px: tuple[float, float]


@dataclass(frozen=True, slots=True, eq=False)
class TablePictures:
    """The empty table seen from far above the players, and cutouts of all that can be on it.

    ``scale`` is in pixels a mm along the piste, and ``squash`` times that away from the players. ``origin_px`` is where
    the middle of space 1 is in ``ground``. Cards are seen straight from above, with ``card_scale`` pixels a mm;
    ``inks`` are the colours of their values.
    """

    ground: CameraPicture
    scale: float
    squash: float
    origin_px: tuple[float, float]
    cards: Mapping[Card, Cutout]
    back: Cutout
    card_scale: float
    inks: Mapping[int, tuple[int, int, int]]
    figures: BySide[Cutout]
    arms: BySide[Cutout]
