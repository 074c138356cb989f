"""Hands at a table, frame by frame: they lay cards, move fencers, go away again; heads lean in meanwhile."""

from __future__ import annotations

import random
from collections.abc import Generator
from typing import Final

from households.household import Household, true_table
from households.layout import Layout
from households.room import Laid, Reaching, Room

from engine.rules.cards import Card
from engine.rules.events import TurnEvent
from engine.rules.track import Side

Script = Generator[None, None, None]
"""Goes on by one frame at a time."""
_OUT_Y_MM: Final = -460.0


class TablePeople:
    """What people do with their hands in one room. ``t_s`` and ``index`` are those of the last frame that was made."""

    def __init__(self, home: Household) -> None:
        self.home = home
        self.rng = random.Random(f"household {home.seed} sitting")
        self.room = Room()
        self.layout = Layout(home, true_table(home), self.rng)
        self.index, self.t_s = 0, 0.0
        self.leaning_until = 0

    def act(self, side: Side, event: TurnEvent) -> Script:
        """Make the table stand as this turn says: lay what does not lie there, move whoever stands elsewhere."""
        moves_first = self.rng.random() < 0.25
        figures = [mover for mover in Side if self.room.figures[mover].space != event.spaces[mover]]
        if moves_first:
            for mover in figures:
                yield from self.move(side, mover, event.spaces[mover])
        for number, card in enumerate(event.cards):
            if card not in self.room.cards:
                yield from self.lay(side, self.layout.turn_card(self.room, card, event.cards[:number]))
        if not moves_first:
            for mover in figures:
                yield from self.move(side, mover, event.spaces[mover])

    def lay(self, side: Side, laid: Laid) -> Script:
        self.room.cards.pop(laid.card, None)
        x, y = laid.x_mm - 4, laid.y_mm - 24
        yield from self.reach(side, x, y, 12.0 + 0.3 * laid.level, card=laid)
        self.room.cards[laid.card] = laid
        yield from self.show(Reaching(side, x + self.rng.gauss(0, 8), y - 120.0, 40.0))

    def take(self, side: Side, card: Card) -> Script:
        laid = self.room.cards[card]
        yield from self.reach(side, laid.x_mm - 4, laid.y_mm - 24, 12.0)
        del self.room.cards[card]
        yield from self.show(Reaching(side, laid.x_mm, laid.y_mm - 150.0, 40.0, card=laid))

    def move(self, side: Side, mover: Side, space: int) -> Script:
        standing = self.room.figures[mover]
        tall = self.home.people[mover].figure_mm
        yield from self.reach(side, standing.x_mm, standing.y_mm - 6, tall)
        del self.room.figures[mover]
        target = self.layout.stand(self.room, mover, space)
        half_way = (standing.x_mm + target.x_mm) / 2
        yield from self.show(Reaching(side, half_way, standing.y_mm - 6, tall + 25.0, fencer=mover))
        self.room.figures[mover] = target
        yield from self.show(Reaching(side, target.x_mm, target.y_mm - 6, tall))

    def reach(self, side: Side, x: float, y: float, z: float, card: Laid | None = None) -> Script:
        yield from self.show(Reaching(side, (x + 308) / 2, (y - 300) / 2, z + 25, card))
        yield from self.show(Reaching(side, x, y, z, card))

    def show(self, hand: Reaching) -> Script:
        self.room.hands[hand.side] = hand
        self._lean()
        yield

    def withdraw(self, side: Side) -> Script:
        hand = self.room.hands.pop(side, None)
        if hand is not None:
            yield from self.show(Reaching(side, hand.x_mm, (hand.y_mm + _OUT_Y_MM) / 2, 60.0))
            del self.room.hands[side]
            self._lean()
            yield

    def wait(self, for_s: float) -> Script:
        until_s = self.t_s + for_s
        while self.t_s < until_s:
            self._lean()
            yield

    def _lean(self) -> None:
        """Heads that come in over the picture's lower edge and move a little all the time."""
        if self.index >= self.leaning_until:
            self.room.heads = ()
        elif self.index % 2 == 0:
            x = (90.0, 520.0)[self.home.seed % 2]
            self.room.heads = ((x + self.rng.gauss(0.0, 4.0), 30.0 + self.rng.gauss(0.0, 4.0)),)
