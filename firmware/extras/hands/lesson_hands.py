"""The cards in the hands of those who take a lesson at the simulated table: those that the lesson gives them.

In a practice round they are dealt from a whole deck, and drawn as in a match.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Collection
from random import Random
from typing import Final

from display.tabletop.model import Fan
from engine.lessons.lesson import PracticeRound, Step, StepStage, Telling, Values
from engine.players.bots.strengths import STRENGTHS
from engine.rules.cards import DECK, LETTERS, Card
from engine.rules.legal import GiveUp
from engine.rules.state import Phase, PlayerView, PublicState
from engine.rules.track import BySide, Side
from firmware.extras.hands.rival import deed_acts, holding, reveal_acts, turn_acts
from firmware.extras.hands.table_top import Act, Clear, MoveTo, TableTop, TimedAct

Told = Callable[[], Telling]
"""Gives the teacher's text now."""


class LessonHands:
    """Both hands as ``told`` names them, by value. A card keeps its letter for as long as it is in a hand or was laid
    out of it in this turn. ``rng`` shuffles for practice rounds."""

    def __init__(self, told: Told, rng: Random | None = None) -> None:
        self._told = told
        self._rng = rng or Random()
        self._first: PublicState | None = None
        self._deck: tuple[Card, ...] = ()
        self._hands: BySide[tuple[Card, ...]] = BySide((), ())

    @property
    def told(self) -> Telling:
        """The teacher's text now."""
        return self._told()

    @property
    def to_set_up(self) -> PublicState | None:
        """The position that is to be set up now; None while there is none, and once it stands."""
        told = self._told()
        return told.state if told.stage is StepStage.SETUP and told.remedies != () else None

    def fans(self, lying: Collection[Card]) -> tuple[Fan, ...]:
        """The hand of whoever is to act, or both where hands are shown, without the cards that lie on the table.

        Alone, one's own hand.
        """
        told = self._told()
        if isinstance(told.step, PracticeRound):
            self._hands = self._dealt(told.state)
        else:
            for side in Side:
                self._hands = self._hands.put(side, self._given(told, side, lying))
        shown = tuple(Side) if told.state.phase is Phase.REVEAL else (told.state.to_act,)
        shown = shown if told.pupil is None else (told.pupil,)
        return tuple(
            Fan(side, tuple(card for card in self._hands[side] if card not in lying)) for side in Side if side in shown
        )

    def hand(self, side: Side) -> tuple[Card, ...]:
        """The cards that this side holds, those among them that it has laid in its open turn."""
        return self._hands[side]

    def _dealt(self, state: PublicState) -> BySide[tuple[Card, ...]]:
        """Both hands of a practice round as it stands; a deck is shuffled for every practice round that begins."""
        if state.previous is None and state is not self._first:
            self._first = state
            self._deck = tuple(self._rng.sample(DECK, len(DECK)))
        return holding(self._deck, state).hands

    def _given(self, told: Telling, side: Side, lying: Collection[Card]) -> tuple[Card, ...]:
        """Cards of the values that this side is to hold: those it has, cards in hand first, then others."""
        has, wanted = self._hands[side], told.hands[side]
        if Counter(card.value for card in has) == Counter(wanted):
            return has
        kept: list[Card] = []
        for value in wanted:
            own = [card for card in has if card.value == value and card not in kept]
            own.sort(key=lambda card: card in lying)
            taken = {*kept, *lying, *self._hands[side.other]}
            kept.append((own or _free(value, taken, told.state.played))[0])
        return tuple(kept)


def _free(value: int, taken: Collection[Card], gone: Collection[Card]) -> list[Card]:
    """Cards of this value that nobody has, those first that are not said to be gone."""
    cards = [card for letter in LETTERS if (card := Card(value, letter)) not in taken]
    return sorted(cards, key=lambda card: card in gone)


AGAIN_S: Final = 9.0
"""So long the teacher waits for an answer before the same is done once more."""


class TeachersHands:
    """The next acts of the teacher's hands. ``hands`` are those of the lesson; ``rng`` moves them about."""

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
