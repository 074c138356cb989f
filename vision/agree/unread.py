"""Codes that are seen and that nobody can read: which of them are parts of cards that are known to lie there.

The corner of a label that looks out from under another card belongs to a card of which the other label was read, or to
one that nobody has read yet. How far it may lie from where the other label should be follows from what is known of the
cards' shape: see ``CardShapes``.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence
from typing import Final, NamedTuple

from engine.rules.cards import Card
from vision.agree.held_card import SAME_CODE_MM, HeldCard, HeldLabel
from vision.agree.stability import UnreadMemory
from vision.belief import PATIENCE_S
from vision.geometry import Camera, Floats, middle_of
from vision.printed.card_shape import CardShapes, LabelPose, Place, Region
from vision.printed.table import CardSize
from vision.sights.observe import AT_REST_MM, FINDER_OFF, OFF_MM, CardSight, finder_places

_TURNED_DEG: Final = math.degrees(math.atan(OFF_MM / SAME_CODE_MM))
"""What a finder pattern may seem to be turned to its label, if one of its ends is read as far off as may be."""


class UnreadCode(NamedTuple):
    """A finder pattern of a code that nobody can read: its middle in mm, its turn in degrees (0 to 90).

    ``hint``: the card that what is left of the code speaks for, if for any.
    """

    place: Place
    turn_deg: float
    hint: Card | None = None


def unread_code(outline: Floats, camera: Camera, hint: Card | None = None) -> UnreadCode:
    """The finder pattern with this outline, (4, 2) px."""
    corners = camera.at_height(outline, 0.0)
    x, y = middle_of(corners)
    edge = corners[1] - corners[0] + corners[2] - corners[3]
    return UnreadCode((x, y), math.degrees(math.atan2(edge[1], edge[0])) % 90.0, hint)


def unexplained(
    codes: Iterable[UnreadCode],
    sights: Sequence[CardSight],
    remembered: Sequence[HeldCard],
    shapes: CardShapes,
    t_s: float = -math.inf,
) -> tuple[UnreadCode, ...]:
    """The codes that are no part of any of these cards: ``sights`` are read now, others are ``remembered``.

    No part of a card is seen where another one was laid on it, nor comes into sight there once both have lain for a
    while, as they do at ``t_s``: a code there is on top of both.
    """
    known, now = _labels_of((*sights, *remembered)), _labels_of(sights)
    held = remembered if shapes.known else ()
    return tuple(
        code
        for code in codes
        if (code.hint is not None and code.hint not in known)
        or not _is_part(code, known, now, shapes, _buried(code, held, t_s))
    )


def _labels_of(cards: Sequence[CardSight | HeldCard]) -> dict[Card, list[LabelPose]]:
    """The places where labels of each card were read, each label once."""
    known: dict[Card, list[LabelPose]] = {}
    for card in cards:
        labels = known.setdefault(card.card, [])
        labels += [
            pose for pose in card.poses if all(math.dist(pose.place, other.place) > SAME_CODE_MM for other in labels)
        ]
    return known


def _is_part(
    code: UnreadCode,
    known: dict[Card, list[LabelPose]],
    now: dict[Card, list[LabelPose]],
    shapes: CardShapes,
    buried: set[Card],
) -> bool:
    """Whether this code is on a label of a card that is ``known``, or where its other label may be."""
    if any(_on_label(code, label, shapes.qr_mm) for labels in known.values() for label in labels):
        return True
    for card in known.keys() - buried:
        alone = _without_other(known[card], shapes)
        if card in shapes.own:
            # A card that was pushed since its other label was read has that where the one that is read now tells.
            alone += _without_other(now.get(card, []), shapes)
        regions = shapes.regions(card) if alone else ()
        if any(_in_region(code, label, region, shapes.qr_mm) for label in alone for region in regions):
            return True
    return False


def _buried(code: UnreadCode, held: Sequence[HeldCard], t_s: float) -> set[Card]:
    """The cards that another one, which still lies there, covers where this code is seen.

    It was laid later than they; or with them, and all so long ago that a label upon it would have been seen before.
    """
    covering = [card for card in held if card.nats > 0.0 and card.reaches(code.place, -SAME_CODE_MM)]
    return {
        own.card
        for own in held
        for other in covering
        if other.card != own.card
        and other.laid_at_s - own.placed_s
        > (-PATIENCE_S if t_s - max(own.placed_s, other.placed_s) > PATIENCE_S else PATIENCE_S)
    }


def _without_other(labels: list[LabelPose], shapes: CardShapes) -> list[LabelPose]:
    """Those of a card's labels of which the other one is not known: where it is, there is no further one."""
    return [
        label
        for label in labels
        if not any(0.0 < math.dist(other.place, label.place) <= shapes.reach_mm for other in labels)
    ]


def _on_label(code: UnreadCode, label: LabelPose, qr_mm: float) -> bool:
    """Whether this is a finder pattern of a label that was read here."""
    # All three are as far from the label's middle, and most codes are nowhere near: that is told without the turn.
    if math.dist(code.place, label.place) > 2 * FINDER_OFF * qr_mm + AT_REST_MM:
        return False
    return _turned_alike(code, label) and any(
        math.dist(code.place, place) <= AT_REST_MM for place in finder_places(label, qr_mm)
    )


def _in_region(code: UnreadCode, label: LabelPose, region: Region, qr_mm: float) -> bool:
    """Whether this is a finder pattern of a label that lies somewhere in a region, as seen from another label."""
    if not _turned_alike(code, label):
        return False
    across_mm, down_mm = label.to(code.place)
    off, end = qr_mm * FINDER_OFF, -1.0 if 90.0 < region.way.turn_deg < 270.0 else 1.0
    return any(
        region.beyond_mm(across_mm - end * right, down_mm - end * below) <= 0.0
        for right, below in ((-off, -off), (off, -off), (-off, off))
    )


def _turned_alike(code: UnreadCode, label: LabelPose) -> bool:
    return abs((code.turn_deg - label.turn_deg + 45.0) % 90.0 - 45.0) <= _TURNED_DEG


def may_cover(codes: Iterable[UnreadMemory], label: HeldLabel, size: CardSize) -> bool:
    """Whether a card that nobody can read, of this size, may lie on a label: a code of it came in sight since that was
    read, no farther away than cards are long.
    """
    return any(code.since_s > label.read_s and math.dist(code.place, label.place) <= size.height_mm for code in codes)
