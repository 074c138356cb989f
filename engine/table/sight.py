"""What the desk asks of a look at the table: is it quiet, and may cards of this turn lie there that were not read?"""

from __future__ import annotations

from engine.rules.cards import Card
from engine.rules.state import PublicState
from engine.table.observation import Doubt, Sight, TableObservation, Why


def is_quiet(seen: TableObservation, for_s: float) -> bool:
    """Whether the eyes are steady and the table has stood unchanged for so long."""
    return seen.sight is Sight.STEADY and seen.t_s - seen.since_s >= for_s


def may_begin(seen: TableObservation, for_s: float) -> bool:
    """Whether a board that is set up has stood so for so long, as far as a round may begin on it.

    Glare on an empty table keeps nobody from it: it may hide a card that was forgotten, and that one counts for none.
    """
    glares = seen.sight is Sight.CHECKING and seen.why is Why.GLARE and seen.t_s - seen.since_s >= for_s
    return glares or is_quiet(seen, for_s)


def unsure(state: PublicState, seen: TableObservation) -> tuple[Card, ...]:
    """Cards glimpsed that this round has not counted as played: perhaps laid this turn."""
    return tuple(card for card in seen.glimpsed if card not in state.played)


def half_hidden(opened_s: float, seen: TableObservation) -> tuple[Doubt, ...]:
    """Labels that came in sight in the turn opened then and cannot be read: perhaps its cards, under others."""
    return tuple(label for label in seen.unread if label.since_s > opened_s)


def shining(opened_s: float, seen: TableObservation) -> tuple[Doubt, ...]:
    """Those of them that light burns out now: each is a label that lies there, and not what is left of one."""
    return tuple(label for label in half_hidden(opened_s, seen) if label.glares)


def outshone(opened_s: float, seen: TableObservation) -> tuple[Doubt, ...]:
    """Where light burns on cards that nobody reads, and a hand was in the turn opened then: others may lie on them."""
    return tuple(place for place in seen.outshone if place.since_s > opened_s)


def figures_are_read(seen: TableObservation) -> bool:
    """Whether it is known on which space each figure stands."""
    return all(figure.space is not None for _, figure in seen.figures.items())
