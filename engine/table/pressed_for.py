"""Which table a press is for: it may be answered only when the next player has laid and moved already."""

from __future__ import annotations

from dataclasses import replace
from typing import Final

from engine.rules.events import TurnEvent
from engine.rules.referee import judge
from engine.rules.state import PublicState
from engine.table.asking import asking
from engine.table.desk import Desk
from engine.table.observation import TableObservation, Why
from engine.table.presses import Press
from engine.table.table_reading import read_turn

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
