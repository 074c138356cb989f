"""Looks at the places of labels that were read before and are not read now: is the card still there?"""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence

from vision.cards_held import HeldCard, PlaceLook, Verdict
from vision.detect import Detections
from vision.frame import Picture
from vision.gate import CELL_PX, Thumb, cells_under
from vision.geometry import Camera, Floats
from vision.place_memory import PlaceMemory


def looks_at(
    missing: Sequence[HeldCard],
    places: PlaceMemory,
    y: Picture,
    thumb: Thumb,
    side_px: float,
    camera: Camera,
    found: Detections,
    waits_at: Callable[[Floats], bool],
) -> tuple[PlaceLook, ...]:
    """What the places of these cards' labels, some ``side_px`` wide, look like now.

    While a hand is over the table only those tell that are clear of it and look as before the label came. Elsewhere
    nothing is said before it is known whether a part of the label is left: ``waits_at`` pixels that is not yet known.
    """
    wanted = [(card.card, label.place) for card in missing for label in card.labels]
    if not wanted:
        return ()
    around = math.ceil(side_px / 2 / CELL_PX) + 1
    looks: list[PlaceLook] = []
    pixels = camera.project([(place[0], place[1], 0.0) for _, place in wanted])
    for (card, place), at in zip(wanted, pixels, strict=True):
        if not found.near_hand[cells_under(at[None], around)].any() and places.is_as_before(thumb, card, at):
            looks.append(PlaceLook(card, place, Verdict.BARE))
            continue
        kept_back = found.hand or bool(found.kept_back[cells_under(at[None], 1)].any())
        if not kept_back and not waits_at(at):
            looks.append(PlaceLook(card, place, places.verdict(y, card, at, side_px)))
    return tuple(looks)
