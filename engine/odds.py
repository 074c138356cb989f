"""Exact chances, as fractions, of what the opponent can do; hints and advice made of them, as values without words.

Every set of unseen cards is an equally likely hand (hypergeometric): how the opponent played is not weighed.
Source: the deck (RULES.md, "The game"); N. L. Johnson and S. Kotz, Urn Models, for the distribution.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from enum import Enum
from fractions import Fraction
from itertools import groupby
from math import comb
from typing import Final

from engine.rules.cards import VALUES, Card
from engine.rules.legal import Counts, Play, counts_of, legal_plays
from engine.rules.possible import HiddenHand, hidden_hand
from engine.rules.rulesets import RuleSet
from engine.rules.state import Attack, AttackKind, Phase, PlayerView, PublicState, room_behind
from engine.rules.track import Side


def at_least(good: int, unseen: int, drawn: int, wanted: int) -> Fraction:
    """The chance that ``drawn`` of ``unseen`` cards, ``good`` of which are good, hold at least ``wanted`` good ones."""
    hits = range(max(wanted, 0), min(good, drawn) + 1)
    return Fraction(sum(comb(good, hit) * comb(unseen - good, drawn - hit) for hit in hits), comb(unseen, drawn))


def chance(hand: HiddenHand, holds: Callable[[Counts], bool]) -> Fraction:
    """The chance that a hidden hand is one for which ``holds`` is true."""
    return Fraction(sum(ways for counts, ways in hand.hands() if holds(counts)), hand.ways())


def opponent_hand(view: PlayerView, shown: Sequence[Card] | None = None) -> HiddenHand:
    """The opponent's possible hands, as this player sees them; the one that is ``shown``, where it lies open."""
    if shown is not None:
        return HiddenHand(counts_of(shown), len(shown))
    return hidden_hand(view.public, view.side.other, view.hand)


def can_attack(view: PlayerView, distance: int, shown: Sequence[Card] | None = None) -> Fraction:
    """The chance that the opponent can attack from ``distance``: directly, or indirectly where the rules allow it."""
    indirect = view.public.rules.indirect_attacks
    return chance(opponent_hand(view, shown), lambda counts: attacks(counts, distance, indirect))


def can_answer(
    view: PlayerView, value: int, count: int, *, indirect: bool, shown: Sequence[Card] | None = None
) -> Fraction:
    """The chance that the opponent can parry an attack or, if it is ``indirect``, retreat from it."""
    room = room_behind(view.public.spaces, view.side.other) if indirect else 0
    return chance(opponent_hand(view, shown), lambda counts: answers(counts, value, count, room))


def answers(counts: Counts, value: int, count: int, room: int) -> bool:
    """Whether a hand with these cards parries an attack, or retreats from it with so much room behind."""
    return counts[value - 1] >= count or any(counts[: min(room, 5)])


def attacks(counts: Counts, distance: int, indirect: bool) -> bool:
    """Whether a hand with these cards can attack from this distance."""
    if 1 <= distance <= 5 and counts[distance - 1]:
        return True
    if not indirect:
        return False
    for step in range(1, 6):
        left = distance - step
        if 1 <= left <= 5 and counts[step - 1] and counts[left - 1] > (left == step):
            return True
    return False


# Hints: what anybody at the table can say of a position. They follow from the public state alone: no hand, no pile. The
# counts of unseen cards are part of it. The discard pile may not be searched (RULES.md, ruling 11) except in a teaching
# mode: hints that both players agreed to are one, and nobody else may be shown this.

FEW_CARDS: Final = 5
"""From so few cards in the pile on, a single turn may draw the last one."""


class Reach(Enum):
    """The chances at a distance for the player standing there."""

    AWAY = "away"  # no turn attacks from here
    INDIRECT = "indirect"  # only an advance and then an attack does
    DIRECT = "direct"  # a card equal to the distance attacks at once


@dataclass(frozen=True, slots=True)
class Defence:
    """Whether anybody could answer the attack that waits: each chance over all hands the cards played so far allow.

    ``parry``: that the defender holds the parry; ``unseen``: how many cards of the attack's value are unseen.
    ``retreat``: a card to retreat by is held; None where no retreat is allowed or no space is left behind.
    ``answer``: either can be done. ``last``: it is the one defence after the last card.
    """

    attack: Attack
    unseen: int
    parry: Fraction
    retreat: Fraction | None
    answer: Fraction
    last: bool


@dataclass(frozen=True, slots=True)
class PublicHints:
    """A position as everybody may see it.

    ``farthest``: the greatest distance any turn attacks from. ``steps``: the pairs of an advance and the attack that
    may follow it. ``attack``: the chance that the player to act holds an attack, None while one has to be answered.
    ``closing``: the advances that bring both within reach of a single card. ``unseen``: cards of each value that were
    not played. ``few``: the pile is so low that this turn may draw the last card.
    """

    side: Side
    distance: int
    reach: Reach
    farthest: int
    steps: tuple[tuple[int, int], ...]
    attack: Fraction | None
    closing: tuple[int, ...]
    unseen: Counts
    pile: int
    few: bool
    defence: Defence | None


def public_hints(state: PublicState) -> PublicHints | None:
    """The hints for both players; None while nobody is to act."""
    side = state.to_act
    if side is None:
        return None
    hand = hidden_hand(state, side)
    distance, indirect = state.distance, state.rules.indirect_attacks
    attack = None
    if state.attack is None:
        attack = chance(hand, lambda counts: attacks(counts, distance, indirect))
    longest = max(VALUES)
    return PublicHints(
        side=side,
        distance=distance,
        reach=reach_of(distance, state.rules),
        farthest=farthest(state.rules),
        steps=steps_of(distance) if indirect else (),
        attack=attack,
        closing=tuple(value for value in VALUES if 1 <= distance - value <= longest < distance),
        unseen=hand.unseen,
        pile=state.pile,
        few=state.phase is Phase.TURN and state.pile <= FEW_CARDS,
        defence=_defence(state, state.attack, hand) if state.attack is not None else None,
    )


def farthest(rules: RuleSet) -> int:
    """The greatest distance a turn can attack from: one card, and where the rules allow it one to advance by."""
    return max(VALUES) * (2 if rules.indirect_attacks else 1)


def reach_of(distance: int, rules: RuleSet) -> Reach:
    """The reach at this distance under these rules."""
    if distance <= max(VALUES):
        return Reach.DIRECT
    return Reach.INDIRECT if distance <= farthest(rules) else Reach.AWAY


def steps_of(distance: int) -> tuple[tuple[int, int], ...]:
    """Every advance from this distance that may become an indirect attack, with the value to attack with then."""
    return tuple((step, distance - step) for step in VALUES if 1 <= distance - step <= max(VALUES))


def _defence(state: PublicState, attack: Attack, hand: HiddenHand) -> Defence:
    unseen, total = hand.unseen, sum(hand.unseen)
    parry = at_least(unseen[attack.value - 1], total, hand.size, attack.count)
    room = min(room_behind(state.spaces, attack.by.other), max(VALUES))
    final = state.phase is Phase.FINAL
    if attack.kind is AttackKind.DIRECT or room == 0:
        return Defence(attack, unseen[attack.value - 1], parry, None, parry, final)
    retreat = at_least(sum(unseen[:room]), total, hand.size, 1)
    answer = chance(hand, lambda counts: answers(counts, attack.value, attack.count, room))
    return Defence(attack, unseen[attack.value - 1], parry, retreat, answer, final)


# Advice: what a player whose hand lies open could do, and what each turn would mean. Chances are exact, over all hands
# the other may hold as this player sees it; where the other's hand lies open too, by agreement of both, every chance is
# 0 or 1. No hidden hand and no pile is known.

GROUND: Final = Fraction(1, 6)
"""The cost of giving up ground in the order of options."""


@dataclass(frozen=True, slots=True)
class Strike:
    """An attack with so many cards. ``hits``: the chance that nobody answers it. ``last``: it draws the last card."""

    count: int
    hits: Fraction
    last: bool


@dataclass(frozen=True, slots=True)
class TurnAdvice:
    """Legal turns that differ only in how many cards attack.

    ``parry`` cards answer the attack that waits, then ``move`` spaces forward (negative: back, 0: none), which leaves
    ``distance``; ``strikes`` from one card to as many as the hand has, empty without an attack. ``danger``: the chance
    that the other can attack from there next; None after an attack and where the last card is drawn: then hands
    are compared. ``kept``: cards equal to the new distance left to parry with.
    """

    parry: int
    move: int
    distance: int
    strikes: tuple[Strike, ...]
    danger: Fraction | None
    kept: int
    last: bool

    @property
    def best(self) -> Fraction:
        """The chance that its strongest attack hits; 0 without one."""
        return max((strike.hits for strike in self.strikes), default=Fraction(0))


def options(view: PlayerView, other: Sequence[Card] | None = None) -> tuple[TurnAdvice, ...]:
    """Everything the player to act can do, the most promising first; empty without a legal turn.

    ``other``: the other's whole hand, where it lies open. The order is a simple one, to read in and not the best play:
    attacks by how surely they hit, moves by how little they expose and whether they gain ground, a sure hit first.
    Raises ValueError for a view of somebody who is not to act.
    """
    if view.public.to_act is not view.side:
        raise ValueError(f"advice is for the player to act, not for {view.side.value} in {view.public.phase.value}")
    plays = sorted(
        legal_plays(view.public, counts_of(view.hand)), key=lambda play: (play.parry, play.move, play.attack)
    )
    made: list[TurnAdvice] = []
    for (parry, move), group in groupby(plays, key=lambda play: (play.parry, play.move)):
        grouped = tuple(group)
        made += [_option(view, parry, move, (play,), other) for play in grouped if not play.attack]
        strikes = tuple(play for play in grouped if play.attack)
        if strikes:
            made.append(_option(view, parry, move, strikes, other))
    return tuple(sorted(made, key=_promise, reverse=True))


def _promise(option: TurnAdvice) -> tuple[Fraction, int]:
    if option.strikes:
        return option.best, option.move
    danger = option.danger if option.danger is not None else Fraction(1, 2)
    return Fraction(1, 2) * (1 - danger) - (GROUND if option.move < 0 else 0), option.move


def _option(
    view: PlayerView, parry: int, move: int, plays: tuple[Play, ...], other: Sequence[Card] | None
) -> TurnAdvice:
    public = view.public
    distance = public.distance - move
    strikes = tuple(
        Strike(
            play.attack,
            1 - can_answer(view, distance, play.attack, indirect=move > 0, shown=other),
            public.pile <= play.laid,
        )
        for play in plays
        if play.attack
    )
    last = public.pile <= plays[0].laid
    danger = None if strikes or last else can_attack(view, distance, other)
    return TurnAdvice(parry, move, distance, strikes, danger, _kept(view, plays[0], distance), last)


def _kept(view: PlayerView, play: Play, distance: int) -> int:
    """How many cards equal to the new distance are left in the hand, before anything is drawn."""
    if not 1 <= distance <= 5:
        return 0
    counts: Counts = counts_of(view.hand)
    spent = play.attack + (abs(play.move) == distance)
    attack = view.public.attack
    if attack is not None and attack.value == distance:
        spent += play.parry
    return counts[distance - 1] - spent
