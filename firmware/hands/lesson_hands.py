"""The cards in the hands of those who take a lesson at the simulated table: those that the lesson gives them.

In a practice round they are dealt from a whole deck, and drawn as in a match.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Collection
from random import Random

from display.tabletop.model import Fan
from engine.lessons.lesson import PracticeRound, StepStage, Telling
from engine.rules.cards import DECK, LETTERS, Card
from engine.rules.state import Phase, PublicState
from engine.rules.track import BySide, Side
from firmware.hands.dealt import holding

Told = Callable[[], Telling]
"""What the teacher tells now."""


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
