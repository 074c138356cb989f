"""Does a label still lie where it was read? Module by module the picture speaks for it, against it, or says nothing.

A module that burns says nothing, and where any does none that is bright: glare only adds light. A place too even for a
code holds none. Of a label that something lies across what is left speaks for it.
"""

from __future__ import annotations

from typing import Final

import cv2
import numpy as np

from engine.rules.cards import DECK, Card
from vision.agree.held_card import PlaceState
from vision.belief import SURE
from vision.change.gate import CLIPPED, CONTRAST
from vision.frame import Picture
from vision.geometry import Camera
from vision.marks.codebook import codebook
from vision.marks.remnants import signs
from vision.printed.card_shape import LabelPose
from vision.printed.table import Table
from vision.printed.tags import QR_MODULES
from vision.ranks import at_share
from vision.sights.card_cells import rectangle_mm

SLACK: Final = 3  # half modules, 1.8 mm: most of what a place may be off (READING.md, "At rest")
_SIDE: Final = 2 * QR_MODULES + 2 * SLACK  # with that


def still_there(y: Picture, card: Card, label: LabelPose, camera: Camera, table: Table) -> PlaceState:
    """What a picture says of this card's label at this place."""
    half_mm = table.qr_mm / 2 * _SIDE / (2 * QR_MODULES)
    source = camera.project(rectangle_mm(label.place, label.turn_deg, half_mm, half_mm)).astype(np.float32)
    if not np.isfinite(source).all():
        return PlaceState.UNSURE
    target = np.array([[0, 0], [_SIDE, 0], [_SIDE, _SIDE], [0, _SIDE]], dtype=np.float32) - 0.5
    matrix = cv2.getPerspectiveTransform(source, target)
    part = cv2.warpPerspective(y, matrix, (_SIDE, _SIDE), flags=cv2.INTER_LINEAR, borderMode=cv2.BORDER_REPLICATE)
    black, white = at_share(part, 0.15), at_share(part, 0.85)
    if white - black < CONTRAST:
        return PlaceState.UNSURE if white >= CLIPPED else PlaceState.DIFFERENT
    book = codebook(table.deck_letter)
    shifted = np.lib.stride_tricks.sliding_window_view(part, (2 * QR_MODULES, 2 * QR_MODULES))[..., ::2, ::2]
    grey = shifted.reshape(-1, QR_MODULES**2)[:, book.telling].astype(np.float32)
    burns = bool((grey >= CLIPPED).any())
    shown = signs(grey, float(grey.min()) if burns else black, white)
    if burns:
        shown[shown < 0] = 0
    whole, left = book.evidence_for(shown, DECK.index(card))
    if left >= SURE:
        return PlaceState.SAME
    return PlaceState.DIFFERENT if whole <= -SURE else PlaceState.UNSURE
