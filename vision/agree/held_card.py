"""Cards on the table: where their labels were read, and how sure it is that they still lie there."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from enum import Enum
from typing import Final, NamedTuple

from engine.rules.cards import Card
from vision.belief import DOUBT, SURE
from vision.printed.card_shape import USUAL_SIZE, LabelPose, Place
from vision.printed.table import CardSize
from vision.sights.observe import CardSight, in_footprint

# Half a label's diagonal is 17.7 mm; the rest is how far places may be off: READING.md, "At rest".
HIDES_WITHIN_MM: Final = 19.0
# A third of a label: two codes never lie so near each other; and as well inside a card as a place must be to lie upon
# it: labels are stuck up to 4 mm and 4 degrees off, which is 3 mm at a card's end, and tell where it lies.
SAME_CODE_MM: Final = 8.0


class PlaceState(Enum):
    """The look of a place where a label was read before."""

    SAME = "same"
    BARE = "bare"  # as it did before the label came there
    DIFFERENT = "different"
    BURNT = "burnt"  # so bright that nothing tells
    UNSURE = "unsure"


GONE: Final = frozenset({PlaceState.BARE, PlaceState.DIFFERENT})


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
    """A card on the table: its middle and turn (0 to 180), millimetres and degrees, and its labels that were read.

    ``laid_at_s``: since when it lies there; ``placed_s``: since when exactly so (it may be nudged without being laid
    anew). ``read_with``: cards read in a look that read this one too, so that it does not lie on their labels.
    ``size``: as far as it is known.
    """

    card: Card
    x_mm: float
    y_mm: float
    turn_deg: float
    laid_at_s: float
    placed_s: float
    labels: tuple[HeldLabel, ...]
    read_with: frozenset[Card] = frozenset()
    nats: float = SURE
    size: CardSize = USUAL_SIZE

    @property
    def poses(self) -> tuple[LabelPose, ...]:
        """Its labels that were read."""
        return tuple(label.pose for label in self.labels)

    def reaches(self, place: Place, margin_mm: float) -> bool:
        """Whether a place lies on this card, grown by a margin (negative: shrunk)."""
        return in_footprint(self.x_mm, self.y_mm, self.turn_deg, place, margin_mm, self.size)


@dataclass(frozen=True, slots=True)
class NewCard:
    """A card read where it is not known to lie, since when and when last; ``nats``: how sure it is that it lies there.

    The next card laid on top may hide it for good: then it is neither known to lie there nor forgotten, but asked
    about, and so is one whose place seemed empty before another card covered it.
    """

    sight: CardSight
    since_s: float
    read_s: float
    nats: float

    def is_covered(self, held: Iterable[HeldCard]) -> bool:
        """Whether a card that came there after the last look at this one may hide every label it was read by."""
        later = [card for card in held if card.placed_s > self.read_s]
        return all(any(card.reaches(place, HIDES_WITHIN_MM) for card in later) for place in self.sight.labels)


@dataclass(frozen=True, slots=True)
class CardMemory:
    """``held`` in the order in which the cards came to lie; ``new`` are those not agreed on.

    ``unsettled``: the last look spoke for or against a card, and not enough.
    """

    held: tuple[HeldCard, ...] = ()
    new: tuple[NewCard, ...] = ()
    unsettled: bool = False

    @property
    def glimpsed(self) -> tuple[NewCard, ...]:
        """The cards that may lie under a later one, sorted: they were read and have not been seen since."""
        held = {card.card for card in self.held}
        likely = (one for one in self.new if one.nats >= DOUBT and one.sight.card not in held)
        return tuple(sorted((one for one in likely if one.is_covered(self.held)), key=lambda one: one.sight.card))

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
