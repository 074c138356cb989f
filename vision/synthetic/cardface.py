"""The faces of cards: two QR labels, and its value where a hand-held card shows it."""

from __future__ import annotations

from functools import lru_cache
from typing import Final

import cv2
import numpy as np

from engine.rules.cards import Card
from vision.frame import Picture
from vision.geometry import Floats
from vision.printed.qr import qr_bits
from vision.printed.table import CardSize
from vision.printed.tags import QR_MODULES, QUIET_MODULES, back_payload, payload
from vision.synthetic.plane import Plane, Texture, level_plane
from vision.synthetic.scene import (
    CARD_HEIGHT_MM,
    CARD_SIZE,
    CARD_THICKNESS_MM,
    CARD_WIDTH_MM,
    PRINTED,
    CardMake,
    SceneCard,
    StuckLabel,
)
from vision.synthetic.sprite import Sprite, premultiplied
from vision.synthetic.studio import Studio, Vector

INSET_MM: Final = 6.5  # from the card's edges to the label's modules
BACK_INSET_MM: Final = 6.0  # of a back's labels
_TEXELS_PER_MODULE: Final = 6
_PAPER: Final = (238, 243, 245)
_INK: Final = (38, 34, 34)
_ROUNDING_MM: Final = 3.5
INKS_BGR: Final = {1: (150, 106, 46), 2: (72, 128, 54), 3: (38, 138, 196), 4: (58, 72, 186), 5: (128, 56, 108)}


@lru_cache(maxsize=64)
def card_face(card: Card, deck: str, qr_mm: float, make: CardMake = PRINTED) -> Texture:
    """The printed side as a colour texture; its density gives each module a whole number of texels."""
    density = _TEXELS_PER_MODULE * QR_MODULES / qr_mm
    face, opacity = _blank(density, make.size)
    colour = INKS_BGR[card.value]
    _rounded(face, 1.0, density, colour, thickness_mm=0.45)
    for label in make.labels:
        _stick(face, label_picture(payload(card, deck), _TEXELS_PER_MODULE), label, density)
    if make.labels:
        return Texture(premultiplied(face, opacity), density)
    _middle_band(face, density, colour)
    for _ in range(2):
        _upper_half(face, card, deck, qr_mm, density, colour)
        face = np.ascontiguousarray(face[::-1, ::-1])
    return Texture(premultiplied(face, opacity), density)


@lru_cache(maxsize=64)
def card_back(qr_mm: float, token: str | None = None) -> Texture:
    """The back: the same for every card, as it must be, but for the code of its label, where it has one."""
    density = _TEXELS_PER_MODULE * QR_MODULES / qr_mm
    face, opacity = _blank(density)
    height, width = opacity.shape
    _rounded(face, 3.0, density, (92, 52, 34), thickness_mm=None)
    step = int(5 * density)
    inside = np.zeros((height, width), np.uint8)
    for offset in range(-height, width, step):
        cv2.line(inside, (offset, 0), (offset + height, height), 255, 2, cv2.LINE_AA)
        cv2.line(inside, (offset + height, 0), (offset, height), 255, 2, cv2.LINE_AA)
    frame = np.zeros_like(inside)
    edge = int(5 * density)
    frame[edge:-edge, edge:-edge] = inside[edge:-edge, edge:-edge]
    face[frame > 100] = (168, 140, 96)
    if token is not None:
        for _ in range(2):
            _print_label(face, back_payload(token), (CARD_WIDTH_MM - qr_mm) / 2, BACK_INSET_MM, density)
            face = np.ascontiguousarray(face[::-1, ::-1])
    return Texture(premultiplied(face, opacity), density)


def label_picture(text: str, texels_per_module: int) -> Picture:
    """A QR label with its quiet zone, (n, n) uint8, black on white."""
    modules = np.where(qr_bits(text), 0, 255).astype(np.uint8)
    framed = np.pad(modules, QUIET_MODULES, constant_values=255)
    return np.kron(framed, np.ones((texels_per_module, texels_per_module), np.uint8))


def _stick(face: Picture, label: Picture, at: StuckLabel, density: float) -> None:
    """A paper label with its quiet zone, its middle so far from the face's, over whatever is there."""
    rows, columns = face.shape[:2]
    c, s = np.cos(np.radians(at.turn_deg)), np.sin(np.radians(at.turn_deg))
    half = (len(label) - 1) / 2
    x, y = (columns - 1) / 2 + at.x_mm * density, (rows - 1) / 2 - at.y_mm * density
    way = np.array([[c, s, x - c * half - s * half], [-s, c, y + s * half - c * half]])
    paper = cv2.warpAffine(np.full_like(label, 255), way, (columns, rows), flags=cv2.INTER_LINEAR)
    code = cv2.warpAffine(label, way, (columns, rows), flags=cv2.INTER_LINEAR)
    ink = (code.astype(np.float32) / 255)[..., None] * (np.array(_PAPER) - _INK) + _INK
    share = (paper.astype(np.float32) / 255)[..., None]
    face[:] = np.asarray(share * ink + (1.0 - share) * face, dtype=np.uint8)


def _blank(density: float, size: CardSize = CARD_SIZE) -> tuple[Picture, Picture]:
    width, height = (round(side_mm * density) for side_mm in size)
    face = np.full((height, width, 3), _PAPER, np.uint8)
    opacity = np.zeros((height, width, 3), np.uint8)
    _rounded(opacity, 0.0, density, (255, 255, 255), thickness_mm=None)
    _rounded(face, 0.0, density, (176, 182, 186), thickness_mm=0.25)
    return face, np.ascontiguousarray(opacity[:, :, 0])


def _rounded(
    image: Picture, inset_mm: float, density: float, colour: tuple[int, int, int], thickness_mm: float | None
) -> None:
    """A rectangle with round corners, ``inset_mm`` inside the card's edge: an outline, or filled without thickness."""
    height, width = image.shape[:2]
    radius = max(_ROUNDING_MM - inset_mm, 0.5) * density
    low = inset_mm * density
    arcs = []
    for x, y, start in (
        (width - low - radius, low + radius, 270),
        (width - low - radius, height - low - radius, 0),
        (low + radius, height - low - radius, 90),
        (low + radius, low + radius, 180),
    ):
        angle = np.radians(np.arange(start, start + 91, 6))
        arcs.append(np.column_stack([x + radius * np.cos(angle), y + radius * np.sin(angle)]))
    points = np.round((np.vstack(arcs) - 0.5) * 16).astype(np.int32)
    if thickness_mm is None:
        cv2.fillPoly(image, [points], colour, cv2.LINE_AA, shift=4)
    else:
        cv2.polylines(image, [points], True, colour, max(1, round(thickness_mm * density)), cv2.LINE_AA, shift=4)


def _upper_half(
    image: Picture, card: Card, deck: str, qr_mm: float, density: float, colour: tuple[int, int, int]
) -> None:
    """Label at the left, the value beside it."""
    _print_label(image, payload(card, deck), INSET_MM, INSET_MM, density)
    right_mm = INSET_MM + qr_mm + 3.2
    value_mm = (right_mm + CARD_WIDTH_MM - 3.0) / 2
    _text(image, str(card.value), value_mm, INSET_MM + 9.0, 17.0, density, colour, 1.9)
    _text(image, card.letter, value_mm, INSET_MM + 22.5, 5.0, density, (96, 96, 100), 0.55)


def _print_label(image: Picture, text: str, left_mm: float, top_mm: float, density: float) -> None:
    """A label whose modules begin so far from the face's edges."""
    label = label_picture(text, _TEXELS_PER_MODULE)
    left, top = (round(mm * density) - QUIET_MODULES * _TEXELS_PER_MODULE for mm in (left_mm, top_mm))
    area = image[top : top + len(label), left : left + len(label)]
    area[label > 0] = _PAPER
    area[label == 0] = _INK


def _middle_band(face: Picture, density: float, colour: tuple[int, int, int]) -> None:
    """Crossed foils between the labels."""
    middle_x, middle_y = CARD_WIDTH_MM / 2, CARD_HEIGHT_MM / 2
    pale = tuple(int(0.45 * ink + 0.55 * paper) for ink, paper in zip(colour, _PAPER, strict=True))
    for way in (-1, 1):
        grip = (middle_x - way * 17.0, middle_y + 4.6)
        point = (middle_x + way * 17.0, middle_y - 4.6)
        guard = (middle_x - way * 12.0, middle_y + 3.25)
        cv2.line(face, _at(grip, density), _at(point, density), pale, round(0.5 * density), cv2.LINE_AA)
        cv2.line(face, _at(grip, density), _at(guard, density), pale, round(1.0 * density), cv2.LINE_AA)
        cv2.circle(face, _at(guard, density), round(1.7 * density), pale, round(0.5 * density), cv2.LINE_AA)


def _at(mm: tuple[float, float], density: float) -> tuple[int, int]:
    return round(mm[0] * density), round(mm[1] * density)


def _text(
    image: Picture,
    text: str,
    x_mm: float,
    y_mm: float,
    height_mm: float,
    density: float,
    colour: tuple[int, int, int],
    stroke_mm: float,
) -> None:
    """Text with its middle at x, y (mm from the card's top left corner)."""
    font = cv2.FONT_HERSHEY_DUPLEX
    stroke = max(1, round(stroke_mm * density))
    scale = height_mm * density / 22.0  # a capital of this font is 22 px tall at scale 1
    (width, height), _ = cv2.getTextSize(text, font, scale, stroke)
    origin = (round(x_mm * density - width / 2), round(y_mm * density + height / 2))
    cv2.putText(image, text, origin, font, scale, colour, stroke, cv2.LINE_AA)


# Cards on the table or in a hand, as sprites.

_GLOSS = 0.75
_NO_DISCS = np.empty((0, 4))


def card_plane(card: SceneCard) -> Plane:
    """The plane of the card's upper side."""
    return level_plane(card.x_mm, card.y_mm, (card.level + 1) * CARD_THICKNESS_MM + card.lifted_mm, card.turn_deg)


def card_outline_mm(card: SceneCard) -> Floats:
    """Its corners, (4, 3): top left, top right, bottom right, bottom left as printed."""
    w, h = (side_mm / 2 for side_mm in card.make.size)
    return card_plane(card).at([[-w, h], [w, h], [w, -h], [-w, -h]])


def card_sprites(studio: Studio, card: SceneCard, velocity_mm_s: Vector = (0.0, 0.0)) -> tuple[Sprite, ...]:
    """Its shadow, then the card."""
    where = card_plane(card)
    qr_mm = studio.table.qr_mm
    face = (
        card_face(card.card, card.deck or studio.table.deck_letter, qr_mm, card.make)
        if card.face_up
        else card_back(qr_mm, card.back)
    )
    smear = studio.smear_px(where.origin, velocity_mm_s)
    outline = card_outline_mm(card)
    shadow = studio.shadow([outline], _NO_DISCS, 2.0 + 0.25 * card.lifted_mm, 0.5 if card.lifted_mm < 1 else 0.4)
    body = studio.flat(face, where, _GLOSS, smear)
    return tuple(sprite for sprite in (shadow, body) if sprite is not None)
