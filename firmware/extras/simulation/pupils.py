"""Two pupils at the simulated table: they do what the lesson on the screen says, and make its mistakes on purpose.

They know what the screen shows (``look``), and nothing else.
"""

from __future__ import annotations

import random
from collections.abc import Callable
from typing import Any, Final

from engine.lessons.lesson import Deed, PracticeRound, Question, Step, StepStage, Telling, Values
from engine.players.players import Bot, GreedyBot
from engine.rules.cards import LETTERS, Card
from engine.rules.events import MatchEvent, RevealEvent, RoundEvent, TurnEvent
from engine.rules.state import PublicState
from engine.rules.track import START, BySide, Side
from engine.table.presses import Button, Press
from firmware.extras.simulation.actors import Actors, Script, Shown, StuckMatchError, Tick
from firmware.extras.simulation.director import Director
from vision.printed.table import Table

PATIENCE_S: Final = 14.0
"""How long they wait for the screen to answer before they try again."""
TRIES: Final = 4


class Pupils(Actors):
    """Takes the lessons that are shown, to the end of the last one; then ``director`` has the match, if one begins.

    ``mistakes`` is the chance that a likely mistake of a step is made before it is done right, and in the match ten
    times that of a misplay a turn. ``made`` are those of the lessons, by lesson, step and name, each with the answer
    that the screen gave.
    """

    def __init__(self, table: Table, rng: random.Random, tick_s: float, *, mistakes: float = 0.0) -> None:
        super().__init__(table, rng, tick_s)
        self._mistakes = mistakes
        self._told: Telling | None = None
        self._over = False
        self._before: tuple[str, StepStage] | None = None
        self._known: frozenset[Card] = frozenset()
        self.made: list[tuple[str, str, str, str]] = []
        self.director: Director | None = None
        self._script = self._take_lessons()

    def look(self, told: Telling, over: bool = False) -> None:
        """Show them the screen; ``over``: the lessons are."""
        self._told, self._over = told, over

    def begin(self, match: MatchEvent) -> None:
        """Play this match from now on, at the table as it stands after the last lesson."""
        bots: BySide[Bot] = BySide(GreedyBot(), GreedyBot())
        given: dict[str, Any] = {"tick_s": self._tick_s, "mistakes": self._mistakes / 10, "stage": self.stage}
        self.director = Director(self.stage.table, match, bots, self._rng, **given)

    def tick(self, now_s: float, shown: Shown | None) -> Tick | None:
        return super().tick(now_s, shown) if self.director is None else self.director.tick(now_s, shown)

    def _take_lessons(self) -> Script:
        yield from self._wait(1.2)
        tries = 0
        while not self._over:
            told = self._told
            if told is None:
                yield
                continue
            at = _where(told)
            yield from self._wait(0.6)
            yield from self._stage_of(told)
            yield from self._while(_where, at)
            tries = tries + 1 if self._told is not None and _where(self._told) == at else 0
            if tries >= TRIES:
                raise StuckMatchError(f"{TRIES} tries at {at} failed")

    def _stage_of(self, told: Telling) -> Script:
        if told.stage is StepStage.SETUP:
            yield from self._set_up(told)
            yield from self._press(Button.ACT)
        elif told.stage is StepStage.DO and isinstance(told.step, Step):
            self._known = frozenset(self.stage.cards)
            yield from self._do(told, told.step)
        elif told.stage is StepStage.DO and isinstance(told.step, PracticeRound):
            yield from self._play(told.step)
        elif told.stage is StepStage.BACK:
            yield from self._put_back(told.state)
        elif told.stage is StepStage.ASK and isinstance(told.step, Question):
            yield from self._reply(told, told.step)
        else:
            yield from self._press(self._rng.choice((Button.WHITE, Button.BLACK, Button.ACT)))

    def _set_up(self, told: Telling) -> Script:
        if self.stage.cards:
            yield from self._sweep()
        yield from self._figures(told.state.spaces)
        yield from self._wait(1.0)

    def _figures(self, spaces: BySide[int]) -> Script:
        # A figure that has to pass the other's place waits until the other has moved.
        sides = [side for side in Side if self.stage.spaces[side] != spaces[side]]
        if len(sides) == 2 and spaces.white >= self.stage.spaces.black:
            sides.reverse()
        for side in sides:
            yield from self._move_figure(side, side, spaces[side])
            yield from self._withdraw(side)

    def _do(self, told: Telling, step: Step) -> Script:
        for mistake in step.mistakes:
            if self._rng.random() < self._mistakes:
                yield from self._perform(told, step, mistake.deed)
                yield from self._answered()
                answer = self._told.answer if self._told is not None else ""
                self.made.append((told.lesson.id, step.id, mistake.name, answer))
                yield from self._put_back(told.state)
                yield from self._while(lambda told: told.stage, StepStage.BACK)
                yield from self._wait(1.0)
        yield from self._perform(told, step, step.deed)

    def _play(self, practice: PracticeRound) -> Script:
        """One way the practice round may go: a turn after the other, each once the one before it was accepted."""
        for deed in practice.deeds:
            told = self._told
            side = None if told is None else told.state.to_act
            if told is None or side is None:
                return
            yield from self._carry_out(told.state, side, deed)
            yield from self._while(lambda told: told.state, told.state)

    def _while(self, of: Callable[[Telling], object], before: object) -> Script:
        """Wait while the screen shows the same as before, but not for ever."""
        until_s = self._now_s + PATIENCE_S
        while self._told is not None and of(self._told) == before and not self._over and self._now_s < until_s:
            yield

    def _answered(self) -> Script:
        """Wait until the screen answers the last press: an answer that stood there before it is to another deed."""
        until_s = self._now_s + PATIENCE_S
        while self._now_s < until_s:
            if self._told is not None and (self._told.answer, self._told.stage) != self._before:
                return
            yield

    def _perform(self, told: Telling, step: Step, deed: Deed) -> Script:
        event = step.wanted.event
        if event == RoundEvent.name:
            if self.stage.cards:
                yield from self._sweep()
            yield from self._figures(START)
            return
        if event == RevealEvent.name:
            yield from self._show(told, deed)
            return
        if told.state.to_act is not None:
            yield from self._carry_out(told.state, told.state.to_act, deed)

    def _carry_out(self, state: PublicState, side: Side, deed: Deed) -> Script:
        cards = self._cards_of(deed.values)
        moved = {side: deed.forward, side.other: deed.other}
        spaces = BySide(*(state.spaces[each] + each.forward * moved[each] for each in Side))
        if cards or spaces != state.spaces:
            yield from self._act(side, TurnEvent(cards, spaces.white, spaces.black))
        yield from self._press(Button(side.value))
        if deed.gives_up:
            yield from self._wait(2.0)
            yield from self._press(Button(side.value))

    def _show(self, told: Telling, deed: Deed) -> Script:
        """Lay both hands face up; a card too few is noticed only when somebody presses."""
        white = deed.values or told.hands.white
        lying: list[Card] = []
        for side, values in ((Side.WHITE, white), (Side.BLACK, told.hands.black)):
            for number, card in enumerate(self._cards_of(values, lying)):
                lying.append(card)
                yield from self._lay(side, self.stage.show(side, card, number))
            yield from self._withdraw(side)
        if deed.values:
            yield from self._press(Button.WHITE)

    def _put_back(self, state: PublicState) -> Script:
        """Take back what was laid since, and stand the fencers where they stood."""
        for card in [card for card in self.stage.cards if card not in self._known]:
            yield from self._take_back(Side.WHITE if state.to_act is None else state.to_act, card)
        yield from self._withdraw(Side.WHITE)
        yield from self._withdraw(Side.BLACK)
        yield from self._figures(state.spaces)
        yield from self._wait(1.0)

    def _reply(self, told: Telling, question: Question) -> Script:
        if self._rng.random() < self._mistakes and not told.answer:
            yield from self._press(Button(question.right.other.value))
            yield from self._answered()
            answer = self._told.answer if self._told is not None else ""
            self.made.append((told.lesson.id, question.id, "wrong", answer))
            yield from self._wait(1.0)
        yield from self._press(Button(question.right.value))

    def _cards_of(self, values: Values, besides: list[Card] | None = None) -> tuple[Card, ...]:
        """Cards of these values from the hand: any that do not lie on the table; where all five lie, one of those."""
        lying = {*self.stage.cards, *(besides or [])}
        cards: list[Card] = []
        for value in values:
            left = [card for letter in LETTERS if (card := Card(value, letter)) not in cards]
            cards.append(self._rng.choice([card for card in left if card not in lying] or left))
        return tuple(cards)

    def _press(self, button: Button) -> Script:
        yield from self._wait(0.8)
        self._before = (self._told.answer, self._told.stage) if self._told is not None else None
        self._presses.append(Press(self._now_s, button))
        yield


def _where(told: Telling) -> tuple[str, int, StepStage]:
    return told.lesson.id, told.place, told.stage
