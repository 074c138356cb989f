"""Which cards lie on the table, and in which order they came there, agreed over several looks.

A card seen and then covered by a later one stays. It has left only when some looks without a hand show a place where
its label was read, not hidden by a later card that is itself still there, and that place no longer looks like the
label; or when an older card is read where the later one lay on top of it. One whose place is covered before enough
such looks were had is in doubt.
"""

from __future__ import annotations

import math
from collections.abc import Iterable
from dataclasses import dataclass, replace
from enum import Enum
from typing import Final, NamedTuple

from engine.cards import Card
from vision.observe import CardSight, Place, in_footprint

LAID_LOOKS: Final = 2
MOVED_LOOKS: Final = 3
BESIDE_HAND_S: Final = 1.5  # as long must be seen, and in one look more, what a hand may still be holding
GONE_LOOKS: Final = 4
DOUBTFUL_LOOKS: Final = 2
FORGIVEN_MISSES: Final = 3
MOVED_MM: Final = 15.0
STILL_MM: Final = 5.0
NUDGED_MM: Final = 4.0
SAME_LABEL_MM: Final = 12.0
HIDES_WITHIN_MM: Final = 19.0
COVERS_LABEL_MM: Final = -6.0


class Verdict(Enum):
    """What a place looks like where a label was read before."""

    SAME = "same"
    DIFFERENT = "different"
    UNSURE = "unsure"


class PlaceLook(NamedTuple):
    """A look at the place of a label of ``card`` that was not read now."""

    card: Card
    place: Place
    verdict: Verdict


class HeldLabel(NamedTuple):
    """Where a label of a held card was read, and when last: whole, if something lies across it now."""

    place: Place
    read_s: float


@dataclass(frozen=True, slots=True)
class HeldCard:
    """A card on the table: its middle and turn (0 to 180), millimetres and degrees, and its labels that were read.

    ``laid_at_s``: since when it lies there; ``placed_s``: since when exactly so (it may be nudged without being laid
    anew). ``read_with``: cards read in a look that read this one too, so that it does not lie on their labels.
    ``missing`` counts the looks in a row that gave evidence of its having left.
    """

    card: Card
    x_mm: float
    y_mm: float
    turn_deg: float
    laid_at_s: float
    placed_s: float
    labels: tuple[HeldLabel, ...]
    read_with: frozenset[Card] = frozenset()
    missing: int = 0


@dataclass(frozen=True, slots=True)
class NewCard:
    """A card read at a place where it was not known to lie; ``misses`` counts looks in a row that did not read it.

    ``clear_looks`` are those in which no hand was near.
    """

    sight: CardSight
    since_s: float
    looks: int = 1
    misses: int = 0
    clear_looks: int = 0

    def lies(self, t_s: float, looks: int) -> bool:
        """Whether it was seen so often that it lies there; beside a hand once more and for longer."""
        return self.clear_looks >= looks or (self.looks > looks and t_s - self.since_s >= BESIDE_HAND_S)


@dataclass(frozen=True, slots=True)
class CardMemory:
    """``held`` in the order in which the cards came to lie; ``new`` are those not agreed on yet.

    ``doubtful`` are held no longer since this look: their places seemed empty, and before that was certain another
    card covered them.
    """

    held: tuple[HeldCard, ...] = ()
    new: tuple[NewCard, ...] = ()
    doubtful: tuple[HeldCard, ...] = ()

    @property
    def unsettled(self) -> bool:
        """Whether the last look showed anything else than what is held."""
        return bool(self.new) or any(card.missing for card in self.held)

    def table_changed_from(self, other: CardMemory) -> bool:
        """Whether other cards lie here, or in another order or at other places."""
        return [(card.card, card.laid_at_s) for card in self.held] != [
            (card.card, card.laid_at_s) for card in other.held
        ]


def is_covered(card: HeldCard, held: Iterable[HeldCard]) -> bool:
    """Whether other cards may hide every place where this card's labels were read."""
    others = [other for other in held if other.card != card.card]
    return all(hidden_by(label, others) for label in card.labels)


def hidden_by(label: HeldLabel, cards: Iterable[HeldCard]) -> bool:
    """Whether any of these cards may hide a label, or a part of it.

    Only one that came to lie where it lies after the label was last read: what lay there already did not hide it.
    """
    return any(
        card.placed_s > label.read_s and in_footprint(card.x_mm, card.y_mm, card.turn_deg, label.place, HIDES_WITHIN_MM)
        for card in cards
    )


def step_cards(
    memory: CardMemory, t_s: float, sights: tuple[CardSight, ...], looks: tuple[PlaceLook, ...], hand: bool
) -> CardMemory:
    """One look at the cards; ``hand`` keeps anything from being taken away."""
    held = {card.card: card for card in memory.held}
    order = [card.card for card in memory.held]
    new = {candidate.sight.card: candidate for candidate in memory.new}
    at_place: dict[Card, CardSight] = {}
    elsewhere: dict[Card, CardSight] = {}
    for sight in sights:
        known = held.get(sight.card)
        if known is not None and _apart(known, sight) <= MOVED_MM:
            at_place[sight.card] = sight
        else:
            elsewhere[sight.card] = _nearer_to(new.get(sight.card), elsewhere.get(sight.card), sight)
    together = frozenset(at_place)
    for card, sight in at_place.items():
        held[card] = _refreshed(held[card], sight, t_s, together)
        new.pop(card, None)
        elsewhere.pop(card, None)
    new = _step_new(new, elsewhere, t_s, hand)
    arriving = [_laid(candidate, t_s, frozenset()) for candidate in new.values()]
    gone = set() if hand else _absent([held[card] for card in order], arriving, at_place, looks)
    doubtful: list[HeldCard] = []
    for card in order:
        if card in gone:
            held[card] = replace(held[card], missing=held[card].missing + 1)
        elif not hand and card not in at_place and held[card].missing:
            if held[card].missing >= DOUBTFUL_LOOKS and is_covered(held[card], [*held.values(), *arriving]):
                doubtful.append(held[card])
            held[card] = replace(held[card], missing=0)
    order = [card for card in order if all(card != other.card for other in doubtful)]
    for card, candidate in list(new.items()):
        needed = MOVED_LOOKS if card in held else LAID_LOOKS
        if candidate.lies(t_s, needed):
            del new[card]
            held[card] = _laid(candidate, t_s, together | frozenset(elsewhere))
            order = [other for other in order if other != card]
            over = next((at for at, other in enumerate(order) if _cut_by(candidate.sight, held[other])), len(order))
            order.insert(over, card)
    order = [card for card in order if held[card].missing < GONE_LOOKS]
    placed = _by_overlap(tuple(held[card] for card in order), at_place)
    return CardMemory(placed, tuple(new.values()), tuple(doubtful))


def _absent(
    held: list[HeldCard], arriving: list[HeldCard], sights: dict[Card, CardSight], looks: tuple[PlaceLook, ...]
) -> set[Card]:
    """The held cards that this look speaks against, found from the newest down.

    A card that this look speaks against hides nothing: so a whole pile that is swept away goes at once. ``arriving``
    are cards not agreed on yet; they hide what is under them all the same.
    """
    absent: set[Card] = set()
    for card in reversed(held):
        if card.card in sights:
            continue
        present = [*arriving, *(other for other in held if other.card not in absent and other.card != card.card)]
        verdicts = {
            look.verdict
            for look in looks
            if look.card == card.card
            and not any(hidden_by(label, present) for label in card.labels if label.place == look.place)
        }
        older = [sights[other.card] for other in held if other.card in sights and other.laid_at_s < card.laid_at_s]
        if _lies_bare(card, older) or (Verdict.DIFFERENT in verdicts and Verdict.SAME not in verdicts):
            absent.add(card.card)
    return absent


def _lies_bare(card: HeldCard, older: list[CardSight]) -> bool:
    """Whether an older card's label is read where this card would lie upon it."""
    return any(sight.card not in card.read_with and _reads_inside(sight, card) for sight in older)


def _step_new(
    new: dict[Card, NewCard], elsewhere: dict[Card, CardSight], t_s: float, hand: bool
) -> dict[Card, NewCard]:
    stepped: dict[Card, NewCard] = {}
    for card, candidate in new.items():
        if card in elsewhere:
            continue
        misses = candidate.misses + (0 if hand else 1)
        if misses <= FORGIVEN_MISSES:
            stepped[card] = replace(candidate, misses=misses)
    for card, sight in elsewhere.items():
        before = new.get(card)
        if before is not None and _distance(before.sight, sight) <= STILL_MM:
            clear_looks = before.clear_looks + sight.clear
            stepped[card] = NewCard(sight, before.since_s, before.looks + 1, clear_looks=clear_looks)
        else:
            stepped[card] = NewCard(sight, t_s, clear_looks=int(sight.clear))
    return stepped


def _by_overlap(held: tuple[HeldCard, ...], sights: dict[Card, CardSight]) -> tuple[HeldCard, ...]:
    """Cards that came to lie in the same look, put in the order in which they lie on one another.

    Where a label is read inside another card's outline, its card is the upper one; where a label is cut and another
    card reaches it, its card is the lower one.
    """
    ordered = list(held)
    for low in range(len(ordered)):
        for high in range(low + 1, len(ordered)):
            lower, upper = ordered[low], ordered[high]
            if lower.laid_at_s != upper.laid_at_s:
                continue
            if _shows_above(lower, upper, sights) and not _shows_above(upper, lower, sights):
                ordered[low], ordered[high] = upper, lower
    return tuple(ordered)


def _shows_above(one: HeldCard, other: HeldCard, sights: dict[Card, CardSight]) -> bool:
    """Whether this look shows that one card lies above another: of two fanned cards each may seem to cut the other."""
    mine, theirs = sights.get(one.card), sights.get(other.card)
    return (mine is not None and _reads_inside(mine, other)) or (theirs is not None and _cut_by(theirs, one))


def _reads_inside(sight: CardSight, card: HeldCard) -> bool:
    """Whether a whole label of this sight is read where the card would lie upon it."""
    return any(
        in_footprint(card.x_mm, card.y_mm, card.turn_deg, place, COVERS_LABEL_MM)
        for place in sight.labels
        if place not in sight.cut
    )


def _cut_by(sight: CardSight, card: HeldCard) -> bool:
    """Whether this card reaches a label of the sight that something lies across."""
    return any(in_footprint(card.x_mm, card.y_mm, card.turn_deg, place, HIDES_WITHIN_MM) for place in sight.cut)


def _laid(candidate: NewCard, t_s: float, seen: frozenset[Card]) -> HeldCard:
    sight, since_s = candidate.sight, candidate.since_s
    labels = tuple(HeldLabel(place, t_s) for place in sight.labels)
    return HeldCard(sight.card, sight.x_mm, sight.y_mm, sight.turn_deg, since_s, since_s, labels, seen)


def _refreshed(card: HeldCard, sight: CardSight, t_s: float, seen: frozenset[Card]) -> HeldCard:
    """The card as it was just read: places read now replace their old ones, others are kept."""
    nudged = math.hypot(card.x_mm - sight.x_mm, card.y_mm - sight.y_mm) > NUDGED_MM
    kept = tuple(
        label for label in card.labels if all(math.dist(label.place, place) > SAME_LABEL_MM for place in sight.labels)
    )
    labels = (*(_read_at(card, place, t_s, cut=place in sight.cut) for place in sight.labels), *kept)[:2]
    read_with = card.read_with if seen <= card.read_with else card.read_with | seen
    if nudged:
        return HeldCard(card.card, sight.x_mm, sight.y_mm, sight.turn_deg, card.laid_at_s, t_s, labels, read_with)
    return HeldCard(card.card, card.x_mm, card.y_mm, card.turn_deg, card.laid_at_s, card.placed_s, labels, read_with)


def _read_at(card: HeldCard, place: Place, t_s: float, *, cut: bool) -> HeldLabel:
    """A label that was read now. One that something lies across stays hidden by what came since it was read whole."""
    if cut:
        whole = (label.read_s for label in card.labels if math.dist(label.place, place) <= SAME_LABEL_MM)
        return HeldLabel(place, next(whole, t_s))
    return HeldLabel(place, t_s)


def _apart(card: HeldCard, sight: CardSight) -> float:
    """How far a card is read from where it lay; a clearly different turn is another place too."""
    turned = abs((card.turn_deg - sight.turn_deg + 90.0) % 180.0 - 90.0)
    return math.hypot(card.x_mm - sight.x_mm, card.y_mm - sight.y_mm) + (MOVED_MM if turned > 40.0 else 0.0)


def _distance(one: CardSight, other: CardSight) -> float:
    return math.hypot(one.x_mm - other.x_mm, one.y_mm - other.y_mm)


def _nearer_to(candidate: NewCard | None, one: CardSight | None, other: CardSight) -> CardSight:
    """Of two sights of the same card, the one where it was read before."""
    if one is None or candidate is None:
        return other if one is None else one
    return min((one, other), key=lambda sight: _distance(candidate.sight, sight))
