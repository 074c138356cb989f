"""Cards that were read, but too seldom to be agreed on before something covered them.

The next card laid on top hides a card for good; whether it lies there or went back into the hand, no later look can
say. It is neither counted as lying there nor forgotten: the players are asked. So it is with a card whose place seemed
empty for a look or two before another card covered it.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Final

from engine.rules.cards import Card
from vision.agree.cards_held import STILL_MM
from vision.agree.held_card import HeldCard
from vision.printed.card_shape import CardShapes
from vision.sights.observe import CardSight, shift_mm

LOOKS_WITH_A_HAND: Final = 2  # one look with a hand there may be of a card that is carried past; chosen
UNCOVERED_LOOKS: Final = 10  # a second at ten frames a second, in which it would have been read again; chosen
COVERED_WITHIN_MM: Final = 12.0  # half a label: nearer than that, a card lies on a part of it


@dataclass(frozen=True, slots=True)
class Glimpse:
    """A card read at one place and not agreed on. ``looks`` of it were had, ``clear_looks`` of them without a hand.

    ``read_s`` is the last of them; ``uncovered`` counts the looks since in which nothing could have hidden it.
    """

    sight: CardSight
    read_s: float
    looks: int = 1
    clear_looks: int = 0
    uncovered: int = 0


def step_glimpses(
    glimpses: tuple[Glimpse, ...],
    t_s: float,
    sights: Iterable[CardSight],
    held: tuple[HeldCard, ...],
    hand: bool,
    shapes: CardShapes,
) -> tuple[Glimpse, ...]:
    """The glimpses after one look. A card that is agreed on is none any more, nor one whose place is plainly empty."""
    known = {card.card for card in held}
    before = {glimpse.sight.card: glimpse for glimpse in glimpses if glimpse.sight.card not in known}
    now = dict(before)
    for sight in sights:
        if sight.card in known:
            continue
        last = before.get(sight.card)
        still = last is not None and (shift_mm(last.sight.poses, sight.poses, sight.card, shapes) <= STILL_MM)
        looks, clear_looks = (last.looks, last.clear_looks) if still and last is not None else (0, 0)
        now[sight.card] = Glimpse(sight, t_s, looks + 1, clear_looks + sight.clear)
    return tuple(
        kept for glimpse in now.values() if (kept := _aged(glimpse, t_s, held, hand)).uncovered <= UNCOVERED_LOOKS
    )


def glimpse_of(card: HeldCard) -> Glimpse:
    """A card that was held and is in doubt now."""
    labels = tuple(label.place for label in card.labels)
    read_s = max(label.read_s for label in card.labels)
    turns = tuple(label.turn_deg for label in card.labels)
    sight = CardSight(card.card, card.x_mm, card.y_mm, card.turn_deg, labels, turns_deg=turns, size=card.size)
    return Glimpse(sight, read_s, clear_looks=1)


def covered_glimpses(glimpses: Iterable[Glimpse], held: tuple[HeldCard, ...]) -> tuple[Card, ...]:
    """The cards that may lie under a later one, sorted: they were read at rest and have not been seen since."""
    return tuple(
        sorted(
            glimpse.sight.card
            for glimpse in glimpses
            if (glimpse.clear_looks or glimpse.looks >= LOOKS_WITH_A_HAND) and _is_covered(glimpse, held)
        )
    )


def _aged(glimpse: Glimpse, t_s: float, held: tuple[HeldCard, ...], hand: bool) -> Glimpse:
    if hand or glimpse.read_s == t_s or _is_covered(glimpse, held):
        return glimpse
    return Glimpse(glimpse.sight, glimpse.read_s, glimpse.looks, glimpse.clear_looks, glimpse.uncovered + 1)


def _is_covered(glimpse: Glimpse, held: tuple[HeldCard, ...]) -> bool:
    """Whether a card that came there after the last look at this one may hide every label it was read by."""
    later = [card for card in held if card.placed_s > glimpse.read_s]
    return all(any(card.reaches(place, COVERED_WITHIN_MM) for card in later) for place in glimpse.sight.labels)
