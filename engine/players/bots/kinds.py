"""What kind of player the opponent may be, and how likely each kind makes each turn.

Whoever takes every opponent for one like himself reads too much out of what others do, and fears answers that they do
not find. So there are two kinds: one weighs every turn by what was learned, the other at a glance, as somebody
does who counts nothing. Which of them somebody is shows in his turns. Source: C. Camerer, T. Ho and J. Chong,
A cognitive hierarchy model of games (2004), for opponents who think less far than oneself.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache, lru_cache
from itertools import accumulate
from math import exp
from random import Random
from typing import Final, Protocol

from engine.players.bots.options import HANDS, INDIRECT, PACKED, Option
from engine.players.bots.sparring import Sparring, Stand, can_do, sparring
from engine.players.players import Glance, price
from engine.rules.cards import DECK, HAND_SIZE, VALUES
from engine.rules.rulesets import RULE_SETS, RuleSet

WHOLE_DECK: Final = (len(DECK) // len(VALUES),) * len(VALUES)
"""Of each value as many as there are in all: for one who counts nothing, nothing has been played yet."""
SPREAD: Final = 0.3
"""How sharply one who judges chooses: a turn so much better in the logarithm of the odds he makes e times as often."""
POINTS: Final = 2.0
"""The same of one who plays at a glance, in points of his price."""
REMEMBERED: Final = 1 << 11
"""How many positions of each kind are kept, an MB. Beyond it they are forgotten and thought out anew."""

_SAME_FROM: Final = 3 * HAND_SIZE + 1
"""From this distance on no turn comes near enough for a glance to tell it from farther away."""


class PlayStyle(Protocol):
    """A way to play."""

    def chances(self, stand: Stand, unseen: int) -> Sequence[float]:
        """How likely each turn is of all that can be done (``sparring.can_do``), in their order: the whole is 1.

        ``unseen``: what the player to act has not seen (``hands.packed``).
        """


class Judging:
    """Judges as the bots do, and overlooks small differences."""

    def __init__(self, mind: Sparring, spread: float = SPREAD) -> None:
        """``spread``: how sharply he chooses."""
        self._mind = mind
        self._spread = spread
        self._kept: dict[tuple[int, ...], tuple[float, ...]] = {}

    def chances(self, stand: Stand, unseen: int) -> Sequence[float]:
        key = (*stand, unseen)
        found = self._kept.get(key)
        if found is None:
            if len(self._kept) >= REMEMBERED:
                self._kept.clear()
            found = self._kept[key] = _shared([each.logit / self._spread for each in self._mind.valued(stand, unseen)])
        return found


class Glancing:
    """Hits when he can, is careful else, and counts nothing."""

    def __init__(self, rules: RuleSet) -> None:
        self._rules = rules

    def chances(self, stand: Stand, unseen: int) -> Sequence[float]:
        hand, distance, gained, attack, pile = stand
        # Beyond these bounds nothing changes, so that positions that look the same share one answer.
        near = Stand(hand, min(distance, _SAME_FROM), min(gained, HAND_SIZE), attack, min(pile, HAND_SIZE + 1))
        return _glanced(near, self._rules)


@lru_cache(maxsize=REMEMBERED)
def _glanced(stand: Stand, rules: RuleSet) -> tuple[float, ...]:
    seen = Glance(HANDS[stand.hand], stand.distance, stand.gained, stand.pile, stand.attack > INDIRECT)
    return _shared([price(seen, option.play, WHOLE_DECK) / POINTS for option in can_do(stand, rules)])


def _shared(likings: Sequence[float]) -> tuple[float, ...]:
    """Chances that add up to 1, e times as high for one more."""
    if not likings:
        return ()
    best = max(likings)
    weights = [exp(liking - best) for liking in likings]
    total = sum(weights)
    return tuple([weight / total for weight in weights])


def answer(kind: PlayStyle, stand: Stand, unplayed: int, rules: RuleSet, rng: Random) -> Option | None:
    """A turn that one of this kind may make, likelier ones more often; None where nothing can be done.

    ``unplayed``: all cards in hands and pile, packed.
    """
    choices = can_do(stand, rules)
    if not choices:
        return None
    luck = rng.random()
    for option, so_far in zip(choices, accumulate(kind.chances(stand, unplayed - PACKED[stand.hand])), strict=True):
        if luck < so_far:
            return option
    return choices[-1]  # what the last digits of the sum leave out


@cache
def kinds(rules_name: str) -> tuple[PlayStyle, ...]:
    """All there are under a preset, each as likely as another before he has made a turn.

    Raises KeyError for a name that is no preset's.
    """
    return Judging(sparring(rules_name)), Glancing(RULE_SETS[rules_name])
