"""Two people at a table whose referee fails now and then: they look at the screen, and do what it asks.

They know their hands and what they meant to play. What stands on the screen may be behind them (nobody saw their turn)
or ahead (it was booked just before the power went); they go on from there.
"""

from __future__ import annotations

import random
from collections.abc import Callable
from dataclasses import replace
from enum import Enum
from functools import partial
from typing import Final

from fault_world import World

from engine.players.players import RandomBot
from engine.rules.cards import Card
from engine.rules.events import RevealEvent, TurnEvent
from engine.rules.legal import GiveUp, turn_event
from engine.rules.state import FullState, Phase, PublicState
from engine.rules.track import START, BySide, Side
from engine.table.desk import Desk
from engine.table.presses import Button
from firmware.extras.simulation.director import misplay
from firmware.table.loop.moment import Moment
from vision.printed.card_shape import Place

PLACES: Final[tuple[Place, ...]] = tuple(
    (85.0 + 32.0 * column, -90.0 - 52.0 * row) for row in range(3) for column in range(15)
)
_LEFT: Final[tuple[Place, ...]] = tuple((85.0 + 32.0 * column, -242.0) for column in range(6))
_RIGHT: Final[tuple[Place, ...]] = tuple((533.0 - 32.0 * column, -242.0) for column in range(6))
OWN: Final = BySide(Button.WHITE, Button.BLACK)


class Meaning(Enum):
    """What they are up to."""

    PLAY = "play"
    MISPLAY = "misplay"
    GIVE_UP = "give up"
    UNDO = "undo"


class People:
    """``full``: the game as it truly is, None between rounds; whoever checks the referee keeps it true."""

    def __init__(self, world: World, rng: random.Random, *, presses: bool) -> None:
        """``presses`` False: turns end by themselves."""
        self._world, self._rng, self._presses = world, rng, presses
        self.full: FullState | None = None
        self.meaning: Meaning | None = None
        self._plan: TurnEvent | None = None
        self._for: PublicState | None = None
        self._hands: list[Callable[[], None]] = []
        self._rests_until_s = 0.0
        self._wait()
        self._verdicts = self._verdicts_now = 0

    @property
    def gives_up(self) -> bool:
        """Whether a round they lose by pressing is what they did: they mean it, or pressed twice with nothing laid."""
        nothing_laid = self._plan is not None and not self._plan.cards
        return self.meaning is Meaning.GIVE_UP or (self.meaning is Meaning.MISPLAY and nothing_laid)

    def act(self, moment: Moment | None) -> None:
        """A tick's worth, after seeing this moment on the screen; None: there is no screen just now."""
        world = self._world
        if self._hands:
            self._hands.pop(0)()
            world.scene = replace(world.scene, hand=True)
            self._rests_until_s = world.now_s + 0.7
            return
        if world.scene.hand:
            world.scene = replace(world.scene, hand=False)
        if world.now_s < self._rests_until_s or moment is None or moment.desk.state is None:
            return
        if moment.held:
            self._press(Button.WHITE, again_s=3.0)
            return
        self._at(moment.desk, moment.desk.state)

    def starts_anew(self) -> None:
        """The program was started again: whatever was pressed is forgotten."""
        self._wait()
        self._verdicts = self._verdicts_now = 0

    def _at(self, desk: Desk, state: PublicState) -> None:
        self._verdicts_now = desk.verdicts
        if state != self._for:
            self._for = state
            self._forget()
        if desk.comparing is not None:
            if desk.comparing.difference:
                self._forget()
                self._arrange(state)
        elif desk.offer is not None:
            self._answer(desk)
        elif desk.waiting is not None:
            return
        elif state.phase is Phase.MATCH_OVER:
            self._press(Button.WHITE, again_s=4.0)
        elif state.to_act is None:
            if not self._arrange(state):
                self._press(Button.WHITE, again_s=8.0, first_s=8.0)
        else:
            self._turn(desk, state, state.to_act)

    def _turn(self, desk: Desk, state: PublicState, side: Side) -> None:
        if self._plan is None and self.meaning is None:
            if not self._arrange(state):
                self._choose(state, side)
            return
        if self.meaning is Meaning.UNDO:
            self._press(Button.UNDO, again_s=8.0)
            return
        if self._pressed and desk.verdicts > self._verdicts:
            if self.meaning is Meaning.GIVE_UP:
                self._wait()
                self._rests_until_s = self._world.now_s + 0.8
            else:
                # Refused: it is put back, and chosen anew. Whether that was right is not theirs to judge.
                self._forget()
            return
        waits_s = 0.0 if self._presses or self.meaning is not Meaning.PLAY else 20.0
        self._press(OWN[side], again_s=8.0, first_s=waits_s)

    def _forget(self) -> None:
        self._plan, self.meaning = None, None
        self._wait()

    def _wait(self) -> None:
        """Nothing has been pressed yet for what comes now."""
        self._since_s: float | None = None
        self._pressed = False

    def _choose(self, state: PublicState, side: Side) -> None:
        full = self.full
        assert full is not None
        if state.previous is not None and self._rng.random() < 0.05:
            self.meaning = Meaning.UNDO
            return
        chosen = RandomBot().choose(full.view(side), self._rng)
        if isinstance(chosen, GiveUp):
            self.meaning, spaces = Meaning.GIVE_UP, state.spaces
            self._plan = TurnEvent(chosen.cards, spaces.white, spaces.black)
        else:
            self.meaning, self._plan = Meaning.PLAY, turn_event(state, chosen)
            if self._rng.random() < 0.1:
                spoiled = misplay(state, self._plan, full.hands[side], self._rng)
                if spoiled is not None and not set(spoiled.event.cards) & set(state.played):
                    self.meaning, self._plan = Meaning.MISPLAY, spoiled.event
        self._lay_and_move(self._plan)

    def _answer(self, desk: Desk) -> None:
        """A turn is proposed that the eyes did not see: it is confirmed where it is the one on the table."""
        assert desk.offer is not None
        assert desk.state is not None
        scene, offered = self._world.scene, desk.offer.event
        true = {*scene.cards} - {*desk.state.played}
        right = {*offered.cards} == true and offered.spaces == scene.spaces
        player = desk.offer.turn.player
        self._press(OWN[player] if right else OWN[player.other], again_s=2.0, first_s=1.0)

    # -- hands -----------------------------------------------------------------------------------------------------

    def _arrange(self, state: PublicState) -> bool:
        """Put the table as the screen has it; whether there was anything to do."""
        scene = self._world.scene
        between = state.phase in (Phase.SETUP, Phase.ROUND_OVER)
        spaces, wanted = (START, set[Card]()) if between else (state.spaces, {*state.played})
        kept = {*wanted, *(card for card in scene.cards if state.phase is Phase.REVEAL and self._is_shown(card))}
        self._hands += [partial(self._take, card) for card in scene.cards if card not in kept]
        self._hands += [partial(self._lay, card) for card in sorted(wanted - {*scene.cards})]
        if scene.spaces != spaces:
            self._hands.append(partial(self._move, spaces))
        if state.phase is Phase.REVEAL and not self._hands:
            self._show_hands()
        return bool(self._hands)

    def _lay_and_move(self, event: TurnEvent) -> None:
        self._hands += [partial(self._lay, card) for card in event.cards]
        if event.spaces != self._world.scene.spaces:
            self._hands.insert(self._rng.randrange(len(self._hands) + 1), partial(self._move, event.spaces))

    def _is_shown(self, card: Card) -> bool:
        return self.full is not None and any(card in hand for _, hand in self.full.hands.items())

    def _show_hands(self) -> None:
        assert self.full is not None
        for side, places in ((Side.WHITE, _LEFT), (Side.BLACK, _RIGHT)):
            for card, place in zip(self.full.hands[side], places, strict=False):
                if self._world.scene.cards.get(card) != place:
                    self._hands.append(partial(self._put, card, place))

    def _lay(self, card: Card) -> None:
        taken = set(self._world.scene.cards.values())
        self._put(card, self._rng.choice([place for place in PLACES if place not in taken]))

    def _put(self, card: Card, place: Place) -> None:
        scene = self._world.scene
        self._world.scene = replace(scene, cards={**scene.cards, card: place})

    def _take(self, card: Card) -> None:
        scene = self._world.scene
        self._world.scene = replace(scene, cards={each: at for each, at in scene.cards.items() if each is not card})

    def _move(self, spaces: BySide[int]) -> None:
        self._world.scene = replace(self._world.scene, spaces=spaces)

    def _press(self, button: Button, *, again_s: float, first_s: float = 0.0) -> None:
        """Press it, now or in ``first_s``, and where nothing comes of it again after a while."""
        now_s = self._world.now_s
        if self._since_s is None:
            self._since_s = now_s
        if now_s - self._since_s >= (again_s if self._pressed else first_s):
            self._since_s, self._pressed, self._verdicts = now_s, True, self._verdicts_now
            self._world.press(button)


def revealed(full: FullState) -> RevealEvent:
    """What both hands are when they are shown."""
    white, black = full.hands.white, full.hands.black
    return RevealEvent(tuple(sorted(white)), tuple(sorted(black)))
