"""The end of a round, counted: what each turn is worth with open hands, over all that the hidden cards can be.

With few cards in the pile every hand the opponent may hold and every order of the pile can be tried. Each of them is
played to its end as if both saw all hands, and a turn is worth the mean. That is exact where nobody could use what he
does not see, and never takes a turn that wins in every case for less than that. The work is counted in positions, so
that an answer is the same on every machine, but for whoever plays by a clock. Source: RULES.md, "When the last card is
drawn"; D. Michie, Game-playing and game-learning automata (1966), for expectimax.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import lru_cache
from math import comb
from random import Random
from typing import Final, NamedTuple

from engine.players.bots.hands import DRAWN, HANDS, INDEX, SIZES
from engine.players.bots.options import APART, Option
from engine.players.bots.sparring import Stand, after_drawing, can_do, compared, last_defence
from engine.rules.cards import HAND_SIZE
from engine.rules.legal import Counts, counts_of
from engine.rules.possible import HiddenHand, unseen_cards
from engine.rules.rulesets import RuleSet
from engine.rules.state import PlayerView

CERTAIN: Final = 1.0 - 1e-9
"""From here on a value is a win: what is added up of exact chances may miss 1 by the last digits."""


BUDGET: Final = 1_500
"""Positions worked out for one turn: some 10 ms on the machine it was chosen on, 50 on a Pi 4."""
COUNTED: Final = 4
"""The largest pile whose lies are all looked at for a turn that wins in every one."""
FEWEST: Final = 5
"""Fewer lies than this say less than rounds played in the head do."""


class Layout(NamedTuple):
    """One way the hidden cards may lie, by numbers of ``HANDS``: the opponent's hand, the pile in any order, and in how
    many ways it can be made of single cards."""

    other: int
    pile: int
    ways: int


Draw = tuple[int, int, float]
"""What drawing may bring: the hand then, the pile left, the chance. A plain tuple: garbage collection passes it by."""


class OutOfBudgetError(Exception):
    """More positions than allowed, or more time: the answer would come too late."""


def never() -> bool:
    """Nobody waits."""
    return False


def layouts(unseen: Counts, pile: int) -> list[Layout]:
    """Every way so many of the unseen cards can be the pile and the rest the opponent's hand, likeliest first.

    The pile holds at most five cards, and the opponent's hand too: ``pile`` is their number.
    """
    found = [Layout(_rest(unseen, cards), INDEX[cards], ways) for cards, ways in HiddenHand(unseen, pile).hands()]
    return sorted(found, key=lambda each: -each.ways)


def _rest(unseen: Counts, gone: Counts) -> int:
    one, two, three, four, five = (there - away for there, away in zip(unseen, gone, strict=True))
    return INDEX[(one, two, three, four, five)]


@lru_cache(maxsize=1 << 13)
def draws(hand: int, pile: int) -> tuple[Draw, ...]:
    """Everything filling up this hand from this pile can bring; the chances add up to one."""
    count = min(HAND_SIZE - SIZES[hand], SIZES[pile])
    there = HANDS[pile]
    total = comb(SIZES[pile], count)
    found = []
    for taken, ways in HiddenHand(there, count).hands():
        full = hand
        for place, cards in enumerate(taken):
            for _ in range(cards):
                full = DRAWN[full][place]
        found.append((full, _rest(there, taken), ways / total))
    return tuple(found)


class Endgame:
    """Values of positions near the end of the pile with open hands, remembered while one turn is thought about."""

    def __init__(self, rules: RuleSet, budget: int, late: Callable[[], bool] = never) -> None:
        """``budget``: the most positions worked out before ``OutOfBudgetError`` is raised, ``late``: whether it is to
        be raised at once."""
        self._rules = rules
        self._late = late
        self._budget = budget
        self._values: dict[tuple[int, int, int, int, int, int], float] = {}

    @property
    def spent(self) -> int:
        """The positions worked out so far."""
        return len(self._values)

    def wins_at_once(self, stand: Stand, option: Option, unseen: Counts) -> bool:
        """Whether no hand the opponent may hold can answer this turn, by counting what is unseen."""
        pile = after_drawing(option.left, stand.pile)
        if not option.attack and not pile:
            return False
        size = min(HAND_SIZE, sum(unseen) - stand.pile)
        return not any(
            self._answers(stand, option, INDEX[cards], pile) for cards, _ in HiddenHand(unseen, size).hands()
        )

    def _answers(self, stand: Stand, option: Option, other: int, pile: int) -> tuple[Option, ...]:
        distance = stand.distance - option.play.move
        theirs = APART - stand.distance - stand.gained
        return can_do(Stand(other, distance, theirs, option.attack, pile), self._rules)

    def after(self, stand: Stand, option: Option, layout: Layout) -> float:
        """What the turn is worth to whoever makes it, if the hidden cards lie like this: 1 won, 0.5 drawn, 0 lost."""
        return self._after(option, stand.distance, stand.gained, layout.other, layout.pile)

    def _after(self, option: Option, distance: int, gained: int, other: int, pile: int) -> float:
        (_, move, _), left, attack = option
        distance -= move
        gained += move
        if not pile:  # the last defence has been made
            return compared(self._rules, left, other, distance, gained, retreated=move < 0).share
        theirs = APART - distance - gained
        total = 0.0
        for hand, rest, chance in draws(left, pile):
            if rest:
                total += chance * (1.0 - self._value(other, hand, distance, theirs, attack, rest))
            elif attack:
                total += chance * (1.0 - last_defence(self._rules, Stand(other, distance, theirs, attack, 0), hand))
            else:
                total += chance * compared(self._rules, hand, other, distance, gained, retreated=False).share
        return total

    def _value(self, hand: int, other: int, distance: int, gained: int, attack: int, pile: int) -> float:
        """What the position is worth to the player to act, who holds ``hand``."""
        key = (hand, other, distance, gained, attack, pile)
        found = self._values.get(key)
        if found is not None:
            return found
        if len(self._values) >= self._budget or self._late():
            raise OutOfBudgetError
        best = 0.0
        for option in can_do(Stand(hand, distance, gained, attack, SIZES[pile]), self._rules):
            worth = self._after(option, distance, gained, other, pile)
            if worth > best:
                best = worth
                if best >= CERTAIN:
                    break
        self._values[key] = best
        return best


def thinking(view: PlayerView, late: Callable[[], bool] = never) -> tuple[Endgame, Counts]:
    """What a player needs to count: an endgame with its budget whole, and what he has not seen of each value."""
    return Endgame(view.public.rules, BUDGET, late), counts_of(unseen_cards(view.public, view.hand))


def certain_win(endgame: Endgame, unseen: Counts, stand: Stand, choices: Sequence[Option]) -> Option | None:
    """A turn that wins against every hand and every draw, None where there is none or the budget does not show one.

    What nobody can answer is found with any pile, the rest with piles of up to ``COUNTED`` cards.
    """
    for option in choices:
        if endgame.wins_at_once(stand, option, unseen):
            return option
    if not 0 < stand.pile <= COUNTED:
        return None
    lying = layouts(unseen, stand.pile)
    try:
        for option in choices:
            if all(endgame.after(stand, option, layout) >= CERTAIN for layout in lying):
                return option
    except OutOfBudgetError:
        pass
    return None


def best_counted(
    endgame: Endgame, unseen: Counts, stand: Stand, choices: Sequence[Option], rng: Random
) -> Option | None:
    """The turn worth most over all that the hidden cards can be, each lie as likely as the ways to make it.

    Of equals whichever comes first in ``choices``. Where the budget does not reach all lies, those tried are drawn
    evenly, each turn in the same ones; None where it reaches fewer than ``FEWEST`` of more than that.
    """
    lying = layouts(unseen, stand.pile)
    worths = [0.0] * len(choices)
    tried = 0
    try:
        for layout in rng.sample(lying, len(lying)):
            found = [endgame.after(stand, option, layout) for option in choices]
            worths = [worth + layout.ways * more for worth, more in zip(worths, found, strict=True)]
            tried += 1
    except OutOfBudgetError:
        if tried < FEWEST:
            return None
    return choices[max(range(len(choices)), key=lambda place: round(worths[place], 9))]
