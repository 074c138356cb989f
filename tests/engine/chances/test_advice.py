"""What an open hand can do: every legal turn, with exact chances."""

from __future__ import annotations

from collections.abc import Iterator
from fractions import Fraction
from random import Random
from typing import TYPE_CHECKING

import pytest

from engine.chances.advice import Strike, TurnAdvice, options
from engine.chances.advice import _promise as promise
from engine.chances.odds import can_answer, can_attack
from engine.rules.legal import Counts, counts_of, legal_plays, play_event
from engine.rules.referee import judge
from engine.rules.rulesets import RULE_SETS
from engine.rules.state import FullState, PlayerView, PublicState
from engine.rules.track import Side

if TYPE_CHECKING:
    from tests.engine.conftest import Cards, Position, RandomMatch


def tables(random_match: RandomMatch, seeds: range) -> Iterator[FullState]:
    for seed in seeds:
        rules = sorted(RULE_SETS)[seed % 3]
        for _, before, _ in random_match(rules, Random(seed), points=1):
            if before is not None and before.public.to_act is not None:
                yield before


@pytest.mark.slow
def test_every_legal_turn_is_among_them_once(random_match: RandomMatch) -> None:
    seen = 0
    for full in tables(random_match, range(12)):
        assert full.public.to_act is not None
        view = full.view(full.public.to_act)
        plays = []
        for option in options(view):
            counts = [strike.count for strike in option.strikes] or [0]
            plays += [(option.parry, option.move, count) for count in counts]
            assert option.distance == full.public.distance - option.move
        expected = [tuple(play) for play in legal_plays(view.public, counts_of(view.hand))]
        assert sorted(plays) == sorted(expected)
        seen += len(plays)
    assert seen > 200


def test_where_both_hands_lie_open_every_chance_comes_true(random_match: RandomMatch) -> None:
    """A sure hit cannot be answered by the hand that is there, and a harmless one always can."""
    sure = harmless = exposed = 0
    for full in tables(random_match, range(30)):
        side = full.public.to_act
        assert side is not None
        view, other = full.view(side), full.hands[side.other]
        for option in options(view, other):
            for strike in option.strikes:
                play = next(
                    p
                    for p in legal_plays(view.public, counts_of(view.hand))
                    if p == (option.parry, option.move, strike.count)
                )
                after, ruling = judge(view.public, play_event(view.public, view.hand, play))
                assert ruling.ok
                assert after is not None
                assert strike.last is (after.pile == 0)
                answers = after.to_act is not None and _answers(after, counts_of(other))
                assert strike.hits == (0 if answers else 1)
                sure, harmless = sure + (not answers), harmless + answers
            if option.danger is not None:
                assert option.danger in (0, 1)
                exposed += option.danger == 1
    assert min(sure, harmless, exposed) > 5


def _answers(state: PublicState, counts: Counts) -> bool:
    attack = state.attack
    assert attack is not None
    return counts[attack.value - 1] >= attack.count or bool(legal_plays(state, counts))


def test_chances_with_one_hand_hidden(position: Position, cards: Cards) -> None:
    table = position(8, 13)
    view = PlayerView(table.state, Side.WHITE, cards("5a 5b 2a 1a 3a"))
    found = {(option.move, bool(option.strikes)): option for option in options(view)}
    direct = found[0, True]
    assert [strike.count for strike in direct.strikes] == [1, 2]
    assert [strike.hits for strike in direct.strikes] == [
        1 - can_answer(view, 5, 1, indirect=False),
        1 - can_answer(view, 5, 2, indirect=False),
    ]
    assert found[2, False].danger == can_attack(view, 3)
    assert found[2, False].kept == 1  # the three
    assert found[2, True].strikes[0].hits == 1 - can_answer(view, 3, 1, indirect=True)
    assert found[-5, False].distance == 10
    assert found[-5, False].kept == 0


def test_the_card_moved_with_is_not_left_to_parry_with(position: Position, cards: Cards) -> None:
    view = PlayerView(position(8, 14).state, Side.WHITE, cards("3a 3b 2a 2b 1a"))
    kept = {option.move: option.kept for option in options(view) if not option.strikes}
    assert kept[3] == 1  # three spaces away with the other three
    assert kept[2] == 0
    assert kept[1] == 0


def test_the_order_is_readable(position: Position, cards: Cards) -> None:
    """A sure hit first; then likely ones; a move that exposes nothing before one that exposes."""
    table = position(8, 13, "5551234")
    view = PlayerView(table.state, Side.WHITE, cards("5c 5d 5e 4e 1e"))
    table.state = table.state._replace(pile=0 + 2, hands=table.state.hands.put(Side.BLACK, 2).put(Side.WHITE, 5))
    first = options(PlayerView(table.state, Side.WHITE, view.hand))[0]
    assert first.best == 1
    assert first.strikes[-1].count == 3
    harmless = position(3, 20)
    told = options(PlayerView(harmless.state, Side.WHITE, cards("1a 2a 3a 4a 5a")))
    dangers = [option.danger for option in told]
    known = [danger for danger in dangers if danger is not None]
    assert dangers == sorted(known)
    assert dangers[0] == 0


def test_giving_up_ground_costs_and_what_likely_hits_comes_before_what_exposes_nothing() -> None:
    def to(move: int, danger: Fraction | None, *hits: Fraction) -> TurnAdvice:
        return TurnAdvice(0, move, 9, tuple(Strike(1, each, last=False) for each in hits), danger, 0, last=False)

    nothing, little, more = Fraction(0), Fraction(1, 4), Fraction(1, 2)
    told = [to(1, None, Fraction(3, 4)), to(2, nothing), to(1, little), to(-1, nothing), to(3, more), to(-2, little)]
    assert sorted(told, key=promise, reverse=True) == told


def test_a_card_the_parry_takes_is_not_left_to_parry_with(position: Position, cards: Cards) -> None:
    table = position(8, 13, "1111122222333334444455555", attack="direct 5 1")
    kept = {
        option.best > 0: option.kept for option in options(PlayerView(table.state, Side.WHITE, cards("5a 5b 5c 2a 1a")))
    }
    assert kept[True] == 1  # one to parry, one at least to hit back


def test_the_last_card_is_told(position: Position, cards: Cards) -> None:
    table = position(8, 18, "11223344555", hands=(5, 5))
    view = PlayerView(table.state, Side.WHITE, cards("1d 2d 3d 5c 5d"))
    for option in options(view):
        assert option.last
        assert option.danger is None
    far = position(8, 18, "112233445551")
    assert not any(
        option.last for option in options(PlayerView(far.state, Side.WHITE, view.hand)) if not option.strikes
    )


def test_a_parry_alone_at_the_end(position: Position, cards: Cards) -> None:
    from engine.rules.state import Phase

    table = position(8, 13, "5551234512", attack="direct 5 1", phase=Phase.FINAL, hands=(5, 5))
    (only,) = options(PlayerView(table.state, Side.WHITE, cards("5c 4e 1e 2e 3e")))
    assert (only.parry, only.move, only.strikes, only.danger, only.best) == (1, 0, (), None, Fraction(0))


def test_advice_is_for_the_player_to_act(position: Position, cards: Cards) -> None:
    with pytest.raises(ValueError, match="advice is for the player to act, not for black in turn"):
        options(PlayerView(position(8, 13).state, Side.BLACK, cards("5c 4e 1e 2e 3e")))
