"""What can be said of a position by anybody at the table: hints in a real game, as values without words.

Everything here follows from the public state and from nothing else: no hand, no pile, no card that was not played. The
counts of unseen cards are part of it. The discard pile may not be searched (RULES.md, ruling 11) except in a teaching
mode: hints that both players agreed to are one, and nobody else may be shown this.
"""

from __future__ import annotations

from dataclasses import dataclass
from enum import Enum
from fractions import Fraction
from typing import Final

from engine.chances.odds import at_least, attacks, chance
from engine.rules.cards import VALUES
from engine.rules.legal import Counts
from engine.rules.possible import HiddenHand, hidden_hand
from engine.rules.rulesets import RuleSet
from engine.rules.state import Attack, AttackKind, Phase, PublicState, room_behind
from engine.rules.track import Side

FEW_CARDS: Final = 5
"""From so few cards in the pile on, a single turn may draw the last one."""


class Reach(Enum):
    """What a distance means for whoever stands there."""

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
    """What can be said to both players; None while nobody is to act."""
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
    """What this distance means under these rules."""
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
    answer = chance(hand, lambda counts: counts[attack.value - 1] >= attack.count or any(counts[:room]))
    return Defence(attack, unseen[attack.value - 1], parry, retreat, answer, final)
