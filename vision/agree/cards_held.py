"""Which cards lie on the table, and in which order they came there, agreed over several looks.

A card seen and then covered by a later one stays. It has left only when some looks without a hand show a place where
its label was read, not hidden by a later card that is itself still there, and that place no longer looks like the
label; or when an older card is read where the later one lay on top of it. One whose place is covered before enough
such looks were had is in doubt; but one whose place was seen as it had been before the card came, though a hand was
elsewhere on the table, is not under what came to lie there, unless that itself looks as the place had been.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace
from statistics import fmean

from engine.rules.cards import Card
from vision.agree.held_card import (
    GONE,
    HIDES_WITHIN_MM,
    SAME_CODE_MM,
    CardMemory,
    HeldCard,
    HeldLabel,
    NewCard,
    PlaceLook,
    PlaceState,
    hidden_by,
    is_covered,
)
from vision.belief import BARE, BESIDE_HAND, DOUBT, MISSED, OTHERWISE, READ, SURE, weighed
from vision.printed.card_shape import SAME_WAY_DEG, CardShapes, LabelPose, turned_deg
from vision.sights.observe import AT_REST_MM, CardSight, shift_mm


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
    order = [card.card for card in memory.held]
    new = {one.sight.card: one for one in memory.new}
    at_place: dict[Card, CardSight] = {}
    elsewhere: dict[Card, CardSight] = {}
    for sight in sights:
        known = held.get(sight.card)
        if known is not None and shift_mm(known.poses, sight.poses, sight.card, shapes) <= HIDES_WITHIN_MM:
            at_place[sight.card] = sight
        else:
            elsewhere[sight.card] = _nearer_to(new.get(sight.card), elsewhere.get(sight.card), sight, shapes)
    together = frozenset(at_place)
    for card, sight in at_place.items():
        held[card] = _refreshed(held[card], sight, t_s, together, shapes)
        new.pop(card, None)
        elsewhere.pop(card, None)
    new |= {card: _read_at_place(new.get(card), sight, t_s, shapes) for card, sight in elsewhere.items()}
    present = [*memory.held, *(_laid(new[card], t_s, frozenset()) for card in elsewhere)]
    for card in new.keys() - elsewhere.keys():
        if not hand and not new[card].is_covered(present):
            new[card] = replace(new[card], nats=weighed(new[card].nats, -MISSED))
    new = {card: one for card, one in new.items() if one.nats > -SURE}
    for card in elsewhere.keys() & held.keys():
        if elsewhere[card].clear:  # there is one of each
            held[card] = _weighed(held[card], -OTHERWISE)
    arriving = [_laid(one, t_s, frozenset()) for one in _open(new.values(), memory.held)]
    absent = set() if hand else _absent([held[card] for card in order], arriving, at_place, looks)
    same = {look.card for look in looks if look.verdict is PlaceState.SAME}
    bare = {look.card for look in looks if look.verdict is PlaceState.BARE} - set(at_place)
    present = [*held.values(), *arriving]
    against = set[Card]()
    for card in [card for card in order if card not in at_place]:
        if card in bare and is_covered(held[card], present, 0.0):
            # What lies upon its labels looks as the table did before them: other looks may have shown no more.
            held[card] = replace(held[card], nats=SURE)
        elif card in bare or card in absent:
            held[card] = _weighed(held[card], -BARE if card in bare else -OTHERWISE)
            against.add(card)
        elif card in same:
            held[card] = _weighed(held[card], OTHERWISE)
        if hand:
            continue
        covered = held[card].nats <= 0.0 and card not in absent and is_covered(held[card], present)
        if covered or held[card].nats <= -SURE:
            gone = held.pop(card)
            if gone.nats > -SURE:
                new.setdefault(card, _in_doubt(gone))
    order = [card for card in order if card in held]
    for card, one in list(new.items()):
        if one.nats >= SURE and (card not in held or held[card].nats < 0.0):
            del new[card]
            held[card] = _laid(one, t_s, together | frozenset(elsewhere))
            order = [*(other for other in order if other != card), card]
    lying = tuple(held[card] for card in order)
    unsettled = bool(against & held.keys()) or any(_open(new.values(), lying))
    return CardMemory(lying, tuple(new.values()), unsettled)


def _weighed(card: HeldCard, evidence: float) -> HeldCard:
    return replace(card, nats=weighed(card.nats, evidence))


def _open(new: Iterable[NewCard], held: Sequence[HeldCard]) -> Iterator[NewCard]:
    """The cards that may be coming to lie here in plain sight."""
    return (one for one in new if one.nats >= DOUBT and not one.is_covered(held))


def _absent(
    held: list[HeldCard], arriving: list[HeldCard], sights: dict[Card, CardSight], looks: tuple[PlaceLook, ...]
) -> set[Card]:
    """The held cards that this look speaks against, found from the newest down.

    A card that this look speaks against hides nothing: so a whole pile that is swept away goes at once. ``arriving``
    are cards not agreed on yet; they hide what is under them all the same.
    """
    absent: set[Card] = set()
    for card in (card for card in reversed(held) if card.card not in sights):
        present = [*arriving, *(other for other in held if other.card not in absent and other.card != card.card)]
        verdicts = {
            look.verdict
            for look in looks
            if look.card == card.card
            and not any(hidden_by(label, present) for label in card.labels if label.place == look.place)
        }
        older = [sights[other.card] for other in held if other.card in sights and other.laid_at_s < card.laid_at_s]
        if _lies_bare(card, older) or (verdicts & GONE and PlaceState.SAME not in verdicts):
            absent.add(card.card)
    # Of nudged cards each may seem to hide the other: what nothing hides that is known to lie there goes, too.
    missed = {look.card for look in looks if look.verdict in GONE} - sights.keys()
    missed -= {look.card for look in looks if look.verdict is PlaceState.SAME}
    unseen = [card for card in held if card.card in missed]
    lying = [*arriving, *(card for card in held if card.card not in missed)]
    while under := [card for card in unseen if any(hidden_by(label, lying) for label in card.labels)]:
        lying, unseen = [*lying, *under], [card for card in unseen if card not in under]
    return absent | {card.card for card in unseen}


def _lies_bare(card: HeldCard, older: list[CardSight]) -> bool:
    """Whether an older card's label is read where this card would lie upon it."""
    return any(sight.card not in card.read_with and _reads_inside(sight, card) for sight in older)


def _read_at_place(known: NewCard | None, sight: CardSight, t_s: float, shapes: CardShapes) -> NewCard:
    """A card that was read where it is not known to lie."""
    still = known is not None and shift_mm(known.sight.poses, sight.poses, sight.card, shapes) <= AT_REST_MM
    since_s, nats = (known.since_s, known.nats) if still and known is not None else (t_s, -SURE)
    nats = weighed(nats, READ) if sight.clear else max(nats, min(DOUBT, nats + BESIDE_HAND))
    return NewCard(sight, since_s, t_s, nats)


def _reads_inside(sight: CardSight, card: HeldCard) -> bool:
    """Whether a whole label of this sight is read where the card would lie upon it."""
    return any(card.reaches(place, -SAME_CODE_MM) for place in sight.labels if place not in sight.cut)


def _in_doubt(card: HeldCard) -> NewCard:
    """A card that was held, and that another one covered before it was certain that it had left."""
    labels, turns = tuple(label.place for label in card.labels), tuple(label.turn_deg for label in card.labels)
    sight = CardSight(card.card, card.x_mm, card.y_mm, card.turn_deg, labels, turns_deg=turns, size=card.size)
    return NewCard(sight, card.laid_at_s, max(label.read_s for label in card.labels), card.nats)


def _laid(candidate: NewCard, t_s: float, seen: frozenset[Card]) -> HeldCard:
    sight, since_s = candidate.sight, candidate.since_s
    labels = tuple(HeldLabel(pose.place, t_s, pose.turn_deg) for pose in sight.poses)
    # A hand that laid it may have held it over what was read beneath it until now.
    return HeldCard(sight.card, sight.x_mm, sight.y_mm, sight.turn_deg, since_s, t_s, labels, seen, size=sight.size)


def _refreshed(card: HeldCard, sight: CardSight, t_s: float, seen: frozenset[Card], shapes: CardShapes) -> HeldCard:
    """The card as it was just read: places read now replace their old ones, others are kept, and go where it goes."""
    nudged = shift_mm(card.poses, sight.poses, card.card, shapes) > AT_REST_MM
    found = [(pose, _known_at(card, pose)) for pose in sight.poses]
    kept = [label for label in card.labels if all(label is not known for _, known in found)]
    if nudged:
        moves = [(known.pose, pose) for pose, known in found if known is not None]
        kept = [_carried(label, *moves[0]) for label in kept] if moves else []
    labels = (*(_read_at(pose, known, t_s, cut=pose.place in sight.cut) for pose, known in found), *kept)[:2]
    read_with = card.read_with if seen <= card.read_with else card.read_with | seen
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
        read_with,
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


def _read_at(pose: LabelPose, known: HeldLabel | None, t_s: float, *, cut: bool) -> HeldLabel:
    """A label that was read now. One that something lies across stays hidden by what came since it was read whole."""
    return HeldLabel(pose.place, known.read_s if cut and known is not None else t_s, pose.turn_deg)


def _nearer_to(candidate: NewCard | None, one: CardSight | None, other: CardSight, shapes: CardShapes) -> CardSight:
    """The one of two sights of a card that is nearer to where it was read before."""
    if one is None or candidate is None:
        return other if one is None else one
    return min((one, other), key=lambda sight: shift_mm(candidate.sight.poses, sight.poses, sight.card, shapes))
