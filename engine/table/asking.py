"""Questions before a turn is judged: the players are asked to show cards that may lie there and that nobody read.

Once for each. A player who presses again without showing the card did not lay it: nobody knows more of a card
glimpsed or half hidden. But a label that shines certainly lies there: no turn is judged without it that might
be a legal one with it. Then the player enters it, see ``by_hand_offer``. Where light burns out whatever lies there,
and a hand was there in this turn, no turn is refused and none taken for a mere advance before the player was asked
about cards laid into it. Nor is one refused for a card that others hide and that may have been taken back before.
Where turns end by themselves, all of it is asked without a press, once the turn looks ended.
"""

from __future__ import annotations

from collections.abc import Set as AbstractSet
from dataclasses import replace
from typing import Final, NamedTuple

from engine.rules.cards import Card
from engine.rules.events import TurnEvent
from engine.rules.referee import judge
from engine.rules.rulings import ATTACKS
from engine.rules.state import PublicState
from engine.table.desk import Desk
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
from engine.table.presses import Note, NoteKind, Press
from engine.table.table_reading import perhaps_taken, read_turn


class Asking(NamedTuple):
    """A question, and the cards or labels it is about."""

    note: Note
    about: frozenset[Card | Doubt]


def asking(
    state: PublicState, seen: TableObservation, opened_s: float, before: AbstractSet[Card | Doubt]
) -> Asking | None:
    """The question about the turn opened then, None where it can be judged; ``before`` was asked about already."""
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
    """Shining labels that may be cards of the turn; none where no card could make it legal.

    Nor where a figure is not read: that is said first.
    """
    labels = shining(opened_s, seen)
    return labels if labels and figures_are_read(seen) and _legal_turns(state, seen) else ()


def _may_be_outshone(
    state: PublicState, seen: TableObservation, opened_s: float, before: AbstractSet[Card | Doubt]
) -> tuple[Doubt, ...]:
    """Where light may hide a card that makes this turn legal or an attack, and a hand was since the last question.

    An attack that is legal as it was read is judged as that: light alone tells of no further card.
    """
    asked_s = max((opened_s, *(about.since_s for about in before if isinstance(about, Doubt))))
    places = outshone(asked_s, seen)
    turn = read_turn(state, seen, opened_s) if places else None
    if not isinstance(turn, TurnEvent):
        return ()
    ruling = judge(state, turn)[1]
    if ruling.ok and ruling.action in ATTACKS:
        return ()
    found = _legal_turns(state, seen)
    return places if any(not ruling.ok or judge(state, other)[1].action in ATTACKS for other in found) else ()


def _legal_turns(state: PublicState, seen: TableObservation) -> tuple[TurnEvent, ...]:
    """The legal turns that fit what was read, with or without cards that nobody read."""
    known = seen_in_part(state, seen)
    return () if known is None else proposals(state, known)


# Which table a press is for: it may be answered only when the next player has laid and moved already.

AT_ONCE_S: Final = 0.25
"""Nobody reaches in, changes the table and presses a button in so short a time. Chosen."""
SOON_AFTER_S: Final = 0.4
"""Cards first seen so long after a press may be the next player's, who need not wait. Chosen."""
LONG_AFTER_S: Final = 3.0
"""Cards first seen so long after it were not laid with it, unless nobody could see. Chosen."""


def stood_when_pressed(desk: Desk, press: Press, seen: TableObservation) -> TableObservation | None:
    """The table as it stood when this was pressed, where somebody reaches in only since then; None elsewhere.

    What is waited for would be the table with what is laid and moved next.
    """
    stood = desk.stood
    if stood is None or seen.why is not Why.HAND or seen.since_s != stood.since_s:
        return None
    return replace(stood, t_s=seen.t_s) if press.t_s - stood.t_s <= AT_ONCE_S else None


def meant(desk: Desk, press: Press, state: PublicState, seen: TableObservation, turn: TurnEvent) -> TurnEvent | None:
    """The turn that this press is for: this one, which lies there now, or the one before cards that came later.

    None where both may be, or cards came later and nobody knows what lay there.
    """
    assert state.to_act is not None
    late_s = max((card.laid_at_s - press.t_s for card in seen.cards if card.card in turn.cards), default=0.0)
    if late_s <= SOON_AFTER_S:
        return turn
    before = _turn_before_it(desk, press, state, seen)
    other = state.to_act.other
    if judge(state, turn)[1].ok:
        doubt = before is not None
        of_the_next = late_s > LONG_AFTER_S
    else:
        of_the_next = late_s > LONG_AFTER_S or turn.spaces[other] != state.spaces[other]
        doubt = before is not None or of_the_next
    if not doubt:
        return turn
    return before if of_the_next else None


def _turn_before_it(desk: Desk, press: Press, state: PublicState, seen: TableObservation) -> TurnEvent | None:
    """The legal turn that lay there shortly before this press, where all of it lies and stands there still.

    ``seen`` is the table with what came later. None where nothing was done then, the eyes had a doubt or the turn was
    not legal: then nobody knows what was pressed for.
    """
    stood, side = desk.stood, state.to_act
    assert side is not None
    if stood is None or press.t_s - stood.t_s > LONG_AFTER_S:
        return None
    if {card.card for card in stood.cards} - {card.card for card in seen.cards}:
        return None
    if stood.figures[side].space != seen.figures[side].space:
        return None
    if asking(state, stood, desk.opened_s, desk.asked_about) is not None:
        return None
    turn = read_turn(state, stood, desk.opened_s)
    return turn if isinstance(turn, TurnEvent) and judge(state, turn)[1].ok else None
