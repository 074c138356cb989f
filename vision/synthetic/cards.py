"""Cards on the table or in a hand, as sprites."""

from __future__ import annotations

import numpy as np

from vision.geometry import Floats
from vision.synthetic.cardface import card_back, card_face
from vision.synthetic.plane import Plane, level_plane
from vision.synthetic.scene import CARD_THICKNESS_MM, SceneCard
from vision.synthetic.sprite import Sprite
from vision.synthetic.studio import Studio, Vector

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
