"""Draws what the eyes recognised over a picture of the same frame, for people to check."""

from __future__ import annotations

from typing import Any, Final

import cv2
import numpy as np
from numpy.typing import NDArray

from engine.rules.track import Side
from engine.table.observation import Sight
from vision.board.calibration import Calibration
from vision.board.zones import play_outline, strip_outline
from vision.frame import Picture
from vision.geometry import Floats
from vision.look import Look
from vision.sights.observe import figure_reading

Colour = tuple[int, int, int]

# Blue, green, red: told apart on wood, on cloth and on each other. Chosen by eye, as all colours here.
BOARD: Final[Colour] = (214, 168, 60)
PLAY_AREA: Final[Colour] = (120, 200, 120)
TAG: Final[Colour] = (60, 190, 250)
LABEL: Final[Colour] = (90, 230, 90)
FOREIGN: Final[Colour] = (200, 90, 200)
UNREAD: Final[Colour] = (70, 70, 235)
TROUBLE: Final[Colour] = (0, 165, 255)
AGREED: Final[Colour] = (245, 245, 245)
_RING_MM: Final = 14.0  # around a figure's base, half of a space's width
_SIGHT: Final[dict[Sight, Colour]] = {
    Sight.STEADY: (90, 200, 90),
    Sight.CHECKING: (60, 190, 250),
    Sight.BLIND: (70, 70, 235),
}

# Letters are edged with the one that differs more from their own colour.
_INK: Final[Colour] = (24, 24, 24)
_PAPER: Final[Colour] = (255, 255, 255)


def draw_recognised(bgr: NDArray[Any], look: Look, caption: str | None = None) -> Picture:
    """A copy of the picture (h, w, 3) with markers, tags with space numbers, labels with card names and zones drawn.

    Rings are what was agreed on and is not seen in this frame, as behind a hand; cards under others have none. Amber
    outlines are where the trouble is that keeps the eyes from being steady.
    ``caption`` replaces the line at the top left (the state and why, as in ``engarde watch``); empty draws none.
    """
    drawn: Picture = np.array(bgr, dtype=np.uint8)
    thick = max(1, round(bgr.shape[1] / 900))
    table, calibration = look.of, look.calibration
    if calibration is not None:
        _outline(drawn, play_outline(calibration, table), PLAY_AREA, thick)
        _outline(drawn, strip_outline(calibration, table), PLAY_AREA, thick)
    for marker in look.detections.corners:
        _outline(drawn, marker.corners, BOARD, thick)
        _name(drawn, marker.corners, str(marker.id), BOARD)
    for marker in look.detections.tags:
        _outline(drawn, marker.corners, TAG, 2 * thick)
        if calibration is not None:
            reading = figure_reading(marker, calibration.camera, table)
            name = str(reading.space) if reading.space is not None else "?"
            _name(drawn, marker.corners, name, TAG)
    for label in look.detections.labels:
        own = label.deck == table.deck_letter
        _outline(drawn, label.corners, LABEL if own else FOREIGN, thick)
        _name(drawn, label.corners, str(label.card) if own else f"{label.deck}:{label.card}", LABEL if own else FOREIGN)
    for place in look.detections.unread:
        _outline(drawn, place, UNREAD, thick)
    for trouble in look.trouble:
        _outline(drawn, trouble.outline, TROUBLE, 2 * thick)
    if calibration is not None:
        _unseen(drawn, look, calibration, thick)
    sight, why = look.table.sight, look.table.why
    text = (sight.value if why is None else f"{sight.value}: {why.value}") if caption is None else caption
    if text:
        _caption(drawn, text, _SIGHT[sight])
    return drawn


def _unseen(drawn: Picture, look: Look, calibration: Calibration, thick: int) -> None:
    """A ring with its name at each thing that was agreed on and is not seen in this frame."""
    places = [
        (reading.x_mm, reading.y_mm, 0.0, str(reading.card))
        for reading in look.table.cards
        if reading.card not in look.seen.cards and not reading.covered
    ]
    seen = {Side.WHITE: look.seen.white, Side.BLACK: look.seen.black}
    for side, reading in look.table.figures.items():
        if reading.space is not None and seen[side] is None:
            places.append((*look.of.tag_mm(reading.space), str(reading.space)))
    for x_mm, y_mm, z_mm, name in places:
        (x_px, y_px), (side_px, _) = calibration.camera.project([(x_mm, y_mm, z_mm), (x_mm + _RING_MM, y_mm, z_mm)])
        radius_px = max(8.0, float(abs(side_px - x_px)))
        cv2.circle(drawn, (round(float(x_px)), round(float(y_px))), round(radius_px), AGREED, thick, cv2.LINE_AA)
        _text(drawn, name, (float(x_px), float(y_px)), radius_px * 0.8, AGREED)


def _outline(drawn: Picture, points: Floats, colour: Colour, thick: int) -> None:
    cv2.polylines(drawn, [np.round(points * 16).astype(np.int32)], True, colour, thick, cv2.LINE_AA, shift=4)


def _name(drawn: Picture, corners: Floats, text: str, colour: Colour) -> None:
    """A name in the middle of a mark, about half as tall as the mark."""
    height_px = float(np.linalg.norm(corners - np.roll(corners, 1, axis=0), axis=1).mean()) * 0.5
    middle = corners.mean(axis=0)
    _text(drawn, text, (float(middle[0]), float(middle[1])), height_px, colour)


def _caption(drawn: Picture, text: str, colour: Colour) -> None:
    height_px = drawn.shape[0] / 36
    (width, _), _ = cv2.getTextSize(text, cv2.FONT_HERSHEY_DUPLEX, height_px / 22, 1)
    _text(drawn, text, (width / 2 + height_px, 1.5 * height_px), height_px, colour)


def _text(drawn: Picture, text: str, middle: tuple[float, float], height_px: float, colour: Colour) -> None:
    scale = height_px / 22  # a capital of this font is 22 px tall at scale 1
    thick = max(1, round(2 * scale))
    (width, height), _ = cv2.getTextSize(text, cv2.FONT_HERSHEY_DUPLEX, scale, thick)
    origin = (round(middle[0] - width / 2), round(middle[1] + height / 2))
    edge = _INK if sum(colour) > 300 else _PAPER
    cv2.putText(drawn, text, origin, cv2.FONT_HERSHEY_DUPLEX, scale, edge, thick * 3, cv2.LINE_AA)
    cv2.putText(drawn, text, origin, cv2.FONT_HERSHEY_DUPLEX, scale, colour, thick, cv2.LINE_AA)
