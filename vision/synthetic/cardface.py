"""The faces of cards: two QR labels, and its value where a hand-held card shows it."""

from __future__ import annotations

from functools import lru_cache
from typing import Final

import cv2
import numpy as np
from numpy.typing import NDArray

from engine.rules.cards import Card
from vision.frame import Picture
from vision.geometry import Floats
from vision.printed.qr import qr_bits
from vision.printed.table import CardSize
from vision.printed.tags import QR_MODULES, QUIET_MODULES, back_payload, payload
from vision.synthetic.paint import Colour
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
    face, colour = _Face(qr_mm, make.size), INKS_BGR[card.value]
    face.rounded(1.0, colour, 0.45)
    for label in make.labels:
        face.stick(label_picture(payload(card, deck), _TEXELS_PER_MODULE), label)
    if make.labels:
        return face.texture()
    face.foils(colour)
    value_mm = (INSET_MM + qr_mm + 3.2 + CARD_WIDTH_MM - 3.0) / 2
    for _ in range(2):  # label at the left, the value beside it; and the same turned half round
        face.label(payload(card, deck), INSET_MM, INSET_MM)
        face.text(str(card.value), value_mm, INSET_MM + 9.0, 17.0, colour, 1.9)
        face.text(card.letter, value_mm, INSET_MM + 22.5, 5.0, (96, 96, 100), 0.55)
        face.turn()
    return face.texture()


@lru_cache(maxsize=64)
def card_back(qr_mm: float, token: str | None = None) -> Texture:
    """The back: the same for every card, as it must be, but for the code of its label, where it has one."""
    face = _Face(qr_mm)
    face.rounded(3.0, (92, 52, 34))
    height, width = face.pixels.shape[:2]
    lattice = np.zeros((height, width), np.uint8)
    edge = int(5 * face.density)
    for offset in range(-height, width, edge):
        cv2.line(lattice, (offset, 0), (offset + height, height), 255, 2, cv2.LINE_AA)
        cv2.line(lattice, (offset + height, 0), (offset, height), 255, 2, cv2.LINE_AA)
    inside = (slice(edge, -edge), slice(edge, -edge))
    face.pixels[inside][lattice[inside] > 100] = (168, 140, 96)
    for _ in range(0 if token is None else 2):
        face.label(back_payload(token or ""), (CARD_WIDTH_MM - qr_mm) / 2, BACK_INSET_MM)
        face.turn()
    return face.texture()


def label_picture(text: str, texels_per_module: int) -> Picture:
    """A QR label with its quiet zone, (n, n) uint8, black on white."""
    modules = np.where(qr_bits(text), 0, 255).astype(np.uint8)
    framed = np.pad(modules, QUIET_MODULES, constant_values=255)
    return np.kron(framed, np.ones((texels_per_module, texels_per_module), np.uint8))


class _Face:
    """A card's face while it is drawn, (h, w, 3) pixels of ``density`` a millimetre. Places are from its top left."""

    def __init__(self, qr_mm: float, size: CardSize = CARD_SIZE) -> None:
        """Each module of a label that is so large has a whole number of pixels."""
        self.density = _TEXELS_PER_MODULE * QR_MODULES / qr_mm
        width, height = (self._px(side_mm) for side_mm in size)
        self.pixels: Picture = np.full((height, width, 3), _PAPER, np.uint8)
        self._opacity: Picture = np.zeros((height, width), np.uint8)
        cv2.fillPoly(self._opacity, [self._outline(0.0)], 255, cv2.LINE_AA, shift=4)
        self.rounded(0.0, (176, 182, 186), 0.25)

    def texture(self) -> Texture:
        """The face as it is drawn now, its corners round."""
        return Texture(premultiplied(self.pixels, self._opacity), self.density)

    def turn(self) -> None:
        """Half round."""
        self.pixels = np.ascontiguousarray(self.pixels[::-1, ::-1])

    def rounded(self, inset_mm: float, colour: Colour, thickness_mm: float | None = None) -> None:
        """A rectangle with round corners so far inside the edge: an outline, or filled without thickness."""
        points = self._outline(inset_mm)
        if thickness_mm is None:
            cv2.fillPoly(self.pixels, [points], colour, cv2.LINE_AA, shift=4)
        else:
            cv2.polylines(self.pixels, [points], True, colour, max(1, self._px(thickness_mm)), cv2.LINE_AA, shift=4)

    def label(self, text: str, left_mm: float, top_mm: float) -> None:
        """A printed label whose modules begin there."""
        label = label_picture(text, _TEXELS_PER_MODULE)
        left, top = (self._px(mm) - QUIET_MODULES * _TEXELS_PER_MODULE for mm in (left_mm, top_mm))
        area = self.pixels[top : top + len(label), left : left + len(label)]
        area[label > 0] = _PAPER
        area[label == 0] = _INK

    def stick(self, label: Picture, at: StuckLabel) -> None:
        """A paper label with its quiet zone, its middle so far from the face's, over whatever is there."""
        rows, columns = self.pixels.shape[:2]
        c, s = np.cos(np.radians(at.turn_deg)), np.sin(np.radians(at.turn_deg))
        half = (len(label) - 1) / 2
        x, y = (columns - 1) / 2 + at.x_mm * self.density, (rows - 1) / 2 - at.y_mm * self.density
        way = np.array([[c, s, x - c * half - s * half], [-s, c, y + s * half - c * half]])
        paper = cv2.warpAffine(np.full_like(label, 255), way, (columns, rows), flags=cv2.INTER_LINEAR)
        code = cv2.warpAffine(label, way, (columns, rows), flags=cv2.INTER_LINEAR)
        ink = (code.astype(np.float32) / 255)[..., None] * (np.array(_PAPER) - _INK) + _INK
        share = (paper.astype(np.float32) / 255)[..., None]
        self.pixels[:] = np.asarray(share * ink + (1.0 - share) * self.pixels, dtype=np.uint8)

    def foils(self, colour: Colour) -> None:
        """Crossed foils between the labels."""
        x, y = CARD_WIDTH_MM / 2, CARD_HEIGHT_MM / 2
        pale = tuple(int(0.45 * ink + 0.55 * paper) for ink, paper in zip(colour, _PAPER, strict=True))
        for way in (-1, 1):
            places = ((x - way * 17.0, y + 4.6), (x + way * 17.0, y - 4.6), (x - way * 12.0, y + 3.25))
            grip, point, guard = ((self._px(at[0]), self._px(at[1])) for at in places)
            cv2.line(self.pixels, grip, point, pale, self._px(0.5), cv2.LINE_AA)
            cv2.line(self.pixels, grip, guard, pale, self._px(1.0), cv2.LINE_AA)
            cv2.circle(self.pixels, guard, self._px(1.7), pale, self._px(0.5), cv2.LINE_AA)

    def text(self, text: str, x_mm: float, y_mm: float, height_mm: float, colour: Colour, stroke_mm: float) -> None:
        """Text with its middle there."""
        font, stroke = cv2.FONT_HERSHEY_DUPLEX, max(1, self._px(stroke_mm))
        scale = height_mm * self.density / 22.0  # a capital of this font is 22 px tall at scale 1
        (width, height), _ = cv2.getTextSize(text, font, scale, stroke)
        origin = (round(x_mm * self.density - width / 2), round(y_mm * self.density + height / 2))
        cv2.putText(self.pixels, text, origin, font, scale, colour, stroke, cv2.LINE_AA)

    def _px(self, mm: float) -> int:
        return round(mm * self.density)

    def _outline(self, inset_mm: float) -> NDArray[np.int32]:
        """A rectangle with round corners so far inside the edge, in sixteenths of a pixel."""
        height, width = self.pixels.shape[:2]
        radius = max(_ROUNDING_MM - inset_mm, 0.5) * self.density
        low = inset_mm * self.density
        left, right, top, bottom = low + radius, width - low - radius, low + radius, height - low - radius
        arcs = []
        for x, y, start in ((right, top, 270), (right, bottom, 0), (left, bottom, 90), (left, top, 180)):
            angle = np.radians(np.arange(start, start + 91, 6))
            arcs.append(np.column_stack([x + radius * np.cos(angle), y + radius * np.sin(angle)]))
        return np.round((np.vstack(arcs) - 0.5) * 16).astype(np.int32)


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
