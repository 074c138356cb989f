"""The teacher's hands at the simulated table: they set up, and play the other side of whoever learns alone."""

from __future__ import annotations

from random import Random
from typing import Final

from engine.lessons.lesson import PracticeRound, Step, StepStage, Telling, Values
from engine.players.bots.strengths import STRENGTHS
from engine.rules.actions import GiveUp
from engine.rules.cards import Card
from engine.rules.state import Phase, PlayerView
from firmware.hands.acts import Act, Clear, MoveTo, TimedAct
from firmware.hands.lesson_hands import LessonHands
from firmware.hands.rival import deed_acts, reveal_acts, turn_acts
from firmware.hands.table_top import TableTop

AGAIN_S: Final = 9.0
"""So long the teacher waits for an answer before the same is done once more."""


class TeachersHands:
    """What the teacher's hands do next, as acts. ``hands`` are those of the lesson; ``rng`` moves them about."""

    def __init__(self, hands: LessonHands, rng: Random) -> None:
        self._hands, self._rng = hands, rng
        self._bot = STRENGTHS[min(STRENGTHS, key=list(STRENGTHS).index)]()
        self._about: object = None
        self._done_s = 0.0

    def acts(self, told: Telling, top: TableTop, now_s: float, *, held: bool) -> tuple[TimedAct, ...]:
        """The acts that are due. ``held``: the game is held by somebody else, whom a press would reach."""
        about = (told.lesson, told.place, told.stage, told.tries, told.state, told.answer)
        if about == self._about and now_s < self._done_s + AGAIN_S:
            return ()
        if told.stage is StepStage.SETUP:
            acts = self._set_up(told, now_s)
        elif told.stage is StepStage.DO and not held:
            acts = self._does(told, top, now_s)
        else:
            acts = ()
        self._about = about
        self._done_s = acts[-1].t_s if acts else now_s
        return acts

    def _set_up(self, told: Telling, now_s: float) -> tuple[TimedAct, ...]:
        """Everything as the step begins: no cards, both fencers where it says."""
        stand: list[Act] = [MoveTo(side, space) for side, space in told.state.spaces.items()]
        return tuple(TimedAct(round(now_s, 6), act) for act in (Clear(), *stand))

    def _does(self, told: Telling, top: TableTop, now_s: float) -> tuple[TimedAct, ...]:
        step, state, pupil = told.step, told.state, told.pupil
        if pupil is None or told.puzzle is not None:
            return ()
        if state.phase is Phase.ROUND_OVER and told.looks_on:
            return (TimedAct(round(now_s, 6), Clear()),)
        if state.phase is Phase.REVEAL:
            return reveal_acts(pupil.other, self._hands.hand(pupil.other), now_s, self._rng)
        if state.to_act is not pupil.other:
            return ()
        if isinstance(step, PracticeRound):
            return self._plays(step, told, top, now_s)
        if isinstance(step, Step) and told.looks_on:
            side, deed = pupil.other, step.deed
            cards = _cards_of(self._hands.hand(side), deed.values)
            space = state.spaces[side] + side.forward * deed.forward if deed.forward else None
            return deed_acts(side, cards, space, top, now_s, self._rng, presses=2 if deed.gives_up else 1)
        return ()

    def _plays(self, practice: PracticeRound, told: Telling, top: TableTop, now_s: float) -> tuple[TimedAct, ...]:
        """A turn of a practice round, with what was learned so far: who has not learned to parry gives up."""
        state = told.state
        assert state.to_act is not None
        view = PlayerView(state, state.to_act, self._hands.hand(state.to_act))
        chosen = self._bot.choose(view, Random(f"{state.round} {len(state.played)}"))
        if "parry" in practice.without and state.attack is not None:
            chosen = GiveUp()
        return turn_acts(view, chosen, top, now_s, self._rng)


def _cards_of(hand: tuple[Card, ...], values: Values) -> tuple[Card, ...]:
    """Cards of these values out of this hand, as far as it has them."""
    left = list(hand)
    found = []
    for value in values:
        card = next((each for each in left if each.value == value), None)
        if card is not None:
            left.remove(card)
            found.append(card)
    return tuple(found)
