"""Hints for both players: exact, and the same whatever the hidden cards are."""

from __future__ import annotations

from collections.abc import Iterator
from fractions import Fraction
from itertools import combinations
from random import Random

import pytest

from engine.odds import (
    PublicHints,
    Reach,
    Strike,
    TurnAdvice,
    attacks,
    can_answer,
    can_attack,
    options,
    public_hints,
    reach_of,
    steps_of,
)
from engine.odds import _promise as promise
from engine.players.players import GreedyBot, choice_event
from engine.players.simulation import play, start_round
from engine.rules.cards import DECK
from engine.rules.legal import Counts, counts_of, legal_plays, play_event
from engine.rules.referee import judge
from engine.rules.rulesets import BRETTSPIELNETZ, FERTI_ADVANCED, FERTI_CLASSIC, RULE_SETS
from engine.rules.state import FullState, Phase, PlayerView, PublicState
from engine.rules.track import BySide, Side
from tests.engine.conftest import new_match, position, random_match
from tests.matches import cards


def _hints(state: PublicState) -> PublicHints:
    told = public_hints(state)
    assert told is not None
    return told


def swapped(full: FullState, keeps: Side | None, rng: Random) -> FullState:
    """The same table with all cards dealt anew that ``keeps`` (None: the public) does not see."""
    kept = full.hands[keeps] if keeps is not None else ()
    hidden = [card for card in DECK if card not in full.public.played and card not in kept]
    rng.shuffle(hidden)
    hands = full.hands
    for side in Side:
        if side is not keeps:
            size = len(full.hands[side])
            hands = hands.put(side, tuple(hidden[:size]))
            hidden = hidden[size:]
    return FullState(full.public, hands, tuple(hidden))


def tables(seeds: range) -> Iterator[FullState]:
    """The tables of random matches at which somebody is to act."""
    for seed in seeds:
        for _, before, _ in random_match(sorted(RULE_SETS)[seed % 3], Random(seed), points=1):
            if before is not None and before.public.to_act is not None:
                yield before


@pytest.mark.parametrize("seed", range(9))
def test_nothing_changes_when_hidden_cards_are_swapped(seed: int) -> None:
    """Neither for both players nor for one who lays his own hand open: also not what can be said a turn later."""
    rng = Random(seed)
    for full in tables(range(seed, seed + 1)):
        side = full.public.to_act
        other = swapped(full, side, rng)
        assert side is not None
        assert options(other.view(side)) == options(full.view(side))
        free = swapped(full, None, rng)
        assert public_hints(free.public) == public_hints(full.public)
        # The turn he makes can be made whatever the other holds, and leaves everybody as wise as before.
        event = choice_event(full.public, GreedyBot().choose(full.view(side), Random(1)))
        after, after_other = play(full, event)[0], play(other, event)[0]
        assert public_hints(after_other.public) == public_hints(after.public)


def test_a_retreat_is_none_where_there_is_no_space_behind() -> None:
    table = position(1, 5, attack="indirect 4 1")
    defence = _hints(table.state).defence
    assert defence is not None
    assert defence.retreat is None


@pytest.mark.parametrize(
    ("distance", "classic", "advanced"),
    [
        (1, Reach.DIRECT, Reach.DIRECT),
        (5, Reach.DIRECT, Reach.DIRECT),
        (6, Reach.AWAY, Reach.INDIRECT),
        (10, Reach.AWAY, Reach.INDIRECT),
        (11, Reach.AWAY, Reach.AWAY),
        (22, Reach.AWAY, Reach.AWAY),
    ],
)
def test_what_a_distance_means(distance: int, classic: Reach, advanced: Reach) -> None:
    assert reach_of(distance, FERTI_CLASSIC) is classic
    assert reach_of(distance, FERTI_ADVANCED) is reach_of(distance, BRETTSPIELNETZ) is advanced


def test_a_distance_means_what_hands_can_do() -> None:
    """Against trying every pair of cards."""
    for distance in range(1, 23):
        for indirect, rules in ((False, FERTI_CLASSIC), (True, FERTI_ADVANCED)):
            hands = [counts_of(pair) for pair in combinations(DECK, 2)]
            possible = any(attacks(counts, distance, indirect) for counts in hands)
            assert possible is (reach_of(distance, rules) is not Reach.AWAY)
    assert steps_of(8) == ((3, 5), (4, 4), (5, 3))
    assert steps_of(2) == ((1, 1),)
    assert steps_of(11) == ()


def test_what_else_is_told() -> None:
    table = new_match()
    told = _hints(table.state)
    assert (told.side, told.distance, told.few) == (Side.WHITE, 22, False)
    assert told.attack == 0
    assert (told.closing, told.unseen) == ((), (5, 5, 5, 5, 5))
    assert _hints(position(4, 12).state).closing == (3, 4, 5)
    assert _hints(position(4, 8).state).closing == ()
    assert _hints(position(4, 12, "1111122222333").state).few
    last = position(4, 8, "11223344", attack="direct 4 1", phase=Phase.FINAL, hands=(4, 4))
    defence = _hints(last.state).defence
    assert defence is not None
    assert defence.last
    assert not _hints(last.state).few
    over = new_match()
    over.give_up()
    assert public_hints(over.state) is None


def test_it_knows_no_more_than_the_opening_does() -> None:
    full = start_round(new_match().state._replace(phase=Phase.SETUP, round=0), Random(3))
    assert _hints(full.public).unseen == (5, 5, 5, 5, 5)
    assert BySide(5, 5) == full.public.hands


@pytest.mark.slow
def test_every_legal_turn_is_among_them_once() -> None:
    seen = 0
    for full in tables(range(12)):
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


def test_where_both_hands_lie_open_every_chance_comes_true() -> None:
    """A sure hit cannot be answered by the hand that is there, and a harmless one always can."""
    sure = harmless = exposed = 0
    for full in tables(range(30)):
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


def test_chances_with_one_hand_hidden() -> None:
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


def test_the_card_moved_with_is_not_left_to_parry_with() -> None:
    view = PlayerView(position(8, 14).state, Side.WHITE, cards("3a 3b 2a 2b 1a"))
    kept = {option.move: option.kept for option in options(view) if not option.strikes}
    assert kept[3] == 1  # three spaces away with the other three
    assert kept[2] == 0
    assert kept[1] == 0


def test_giving_up_ground_costs_and_what_likely_hits_comes_before_what_exposes_nothing() -> None:
    def to(move: int, danger: Fraction | None, *hits: Fraction) -> TurnAdvice:
        return TurnAdvice(0, move, 9, tuple(Strike(1, each, last=False) for each in hits), danger, 0, last=False)

    nothing, little, more = Fraction(0), Fraction(1, 4), Fraction(1, 2)
    told = [to(1, None, Fraction(3, 4)), to(2, nothing), to(1, little), to(-1, nothing), to(3, more), to(-2, little)]
    assert sorted(told, key=promise, reverse=True) == told


def test_a_card_the_parry_takes_is_not_left_to_parry_with() -> None:
    table = position(8, 13, "1111122222333334444455555", attack="direct 5 1")
    kept = {
        option.best > 0: option.kept for option in options(PlayerView(table.state, Side.WHITE, cards("5a 5b 5c 2a 1a")))
    }
    assert kept[True] == 1  # one to parry, one at least to hit back


def test_a_parry_alone_at_the_end() -> None:
    table = position(8, 13, "5551234512", attack="direct 5 1", phase=Phase.FINAL, hands=(5, 5))
    (only,) = options(PlayerView(table.state, Side.WHITE, cards("5c 4e 1e 2e 3e")))
    assert (only.parry, only.move, only.strikes, only.danger, only.best) == (1, 0, (), None, Fraction(0))


def test_advice_is_for_the_player_to_act() -> None:
    with pytest.raises(ValueError, match="advice is for the player to act, not for black in turn"):
        options(PlayerView(position(8, 13).state, Side.BLACK, cards("5c 4e 1e 2e 3e")))
