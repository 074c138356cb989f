"""Counts of legal turns, each computed twice: by the engine over every hand, and by a formula derived here.

Hands are counted by values: 5 cards of 5 values are C(9, 5) = 126 hands, and no value runs out (five cards of each).
N(s) = C(s + 4, 4) is the number of hands of s cards. Taking one card of a value out of a hand that holds it is a
bijection to the hands of s - 1 cards, so N(s - 1) hands of s cards hold a given value; by symmetry the cards of one
value in all hands of s cards number s * N(s) / 5.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import combinations_with_replacement, product
from math import comb
from typing import Any

import pytest

from engine.rules.cards import DECK
from engine.rules.events import MatchEvent, RoundEvent, TurnEvent
from engine.rules.legal import Counts, legal_plays
from engine.rules.referee import judge
from engine.rules.rulesets import RULE_SETS
from engine.rules.state import Attack, AttackKind, Phase, PublicState
from engine.rules.track import BySide, Side


def counted_by_value(values: Sequence[int]) -> Counts:
    ones, twos, threes, fours, fives = (values.count(value) for value in range(1, 6))
    return ones, twos, threes, fours, fives


HANDS = [counted_by_value(values) for values in combinations_with_replacement(range(1, 6), 5)]


def n(size: int) -> int:
    return comb(size + 4, 4) if size >= 0 else 0


def cards_of_one_value(size: int) -> int:
    return size * n(size) // 5


def actions_formula(size: int, distance: int, room: int, indirect: bool) -> int:
    """The number of turns without an attack to answer, over all hands of ``size`` cards.

    Advance: N(s - 1) hands hold each value below the distance. Retreat: N(s - 1) each up to the room behind. Direct
    attack: with 1 to c of the c cards equal to the distance, so as many as there are such cards. Indirect attack: for
    each step m that leaves 1 to 5, take one card m out; the attacks are the cards of the distance left in what remains.
    """
    advances = n(size - 1) * min(distance - 1, 5)
    retreats = n(size - 1) * min(room, 5)
    direct = cards_of_one_value(size) if distance <= 5 else 0
    steps = [step for step in range(1, 6) if 1 <= distance - step <= 5] if indirect else []
    return advances + retreats + direct + len(steps) * cards_of_one_value(size - 1)


def opened(rules: str = "ferti-advanced") -> PublicState:
    state, _ = judge(None, MatchEvent(rules))
    state, _ = judge(state, RoundEvent())
    assert state is not None
    return state


def at(rules: str, white: int, black: int, **changes: Any) -> PublicState:
    return opened(rules)._replace(spaces=BySide(white, black), distance=black - white, **changes)


def test_there_are_126_opening_hands() -> None:
    assert len(HANDS) == len(set(HANDS)) == n(5) == 126


def test_350_opening_moves() -> None:
    # Only advances: 5 values, each in N(4) = 70 hands.
    assert sum(len(legal_plays(opened(), hand)) for hand in HANDS) == actions_formula(5, 22, 0, True) == 5 * 70 == 350


@pytest.mark.slow
@pytest.mark.parametrize("rules", RULE_SETS)
def test_turns_from_every_distance_and_room(rules: str) -> None:
    total = 0
    for white in range(1, 23):
        for black in range(white + 1, 24):
            counted = sum(len(legal_plays(at(rules, white, black), hand)) for hand in HANDS)
            assert counted == actions_formula(5, black - white, white - 1, RULE_SETS[rules].indirect_attacks)
            total += counted
    # 23 - d pairs of spaces are d apart. Advances: 70 * (21*1 + 20*2 + 19*3 + 18*4 + 153*5) = 70 * 955; retreats, by
    # White's room, the same sum. Direct attacks: 126 * (22 + 21 + 20 + 19 + 18). Indirect attacks: a step and a rest of
    # 1 to 5 each make 2 to 10 in 1, 2, 3, 4, 5, 4, 3, 2, 1 ways, times 21 to 13 pairs: 425, and 56 hands for each.
    indirect = 56 * 425 if RULE_SETS[rules].indirect_attacks else 0
    assert total == 2 * 70 * 955 + 126 * 100 + indirect == (170_100 if indirect else 146_300)


@pytest.mark.parametrize("kind", list(AttackKind))
@pytest.mark.parametrize("count", [1, 2, 3, 4, 5])
@pytest.mark.parametrize("distance", [1, 2, 3, 4, 5])
def test_answers_to_every_attack(kind: AttackKind, count: int, distance: int) -> None:
    """The parry takes ``count`` cards out: a bijection to hands of 5 - count cards, which then play on."""
    for white in (1, 3, 6, 17):
        attack = Attack(Side.BLACK, kind, distance, count)
        room = white - 1
        retreats = n(4) * min(room, 5) if kind is AttackKind.INDIRECT else 0
        turn = at("ferti-advanced", white, white + distance, attack=attack)
        counted = sum(len(legal_plays(turn, hand)) for hand in HANDS)
        assert counted == actions_formula(5 - count, distance, room, True) + retreats
        final = turn._replace(phase=Phase.FINAL, pile=0)
        assert sum(len(legal_plays(final, hand)) for hand in HANDS) == n(5 - count) + retreats


def pairs_of_hands() -> Iterator[tuple[Counts, Counts]]:
    """Both opening hands by values: together at most five cards of a value."""
    for white, black in product(HANDS, HANDS):
        if all(w + b <= 5 for w, b in zip(white, black, strict=True)):
            yield white, black


def polynomial_pairs() -> dict[tuple[int, ...], int]:
    """Coefficients counting pairs of hands value by value, marking how many distinct values each hand holds.

    For one value: the sum over w + b <= 5 of x^w y^b u^[w > 0] v^[b > 0]; the product of five such, at x^5 y^5.
    Returned as {(values in White's hand, values in Black's): number of pairs}.
    """
    one = [(w, b, w > 0, b > 0) for w in range(6) for b in range(6 - w)]
    terms = {(0, 0, 0, 0): 1}
    for _ in range(5):
        grown: dict[tuple[int, int, int, int], int] = {}
        for (w, b, u, v), number in terms.items():
            for dw, db, du, dv in one:
                if w + dw <= 5 and b + db <= 5:
                    key = (w + dw, b + db, u + du, v + dv)
                    grown[key] = grown.get(key, 0) + number
        terms = grown
    return {(u, v): number for (w, b, u, v), number in terms.items() if (w, b) == (5, 5)}


def after(*steps: Any) -> PublicState:
    """The state after these opening advances."""
    state = opened()
    for step in steps:
        white, black = state.spaces.white, state.spaces.black
        if state.to_act is Side.WHITE:
            white += step
        else:
            black -= step
        card = next(card for card in DECK if card.value == step and card not in state.played)
        following, ruling = judge(state, TurnEvent((card,), white, black))
        assert following is not None
        state = following
        assert ruling.ok
    return state


@pytest.mark.slow
def test_two_turns_deep() -> None:
    """Both only advance: each pair of hands gives (distinct values of White's) * (distinct values of Black's)."""
    expected = sum(u * v * number for (u, v), number in polynomial_pairs().items())
    replies = {step: after(step) for step in range(1, 6)}
    counted = 0
    for white, black in pairs_of_hands():
        for play in legal_plays(opened(), white):
            counted += len(legal_plays(replies[play.move], black))
    assert counted == expected
    assert (sum(polynomial_pairs().values()), expected) == (13_401, 109_825)
