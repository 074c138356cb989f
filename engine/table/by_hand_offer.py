"""Where the eyes cannot see a turn, its player is offered to enter it by hand, with two presses of their button.

The first press asks, the second says "so it was". Of the turns that fit what was read, the one that supposes least is
proposed; without one the player taps it. Nothing counts without the second press, and any change
of the table, the other button, or eyes that see again take the proposal away. Pure; the desk does the rest.

Steady eyes do not see a turn either while something shines that came to lie in it: the label is there, and what the
rest of the table shows may be only a part of the turn. It is judged as it is read where nothing that shines could make
it a legal one.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Final

from engine.rules.cards import Card
from engine.rules.events import TurnEvent
from engine.rules.referee import judge
from engine.rules.state import PublicState
from engine.rules.track import BySide
from engine.table.observation import Sight, TableObservation, figures_are_read, shining
from engine.table.possible_turns import InPart, likeliest, proposals, seen_in_part
from engine.table.table_reading import OpenTurn, new_cards

STUCK_S: Final = 8.0
"""For how long nothing may change in somebody's turn before it can be entered by hand."""
READ_S: Final = 0.8
"""How long a proposal has to be in sight before a press can mean it."""
LAPSE_S: Final = 20.0
"""How long a proposal stands."""


@dataclass(frozen=True, slots=True)
class Unseen:
    """The eyes have not been steady, or something shines, since ``since_s``; ``asked``: a press found no answer since.

    ``due``: the turn can be entered by hand now, and ``found`` are those that fit ``known``. ``declined``: the one that
    was proposed was not it.
    """

    since_s: float
    asked: bool = False
    due: bool = False
    declined: bool = False
    known: InPart | None = None
    found: tuple[TurnEvent, ...] = ()

    @property
    def proposed(self) -> TurnEvent | None:
        """The turn to propose, None where the player has to choose."""
        return likeliest(self.found) if self.due and not self.declined else None


@dataclass(frozen=True, slots=True)
class Offer:
    """A turn that is proposed since ``at_s``, and how the table stood then."""

    turn: OpenTurn
    at_s: float
    spaces: BySide[int | None]
    cards: frozenset[Card]
    glimpsed: frozenset[Card]

    @property
    def event(self) -> TurnEvent:
        """The turn's event, once the player confirms it."""
        return TurnEvent(self.turn.cards, self.turn.spaces.white, self.turn.spaces.black)


def watched(before: Unseen | None, state: PublicState | None, seen: TableObservation, opened_s: float) -> Unseen | None:
    """The knowledge of a turn, opened then, that the eyes cannot see, after this look; None while they see."""
    steady = seen.sight is Sight.STEADY
    if steady and not (state is not None and shining(opened_s, seen)):
        return None
    now = Unseen(seen.t_s) if before is None else before
    if state is None or state.to_act is None:
        return replace(now, due=False, known=None, found=())
    if not (now.asked or seen.t_s - max(now.since_s, seen.since_s) >= STUCK_S):
        return replace(now, due=False)
    known = seen_in_part(state, seen)
    if not now.due or known != now.known:
        now = replace(now, due=True, known=known, found=() if known is None else proposals(state, known))
    return replace(now, due=bool(now.found) and figures_are_read(seen)) if steady else now


def unanswered(unseen: Unseen | None) -> Unseen | None:
    """The same once a press found no answer: the next one may enter the turn by hand."""
    return replace(unseen, asked=True) if unseen is not None else None


def offer_of(unseen: Unseen | None, state: PublicState, seen: TableObservation) -> Offer | None:
    """The proposal for a player who asks now; None where there is no single one, or no need of any."""
    event = unseen.proposed if unseen is not None else None
    if event is None or state.to_act is None:
        return None
    turn = OpenTurn(state.to_act, event.cards, event.spaces, judge(state, event)[1], None)
    return Offer(turn, seen.t_s, *_facts(state, seen))


def stands(offer: Offer, unseen: Unseen | None, state: PublicState, seen: TableObservation) -> bool:
    """Whether it still can be meant: the eyes do not see again, and what lies and stands there has not changed.

    A figure that is now read where the proposal has it says nothing against it, nor does one that got out of sight.
    """
    if unseen is None or state.to_act is not offer.turn.player or seen.t_s - offer.at_s > LAPSE_S:
        return False
    spaces, cards, glimpsed = _facts(state, seen)
    return (
        cards == offer.cards
        and glimpsed <= offer.glimpsed | {*offer.turn.cards}
        and all(space in (None, offer.spaces[side], offer.turn.spaces[side]) for side, space in spaces.items())
    )


def _facts(state: PublicState, seen: TableObservation) -> tuple[BySide[int | None], frozenset[Card], frozenset[Card]]:
    """Where both stand, the cards read that are new, and those glimpsed."""
    cards = frozenset(reading.card for reading in new_cards(state, seen))
    return seen.figures.map(lambda figure: figure.space), cards, frozenset(seen.glimpsed)
