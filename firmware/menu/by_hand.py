"""Turns entered by hand: those there are to choose from, and the values a player named, made into events."""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from display.i18n import words
from display.menu.lines import Do, Line, Of, Pick
from display.menu.model import Menu
from display.words.verdicts import open_turn_text
from engine.rules.cards import LETTERS, VALUES, Card
from engine.rules.events import Event, RevealEvent, TurnEvent, YieldEvent
from engine.rules.referee import judge
from engine.rules.state import PublicState
from engine.rules.track import Side
from engine.table.desk import Desk
from engine.table.presses import Button
from engine.table.table_reading import OpenTurn

MOST_PROPOSALS = 8


def wants_to_choose(desk: Desk, button: Button) -> bool:
    """Whether this button asks for a turn to be entered that the eyes cannot see, and no single one can be proposed."""
    unseen, state = desk.unseen, desk.state
    if unseen is None or state is None or not unseen.due or desk.offer is not None or unseen.proposed is not None:
        return False
    return button is Button.ACT or (button.side is not None and button.side is state.to_act)


def to_choose(desk: Desk) -> tuple[TurnEvent, ...]:
    """The likeliest turns of those that fit what was seen, none where too little was seen to choose from."""
    return desk.unseen.found[:MOST_PROPOSALS] if desk.unseen is not None else ()


def told(turns: Iterable[TurnEvent], state: PublicState, language: str) -> tuple[str, ...]:
    """Each of these legal turns in a sentence."""
    say, side = words(language), state.to_act
    return tuple(
        open_turn_text(say, OpenTurn(side, turn.cards, turn.spaces, judge(state, turn)[1], None), state)
        for turn in turns
        if side is not None
    )


def filled_in(desk: Desk) -> dict[Line, int]:
    """What is known of the turn, as values of the page on which it is entered."""
    state, known = desk.state, desk.unseen.known if desk.unseen is not None else None
    if state is None or state.to_act is None or known is None:
        return {}
    side = state.to_act
    counts: dict[Line, int] = {
        Of(Pick.COUNT, side, value): sum(card.value == value for card in known.cards) for value in VALUES
    }
    return counts if known.space is None else {**counts, Of(Pick.TO, side): known.space}


def entered(do: Do, menu: Menu, state: PublicState, lying: Iterable[Card]) -> Event | None:
    """The event that was put together on the page: TURN, YIELD or REVEAL; None for no event."""
    lying = tuple(lying)

    def laid(side: Side, taken: tuple[Card, ...]) -> tuple[Card, ...]:
        counts = {value: menu.chosen(Of(Pick.COUNT, side, value), 0) for value in VALUES}
        return cards_of(counts, taken, lying)

    if do is Do.REVEAL:
        white = laid(Side.WHITE, state.played)
        return RevealEvent(white, laid(Side.BLACK, (*state.played, *white)))
    side = state.to_act
    if do is Do.YIELD:
        return YieldEvent(laid(side, state.played) if side is not None else ())
    if side is None:
        return None
    spaces = state.spaces.put(side, menu.chosen(Of(Pick.TO, side), state.spaces[side]))
    return TurnEvent(laid(side, state.played), spaces.white, spaces.black)


def cards_of(counts: Mapping[int, int], taken: Iterable[Card], lying: Iterable[Card] = ()) -> tuple[Card, ...]:
    """So many cards of each value: those that lie on the table first, then any that nobody has seen yet.

    ``taken`` are the cards played this round. Where there are not so many left of a value, fewer come back: the referee
    then says what is wrong with the turn.
    """
    used = set(taken)
    chosen: list[Card] = []
    there = [card for card in lying if card not in used]
    for value, count in counts.items():
        own = [card for card in there if card.value == value]
        own += [card for letter in LETTERS if (card := Card(value, letter)) not in used and card not in own]
        chosen += own[:count]
    return tuple(chosen)
