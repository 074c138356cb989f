"""The end of a round, counted: what each turn is worth with open hands, over all that the hidden cards can be.

With few cards in the pile every hand the opponent may hold and every order of the pile can be tried. Each of them is
played to its end as if both saw all hands, and a turn is worth the mean. That is exact where nobody could use the
hidden cards, and never takes a turn that wins in every case for less than that. The work is counted in positions, so
that an answer is the same on every machine; it reaches everything in four of five
positions with four cards in the pile, and the likeliest in the others. Source: RULES.md, "When the last card is drawn";
D. Michie, Game-playing and game-learning automata (1966), for expectimax.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache, lru_cache
from math import comb
from operator import attrgetter
from typing import Final, NamedTuple

from engine.players.bots.options import APART, BY_PACKED, DRAWN, HANDS, HELD, INDEX, PACKED, SIZES, Option, packed
from engine.players.bots.sparring import End, Stand, after_drawing, can_do, last_defence, last_shares
from engine.rules.cards import HAND_SIZE
from engine.rules.legal import Counts, counts_of, minus
from engine.rules.possible import HiddenHand, unseen_cards
from engine.rules.rulesets import RuleSet
from engine.rules.state import PlayerView

TINY: Final = 1e-9
"""What the last digits of a sum of exact chances may miss."""
CERTAIN: Final = 1.0 - TINY
"""From here on a value is a win."""

BUDGET: Final = 4_000
"""Positions worked out for one turn: some 20 ms on the machine it was chosen on, 100 on a Pi 4."""
LARGE_BUDGET: Final = 5_000
"""The same with ``COUNTED`` cards in the pile."""
COUNTED: Final = 4
"""The largest pile whose lies are all looked at for a turn that wins in every one."""


class CountedDeal(NamedTuple):
    """One way the hidden cards may lie, by numbers of ``HANDS``: the opponent's hand, the pile in any order, and in how
    many ways it can be made of single cards."""

    other: int
    pile: int
    ways: int


AfterDraw = tuple[int, int, float]
"""What drawing may bring: the hand then, the pile left, the chance. A plain tuple: garbage collection passes it by."""


Able = tuple[int, int, int, int]
"""A player's options while there is a pile depend on the hand, the distance, the gained spaces and the attack."""
LAST_CARD: Final = {hand: place for place, hand in enumerate(DRAWN[0])}
"""The piles of one card, each with its value less one."""


class OutOfBudgetError(Exception):
    """More positions than allowed: the answer would come too late."""


def layouts(unseen: Counts, pile: int) -> list[CountedDeal]:
    """Every way so many of the unseen cards can be the pile and the rest the opponent's hand, likeliest first.

    The pile holds at most five cards, and the opponent's hand too: ``pile`` is their number.
    """
    found = [CountedDeal(_rest(unseen, cards), INDEX[cards], ways) for cards, ways in HiddenHand(unseen, pile).hands()]
    return sorted(found, key=lambda each: -each.ways)


def _rest(unseen: Counts, gone: Counts) -> int:
    return INDEX[minus(unseen, gone)]


@lru_cache(maxsize=1 << 13)
def draws(hand: int, pile: int) -> tuple[AfterDraw, ...]:
    """Everything filling up this hand from this pile can bring; the chances add up to one."""
    held = PACKED[hand]
    return tuple(
        [
            (BY_PACKED[held + taken], rest, chance)
            for taken, rest, chance in _taken(pile, min(HAND_SIZE - SIZES[hand], SIZES[pile]))
        ]
    )


@cache
def _taken(pile: int, count: int) -> tuple[AfterDraw, ...]:
    """Everything so many cards of this pile can be: packed, what is left of it, the chance."""
    there = HANDS[pile]
    total = comb(SIZES[pile], count)
    return tuple(
        [(packed(taken), _rest(there, taken), ways / total) for taken, ways in HiddenHand(there, count).hands()]
    )


class Endgame:
    """Values of positions near the end of the pile with open hands, remembered while one turn is thought about."""

    def __init__(self, rules: RuleSet, budget: int) -> None:
        """``budget``: the most positions worked out before ``OutOfBudgetError`` is raised."""
        self.rules = rules
        self._shares = last_shares(rules.name)
        self._budget = budget
        self._values: dict[tuple[int, int, int, int, int, int], float] = {}
        self._able: dict[Able, list[Option]] = {}
        self._ends: dict[Able, tuple[list[End], list[Able]]] = {}

    @property
    def spent(self) -> int:
        """The positions worked out so far."""
        return len(self._values)

    @property
    def left(self) -> int:
        """The positions that may still be worked out."""
        return self._budget - self.spent

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
        return can_do(Stand(other, distance, theirs, option.attack, pile), self.rules)

    def after(self, stand: Stand, option: Option, layout: CountedDeal) -> float:
        """The turn's worth to its player if the hidden cards lie like this: 1 won, 0.5 drawn, 0 lost."""
        return self._after(option, stand.distance, stand.gained, layout.other, layout.pile)

    def _after(self, option: Option, distance: int, gained: int, other: int, pile: int) -> float:
        (_, move, _), left, attack = option
        distance -= move
        gained += move
        if not pile:  # the last defence has been made
            return self._shares[move < 0][distance][gained][HELD[left][distance] - HELD[other][distance]]
        theirs = APART - distance - gained
        total = 0.0
        for hand, rest, chance in draws(left, pile):
            if rest:
                key = (other, hand, distance, theirs, attack, rest)
                value = self._values.get(key)
                total += chance * (1.0 - (self._value(key) if value is None else value))
            elif attack:
                total += chance * (1.0 - last_defence(self.rules, Stand(other, distance, theirs, attack, 0), hand))
            else:
                total += chance * self._shares[False][distance][gained][HELD[hand][distance] - HELD[other][distance]]
        return total

    def _value(self, key: tuple[int, int, int, int, int, int]) -> float:
        """What a new position is worth to the player to act: that hand, the other's, the distance, the spaces
        gained, the attack, the pile."""
        if len(self._values) >= self._budget:
            raise OutOfBudgetError
        hand, other, distance, gained, attack, pile = key
        able = (hand, distance, gained, attack)
        if pile in LAST_CARD:
            best = self._with_last(able, other, LAST_CARD[pile])
        else:
            best = 0.0
            for option in self._able.get(able) or self._found_able(able):
                worth = self._after(option, distance, gained, other, pile)
                if worth > best:
                    best = worth
                    if best >= CERTAIN:
                        break
        self._values[key] = best
        return best

    def _found_able(self, able: Able) -> list[Option]:
        """What can be done while there is a pile: the largest attacks first, which most often win at once."""
        hand, distance, gained, attack = able
        options = list(can_do(Stand(hand, distance, gained, attack, 1), self.rules))
        options.sort(key=attrgetter("play.attack"), reverse=True)
        self._able[able] = options
        return options

    def _with_last(self, able: Able, other: int, card: int) -> float:
        """``_value`` with one card in the pile, of this value less one: whatever is done draws it."""
        ends, strikes = self._ends.get(able) or self._found_ends(able)
        held, best, value = HELD[other], 0.0, card + 1
        for distance, own, shares in ends:
            share = shares[own + (distance == value) - held[distance]]
            if share > best:
                best = share
        if best == 1.0:
            return best
        for distance, theirs, attack, left in strikes:
            there = Stand(other, distance, theirs, attack, 0)
            best = max(best, 1.0 - last_defence(self.rules, there, DRAWN[left][card]))
        return best

    def turns(self, able: Able, other: int, pile: int) -> list[float]:
        """Each turn's worth to its player with open hands, in one order for all hands of the other and all piles."""
        _, distance, gained, _ = able
        return [
            self._after(option, distance, gained, other, pile)
            for option in self._able.get(able) or self._found_able(able)
        ]

    def last_turns(self, able: Able, other: int, card: int) -> list[float]:
        """Each turn's worth to its player with one card in the pile, of this value less one. In the same
        order for all hands of the other and all cards."""
        ends, strikes = self._ends.get(able) or self._found_ends(able)
        held, value = HELD[other], card + 1
        worths = [shares[own + (distance == value) - held[distance]] for distance, own, shares in ends]
        for distance, theirs, attack, left in strikes:
            there = Stand(other, distance, theirs, attack, 0)
            worths.append(1.0 - last_defence(self.rules, there, DRAWN[left][card]))
        return worths

    def _found_ends(self, able: Able) -> tuple[list[End], list[Able]]:
        """All that can be done with the last card to draw: how it ends at once, and the attacks, as their answerers
        see them but for the hand that is left."""
        ends: list[End] = []
        strikes: list[Able] = []
        shares = self._shares[False]
        _, distance, gained, _ = able
        for (_, move, _), left, attack in self._found_able(able):
            apart, there = distance - move, gained + move
            if attack:
                strikes.append((apart, APART - apart - there, attack, left))
            else:
                ends.append((apart, HELD[left][apart], shares[apart][there]))
        self._ends[able] = ends, strikes
        return ends, strikes


def thinking(view: PlayerView) -> tuple[Endgame, Counts]:
    """For a player's counting: an endgame with its whole budget, and the unseen cards of each value."""
    budget = LARGE_BUDGET if view.public.pile == COUNTED else BUDGET
    return Endgame(view.public.rules, budget), counts_of(unseen_cards(view.public, view.hand))


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


def counted(
    endgame: Endgame, unseen: Counts, stand: Stand, choices: Sequence[Option], within: float = 0.0
) -> list[Option]:
    """The turns worth most over all that the hidden cards can be, each lie as likely as the ways to make it.

    The best first, of equals whichever comes first in ``choices``, then those worth up to ``within`` less. The
    likeliest lies are looked at first, and no turn any longer that could not come so close if it won in all that are
    left. Where the budget does not reach all lies, by those it reached; empty where it reaches none.
    """
    lying = layouts(unseen, stand.pile)
    ways = left = sum(layout.ways for layout in lying)
    running = [(0.0, option) for option in choices]
    reached = False
    try:
        for layout in lying:
            running = [
                (worth + layout.ways * endgame.after(stand, option, layout), option) for worth, option in running
            ]
            reached = True
            left -= layout.ways
            enough = max(worth for worth, _ in running) - left - within * ways - TINY
            running = [each for each in running if each[0] >= enough]
            if len(running) == 1:
                break
    except OutOfBudgetError:
        if not reached:
            return []
    return [option for _, option in sorted(running, key=lambda worth: round(worth[0], 9), reverse=True)]
