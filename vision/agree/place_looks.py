"""Looks at the places of labels that were read before and are not read now: is the card still there?"""

from __future__ import annotations

import math
from collections.abc import Callable, Container, Sequence
from functools import partial
from typing import Final, NamedTuple

import cv2
import numpy as np

from engine.rules.cards import DECK, Card
from vision.agree.held_card import HeldCard, HeldLabel, PlaceLook, PlaceState, is_covered
from vision.agree.place_memory import PlaceMemory
from vision.belief import SURE
from vision.change.gate import CELL_PX, CLIPPED, CONTRAST, Thumb, cells_under
from vision.frame import Picture
from vision.geometry import Camera, Floats
from vision.marks.codebook import codebook
from vision.marks.remnants import signs
from vision.printed.card_shape import LabelPose
from vision.printed.table import Table
from vision.printed.tags import QR_MODULES
from vision.ranks import at_share
from vision.reading.detect import Detections
from vision.sights.card_cells import rectangle_mm


class PlaceDoubts(NamedTuple):
    """Answers of those who know more of a place than how it looks.

    ``waits_at``: whether pixels, (2,), are still to be looked at for what is left of a code there. ``is_bare``: whether
    all of a card's place looks as the table did without any. ``may_be_covered``: whether what came since a label was
    read, and nobody can read, may lie on it.
    """

    waits_at: Callable[[Floats], bool]
    is_bare: Callable[[HeldCard], bool]
    may_be_covered: Callable[[HeldLabel], bool]


def looks_at(
    held: Sequence[HeldCard],
    read: Container[Card],
    places: PlaceMemory,
    y: Picture,
    thumb: Thumb,
    side_px: float,
    camera: Camera,
    table: Table,
    found: Detections,
    doubts: PlaceDoubts,
) -> tuple[PlaceLook, ...]:
    """Looks at the places of labels, some ``side_px`` wide, of cards that are held and not ``read`` now.

    While a hand is over the table only those tell that are clear of it and look as before the label came. What seemed
    to be gone is looked at even where something covers it: that may be what looks as the place did before. Elsewhere
    nothing is said before it is known whether a part of the label is left. Where light burns, so that the place of a
    label tells nothing, all of its card's place may do so; and none has left because what is seen there, and may be
    what nobody can read, is another.
    """
    wanted = [(card, label) for card in held if card.card not in read for label in card.labels]
    if not wanted:
        return ()
    covered = {card.card for card, _ in wanted if is_covered(card, held)}
    around = math.ceil(side_px / 2 / CELL_PX) + 1
    looks: list[PlaceLook] = []
    pixels = camera.project([(*label.place, 0.0) for _, label in wanted])
    for (held_card, label), at in zip(wanted, pixels, strict=True):
        card, place = held_card.card, label.place
        clear = (card not in covered or held_card.nats <= 0.0) and not found.near_hand[
            cells_under(at[None], around)
        ].any()
        if clear and places.is_as_before(thumb, card, at):
            looks.append(PlaceLook(card, place, PlaceState.BARE))
            continue
        kept_back = found.hand or bool(found.kept_back[cells_under(at[None], 1)].any())
        if not kept_back and not doubts.waits_at(at):
            verdict = places.verdict(card, label, partial(still_there, y, card, label.pose, camera, table))
            unsure = verdict in (PlaceState.BURNT, PlaceState.UNSURE)
            if unsure and card not in covered and doubts.is_bare(held_card):
                verdict = PlaceState.BARE
            elif verdict is PlaceState.DIFFERENT and doubts.may_be_covered(label):
                verdict = PlaceState.UNSURE
            looks.append(PlaceLook(card, place, verdict))
    return tuple(looks)


SLACK: Final = 3  # half modules, 1.8 mm: most of what a place may be off (READING.md, "At rest")
_SIDE: Final = 2 * QR_MODULES + 2 * SLACK  # with that


def still_there(y: Picture, card: Card, label: LabelPose, camera: Camera, table: Table) -> PlaceState:
    """Whether a picture shows this card's label at this place: each module speaks for it, against it, or says nothing.

    A module that burns says nothing, and where any does none that is bright: glare only adds light. A place too even
    for a code holds none. Of a label that something lies across what is left speaks for it.
    """
    half_mm = table.qr_mm / 2 * _SIDE / (2 * QR_MODULES)
    source = camera.project(rectangle_mm(label.place, label.turn_deg, half_mm, half_mm)).astype(np.float32)
    if not np.isfinite(source).all():
        return PlaceState.UNSURE
    target = np.array([[0, 0], [_SIDE, 0], [_SIDE, _SIDE], [0, _SIDE]], dtype=np.float32) - 0.5
    matrix = cv2.getPerspectiveTransform(source, target)
    part = cv2.warpPerspective(y, matrix, (_SIDE, _SIDE), flags=cv2.INTER_LINEAR, borderMode=cv2.BORDER_REPLICATE)
    black, white = at_share(part, 0.15), at_share(part, 0.85)
    if white - black < CONTRAST:
        return PlaceState.BURNT if white >= CLIPPED else PlaceState.DIFFERENT
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
    if whole <= -SURE:
        return PlaceState.DIFFERENT
    return PlaceState.BURNT if burns else PlaceState.UNSURE
