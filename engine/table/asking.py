"""What the players are asked to show before their turn is judged: cards that may lie there and that nobody read.

Once for each. A player who presses again without showing the card did not lay it: nobody knows more of a card
glimpsed or half hidden. But a label that shines certainly lies there: no turn is judged without it that might
be a legal one with it. Then the player enters it, see ``by_hand_offer``. Where light burns out whatever lies there,
and a hand was there in this turn, no turn is refused before the player was asked about cards laid into it. Nor is
one for a card that others hide and that may have been taken back before. Where turns end by themselves, all of it is
asked without a press, once the turn looks ended.
"""

from __future__ import annotations

from collections.abc import Set as AbstractSet
from typing import NamedTuple

from engine.rules.cards import Card
from engine.rules.events import TurnEvent
from engine.rules.referee import judge
from engine.rules.state import PublicState
from engine.table.notes import Note, NoteKind
from engine.table.observation import (
    Doubt,
    TableObservation,
    Why,
    figures_are_read,
    half_hidden,
    outshone,
    shining,
    unsure,
)
from engine.table.possible_turns import proposals, seen_in_part
from engine.table.table_reading import perhaps_taken, read_turn


class Asking(NamedTuple):
    """A question, and the cards or labels it is about."""

    note: Note
    about: frozenset[Card | Doubt]


def asking(
    state: PublicState, seen: TableObservation, opened_s: float, before: AbstractSet[Card | Doubt]
) -> Asking | None:
    """What to ask about the turn opened then, None where it can be judged; ``before`` was asked about already."""
    glimpsed = tuple(card for card in unsure(state, seen) if card not in before)
    if glimpsed:
        return Asking(Note(NoteKind.CARD_UNSURE, seen.t_s, cards=glimpsed), frozenset(glimpsed))
    taken = tuple(card for card in perhaps_taken(state, seen, opened_s) if card not in before)
    if taken:
        return Asking(Note(NoteKind.CARD_COVERED, seen.t_s, cards=taken), frozenset(taken))
    labels = tuple(label for label in half_hidden(opened_s, seen) if label not in before)
    labels = labels or _may_shine(state, seen, opened_s) or _may_be_outshone(state, seen, opened_s, before)
    if not labels:
        return None
    why = Why.GLARE if all(label.glares for label in labels) else None
    return Asking(Note(NoteKind.CARD_HIDDEN, seen.t_s, why=why), frozenset(labels))


def _may_shine(state: PublicState, seen: TableObservation, opened_s: float) -> tuple[Doubt, ...]:
    """What shines and may be a card of the turn; none where no card could make it legal.

    Nor where a figure is not read: that is said first.
    """
    labels = shining(opened_s, seen)
    return labels if labels and figures_are_read(seen) and _may_be_legal(state, seen) else ()


def _may_be_outshone(
    state: PublicState, seen: TableObservation, opened_s: float, before: AbstractSet[Card | Doubt]
) -> tuple[Doubt, ...]:
    """Where light may hide a card without which the turn would be refused; none once a turn was asked about.

    A turn that is legal as it was read is judged as that: light alone tells of no card.
    """
    if any(isinstance(about, Doubt) for about in before):
        return ()
    places = outshone(opened_s, seen)
    turn = read_turn(state, seen, opened_s) if places else None
    if not isinstance(turn, TurnEvent) or judge(state, turn)[1].ok:
        return ()
    return places if _may_be_legal(state, seen) else ()


def _may_be_legal(state: PublicState, seen: TableObservation) -> bool:
    """Whether any legal turn fits what was read, with or without cards that nobody read."""
    known = seen_in_part(state, seen)
    return known is not None and bool(proposals(state, known))
