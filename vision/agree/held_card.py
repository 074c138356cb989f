"""Which cards lie on the table, and in which order they came there, agreed over several looks.

A card seen and then covered by a later one stays. It has left only when some looks without a hand show a place where
its label was read, not hidden by a later card that is itself still there, and that place no longer looks like the
label. One whose place is covered before enough such looks were had is in doubt; but one whose place was seen as it had
been before the card came, though a hand was elsewhere on the table, is not under what came to lie there, unless that
itself looks as the place had been.
"""

from __future__ import annotations

import math
from collections.abc import Collection, Iterable
from dataclasses import dataclass, replace
from enum import Enum
from statistics import fmean
from typing import Final, NamedTuple

from engine.rules.cards import Card
from vision.belief import BARE, BESIDE_HAND, DOUBT, MISSED, OTHERWISE, READ, SURE, weighed
from vision.printed.card_shape import SAME_WAY_DEG, USUAL_SIZE, CardShapes, LabelPose, Place, turned_deg
from vision.printed.table import CardSize
from vision.sights.observe import AT_REST_MM, FINDER_OFF, OFF_MM, CardSight, in_footprint, shift_mm

HIDES_WITHIN_MM: Final = CardShapes.qr_mm / math.sqrt(2) + OFF_MM
"""From the middle of a usual label to its corner, read as far off as may be."""
SAME_CODE_MM: Final = FINDER_OFF * CardShapes.qr_mm
"""The side of a finder pattern, 8.3 mm: no two lie nearer to each other. A place so far inside a card lies upon it:
labels tell where it lies, and are stuck up to 4 mm and 4 degrees off, which is 3 mm at a card's end."""


class PlaceState(Enum):
    """The look of a place where a label was read before."""

    SAME = "same"
    BARE = "bare"  # as it did before the label came there
    DIFFERENT = "different"
    BURNT = "burnt"  # so bright that nothing tells
    UNSURE = "unsure"


class PlaceLook(NamedTuple):
    """A look at the place of a label of ``card`` that was not read now."""

    card: Card
    place: Place
    verdict: PlaceState


class HeldLabel(NamedTuple):
    """A label of a held card: where it was read, and when last (when last whole, if something lies across it now)."""

    place: Place
    read_s: float
    turn_deg: float

    @property
    def pose(self) -> LabelPose:
        """Its place and the way its top points."""
        return LabelPose(self.place, self.turn_deg)


@dataclass(frozen=True, slots=True)
class HeldCard:
    """A card that may lie here: its middle and turn (0 to 180), millimetres and degrees, and its labels that were read.

    ``laid_at_s``: since when it lies there; ``placed_s``: since when exactly so (it may be nudged without being laid
    anew). ``nats``: how sure it is that it lies there. ``size``: as far as it is known.
    """

    card: Card
    x_mm: float
    y_mm: float
    turn_deg: float
    laid_at_s: float
    placed_s: float
    labels: tuple[HeldLabel, ...]
    nats: float = SURE
    size: CardSize = USUAL_SIZE

    @property
    def poses(self) -> tuple[LabelPose, ...]:
        """Its labels that were read."""
        return tuple(label.pose for label in self.labels)

    def reaches(self, place: Place, margin_mm: float) -> bool:
        """Whether a place lies on this card, grown by a margin (negative: shrunk)."""
        return in_footprint(self.x_mm, self.y_mm, self.turn_deg, place, margin_mm, self.size)

    def weighed(self, evidence: float) -> HeldCard:
        """The same after one more look."""
        return replace(self, nats=weighed(self.nats, evidence))


@dataclass(frozen=True, slots=True)
class CardMemory:
    """``held`` in the order in which the cards came to lie; ``new`` are those not agreed on.

    The next card laid on top may hide a new one for good: then it is neither known to lie there nor forgotten, but
    asked about, and so is one whose place seemed empty before another card covered it.
    ``unsettled``: the last look spoke for or against a card, and not enough.
    """

    held: tuple[HeldCard, ...] = ()
    new: tuple[HeldCard, ...] = ()
    unsettled: bool = False

    @property
    def glimpsed(self) -> tuple[HeldCard, ...]:
        """The cards that may lie under a later one, sorted: they were read and have not been seen since."""
        held = {card.card for card in self.held}
        likely = (one for one in self.new if one.nats >= DOUBT and one.card not in held)
        return tuple(sorted((one for one in likely if is_covered(one, self.held)), key=lambda one: one.card))

    def table_changed_from(self, other: CardMemory) -> bool:
        """Whether other cards lie here, or at other places."""
        return {(card.card, card.laid_at_s) for card in self.held} != {
            (card.card, card.laid_at_s) for card in other.held
        }


def is_covered(card: HeldCard, held: Iterable[HeldCard], margin_mm: float = HIDES_WITHIN_MM) -> bool:
    """Whether other cards may hide every place where this card's labels were read.

    With a ``margin_mm`` of 0 they lie upon half of each label at least.
    """
    others = [other for other in held if other.card != card.card]
    return all(hidden_by(label, others, margin_mm) for label in card.labels)


def hidden_by(label: HeldLabel, cards: Iterable[HeldCard], margin_mm: float = HIDES_WITHIN_MM) -> bool:
    """Whether any of these cards, so much larger, reaches the middle of a label: it may hide a part of it.

    Only one that came to lie where it lies after the label was last read: what lay there already did not hide it.
    """
    return any(card.placed_s > label.read_s and card.reaches(label.place, margin_mm) for card in cards)


def step_cards(
    memory: CardMemory,
    t_s: float,
    sights: tuple[CardSight, ...],
    looks: tuple[PlaceLook, ...],
    hand: bool,
    shapes: CardShapes | None = None,
) -> CardMemory:
    """One look at the cards; while ``hand`` nothing leaves. ``looks`` are none at places that a hand may cover.

    ``shapes``: what is known of the cards.
    """
    shapes = CardShapes() if shapes is None else shapes
    held = {card.card: card for card in memory.held}
    new = {one.card: one for one in memory.new}
    at_place: dict[Card, CardSight] = {}
    elsewhere: dict[Card, CardSight] = {}
    for sight in sights:
        known = held.get(sight.card)
        if known is not None and shift_mm(known.poses, sight.poses, sight.card, shapes) <= HIDES_WITHIN_MM:
            at_place[sight.card] = sight
        else:
            elsewhere[sight.card] = _nearer_to(new.get(sight.card), elsewhere.get(sight.card), sight, shapes)
    for card, sight in at_place.items():
        held[card] = _refreshed(held[card], sight, t_s, shapes)
        new.pop(card, None)
        elsewhere.pop(card, None)
    for card, sight in elsewhere.items():
        new[card] = _read_elsewhere(new.get(card), sight, t_s, shapes)
        if card in held and sight.clear:  # there is one of each
            held[card] = held[card].weighed(-OTHERWISE)
    present = [*memory.held, *(new[card] for card in elsewhere)]
    for card in new.keys() - elsewhere.keys():
        if not hand and not is_covered(new[card], present):
            new[card] = new[card].weighed(-MISSED)
    new = {card: one for card, one in new.items() if one.nats > -SURE}
    # What a hand is about to lay was read over what it hides once it lies.
    arriving = [replace(one, placed_s=t_s) for one in _open(new.values(), memory.held)]
    absent = set() if hand else _absent(held.values(), arriving, at_place, looks)
    same = {look.card for look in looks if look.verdict is PlaceState.SAME}
    bare = {look.card for look in looks if look.verdict is PlaceState.BARE}
    present = [*held.values(), *arriving]
    against = set[Card]()
    for card in [card for card in held if card not in at_place]:
        if card in bare and is_covered(held[card], present, 0.0):
            # What lies upon its labels looks as the table did before them: other looks may have shown no more.
            held[card] = replace(held[card], nats=SURE)
        elif card in bare or card in absent:
            held[card] = held[card].weighed(-BARE if card in bare else -OTHERWISE)
            against.add(card)
        elif card in same:
            held[card] = held[card].weighed(OTHERWISE)
        if hand:
            continue
        covered = held[card].nats <= 0.0 and card not in absent and is_covered(held[card], present)
        if covered or held[card].nats <= -SURE:
            gone = held.pop(card)
            if gone.nats > -SURE:
                new.setdefault(card, gone)
    for card, one in list(new.items()):
        if one.nats >= SURE and (card not in held or held[card].nats < 0.0):
            del new[card]
            held.pop(card, None)  # it came last
            # A hand that laid it may have held it over what was read beneath it until now.
            held[card] = replace(one, placed_s=t_s)
    unsettled = bool(against & held.keys()) or bool(_open(new.values(), held.values()))
    return CardMemory(tuple(held.values()), tuple(new.values()), unsettled)


def _open(new: Iterable[HeldCard], held: Collection[HeldCard]) -> list[HeldCard]:
    """The cards that may be coming to lie here in plain sight."""
    return [one for one in new if one.nats >= DOUBT and not is_covered(one, held)]


def _absent(
    held: Collection[HeldCard], arriving: list[HeldCard], sights: dict[Card, CardSight], looks: tuple[PlaceLook, ...]
) -> set[Card]:
    """The held cards that this look speaks against, and that no card may hide which lies there or is ``arriving``.

    A card that this look speaks against hides nothing: so a pile that is swept away goes at once, and so do nudged
    cards of which each seems to hide the other.
    """
    there = {look.card for look in looks if look.verdict is PlaceState.SAME} | sights.keys()
    otherwise = {(look.card, look.place) for look in looks if look.verdict in (PlaceState.BARE, PlaceState.DIFFERENT)}
    missed = [
        (card, labels)
        for card in held
        if card.card not in there
        for labels in [[label for label in card.labels if (card.card, label.place) in otherwise]]
        if labels
    ]
    gone = [card for card, _ in missed]
    lying = [*arriving, *(card for card in held if card not in gone)]
    while under := [card for card, labels in missed if card in gone and all(hidden_by(at, lying) for at in labels)]:
        lying += under
        gone = [card for card in gone if card not in under]
    return {card.card for card in gone}


def _read_elsewhere(known: HeldCard | None, sight: CardSight, t_s: float, shapes: CardShapes) -> HeldCard:
    """A card that was read where it is not known to lie."""
    still = known is not None and shift_mm(known.poses, sight.poses, sight.card, shapes) <= AT_REST_MM
    since_s, nats = (known.laid_at_s, known.nats) if still and known is not None else (t_s, -SURE)
    nats = weighed(nats, READ) if sight.clear else max(nats, min(DOUBT, nats + BESIDE_HAND))
    labels = tuple(HeldLabel(pose.place, t_s, pose.turn_deg) for pose in sight.poses)
    middle = sight.x_mm, sight.y_mm
    return HeldCard(sight.card, *middle, sight.turn_deg, since_s, t_s, labels, nats=nats, size=sight.size)


def _refreshed(card: HeldCard, sight: CardSight, t_s: float, shapes: CardShapes) -> HeldCard:
    """The card as it was just read: places read now replace their old ones, others are kept, and go where it goes."""
    nudged = shift_mm(card.poses, sight.poses, card.card, shapes) > AT_REST_MM
    found = [(label, _known_at(card, label.pose)) for label in sight.labels]
    kept = [label for label in card.labels if all(label is not known for _, known in found)]
    if nudged:
        moves = [(known.pose, label.pose) for label, known in found if known is not None]
        kept = [_carried(label, *moves[0]) for label in kept] if moves else []
    labels = tuple(
        # One that something lies across stays hidden by what came since it was read whole.
        HeldLabel(label.pose.place, known.read_s if label.cut and known is not None else t_s, label.pose.turn_deg)
        for label, known in found
    )
    labels = (*labels, *kept)[:2]
    middle = sight.x_mm, sight.y_mm
    if len(labels) == 2:  # by one alone it lies where its size was thought to put it
        middle = fmean(label.place[0] for label in labels), fmean(label.place[1] for label in labels)
    if not nudged and math.dist(middle, (card.x_mm, card.y_mm)) <= AT_REST_MM:
        middle = card.x_mm, card.y_mm
    return HeldCard(
        card.card,
        *middle,
        sight.turn_deg if nudged else card.turn_deg,
        card.laid_at_s,
        t_s if nudged else card.placed_s,
        labels,
        size=sight.size,
    )


def _known_at(card: HeldCard, pose: LabelPose) -> HeldLabel | None:
    """The label of a card that was just read at this place, if it is known."""
    near = [
        label
        for label in card.labels
        if turned_deg(label.pose, pose) <= SAME_WAY_DEG and math.dist(label.place, pose.place) <= HIDES_WITHIN_MM
    ]
    return min(near, key=lambda label: math.dist(label.place, pose.place), default=None)


def _carried(label: HeldLabel, before: LabelPose, now: LabelPose) -> HeldLabel:
    """A label that was not read, moved as another one of its card was."""
    turn = now.turn_deg - before.turn_deg
    return HeldLabel(now.towards(*before.to(label.place)), label.read_s, (label.turn_deg + turn) % 360.0)


def _nearer_to(candidate: HeldCard | None, one: CardSight | None, other: CardSight, shapes: CardShapes) -> CardSight:
    """The one of two sights of a card that is nearer to where it was read before."""
    if one is None or candidate is None:
        return other if one is None else one
    return min((one, other), key=lambda sight: shift_mm(candidate.poses, sight.poses, sight.card, shapes))
