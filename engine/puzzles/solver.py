"""Perfect play with open hands: what every turn is worth, exactly.

Both players see both hands; the pile is empty, lies in a known order, or in an order nobody knows, over which the value
is the mean. The value is the chance of winning the round plus half the chance of a drawn one. Positions are remembered
by values, so that which of two alike cards is laid makes no work. Small piles only: the work grows about tenfold with
each card of unknown order. Source: RULES.md; D. Michie, Game-playing and game-learning automata (1966), for expectimax.
"""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from functools import cache, lru_cache
from itertools import product
from math import comb, prod
from typing import Final, NamedTuple, Protocol

from engine.players.bots.options import APART, INDEX, SIZES, Option, attack_number, drawn_to
from engine.players.bots.sparring import Stand, can_do, compared
from engine.rules.cards import HAND_SIZE, VALUES, Card
from engine.rules.endings import Ended
from engine.rules.legal import Play, counts_of, values_in
from engine.rules.rulesets import RULE_SETS, RuleSet
from engine.rules.state import PublicState, Reason, room_behind
from engine.rules.track import BySide

# What drawing from a pile can bring, with exact chances: in a known order, or in any order alike.

Pile = tuple[int, ...]
"""Card values. In a known order the first is drawn next; otherwise they are sorted, which says nothing of the order."""


class Draw(NamedTuple):
    """Some cards drawn, sorted, the rest of the pile, and how likely that is."""

    drawn: Pile
    left: Pile
    chance: Fraction


class DrawingRule(Protocol):
    """How cards come off a pile."""

    def __call__(self, pile: Pile, count: int) -> Sequence[Draw]:
        """Everything drawing so many cards can bring; the chances add up to one. No more than there are are drawn."""


@lru_cache(maxsize=1 << 14)
def in_any_order(pile: Pile, count: int) -> Sequence[Draw]:
    """From a sorted pile whose order nobody knows: every card of it is as likely as any other (hypergeometric)."""
    count = min(count, len(pile))
    held = [pile.count(value) for value in VALUES]
    ways = comb(len(pile), count)
    found = []
    for taken in product(*(range(min(there, count) + 1) for there in held)):
        if sum(taken) == count:
            chance = Fraction(prod(comb(there, some) for there, some in zip(held, taken, strict=True)), ways)
            rest = [there - some for there, some in zip(held, taken, strict=True)]
            found.append(Draw(values_in(taken), values_in(rest), chance))
    return tuple(found)


WON: Final = Fraction(1)
DRAWN_ROUND: Final = Fraction(1, 2)
LOST: Final = Fraction(0)
_VALUES: Final = {1.0: WON, 0.5: DRAWN_ROUND, 0.0: LOST}


class Duel(NamedTuple):
    """A position with open hands, as the player to act sees it. An empty pile: the last defence.

    ``hand`` and ``other`` are numbers of ``engine.players.bots.options``; ``gained``: the spaces come forward.
    """

    hand: int
    other: int
    distance: int
    gained: int
    attack: int
    pile: Pile


class Solved(NamedTuple):
    """A play and its exact value for the player who makes it."""

    play: Play
    value: Fraction


class BestLineTurn(NamedTuple):
    """One turn of a line of best play. ``value``: for the player to act at the line's start, once it is made.

    ``drawn``: the cards drawn, with their chance. ``end``: how the round ends by it, if it does.
    """

    mine: bool
    play: Play
    value: Fraction
    drawn: Pile
    chance: Fraction
    end: Reason | None


class Solver:
    """Solves positions under one preset, and remembers them. ``drawing``: how cards come off the pile."""

    def __init__(self, rules: RuleSet, drawing: DrawingRule) -> None:
        self._rules = rules
        self._drawing = drawing
        self._values: dict[Duel, Fraction] = {}

    def __len__(self) -> int:
        """How many positions it has solved."""
        return len(self._values)

    def plays(self, duel: Duel) -> tuple[Solved, ...]:
        """Every legal play with its value, the best first. Empty where the player is hit or stuck."""
        solved = [Solved(option.play, self._after(duel, option)) for option in self._options(duel)]
        return tuple(sorted(solved, key=lambda each: -each.value))

    def value(self, duel: Duel) -> Fraction:
        """What the position is worth to the player to act."""
        found = self._values.get(duel)
        if found is not None:
            return found
        best = LOST
        for option in self._options(duel):
            best = max(best, self._after(duel, option))
            if best == WON:
                break
        self._values[duel] = best
        return best

    def line(self, duel: Duel, first: Play | None = None, *, lucky: bool = False) -> tuple[BestLineTurn, ...]:
        """Best play from here to the end of the round, with the likeliest draws, from the ``first`` turn on if given.

        ``lucky``: drawing the best cards for the player to act, so that the end is worth at least as much as the start.
        Empty where nothing can be done. Raises ValueError where the first turn is not legal.
        """
        steps: list[BestLineTurn] = []
        mine = True
        choices = [each for each in self._options(duel) if first is None or each.play == first]
        if first is not None and not choices:
            raise ValueError(f"the play {tuple(first)} is not legal in {duel}")
        while choices:
            option = max(choices, key=lambda each: self._after(duel, each))
            value = self._after(duel, option)
            wish = (1 if mine else -1) if lucky else 0
            worth = {each: wish * self._given(duel, option, each) for each in self._draws(duel, option)}
            draw = max(worth, key=lambda each: (worth[each], each.chance))
            following = _following(duel, option, draw)
            end = self._end(duel, option, following)
            steps.append(BestLineTurn(mine, option.play, value if mine else 1 - value, draw.drawn, draw.chance, end))
            if end is not None:
                break
            duel = following
            mine = not mine
            choices = list(self._options(duel))
        return tuple(steps)

    def _options(self, duel: Duel) -> Sequence[Option]:
        stand = Stand(duel.hand, duel.distance, duel.gained, duel.attack, len(duel.pile))
        return can_do(stand, self._rules)

    def _draws(self, duel: Duel, option: Option) -> Sequence[Draw]:
        return self._drawing(duel.pile, HAND_SIZE - SIZES[option.left])

    def _after(self, duel: Duel, option: Option) -> Fraction:
        """The position's worth after this turn to its player."""
        return sum((draw.chance * self._given(duel, option, draw) for draw in self._draws(duel, option)), LOST)

    def _given(self, duel: Duel, option: Option, draw: Draw) -> Fraction:
        """The position's worth to the player of this turn after drawing these cards."""
        following = _following(duel, option, draw)
        if _is_over(duel, following):
            return _VALUES[self._compared(duel, option, following).share]
        return 1 - self.value(following)

    def _compared(self, duel: Duel, option: Option, following: Duel) -> Ended:
        """The comparison at the end of the pile, for the player who has just acted."""
        gained = APART - following.distance - following.gained
        retreated = not duel.pile and option.play.move < 0
        return compared(self._rules, following.other, following.hand, following.distance, gained, retreated)

    def _end(self, duel: Duel, option: Option, following: Duel) -> Reason | None:
        """How the round ends by this turn, None where the opponent can go on."""
        if _is_over(duel, following):
            return self._compared(duel, option, following).reason
        if self._options(following):
            return None
        return Reason.HIT if following.attack else Reason.NO_LEGAL_MOVE


@cache
def solver_of(rules: str) -> Solver:
    """The solver of this preset that takes the pile in any order, and remembers what it solved."""
    return Solver(RULE_SETS[rules], in_any_order)


def duel_of(public: PublicState, hands: BySide[tuple[Card, ...]], pile: Pile) -> Duel:
    """The position of the player to act. ``pile``: card values as ``drawing`` takes them.

    Raises ValueError where nobody is to act, or the cards given are not as many as the table has.
    """
    side = public.to_act
    if side is None:
        raise ValueError(f"nobody is to act in phase {public.phase.value}, so there is nothing to solve")
    if hands.map(len) != public.hands or len(pile) != public.pile:
        found = f"{len(hands.white)} and {len(hands.black)} in the hands, {len(pile)} in the pile"
        expected = f"{public.hands.white} and {public.hands.black}, {public.pile}"
        raise ValueError(f"the table has {expected} cards, but {found} were given")
    mine, other = INDEX[counts_of(hands[side])], INDEX[counts_of(hands[side.other])]
    return Duel(mine, other, public.distance, room_behind(public.spaces, side), attack_number(public.attack), pile)


def _following(duel: Duel, option: Option, draw: Draw) -> Duel:
    """The position after a turn and its draw, as the opponent sees it."""
    hand = drawn_to(option.left, draw.drawn)
    distance = duel.distance - option.play.move
    gained = APART - distance - (duel.gained + option.play.move)
    return Duel(duel.other, hand, distance, gained, option.attack, draw.left)


def _is_over(duel: Duel, following: Duel) -> bool:
    """Whether hands are compared now: the last defence was made, or the last card drawn without an attack."""
    return not duel.pile or (not following.pile and not following.attack)
