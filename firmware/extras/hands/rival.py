"""A bot that sits at the simulated table as a person would: it reaches in, lays, moves its fencer and presses.

It knows what a player knows, and is told nothing but what is on the screen.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from itertools import pairwise
from random import Random
from typing import Final

from engine.rules.cards import HAND_SIZE, Card
from engine.rules.legal import GiveUp, Turn, turn_event
from engine.rules.state import PlayerView, PublicState
from engine.rules.track import BySide, Side
from engine.table.presses import Button
from firmware.extras.hands.table_top import Act, Cover, Lay, MoveFigure, PressButton, TableTop, Take, TimedAct
from vision.printed.table import Table


@dataclass(frozen=True, slots=True)
class Holding:
    """Both hands, in the order in which the cards came, and the rest of the pile, from its top."""

    hands: BySide[tuple[Card, ...]]
    pile: tuple[Card, ...]


def holding(deck: tuple[Card, ...], state: PublicState) -> Holding:
    """Both hands and the pile after the accepted turns of this round, from the deck as dealt before it.

    A card is dealt to each in turn, the starter first. After laying cards a player draws up to the hand size that the
    referee says; cards laid are gone from wherever they came.
    """
    states = _of_this_round(state)
    first, second = deck[: 2 * HAND_SIZE : 2], deck[1 : 2 * HAND_SIZE : 2]
    hands = BySide(first, second) if states[0].starter is Side.WHITE else BySide(second, first)
    pile = deck[2 * HAND_SIZE :]
    for before, now in pairwise(states):
        laid = now.played[len(before.played) :]
        drawn = max(0, before.pile - now.pile)
        hands = hands.map(lambda hand, laid=laid: tuple(card for card in hand if card not in laid))  # type: ignore[misc]
        if before.to_act is not None:
            hands = hands.put(before.to_act, (*hands[before.to_act], *pile[:drawn]))
        pile = pile[drawn:]
    return Holding(hands, pile)


def _of_this_round(state: PublicState) -> list[PublicState]:
    states = [state]
    while (before := states[0].previous) is not None and before.round == state.round:
        states.insert(0, before)
    return states


STEP_S: Final = 0.2
"""A hand is seen anew as often."""
_REACH_S: Final = 0.6
_REST_S: Final = 0.5
_LOOKS_S: Final = 0.9  # at its cards, and at the table before it presses
_MEANS_IT_S: Final = 2.4  # who gives up presses again when the question has been read
_REST_Y_MM: Final = -380.0
_REST_X_MM: Final = {Side.WHITE: 160.0, Side.BLACK: 456.0}
_ACROSS_MM: Final = (110.0, 506.0)
_ROWS_MM: Final = (-118.0, -206.0)
_HAND_ROW_MM: Final = -206.0
_FAN_MM: Final = {Side.WHITE: 102.0, Side.BLACK: 366.0}
_FAN_STEP_MM: Final = 38.0


class _Plan:
    """Acts one after the other, each when the hand has come there."""

    def __init__(self, side: Side, now_s: float, rng: Random) -> None:
        self.acts: list[TimedAct] = []
        self._side = side
        self._rng = rng
        self._now_s = now_s
        self._at_mm = (_REST_X_MM[side], _REST_Y_MM)

    def wait(self, for_s: float) -> None:
        self._now_s += for_s

    def do(self, act: Act) -> None:
        self.acts.append(TimedAct(round(self._now_s, 6), act))

    def reach(self, x_mm: float, y_mm: float, *, card: Card | None = None, figure: Side | None = None) -> None:
        """Move the hand there, with this card or figure."""
        steps = max(1, round(_REACH_S / STEP_S))
        from_x, from_y = self._at_mm
        for number in range(1, steps + 1):
            share = number / steps
            here = from_x + share * (x_mm - from_x), from_y + share * (y_mm - from_y)
            self.do(Cover(*here, STEP_S, card, figure))
            self.wait(STEP_S)
        self._at_mm = x_mm, y_mm

    def lay(self, card: Card, x_mm: float, y_mm: float) -> None:
        """From the hand of cards to this place, as exactly as a person does."""
        self._at_mm = (_REST_X_MM[self._side], _REST_Y_MM)
        x_mm, y_mm = x_mm + self._rng.gauss(0.0, 3.0), y_mm + self._rng.gauss(0.0, 3.0)
        self.reach(x_mm, y_mm, card=card)
        self.do(Lay(card, round(x_mm, 1), round(y_mm, 1), round(self._rng.gauss(0.0, 5.0), 1)))
        self.wait(_REST_S)

    def move(self, table: Table, top: TableTop, space: int) -> None:
        """Its fencer, from where it stands to this space."""
        standing, place = top.figures[self._side], table.space_mm(space)
        self._at_mm = (standing.x_mm, standing.y_mm)
        x_mm, y_mm = place.x + self._rng.gauss(0.0, 1.2), place.y + self._rng.gauss(0.0, 0.9)
        self.reach(x_mm, y_mm, figure=self._side)
        self.do(MoveFigure(self._side, round(x_mm, 1), round(y_mm, 1)))
        self.wait(_REST_S)

    def press(self) -> None:
        self.wait(_LOOKS_S)
        self.do(PressButton(Button(self._side.value)))


def turn_acts(
    view: PlayerView, chosen: Turn | GiveUp, top: TableTop, now_s: float, rng: Random
) -> tuple[TimedAct, ...]:
    """The acts of its hands for this choice from now on: cards first, then its fencer, then its button.

    Cards of this turn that lie there already, because it was refused, are taken up and laid anew.
    """
    if isinstance(chosen, GiveUp):
        return deed_acts(view.side, chosen.cards, None, top, now_s, rng, presses=2)
    event = turn_event(view.public, chosen)
    space = event.spaces[view.side]
    again = any(top.lying(card) is not None for card in event.cards)  # then the fencer may stand anywhere
    goes = space if again or space != view.public.spaces[view.side] else None
    return deed_acts(view.side, event.cards, goes, top, now_s, rng)


def deed_acts(
    side: Side, cards: Sequence[Card], space: int | None, top: TableTop, now_s: float, rng: Random, *, presses: int = 1
) -> tuple[TimedAct, ...]:
    """These cards laid, the fencer of this side put on this space, None: left where it is, and so many presses."""
    plan = _Plan(side, now_s, rng)
    plan.wait(_LOOKS_S)
    again = [card for card in cards if top.lying(card) is not None]
    for card in again:
        plan.do(Take(card))
        plan.wait(_REST_S)
    others = [(card.x_mm, card.y_mm) for card in top.cards if card.card not in again]
    mine: list[tuple[float, float]] = []
    for card in cards:
        place = free_place(others, mine)
        mine.append(place)
        plan.lay(card, *place)
    if space is not None:
        plan.move(top.table, top, space)
    plan.press()
    for _ in range(1, presses):
        plan.wait(_MEANS_IT_S)
        plan.do(PressButton(Button(side.value)))
    return tuple(plan.acts)


def reveal_acts(side: Side, hand: Iterable[Card], now_s: float, rng: Random) -> tuple[TimedAct, ...]:
    """Its hand laid open in its half of the play area."""
    plan = _Plan(side, now_s, rng)
    plan.wait(_LOOKS_S)
    for number, card in enumerate(hand):
        plan.lay(card, _FAN_MM[side] + number * _FAN_STEP_MM, _HAND_ROW_MM)
    return tuple(plan.acts)


def free_place(others: Iterable[tuple[float, float]], mine: Iterable[tuple[float, float]]) -> tuple[float, float]:
    """Where a card hides as little as can be: far from what lies there, farthest from those of the same turn."""
    first, last = _ACROSS_MM
    places = [(first + step * 12.0, y_mm) for y_mm in _ROWS_MM for step in range(round((last - first) / 12.0) + 1)]
    lying, own = [*others], [*mine]

    def room(place: tuple[float, float]) -> tuple[float, float]:
        from_own = min((math.dist(place, other) for other in own), default=200.0)
        from_others = min((math.dist(place, other) for other in lying), default=200.0)
        # Beside its own as people lay them, not at the other end of the table.
        return min(from_own, 80.0) + min(from_others, 80.0), -from_own if own else -abs(place[0] - 308.0)

    return max(places, key=room)
