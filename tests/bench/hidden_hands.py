"""The end of a round with hidden hands, solved exactly by minimising regret (CFR+).

The hand of the player who begins is known to both; what the other holds, what lies in the pile and what is drawn is
not: every lie of the hidden cards is as likely as it can be made of single cards. That is the hardest opponent there
can be, so a value is what a turn is worth for certain. Source: O. Tammelin, Solving large imperfect information games
using CFR+ (2014).
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Final, NamedTuple, Protocol

import numpy as np
from numpy.typing import NDArray

from engine.players.bots.endgame import draws, layouts
from engine.players.bots.options import APART, HANDS, INDEX, PACKED, SIZES, Option, packed
from engine.players.bots.sparring import Stand, can_do, compared, last_defence
from engine.rules.cards import HAND_SIZE
from engine.rules.legal import Counts, Play
from engine.rules.possible import HiddenHand
from engine.rules.rulesets import RuleSet

Floats = NDArray[np.float64]
Ints = NDArray[np.int64]

ROOT: Final = -1


@dataclass(frozen=True)
class Solution:
    """What the turn is worth to whoever makes it. ``low`` and ``high``: what best replies to both leave; the exact
    value lies between. ``sets``: how many information sets there are."""

    low: float
    high: float
    sets: int

    @property
    def value(self) -> float:
        return (self.low + self.high) / 2


@dataclass
class Level:
    """All positions after the same number of turns: where each came from, by which choice, and how likely."""

    parent: list[int] = field(default_factory=list)
    slot: list[int] = field(default_factory=list)
    chance: list[float] = field(default_factory=list)
    value: list[float] = field(default_factory=list)

    def add(self, parent: int, slot: int, chance: float, value: float | None) -> None:
        """One more; ``value`` None where the round goes on."""
        self.parent.append(parent)
        self.slot.append(slot)
        self.chance.append(chance)
        self.value.append(np.nan if value is None else value)


Position = tuple[int, int, int, int, int, int]
"""As the player to act sees it: his hand, the other's, the distance, the spaces gained, the attack, the pile; numbers
as ``engine.players.bots`` has them."""
Known = tuple[object, ...]
"""What a player has seen so far, in order: turns by values, and the hands he held."""


class Seen(NamedTuple):
    """What the player to act in an information set sees, and what he can do."""

    stand: Stand
    choices: tuple[Option, ...]
    unseen: Counts


@dataclass(frozen=True)
class Deal:
    """One way a game may begin."""

    position: Position
    chance: float


class Game:
    """All ways a round can go on from here, with who knows what. The players are 0 and 1; 0 answers 1."""

    def __init__(self, rules: RuleSet) -> None:
        self.rules = rules
        self.levels: list[Level] = [Level()]
        self.first: list[int] = []
        """The first choice of each information set; one more at the end."""
        self.player: list[int] = []
        self.seen: list[Seen] = []
        self._sets: dict[Known, int] = {}
        self._choices = 0
        self._waiting: list[tuple[int, Position, Known, Known]] = []

    @classmethod
    def after(cls, rules: RuleSet, stand: Stand, option: Option, unseen: Counts) -> Game:
        """The rest of a round after player 1, whose hand both know, made this turn."""
        game = cls(rules)
        lying = layouts(unseen, stand.pile)
        ways = sum(layout.ways for layout in lying)
        for number, layout in enumerate(lying):
            position = (stand.hand, layout.other, stand.distance, stand.gained, stand.attack, layout.pile)
            game._do(ROOT, ROOT, layout.ways / ways, option, position, (), (number,))
        game._grow(0)
        return game

    @classmethod
    def dealt(cls, rules: RuleSet, deals: Sequence[Deal]) -> Game:
        """The rest of a round in which nobody knows more than his own hand; player 0 is to act."""
        game = cls(rules)
        level = game.levels[0]
        for deal in deals:
            hand, other = deal.position[:2]
            level.add(ROOT, ROOT, deal.chance, None)
            game._waiting.append((len(level.parent) - 1, deal.position, (hand,), (other,)))
        game._grow(0)
        return game

    def _grow(self, player: int) -> None:
        while self._waiting:
            now, self._waiting = self._waiting, []
            self.levels.append(Level())
            for place, position, own, other in now:
                first, choices = self._set(player, own, position)
                for number, each in enumerate(choices):
                    said = (each.play,)
                    self._do(place, first + number, 1.0, each, position, (*own, said), (*other, said))
            player = 1 - player
        self.first.append(self._choices)

    def _set(self, player: int, own: Known, position: Position) -> tuple[int, tuple[Option, ...]]:
        """The first choice of the information set, and what can be done in it."""
        number = self._sets.get((player, *own))
        if number is None:
            hand, other, distance, gained, attack, pile = position
            stand = Stand(hand, distance, gained, attack, SIZES[pile])
            number = self._sets[player, *own] = len(self.first)
            self.first.append(self._choices)
            self.player.append(player)
            one, two, three, four, five = (held + there for held, there in zip(HANDS[other], HANDS[pile], strict=True))
            choices = can_do(stand, self.rules)
            self.seen.append(Seen(stand, choices, (one, two, three, four, five)))
            self._choices += len(choices)
        return self.first[number], self.seen[number].choices

    def _do(
        self, parent: int, slot: int, chance: float, option: Option, position: Position, own: Known, other: Known
    ) -> None:
        """Every way the turn's draw can fall: where the round ends, what it brings whoever made the turn."""
        _, theirs, distance, gained, _, pile = position
        move, left = option.play.move, option.left
        distance, gained = distance - move, gained + move
        behind = APART - distance - gained
        for hand, rest, likely in draws(left, pile):
            value = None
            there = Stand(theirs, distance, behind, option.attack, SIZES[rest])
            if not rest and not option.attack:
                value = compared(self.rules, hand, theirs, distance, gained, retreated=False).share
            elif not rest:
                value = 1.0 - last_defence(self.rules, there, hand)
            elif not can_do(there, self.rules):
                value = 1.0
            self.levels[-1].add(parent, slot, chance * likely, value)
            if value is None:
                following = (theirs, hand, distance, behind, option.attack, rest)
                self._waiting.append((len(self.levels[-1].parent) - 1, following, other, (*own, hand)))


class Tree(Protocol):
    """What is solved: positions by level, the first choice of every information set, and who chooses there."""

    levels: list[Level]
    first: list[int]
    player: list[int]


class Solver:
    """Both players learn to play the rest of a round, until neither regrets much."""

    def __init__(self, game: Tree) -> None:
        self.game = game
        self.levels = [
            (
                np.array(level.parent, np.int64),
                np.array(level.slot, np.int64),
                np.array(level.chance),
                np.array(level.value),
            )
            for level in game.levels
        ]
        # What the turns of the levels bring is told for whoever made them: all in the words of the one who began.
        for depth in range(1, len(self.levels), 2):
            values = self.levels[depth][3]
            self.levels[depth] = (*self.levels[depth][:3], 1.0 - values)
        self.size = game.first[-1]
        firsts = np.array(game.first[:-1], np.int64)
        self.sets = np.repeat(np.arange(len(firsts)), np.diff(game.first))
        self.counts = np.diff(game.first).astype(np.float64)
        self.owner = np.array(game.player, np.int64)[self.sets] if self.size else np.zeros(0, np.int64)
        self.regret = np.zeros(self.size)
        self.total = np.zeros(self.size)

    def solved(self, gap: float, most: int) -> Solution:
        """Until the best replies are within ``gap`` of each other, or so many rounds of learning were made."""
        low = high = 0.0
        for number in range(1, most + 1):
            for player in (0, 1):
                strategy = self._matched(self.regret)
                worth, reach = self._learned(strategy, player)
                mine = self.owner == player
                self.regret = np.where(mine, np.maximum(0.0, self.regret + worth), self.regret)
                self.total += np.where(mine, number * reach * strategy, 0.0)
            if number % 20 == 0 or number == most or not self.size:
                mean = self._matched(self.total)
                low, high = self.best_reply(mean, 0), self.best_reply(mean, 1)
                if high - low <= gap:
                    break
        return Solution(low, high, len(self.counts))

    def mean(self) -> Floats:
        """What is played in the end."""
        return self._matched(self.total)

    def first_worths(self) -> Floats:
        """What each choice of the first turn is worth to whoever makes it; 0 for all later choices."""
        mean = self.mean()
        parent, slot, chance, _ = self.levels[1]
        met = self.levels[0][2][parent] * chance
        brought = np.bincount(slot, met * (1.0 - self._values(mean)[1]), minlength=self.size)
        likely = np.bincount(slot, met, minlength=self.size)
        return np.divide(brought, likely, out=np.zeros(self.size), where=likely > 0)

    def _matched(self, weights: Floats) -> Floats:
        """Each set's choices by their weights, all alike where there are none."""
        sums = np.bincount(self.sets, weights, minlength=len(self.counts))
        alike = 1.0 / self.counts
        shared = np.divide(weights, sums[self.sets], out=np.zeros_like(weights), where=sums[self.sets] > 0)
        return np.where(sums[self.sets] > 0, shared, alike[self.sets])

    def _learned(self, strategy: Floats, player: int) -> tuple[Floats, Floats]:
        """By how much each choice of the player would have been better, and how often he comes to choose."""
        sign = 1.0 if player == 1 else -1.0
        others, own = self._reaches(strategy, player)
        worth = np.zeros(self.size)
        values = self._values(strategy)
        for depth in range(1, len(self.levels)):
            parent, slot, chance, _ = self.levels[depth]
            if (depth + 1) % 2 == player:
                counted = others[depth - 1][parent] * chance * values[depth] * sign
                worth += np.bincount(slot, counted, minlength=self.size)
        mean = np.bincount(self.sets, strategy * worth, minlength=len(self.counts))
        reach = np.zeros(self.size)
        for depth in range(1, len(self.levels)):
            parent, slot, _, _ = self.levels[depth]
            if (depth + 1) % 2 == player:
                reach[slot] = own[depth - 1][parent]
        return worth - mean[self.sets], reach

    def _reaches(self, strategy: Floats, player: int) -> tuple[list[Floats], list[Floats]]:
        """How likely each position is by chance and the other's choices, and by the player's own."""
        others, own = [self.levels[0][2]], [np.ones(len(self.levels[0][2]))]
        for depth in range(1, len(self.levels)):
            parent, slot, chance, _ = self.levels[depth]
            mine = (depth + 1) % 2 == player
            others.append(others[-1][parent] * chance * (1.0 if mine else strategy[slot]))
            own.append(own[-1][parent] * (strategy[slot] if mine else 1.0))
        return others, own

    def _values(self, strategy: Floats) -> list[Floats]:
        """What each position is worth to player 1."""
        values = [np.where(np.isnan(level[3]), 0.0, level[3]) for level in self.levels]
        for depth in range(len(self.levels) - 1, 0, -1):
            parent, slot, chance, _ = self.levels[depth]
            values[depth - 1] += np.bincount(
                parent, values[depth] * chance * strategy[slot], minlength=len(values[depth - 1])
            )
        return values

    def value(self, strategy: Floats) -> float:
        """What the turn is worth if both play so."""
        return float((self._values(strategy)[0] * self.levels[0][2]).sum())

    def best_reply(self, strategy: Floats, player: int) -> float:
        """What the turn is worth when this player answers the other's play in the best way."""
        sign = 1.0 if player == 1 else -1.0
        others, _ = self._reaches(strategy, player)
        chosen = strategy.copy()
        values = [np.where(np.isnan(level[3]), 0.0, level[3]) for level in self.levels]
        for depth in range(len(self.levels) - 1, 0, -1):
            parent, slot, chance, _ = self.levels[depth]
            if (depth + 1) % 2 == player:
                counted = others[depth - 1][parent] * chance * values[depth] * sign
                worth = np.bincount(slot, counted, minlength=self.size)
                here = np.unique(self.sets[slot])
                for each in here:
                    first, last = self.game.first[each], self.game.first[each + 1]
                    chosen[first:last] = 0.0
                    chosen[first + int(np.argmax(worth[first:last]))] = 1.0
            values[depth - 1] += np.bincount(
                parent, values[depth] * chance * chosen[slot], minlength=len(values[depth - 1])
            )
        return float((values[0] * self.levels[0][2]).sum())


def deals(cards: Counts, distance: int, gained: int, attack: int = 0) -> list[Deal]:
    """Every way these cards can lie in two hands and the pile."""
    found = []
    whole = HiddenHand(cards, HAND_SIZE)
    for hand, ways in whole.hands():
        left = packed(cards) - PACKED[INDEX[hand]]
        rest = (left & 7, left >> 3 & 7, left >> 6 & 7, left >> 9 & 7, left >> 12 & 7)
        lying = layouts(rest, sum(cards) - 2 * HAND_SIZE)
        all_ways = sum(each.ways for each in lying)
        for each in lying:
            position = (INDEX[hand], each.other, distance, gained, attack, each.pile)
            found.append(Deal(position, ways / whole.ways() * each.ways / all_ways))
    return found


def priced_own_hidden(rules: RuleSet, stand: Stand, unseen: Counts, gap: float = 2e-4) -> dict[Play, float]:
    """What each turn is worth when nobody sees the other's hand, every deal as likely as the ways to make it.

    ``unseen``: by whoever acts. ``gap``: what best replies to both leave, over all hands together.
    """
    one, two, three, four, five = (there + held for there, held in zip(unseen, HANDS[stand.hand], strict=True))
    dealt = [
        deal
        for deal in deals((one, two, three, four, five), stand.distance, stand.gained, stand.attack)
        if can_do(stand._replace(hand=deal.position[0]), rules)
    ]
    game = Game.dealt(rules, dealt)
    solver = Solver(game)
    solver.solved(gap, 3_000)
    worths = solver.first_worths()
    for first, seen in zip(game.first, game.seen, strict=False):
        if seen.stand == stand:
            return {option.play: float(worths[first + place]) for place, option in enumerate(seen.choices)}
    raise ValueError(f"{stand} is dealt to nobody with {unseen} unseen")


def priced(rules: RuleSet, stand: Stand, option: Option, unseen: Counts, gap: float = 1e-3) -> Solution:
    """What this turn is worth for certain, within ``gap`` where that can be had."""
    return Solver(Game.after(rules, stand, option, unseen)).solved(gap, 2_000)
