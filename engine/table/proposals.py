"""Turns that a partly seen table may stand for, offered to a player who enters a turn by hand.

Every legal turn that fits what was read. None of them counts by being listed here: the player says which it was.
Cards that nobody read are stood for by cards of their value that were not played yet, as in any turn entered by hand.
"""

from __future__ import annotations

from collections import Counter
from typing import NamedTuple

from engine.rules.cards import DECK, Card
from engine.rules.events import TurnEvent
from engine.rules.legal import Counts, legal_plays, play_event
from engine.rules.state import PublicState
from engine.table.observation import TableObservation, Why
from engine.table.table_reading import new_cards


class InPart(NamedTuple):
    """What is known of a turn: ``cards`` were read and lie there; the figure stands on ``space``, None where unknown.

    ``glimpsed`` cards may have been laid; ``more``: cards may lie there that nobody could read.
    """

    cards: tuple[Card, ...] = ()
    space: int | None = None
    more: bool = True
    glimpsed: tuple[Card, ...] = ()


def seen_in_part(state: PublicState, seen: TableObservation) -> InPart | None:
    """What the table shows of the turn of the player to act.

    None where nobody is to act, and where the other player's figure stands elsewhere than it should: then no turn fits.
    A figure that stands where it stood before the turn tells nothing while the eyes are not steady, for it may have
    been moved since; one seen elsewhere does, unless it is its tag that is hidden.
    """
    side = state.to_act
    if side is None:
        return None
    other = seen.figures[side.other].space
    if other is not None and other != state.spaces[side.other]:
        return None
    space = seen.figures[side].space
    its_tag = seen.why is Why.TAG_HIDDEN and seen.why_side is not side.other
    if its_tag or (seen.why is not None and seen.why is not Why.TAG_HIDDEN and space == state.spaces[side]):
        space = None
    cards = tuple(reading.card for reading in new_cards(state, seen))
    glimpsed = tuple(card for card in seen.glimpsed if card not in state.played and card not in cards)
    more = seen.why is not Why.TAG_HIDDEN or bool(glimpsed) or bool(seen.unread)
    return InPart(cards, space, more, glimpsed)


def proposals(state: PublicState, known: InPart) -> tuple[TurnEvent, ...]:
    """Every legal turn of the player to act that fits, once for each choice of values.

    Those that need the fewest cards nobody read come first. Empty where nobody is to act.
    """
    side = state.to_act
    if side is None:
        return ()
    read = Counter(card.value for card in known.cards)
    unseen = state.unseen_counts
    counts: Counts = (unseen[1], unseen[2], unseen[3], unseen[4], unseen[5])
    first = (*known.cards, *known.glimpsed)
    order = (*first, *(card for card in DECK if card not in first and card not in state.played))
    found = []
    for play in legal_plays(state, counts):
        event = play_event(state, order, play)
        laid = Counter(card.value for card in event.cards)
        fits = read <= laid and (known.more or read == laid) and known.space in (None, event.spaces[side])
        if fits and len(event.cards) <= state.hands[side]:
            found.append(event)
    return tuple(sorted(found, key=lambda event: len(event.cards)))


def likeliest(found: tuple[TurnEvent, ...]) -> TurnEvent | None:
    """The one proposal with the fewest cards, None where several have as few, or there is none.

    All hold the cards that were read, so that it is the one that supposes least.
    """
    if not found or (len(found) > 1 and len(found[1].cards) == len(found[0].cards)):
        return None
    return found[0]
