"""The last two cards of the pile when nobody sees the other's hand: both learn by minimising regret.

Where ``engine.players.bots.hidden_end`` takes the hand of whoever acts to be known to the other, here it is hidden as
at the table: any cards not played may be in it, each deal as likely as the ways to make it, and the other
learns what to answer from their hand and the turn alone. With two cards in the pile one answer is given so; after it
all is open. Both learn by a few rounds of CFR+ over all their hands. Source: O. Tammelin, Solving large imperfect
information games using CFR+ (2014).
"""

from __future__ import annotations

from collections.abc import Sequence
from operator import mul
from typing import Final

from engine.players.bots.endgame import LAST_CARD, Endgame, OutOfBudgetError, counted, draws, layouts
from engine.players.bots.hidden_end import GAP, WITHIN, InformationSet, Work, best_of_close
from engine.players.bots.options import APART, HANDS, INDEX, SIZES, Option
from engine.players.bots.sparring import Stand, after_drawing, can_do
from engine.rules.cards import VALUES
from engine.rules.legal import Counts, Play
from engine.rules.possible import HiddenHand

PILE: Final = 2
"""The pile that is solved so."""
ENOUGH: Final = 4
"""Rounds of learning that are always enough: as good as twenty within .00005 of a turn's worth (STRENGTH.md)."""
NEEDED: Final = 3
"""Rounds without which nothing is said."""
WORK: Final = 18_000
"""What may be spent, in ends of a round that are worked out: some 22 ms on the machine it was chosen on, and larger
positions are left to ``hidden_end``."""
PASSED: Final = 2
"""Ways from a turn to an answer that take as long to go through in a round of learning as one such end."""
LEARNS: Final = 6
"""How many of these ways take as long as it takes the other to learn with one hand."""


class _Answerer:
    """The other with one hand after one turn, and the worth of each answer by the last card."""

    def __init__(self, answers: int) -> None:
        self.worths: list[list[float]] = [[0.0] * answers for _ in VALUES]
        self.there: set[int] = set()
        """The last cards whose row is worked out."""
        self.learner = InformationSet(answers)

    def learn(self, met: Sequence[float], weight: int) -> None:
        """``met``: how likely each last card is together with this hand, as turns are chosen now."""
        self.learner.learn([sum(map(mul, met, column)) for column in zip(*self.worths, strict=True)], weight)

    def brought(self, mix: Sequence[float]) -> list[float]:
        """The worth of these answers by the last card."""
        return [sum(map(mul, mix, worths)) for worths in self.worths]


class _Actor:
    """The player to act, with one hand: the turns, the most each brings, and where it may be answered."""

    def __init__(self, options: Sequence[Option]) -> None:
        self.options = options
        self.most = [0.0] * len(options)
        self.places: list[list[int]] = [[] for _ in options]
        self.likely: list[list[float]] = [[] for _ in options]
        self.learner = InformationSet(len(options))

    def meet(self, met: list[float]) -> None:
        for chosen, places, likely in zip(self.learner.mix, self.places, self.likely, strict=True):
            if chosen:
                for place, chance in zip(places, likely, strict=True):
                    met[place] += chosen * chance

    def worths(self, brought: Sequence[float]) -> list[float]:
        """What each turn is worth, if the answers bring the other so much by their place."""
        return [
            most - sum(map(mul, likely, map(brought.__getitem__, places)))
            for most, places, likely in zip(self.most, self.places, self.likely, strict=True)
        ]


class OwnHidden:
    """All hands of both with two cards in the pile, and how they learn to play them."""

    def __init__(self, endgame: Endgame, unplayed: Counts, stand: Stand, work: Work) -> None:
        """``unplayed``: cards of each value that nobody has seen played. Raises OutOfBudgetError."""
        self._endgame, self._unplayed, self._stand, self._work = endgame, unplayed, stand, work
        self._numbers: dict[tuple[int, Play], int] = {}
        self._answerers: list[_Answerer] = []
        self._actors: dict[int, _Actor] = {}
        self._leads = 0
        self._chance = 0.0
        """How likely the player to act holds this hand."""
        whole = HiddenHand(unplayed, SIZES[stand.hand])
        for cards, ways in whole.hands():
            self._add(cards, ways / whole.ways())
        self._brought = [0.0] * (len(VALUES) * len(self._answerers))

    def learn(self) -> None:
        """Rounds of learning: the other learns from the turns chosen now, then the player to act from the answers.

        Raises OutOfBudgetError where there is not enough for as many as are needed.
        """
        actors = self._actors.values()
        each_round = (self._leads + LEARNS * len(self._answerers)) // PASSED
        for number in range(1, ENOUGH + 1):
            if number > NEEDED and self._work.left < each_round:
                break
            self._work.spend(each_round)
            met = [0.0] * len(self._brought)
            for actor in actors:
                actor.meet(met)
            for place, answerer in enumerate(self._answerers):
                here = slice(len(VALUES) * place, len(VALUES) * (place + 1))
                if any(met[here]):
                    answerer.learn(met[here], number)
                if number == 1 or any(met[here]):
                    self._brought[here] = answerer.brought(answerer.learner.mix)
            for actor in actors:
                actor.learner.learn(actor.worths(self._brought), number)
        for place, answerer in enumerate(self._answerers):
            here = slice(len(VALUES) * place, len(VALUES) * (place + 1))
            self._brought[here] = answerer.brought(answerer.learner.mean())

    def worths(self) -> dict[Play, float]:
        """The worth of each turn to the player to act, with the hand held, against the other's average answers."""
        actor = self._actors[self._stand.hand]
        worths = actor.worths(self._brought)
        return {option.play: worth / self._chance for option, worth in zip(actor.options, worths, strict=True)}

    def _add(self, cards: Counts, chance: float) -> None:
        """Add the player to act with these cards, held by this chance."""
        hand = INDEX[cards]
        options = can_do(self._stand._replace(hand=hand), self._endgame.rules)
        if not options:
            return
        actor = self._actors[hand] = _Actor(options)
        if hand == self._stand.hand:
            self._chance = chance
        one, two, three, four, five = (there - held for there, held in zip(self._unplayed, cards, strict=True))
        lying = layouts((one, two, three, four, five), PILE)
        share = chance / sum(layout.ways for layout in lying)
        for place, option in enumerate(options):
            if not after_drawing(option.left, PILE):
                self._work.spend(2 * len(lying))
                worth = sum(layout.ways * self._endgame.after(self._stand, option, layout) for layout in lying)
                actor.most[place] = share * worth
                continue
            actor.most[place] = chance
            for layout in lying:
                for mine, rest, likely in draws(option.left, layout.pile):
                    card = LAST_CARD[rest]
                    number = self._answerer(option, layout.other, mine, card)
                    if number is not None:
                        actor.places[place].append(len(VALUES) * number + card)
                        actor.likely[place].append(likely * share * layout.ways)
            self._leads += len(actor.places[place])
            self._work.spend(len(actor.places[place]))

    def _answerer(self, option: Option, other: int, mine: int, card: int) -> int | None:
        """The number of the other with this hand after the turn; None where the other is hit or stuck.

        The other's hand, the turn and the last card leave one hand to the player to act: the answers are worth the same
        whatever was drawn.
        """
        number = self._numbers.get((other, option.play))
        if number is not None and (number < 0 or card in self._answerers[number].there):
            return None if number < 0 else number
        distance, gained = self._stand.distance - option.play.move, self._stand.gained + option.play.move
        worths = self._endgame.last_turns((other, distance, APART - distance - gained, option.attack), mine, card)
        self._work.spend(1 + len(worths))
        if number is None:
            number = len(self._answerers) if worths else -1
            self._numbers[other, option.play] = number
            if number < 0:
                return None
            self._answerers.append(_Answerer(len(worths)))
        self._answerers[number].worths[card] = worths
        self._answerers[number].there.add(card)
        return number


def best_of_last_two(endgame: Endgame, unseen: Counts, stand: Stand, choices: Sequence[Option]) -> Option | None:
    """The turn worth most when both hands are hidden, among those that counting finds close; two cards in the pile.

    Of equals within ``GAP`` the one that counting likes more. Where there is more to learn than ``WORK`` allows, the
    hand of the player to act is taken for known (``hidden_end``). ``unseen``: the cards that player has not seen.
    """
    close = counted(endgame, unseen, stand, choices, WITHIN)
    if len(close) < 2:
        return close[0] if close else None
    one, two, three, four, five = (there + held for there, held in zip(unseen, HANDS[stand.hand], strict=True))
    try:
        both = OwnHidden(endgame, (one, two, three, four, five), stand, Work(WORK))
        both.learn()
    except OutOfBudgetError:
        return best_of_close(endgame, unseen, stand, close)
    worths = both.worths()
    enough = max(worths[option.play] for option in close) - GAP
    return next(option for option in close if worths[option.play] >= enough)
