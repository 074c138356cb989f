"""A round whose start was missed: the turns by which the table came from the starting position to how it lies now.

Fencers may have been out of sight while they stood at their ends, and the first turn may have been played meanwhile.
What lies there then tells what was played, as long as few turns were: cards lie in the order they were laid.
"""

from __future__ import annotations

from typing import Final

from engine.rules.cards import Card
from engine.rules.events import RoundEvent, TurnEvent
from engine.rules.legal import counts_of, legal_plays, play_event
from engine.rules.referee import judge
from engine.rules.state import Phase, PublicState
from engine.rules.track import Side
from engine.table.observation import TableObservation
from engine.table.table_reading import Unreadable, read_spaces

MAX_TURNS: Final = 4
"""Two of each player: whoever plays on for longer has looked at the screen. Chosen."""


def missed_turns(state: PublicState, seen: TableObservation, player: Side | None = None) -> tuple[TurnEvent, ...]:
    """The turns since a round's start that was missed, in order; empty where none or more than one way fits.

    Every card that lies there belongs to one of them, and both fencers must be read. ``player`` played the last of
    them, if that is known.
    """
    begun, ruling = judge(state, RoundEvent())
    if begun is None or not ruling.ok or isinstance(read_spaces(seen), Unreadable) or not seen.cards:
        return ()
    ways = _ways(begun, tuple(reading.card for reading in seen.cards), seen, MAX_TURNS)
    if len(ways) != 1 or player is (begun.starter.other if len(ways[0]) % 2 else begun.starter):
        return ()
    return ways[0]


def _ways(state: PublicState, laid: tuple[Card, ...], seen: TableObservation, most: int) -> list[tuple[TurnEvent, ...]]:
    """Every course of at most so many legal turns that lays these cards in their order and ends as the table stands."""
    if not laid:
        return [()] if state.spaces == read_spaces(seen) else []
    if not most or state.phase is not Phase.TURN:
        return []
    found = []
    for count in range(1, len(laid) + 1):
        cards = laid[:count]
        for play in legal_plays(state, counts_of(cards)):
            event = play_event(state, cards, play)
            after, ruling = judge(state, event)
            if len(event.cards) == count and ruling.ok and after is not None:
                found += [(event, *rest) for rest in _ways(after, laid[count:], seen, most - 1)]
    return found
