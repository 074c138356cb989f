"""What is tapped where the score is kept by hand, made into events and corrections for the loop."""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import dataclass, replace
from typing import Final

from display.i18n import Words
from display.menu.board import GivenUp
from display.menu.keeper import chosen_in, named_in, ways_in
from display.menu.lines import Do, Line, Of, Pick, kind_of
from display.menu.model import Menu, Page, without_last_card
from display.words.sentences import refusal
from engine.record.corrections import Correction, Setting, Won
from engine.record.course import Course, JournalEntry
from engine.rules.cards import Card
from engine.rules.events import RevealEvent, RoundEvent, TurnEvent, UndoEvent, YieldEvent
from engine.rules.state import Phase, PublicState
from engine.rules.track import Side
from engine.table.desk import Desk
from engine.table.presses import Button
from engine.table.turn_entry import can_name, entered, may_hold, picked, rest_of, why_not

BY_HAND: Final = "by hand, in the menu"
"""Why such a correction was made, as the journal has it."""


@dataclass(frozen=True, slots=True)
class Tapped:
    """What came of a tap: the page as it is then, what happened in the match, and what there is to say."""

    menu: Menu
    entries: tuple[JournalEntry, ...] = ()
    told: str = ""


def tapped(key: Line, menu: Menu, course: Course, lying: Collection[Card], say: Words) -> Tapped | None:
    """What comes of this line; None for one that has nothing to do with keeping the score.

    ``lying`` are the cards that are read, ``say`` has the words for those who play.
    """
    state = course.state
    match key:
        case Of(Do.LAY, int(value)):
            return _laid(menu, state, value, say)
        case Of(Do.WAY, int(number)):
            found = ways_in(menu, state, may_hold(state))
            return Tapped(_with(menu, Pick.WAY, found[number]) if number < len(found) else menu)
        case Of(Do.WAY):
            return Tapped(_with(menu, Pick.WAY, GivenUp.GIVEN_UP))
        case Do.TURN:
            return _done(menu, state, lying)
        case Do.REVEAL:
            white = picked(state, named_in(menu), lying)
            black = picked(state._replace(played=(*state.played, *white)), rest_of(state, named_in(menu)), lying)
            return Tapped(_afresh(menu), (RevealEvent(white, black),))
        case Do.ROUND:
            return Tapped(_afresh(menu), (RoundEvent(),))
        case Do.TAKE_BACK:
            return _taken_back(menu, course)
        case Of(Do.POINT, Side() as side):
            return Tapped(menu, _said(state, Won(side.value)))
        case Do.NO_POINT:
            return Tapped(menu, _said(state, Won.NOBODY))
        case Do.TAKE_POINT_BACK:
            return Tapped(menu, (UndoEvent(),) * _to_undo(course))
    return None


def _laid(menu: Menu, state: PublicState, value: int, say: Words) -> Tapped:
    named = named_in(menu)
    if state.phase is Phase.REVEAL:
        more = len(named) < state.hands.white and value in rest_of(state, named)
    else:
        more = value in can_name(state, may_hold(state), named)
    if more:
        return Tapped(_with(_with(menu, Pick.NAMED, (*named, value)), Pick.WAY, None))
    if named and state.phase is not Phase.REVEAL and value in can_name(state, may_hold(state), ()):
        return Tapped(_with(_with(menu, Pick.NAMED, (value,)), Pick.WAY, None))  # it begins another turn instead
    ruling = why_not(state, value) if not named else None
    return Tapped(menu, told=refusal(say, ruling) if ruling is not None else "")


def _done(menu: Menu, state: PublicState, lying: Collection[Card]) -> Tapped:
    chosen = chosen_in(menu, state, ways_in(menu, state, may_hold(state)))
    if chosen is None:
        return Tapped(menu)
    event: TurnEvent | YieldEvent
    event = YieldEvent() if isinstance(chosen, GivenUp) else entered(state, chosen, lying)
    return Tapped(_afresh(menu), (event,))


def _taken_back(menu: Menu, course: Course) -> Tapped:
    """The last card that was tapped; where none was, what was done last."""
    if named_in(menu) or menu.chosen(Pick.WAY, None) is not None:
        return Tapped(without_last_card(menu))
    return Tapped(_afresh(menu), (UndoEvent(),) if len(course.steps) > 1 else ())


def _said(state: PublicState, won: Won) -> tuple[JournalEntry, ...]:
    """The round that is won so, begun first where none is under way."""
    said = Correction((Setting(won=won),), BY_HAND)
    return (RoundEvent(), said) if state.phase in (Phase.SETUP, Phase.ROUND_OVER) else (said,)


def _to_undo(course: Course) -> int:
    """How much makes up the last point: with it the round that only was begun after it."""
    steps = course.steps
    if len(steps) > 2 and isinstance(steps[-1].entry, RoundEvent):
        return 2
    return 1 if len(steps) > 1 else 0


def at_what_follows(menu: Menu, page: Page) -> Menu:
    """The line to go on with is the one at hand: what ends the turn, else the first turn to choose."""
    lines = [item.key for item in page.items]
    ends = [number for number, line in enumerate(lines) if kind_of(line) in _ENDS]
    at = ends[0] if ends else lines.index(_FIRST_WAY) if _FIRST_WAY in lines else min(menu.here.at, len(lines) - 1)
    return replace(menu, path=(*menu.path[:-1], replace(menu.here, at=max(0, at))))


_FIRST_WAY: Final = Of(Do.WAY, 0)
_ENDS: Final = (Do.TURN, Do.REVEAL, Do.ANSWER, Do.NEXT_PUZZLE)


def kept_plainly(course: Course) -> bool:
    """Whether only rounds and points were kept of this match so far."""
    entries = [step.entry for step in course.steps]
    said = any(isinstance(entry, Setting) and entry.won is not None for entry in entries)
    return said and not any(isinstance(entry, TurnEvent) for entry in entries)


def wants_to_choose(desk: Desk, button: Button) -> bool:
    """Whether this button asks for a turn to be entered that the eyes cannot see, and no single one can be proposed."""
    unseen, state = desk.unseen, desk.state
    if unseen is None or state is None or not unseen.due or desk.offer is not None or unseen.proposed is not None:
        return False
    return button is Button.ACT or (button.side is not None and button.side is state.to_act)


def filled_in(desk: Desk) -> dict[Line, object]:
    """The cards that are known of the turn, as if they had been tapped, as far as they can begin one."""
    state, known = desk.state, desk.unseen.known if desk.unseen is not None else None
    if state is None or state.to_act is None or known is None:
        return {}
    values = sorted((card.value for card in known.cards), reverse=True)
    if state.attack is not None and values.count(state.attack.value) >= state.attack.count:
        for _ in range(state.attack.count):
            values.remove(state.attack.value)
    named: tuple[int, ...] = ()
    for value in values:
        if value in can_name(state, may_hold(state), named):
            named = (*named, value)
    return {Pick.NAMED: named}


def _with(menu: Menu, key: Line, value: object) -> Menu:
    return replace(menu, values={**menu.values, key: value})


def _afresh(menu: Menu) -> Menu:
    """Ready for the next turn."""
    here = replace(menu.here, at=0)
    return replace(_with(_with(menu, Pick.NAMED, ()), Pick.WAY, None), path=(*menu.path[:-1], here))
