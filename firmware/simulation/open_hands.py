"""Players at the simulated table who play with open hands: each fans his in his own part of the play area."""

from __future__ import annotations

from engine.rules.cards import Card
from engine.rules.events import Event, RevealEvent, TurnEvent, YieldEvent
from engine.rules.state import Phase
from engine.rules.track import Side
from engine.table.presses import Button, Press
from firmware.simulation.actors import Script
from firmware.simulation.director import Director

AGREE_S = 0.6
"""How long the players look at the question before each presses his button."""


class OpenHandsDirector(Director):
    """Lays both hands open after the deal, plays from there, and fans a hand anew after drawing."""

    def _match(self) -> Script:
        """Both agree first."""
        for button in (Button.WHITE, Button.BLACK):
            yield from self._wait(AGREE_S)
            self._presses.append(Press(self._now_s, button))
        yield from super()._match()

    def _round(self) -> Script:
        yield from self._set_up()
        for side in Side:
            yield from self._fan(side)
        while (player := self._state.to_act) is not None:
            yield from self._wait(1.0)  # he reads what he can do
            yield from self._turn()
            if self._state.result is None:
                yield from self._fan(player)
        if self._state.phase is Phase.REVEAL:
            assert self._full is not None
            hands = self._full.hands
            yield from self._settle(RevealEvent(hands.white, hands.black), press=None)

    def _act(self, side: Side, event: TurnEvent) -> Script:
        """Take the cards of the turn out of the open hand, then play them like any other."""
        for card in event.cards:
            if card in self._stage.cards and card not in self._state.played:
                yield from self._take_back(side, card)
        yield from super()._act(side, event)

    def _put_back(self, side: Side, event: TurnEvent) -> Script:
        yield from super()._put_back(side, event)
        yield from self._fan(side)

    def _show_again(self, event: Event, attempt: int) -> Script:
        """Lay the cards of a turn among the played ones anew: beside them is where the hands lie."""
        if not isinstance(event, TurnEvent | YieldEvent):
            yield from super()._show_again(event, attempt)
            return
        yield from self._wait(1.0)
        side = self._state.to_act
        assert side is not None
        yield from self._fan(side, without=event.cards)
        for number, card in enumerate(event.cards):
            yield from self._lay(side, self._stage.lay(card, number + 1))
        yield from self._withdraw(side)
        if isinstance(event, TurnEvent) and attempt:
            for mover, space in event.spaces.items():
                yield from self._move_figure(side, mover, space)
            yield from self._withdraw(side)

    def _fan(self, side: Side, without: tuple[Card, ...] = ()) -> Script:
        """Lay this hand open, as one fan, in one movement: gaps are closed and drawn cards put to its end."""
        assert self._full is not None
        hand = [card for card in self._full.hands[side] if card not in without]
        middle = self._stage.show(side, hand[len(hand) // 2], len(hand) // 2) if hand else None
        if middle is None:
            return
        yield from self._reach(side, middle.x_mm, middle.y_mm - 60.0)
        for number, card in enumerate(hand):
            self._stage.show(side, card, number)
        yield from self._withdraw(side)
