"""The faces of cards: two QR labels, and its value where a hand-held card shows it."""

from __future__ import annotations

from functools import lru_cache
from typing import Final

import cv2
import numpy as np

from engine.rules.cards import LETTERS, VALUES, Card
from vision.frame import Picture
from vision.geometry import Floats
from vision.printed.table import CardSize
from vision.printed.tags import QR_MODULES, QUIET_MODULES, back_payload, payload, qr_bits
from vision.synthetic.drawing import Plane, Sprite, Texture, as_picture, level_plane, premultiplied, shipped
from vision.synthetic.scene import CARD_SIZE, CARD_THICKNESS_MM, CARD_WIDTH_MM, PRINTED, CardMake, SceneCard, StuckLabel
from vision.synthetic.studio import Studio, Vector

INSET_MM: Final = 6.5  # from the card's edges to the label's modules
BACK_INSET_MM: Final = 6.0  # of a back's labels
_TEXELS_PER_MODULE: Final = 6
_PAPER: Final = (238, 243, 245)
_INK: Final = (38, 34, 34)
INKS_BGR: Final = {1: (150, 106, 46), 2: (72, 128, 54), 3: (38, 138, 196), 4: (58, 72, 186), 5: (128, 56, 108)}


@lru_cache(maxsize=64)
def card_face(card: Card, deck: str, qr_mm: float, make: CardMake = PRINTED) -> Texture:
    """The printed side as a colour texture; its density gives each module a whole number of texels.

    ``cards.png`` has the values across and the letters down, under which is what cards with stuck labels show.
    """
    row, column = LETTERS.index(card.letter) if not make.labels else len(LETTERS), VALUES.index(card.value)
    every = shipped("cards.png")
    height, width = every.shape[0] // (len(LETTERS) + 1), every.shape[1] // len(VALUES)
    face = _sized(every[row * height : (row + 1) * height, column * width : (column + 1) * width], qr_mm, make.size)
    for label in make.labels:
        _stick(face, label_picture(payload(card, deck), _TEXELS_PER_MODULE), label, _density(qr_mm))
    for _ in range(0 if make.labels else 2):  # the label at the left, and the same turned half round
        face = _labelled(face, payload(card, deck), INSET_MM, INSET_MM, qr_mm)[::-1, ::-1]
    return Texture(premultiplied(as_picture(face[..., :3]), as_picture(face[..., 3])), _density(qr_mm))


@lru_cache(maxsize=64)
def card_back(qr_mm: float, token: str | None = None) -> Texture:
    """The back: the same for every card, as it must be, but for the code of its label, where it has one."""
    face = _sized(shipped("back.png"), qr_mm, CARD_SIZE)
    for _ in range(0 if token is None else 2):
        face = _labelled(face, back_payload(token or ""), (CARD_WIDTH_MM - qr_mm) / 2, BACK_INSET_MM, qr_mm)[::-1, ::-1]
    return Texture(premultiplied(as_picture(face[..., :3]), as_picture(face[..., 3])), _density(qr_mm))


def label_picture(text: str, texels_per_module: int) -> Picture:
    """A QR label with its quiet zone, (n, n) uint8, black on white."""
    modules = np.where(qr_bits(text), 0, 255).astype(np.uint8)
    framed = np.pad(modules, QUIET_MODULES, constant_values=255)
    return np.kron(framed, np.ones((texels_per_module, texels_per_module), np.uint8))


def _density(qr_mm: float) -> float:
    return _TEXELS_PER_MODULE * QR_MODULES / qr_mm


def _sized(face: Picture, qr_mm: float, size: CardSize) -> Picture:
    """Colour and opacity, (h, w, 4), as large as a card of this size is."""
    wanted = [round(side_mm * _density(qr_mm)) for side_mm in size]
    return as_picture(cv2.resize(face, wanted, interpolation=cv2.INTER_AREA))


def _labelled(face: Picture, text: str, left_mm: float, top_mm: float, qr_mm: float) -> Picture:
    """The face with a printed label whose modules begin there."""
    face, label = face.copy(), label_picture(text, _TEXELS_PER_MODULE)
    left, top = (round(mm * _density(qr_mm)) - QUIET_MODULES * _TEXELS_PER_MODULE for mm in (left_mm, top_mm))
    area = face[top : top + len(label), left : left + len(label), :3]
    area[:] = np.where(label[..., None] > 0, _PAPER, _INK)
    return face


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
    face[..., :3] = np.asarray(share * ink + (1.0 - share) * face[..., :3], dtype=np.uint8)


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
