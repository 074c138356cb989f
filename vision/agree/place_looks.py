"""Looks at the places of labels that were read before and are not read now: is the card still there?"""

from __future__ import annotations

import math
from collections.abc import Callable, Container, Sequence

from engine.rules.cards import Card
from vision.agree.held_card import HeldCard, PlaceLook, PlaceState, is_covered
from vision.agree.place_memory import PlaceMemory
from vision.change.gate import CELL_PX, Thumb, cells_under
from vision.frame import Picture
from vision.geometry import Camera, Floats
from vision.reading.detections import Detections


def looks_at(
    held: Sequence[HeldCard],
    read: Container[Card],
    places: PlaceMemory,
    y: Picture,
    thumb: Thumb,
    side_px: float,
    camera: Camera,
    found: Detections,
    waits_at: Callable[[Floats], bool],
    is_bare: Callable[[HeldCard], bool],
) -> tuple[PlaceLook, ...]:
    """What the places of the labels of cards that are held and not ``read`` now, some ``side_px`` wide, look like.

    While a hand is over the table only those tell that are clear of it and look as before the label came. What seemed
    to be gone is looked at even where something covers it: that may be what looks as the place did before. Elsewhere
    nothing is said before it is known whether a part of the label is left: ``waits_at`` pixels that is not yet known.
    Where light burns, so that the place of a label tells nothing, all of its card's place may do so: ``is_bare``.
    """
    wanted = [(card, label.place) for card in held if card.card not in read for label in card.labels]
    if not wanted:
        return ()
    covered = {card.card for card, _ in wanted if is_covered(card, held)}
    around = math.ceil(side_px / 2 / CELL_PX) + 1
    looks: list[PlaceLook] = []
    pixels = camera.project([(place[0], place[1], 0.0) for _, place in wanted])
    for (held_card, place), at in zip(wanted, pixels, strict=True):
        card = held_card.card
        clear = (card not in covered or held_card.lifted) and not found.near_hand[cells_under(at[None], around)].any()
        if clear and places.is_as_before(thumb, card, at):
            looks.append(PlaceLook(card, place, PlaceState.BARE))
            continue
        kept_back = found.hand or bool(found.kept_back[cells_under(at[None], 1)].any())
        if not kept_back and not waits_at(at):
            verdict = places.verdict(y, card, at, side_px)
            if verdict is PlaceState.UNSURE and card not in covered and is_bare(held_card):
                verdict = PlaceState.BARE
            looks.append(PlaceLook(card, place, verdict))
    return tuple(looks)
