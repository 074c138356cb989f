"""Players who make people's mistakes: one judgement for all, and how often each kind of mistake is made.

Everybody judges a turn by the learned judgement (``engine.players.bots.judgement``), from what they see and remember.
Before each turn chance decides which mistakes are made in it, each by its own rate; nothing else tells a novice from a
master. The rates lie on one way from no mistakes to random play (``WAY``), and a strength is a place on it, found by
measurement (``tests/bench/fit_bots.py``). Rates and what they bring: ``engine/players/STRENGTH.md``.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from enum import Enum
from math import log
from random import Random
from typing import Final, NamedTuple

from engine.players.bots.endgame import TINY, certain_win, thinking
from engine.players.bots.options import APART, Option, packed
from engine.players.bots.sparring import Stand, can_do, is_last, last_chance, sparring, stand_of
from engine.players.players import give_up
from engine.rules.cards import HAND_SIZE
from engine.rules.legal import GiveUp, Turn, counts_of, turn_of
from engine.rules.possible import unseen_cards
from engine.rules.state import PlayerView

JUST_PLAYED: Final = 3
"""So many cards played last nobody forgets."""
EDGE_SPACES: Final = 10
"""A person who fears the end of the piste goes back only with as many spaces behind."""
COUNTS_UP_TO: Final = 1.0
"""From here on along the way nobody counts out the end of the pile."""


class Mistake(Enum):
    """What goes wrong in a turn in which it is made."""

    FORGETS = "forgets"  # does not remember a card that was played before the last three; the rate is a card's
    HOPES = "hopes"  # takes the other not to hold the card that matters on the new space
    HITS_EARLY = "hits_early"  # attacks because an attack is possible
    FEARS_EDGE = "fears_edge"  # does not go back with few spaces behind
    IGNORES_ANSWER = "ignores_answer"  # does what does most now, and looks neither at the answer nor at what was played
    MISSES = "misses"  # does not see that an attack can follow a step or a parry
    ANYTHING = "anything"  # plays the first turn that comes to mind
    MISJUDGES = "misjudges"  # no rate, but by how much every turn seems better or worse, in the logarithm of the odds


WAY: Final = (
    (0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0),
    (0.8, 0.1, 0.05, 0.2, 0.02, 0.15, 0.0, 0.2),
    (1.0, 0.3, 0.25, 0.5, 0.12, 0.6, 0.0, 1.2),
    (1.0, 0.35, 0.3, 0.5, 0.15, 0.7, 0.4, 1.2),
    (1.0, 0.35, 0.3, 0.5, 0.0, 0.7, 1.0, 1.2),
)
"""The rate of each mistake, in the order of ``Mistake``, at 0, 1, 2, 3 and 4; in between straight lines. Chosen by
character: who has played often forgets and hopes, who has just learned does not see, and plays anything."""


_NOW_AND_THEN: Final = tuple(kind for kind in Mistake if kind not in (Mistake.FORGETS, Mistake.MISJUDGES))


class Habits(NamedTuple):
    """How often each mistake is made, and whether the end of the pile is counted out."""

    rates: Mapping[Mistake, float]
    counts: bool


def habits_at(place: float) -> Habits:
    """The habits at this place of the way. Raises ValueError for a place that is not on it."""
    if not 0 <= place <= len(WAY) - 1:
        raise ValueError(f"a place lies between 0 and {len(WAY) - 1}, and {place} does not")
    begin = min(int(place), len(WAY) - 2)
    rates = {
        kind: before + (place - begin) * (after - before)
        for kind, before, after in zip(Mistake, WAY[begin], WAY[begin + 1], strict=True)
    }
    return Habits(rates, place < COUNTS_UP_TO)


class Person:
    """Plays by habits under each preset."""

    def __init__(self, habits: Mapping[str, Habits]) -> None:
        """``habits``: by the preset's name."""
        self._habits = habits

    def choose(self, view: PlayerView, rng: Random) -> Turn | GiveUp:
        options = can_do(stand_of(view), view.public.rules)
        if not options:
            return give_up(view)
        habits = self._habits[view.public.rules.name]
        return turn_of(view.public, view.hand, _chosen(view, options, habits, rng).play)


def _chosen(view: PlayerView, options: Sequence[Option], habits: Habits, rng: Random) -> Option:
    rates, stand = habits.rates, stand_of(view)
    made = {kind for kind in _NOW_AND_THEN if rng.random() < rates[kind]}
    if Mistake.ANYTHING in made:
        return rng.choice(options)
    forgets = 1.0 if Mistake.IGNORES_ANSWER in made else rates[Mistake.FORGETS]
    unseen = _taken_for_unseen(view, forgets, rng)
    sure = _touches(options, stand, unseen)
    if sure:  # as far as this person knows; of three in the hand nobody needs to count
        return max(sure, key=_done_now)
    if Mistake.MISSES in made:
        options = _without(options, lambda option: bool(option.play.attack and (option.play.move or option.play.parry)))
    if Mistake.IGNORES_ANSWER in made:
        return max(options, key=_done_now)
    if Mistake.HITS_EARLY in made:
        options = _without(options, lambda option: not option.attack)
    if Mistake.FEARS_EDGE in made:
        options = _without(
            options, lambda option: option.play.move < 0 and stand.gained < EDGE_SPACES - option.play.move
        )
    if habits.counts:
        certain = certain_win(*thinking(view), stand, options)
        if certain is not None:
            return certain
    hopes = Mistake.HOPES in made
    mind, truly = sparring(view.public.rules.name), counts_of(unseen_cards(view.public, view.hand))

    def seems(option: Option) -> float:
        """The logarithm of the odds of winning, by the cards taken for unseen; the last card by the unseen ones."""
        if habits.counts and is_last(option, stand):
            return _log_odds(last_chance(mind.rules, stand, option, truly))
        taken, distance = packed(unseen), stand.distance - option.play.move
        if hopes and distance <= HAND_SIZE:
            taken -= packed((*(0,) * (distance - 1), unseen[distance - 1]))
        return mind.logit(option, stand, taken) + rates[Mistake.MISJUDGES] * rng.gauss(0.0, 1.0)

    return max(options, key=seems)


def _touches(options: Sequence[Option], stand: Stand, unseen: Sequence[int]) -> list[Option]:
    """Attacks that these unseen cards cannot parry, and nobody can go back from: direct, or on a fencer at the edge."""
    at_the_edge = stand.distance + stand.gained == APART
    return [
        each
        for each in options
        if each.attack
        and (at_the_edge or not each.play.move)
        and each.play.attack > unseen[stand.distance - each.play.move - 1]
    ]


def _taken_for_unseen(view: PlayerView, forgets: float, rng: Random) -> list[int]:
    """How many cards of each value are taken for unseen: too many where played ones are forgotten."""
    unseen = list(counts_of(unseen_cards(view.public, view.hand)))
    if forgets:
        for card in view.public.played[:-JUST_PLAYED]:
            unseen[card.value - 1] += rng.random() < forgets
    return unseen


def _without(options: Sequence[Option], overlooked: Callable[[Option], bool]) -> Sequence[Option]:
    """The options left to choose from; all of them where none would be left."""
    return [each for each in options if not overlooked(each)] or options


def _done_now(option: Option) -> tuple[int, int]:
    """Cards that attack, before spaces forward."""
    return option.play.attack, option.play.move


def _log_odds(chance: float) -> float:
    bounded = min(max(chance, TINY), 1.0 - TINY)
    return log(bounded / (1.0 - bounded))
