"""The last four cards of the pile with hidden hands: turns that counting finds close, solved by minimising regret.

Counting with open hands (``engine.players.bots.endgame``) takes both players to see what they do not. Here each answers
by what they see: the other by their own hand and the turn, then the mover by the cards drawn and the answer.
The mover's hand counts as known to the other, the hardest opponent there can be; every lie of the hidden cards is as
likely as the ways to make it. With two cards in the pile only one answer is given without seeing all, and its best is
found at once; with three both learn by CFR+, a handful of rounds; with four the same, and what comes after the mover's
next turn is valued by counting with open hands. What the counting left of its budget is what may be
spent, counted too, so that an answer is the same on every machine. Source:
O. Tammelin, Solving large imperfect information games using CFR+ (2014).
"""

from __future__ import annotations

from collections.abc import Sequence
from operator import mul
from typing import Final

from engine.players.bots.endgame import LAST_CARD, CountedDeal, Endgame, OutOfBudgetError, counted, draws, layouts
from engine.players.bots.options import APART, HANDS, INDEX, SIZES, Option
from engine.players.bots.sparring import Stand, after_drawing, can_do
from engine.rules.cards import VALUES
from engine.rules.legal import Counts, Play, minus, plus
from engine.rules.possible import HiddenHand

SOLVED: Final = 4
"""The largest pile that is solved."""
EXACT: Final = 2
"""The largest pile left by a turn from which the round is solved to its end."""
WITHIN: Final = 0.15
"""A turn worth so much less with open hands is not solved: hidden hands make no such difference."""
GAP: Final = 1e-3
"""Best replies to both as close as this leave nothing to learn."""
CHECKED: Final = 5
"""Rounds of learning between comparisons with best replies."""
ENDS: Final = 3
"""Ends of a round that take as long to work out as a position that is counted, and numbers of them that take as long
to learn from as one to work out."""


class Work:
    """How many ends of a round may still be worked out."""

    def __init__(self, most: int) -> None:
        self.left = most

    def spend(self, ends: int) -> None:
        """Raises OutOfBudgetError where there are not as many left."""
        self.left -= ends
        if self.left < 0:
            raise OutOfBudgetError


class InformationSet:
    """An information set whose player regrets less and less (CFR+)."""

    def __init__(self, choices: int) -> None:
        self.mix = [1.0 / choices] * choices
        self._regrets = [0.0] * choices
        self._total = [0.0] * choices

    def learn(self, worths: Sequence[float], weight: int) -> None:
        """From what each choice would have brought; ``weight`` of this round in what is played in the end."""
        mean = _dot(self.mix, worths)
        self._regrets = [max(0.0, regret + worth - mean) for regret, worth in zip(self._regrets, worths, strict=True)]
        self.mix = _shared(self._regrets)
        self._total = [total + weight * part for total, part in zip(self._total, self.mix, strict=True)]

    def mean(self) -> list[float]:
        """The average strategy."""
        return _shared(self._total)


Mixes = Sequence[Sequence[float]]
FloatRow = list[float]
"""The worth of each last choice to the player who made the turn, times its chance."""


class Rest:
    """The rest of a round after a turn: its worth to the player who made it lies between ``low`` and ``high``."""

    def __init__(
        self, endgame: Endgame, stand: Stand, option: Option, lying: Sequence[CountedDeal], work: Work
    ) -> None:
        """``lying``: every lie of the hidden cards. Raises OutOfBudgetError."""
        self._sure = 0.0
        self._known: list[list[float]] = []
        """By the other's hand and answer: what the answers that end the round leave."""
        self._leads: list[list[dict[int, FloatRow]]] = []
        """By the other's hand and answer: the outcome, by the information set it leads to."""
        self._sets: dict[tuple[int, Play], int] = {}
        self._worths: dict[tuple[int, Play, int], list[float]] = {}
        """By the hand of the player who made the turn, the answer and the last card: the worth of each last choice."""
        self._endgame, self._work = endgame, work
        (_, move, _), left, attack = option
        distance, gained = stand.distance - move, stand.gained + move
        pile = after_drawing(left, stand.pile)
        ways = sum(layout.ways for layout in lying)
        for layout in lying:
            share = layout.ways / ways
            there = Stand(layout.other, distance, APART - distance - gained, attack, pile)
            if not pile or not can_do(there, endgame.rules):
                work.spend(1)
                self._sure += share * endgame.after(stand, option, layout)
            elif pile == 1:
                self._answered_last(
                    there, [(hand, rest, share * chance) for hand, rest, chance in draws(left, layout.pile)]
                )
            else:
                self._answered(there, [(hand, rest, share * chance) for hand, rest, chance in draws(left, layout.pile)])
        self._into: list[list[tuple[int, int, FloatRow]]] = [[] for _ in self._sets]
        for hand, answers in enumerate(self._leads):
            for answer, rows in enumerate(answers):
                for place, row in rows.items():
                    self._into[place].append((hand, answer, row))
        self._columns = [list(zip(*[row for _, _, row in into], strict=True)) for into in self._into]
        self._numbers = sum(len(columns) * len(columns[0]) for columns in self._columns)
        self._theirs = [InformationSet(len(known)) for known in self._known]
        self._mine = [InformationSet(len(columns)) for columns in self._columns]
        self.rounds = 0
        self.low, self.high = 0.0, 1.0
        if not self._sets:
            self.low = self.high = self._sure + sum(map(min, self._known))

    @property
    def value(self) -> float:
        return (self.low + self.high) / 2

    def learn(self) -> None:
        """One round: the other learns from the turns chosen now, then the player who made the turn from the answers.

        Raises OutOfBudgetError; ``low`` and ``high`` hold all the same.
        """
        self._work.spend(self._numbers // ENDS)
        self.rounds += 1
        costs = self._costs([each.mix for each in self._mine])
        self._bound_low(costs)
        for learner, cost in zip(self._theirs, costs, strict=True):
            learner.learn([-each for each in cost], self.rounds)
        mixes = [each.mix for each in self._theirs]
        gains = self._gains(mixes)
        self._bound_high(mixes, gains)
        for learner, gain in zip(self._mine, gains, strict=True):
            learner.learn(gain, self.rounds)
        if self.rounds % CHECKED == 0:
            self._bound_low(self._costs([each.mean() for each in self._mine]))
            mixes = [each.mean() for each in self._theirs]
            self._bound_high(mixes, self._gains(mixes))

    def _answered_last(self, there: Stand, drawn: Sequence[tuple[int, int, float]]) -> None:
        """The other answers with one card in the pile, from their hand alone: after that all is open."""
        hand, distance, gained, attack, _ = there
        costs: list[float] = []
        for mine, rest, chance in drawn:
            worths = self._endgame.last_turns((hand, distance, gained, attack), mine, LAST_CARD[rest])
            self._work.spend(len(worths))
            costs = [
                cost + chance * (1.0 - worth) for cost, worth in zip(costs or [0.0] * len(worths), worths, strict=True)
            ]
        self._known.append(costs)
        self._leads.append([{} for _ in costs])

    def _answered(self, there: Stand, drawn: Sequence[tuple[int, int, float]]) -> None:
        """The other answers with two or three cards in the pile, and most answers leave one more turn to choose."""
        choices: Sequence[Option] = can_do(there, self._endgame.rules)
        if there.pile > EXACT:
            choices = self._close_answers(there, drawn, choices)
        known = [0.0] * len(choices)
        leads: list[dict[int, FloatRow]] = [{} for _ in choices]
        for place, option in enumerate(choices):
            ends = not after_drawing(option.left, there.pile)
            for mine, rest, chance in drawn:
                if ends:
                    self._work.spend(1)
                    known[place] += chance * (1.0 - self._endgame.after(there, option, CountedDeal(mine, rest, 1)))
                else:
                    self._last_choice(there, option, mine, rest, chance, leads[place])
        self._known.append(known)
        self._leads.append(leads)

    def _close_answers(
        self, there: Stand, drawn: Sequence[tuple[int, int, float]], choices: Sequence[Option]
    ) -> list[Option]:
        """The answers that counting with open hands finds close to the best."""
        before = self._endgame.spent
        worths = [
            sum(
                [
                    chance * self._endgame.after(there, option, CountedDeal(mine, rest, 1))
                    for mine, rest, chance in drawn
                ]
            )
            for option in choices
        ]
        self._work.spend(len(choices) + ENDS * (self._endgame.spent - before))
        enough = max(worths) - WITHIN * sum([chance for _, _, chance in drawn])
        return [option for option, worth in zip(choices, worths, strict=True) if worth >= enough]

    def _last_choice(
        self, there: Stand, option: Option, mine: int, rest: int, chance: float, lead: dict[int, FloatRow]
    ) -> None:
        """The player who made the turn chooses by their draw and the answer, not by the other's draw."""
        (_, move, _), left, attack = option
        distance = there.distance - move
        for other, last, likely in draws(left, rest):
            # Their draw, the answer and the cards left leave one hand to the other, whatever the other held and drew.
            worths = self._worths.get((mine, option.play, last))
            if worths is None:
                able = (mine, distance, APART - distance - there.gained - move, attack)
                before = self._endgame.spent
                if last in LAST_CARD:
                    worths = self._endgame.last_turns(able, other, LAST_CARD[last])
                else:
                    worths = self._endgame.turns(able, other, last)
                self._work.spend(len(worths) + ENDS * (self._endgame.spent - before))
                self._worths[mine, option.play, last] = worths
            self._work.spend(1)
            if not worths:  # hit or stuck
                return
            place = self._sets.setdefault((mine, option.play), len(self._sets))
            row = lead.setdefault(place, [0.0] * len(worths))
            for number, worth in enumerate(worths):
                row[number] += chance * likely * worth

    def _costs(self, mixes: Mixes) -> list[list[float]]:
        """What each answer with each hand leaves, if the last choices are these."""
        return [
            [
                sure + sum([_dot(mixes[place], row) for place, row in lead.items()])
                for sure, lead in zip(known, leads, strict=True)
            ]
            for known, leads in zip(self._known, self._leads, strict=True)
        ]

    def _gains(self, mixes: Mixes) -> list[list[float]]:
        """What each last choice brings, if the answers are these."""
        return [
            [_dot([mixes[hand][answer] for hand, answer, _ in into], column) for column in columns]
            for into, columns in zip(self._into, self._columns, strict=True)
        ]

    def _bound_low(self, costs: Mixes) -> None:
        self.low = max(self.low, self._sure + sum(map(min, costs)))

    def _bound_high(self, mixes: Mixes, gains: Mixes) -> None:
        known = sum([_dot(mix, known) for mix, known in zip(mixes, self._known, strict=True)])
        self.high = min(self.high, self._sure + known + sum(map(max, gains)))


def best_solved(endgame: Endgame, unseen: Counts, stand: Stand, choices: Sequence[Option]) -> Option | None:
    """The best turn with hidden hands among those that counting finds close, as far as the budget reaches.

    The pile holds at most ``SOLVED`` cards. Whichever turn may be worth most is learned about, until it is known to be
    the best; of equals within ``GAP`` the one that counting likes more. Where the budget ends before, the turn worth
    most by what is known. None where it does not even reach to count.
    """
    close = counted(endgame, unseen, stand, choices, WITHIN)
    return best_of_close(endgame, unseen, stand, close) if close else None


def best_of_close(endgame: Endgame, unseen: Counts, stand: Stand, close: Sequence[Option]) -> Option:
    """The same among turns that counting found close, the one that it likes most first."""
    if len(close) < 2:
        return close[0]
    lying = layouts(unseen, stand.pile)
    work = Work(ENDS * endgame.left)
    rests: list[tuple[Rest, Option]] = []
    try:
        for option in close:
            rest = Rest(endgame, stand, option, lying, work)
            if rest.high > max((each.low for each, _ in rests), default=0.0) and rest.high > rest.low:
                rest.learn()
            rests.append((rest, option))
        _learn_on([rest for rest, _ in rests])
    except OutOfBudgetError:
        pass
    if not rests:
        return close[0]
    enough = max(rest.value for rest, _ in rests) - GAP
    return next(option for rest, option in rests if rest.value >= enough)


def _learn_on(rests: Sequence[Rest]) -> None:
    """Until the one that may be worth most is known to be. Raises OutOfBudgetError."""
    while True:
        hopeful, next_best = sorted(rests, key=_high, reverse=True)[:2]
        if hopeful.high - hopeful.low <= GAP or hopeful.low >= next_best.high:
            return
        hopeful.learn()


def _high(rest: Rest) -> float:
    return rest.high


def _shared(weights: Sequence[float]) -> list[float]:
    """Parts of one by these weights, all alike where there are none."""
    total = sum(weights)
    if total <= 0.0:
        return [1.0 / len(weights)] * len(weights)
    return [weight / total for weight in weights]


def _dot(one: Sequence[float], other: Sequence[float]) -> float:
    return float(sum(map(mul, one, other)))


# With two cards in the pile the own hand is hidden, too, as at the table: any cards not played may be in it, each
# deal as likely as the ways to make it, and the other learns what to answer from their hand and the turn alone. One
# answer is given so; after it all is open. Both learn by a few rounds of CFR+ over all their hands.

LAST_TWO: Final = 2
"""The pile that is solved so."""
ENOUGH: Final = 4
"""Rounds of learning that are always enough: as good as twenty within .00005 of a turn's worth (STRENGTH.md)."""
NEEDED: Final = 3
"""Rounds without which nothing is said."""
WORK: Final = 18_000
"""What may be spent, in ends of a round that are worked out: some 22 ms on the machine it was chosen on, and larger
positions are solved with the own hand known."""
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
        lying = layouts(minus(self._unplayed, cards), LAST_TWO)
        share = chance / sum(layout.ways for layout in lying)
        for place, option in enumerate(options):
            if not after_drawing(option.left, LAST_TWO):
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
    hand of the player to act is taken for known. ``unseen``: the cards that player has not seen.
    """
    close = counted(endgame, unseen, stand, choices, WITHIN)
    if len(close) < 2:
        return close[0] if close else None
    try:
        both = OwnHidden(endgame, plus(unseen, HANDS[stand.hand]), stand, Work(WORK))
        both.learn()
    except OutOfBudgetError:
        return best_of_close(endgame, unseen, stand, close)
    worths = both.worths()
    enough = max(worths[option.play] for option in close) - GAP
    return next(option for option in close if worths[option.play] >= enough)
