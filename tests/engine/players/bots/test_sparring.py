"""Rounds in the head against the referee: the same options, the same ends."""

from __future__ import annotations

from collections.abc import Iterator
from random import Random

import pytest

from engine.players.bots.hands import DRAWN, HANDS, INDEX, SIZES, hand_index
from engine.players.bots.judgement import WEIGHT_COUNT, Judgement, chance_of, hand_features, place_features, strike
from engine.players.bots.options import APART, attack_number
from engine.players.bots.sparring import Sparring, Stand, can_do, sparring, stand_of
from engine.players.players import choice_event, give_up
from engine.players.simulation import play, reveal, start_round
from engine.rules.cards import DECK, HAND_SIZE
from engine.rules.events import MatchEvent
from engine.rules.legal import counts_of, legal_plays, play_event
from engine.rules.referee import judge
from engine.rules.rulesets import RULE_SETS
from engine.rules.state import FullState, Phase, PlayerView
from engine.rules.track import Side


def test_every_hand_has_a_number_and_drawing_adds_a_card() -> None:
    assert len(HANDS) == len(set(HANDS)) == 252
    assert HANDS[0] == (0, 0, 0, 0, 0)
    for index, counts in enumerate(HANDS):
        assert INDEX[counts] == index
        for place, after in enumerate(DRAWN[index]):
            if SIZES[index] == HAND_SIZE:
                assert after == -1
            else:
                assert HANDS[after][place] == counts[place] + 1
                assert SIZES[after] == SIZES[index] + 1
    assert HANDS[hand_index(DECK[4:8])] == (1, 3, 0, 0, 0)


@pytest.mark.parametrize("rules", RULE_SETS)
def test_the_options_are_the_legal_plays_and_leave_what_they_leave(rules: str) -> None:
    seen = set()
    for full in positions(rules, seeds=30):
        public = full.public
        assert public.to_act is not None
        view = full.view(public.to_act)
        stand = stand_of(view)
        found = can_do(stand, public.rules)
        assert tuple(option.play for option in found) == legal_plays(public, counts_of(view.hand))
        for option in found:
            after, ruling = judge(public, play_event(public, view.hand, option.play))
            assert ruling.ok
            assert after is not None
            laid = after.played[len(public.played) :]
            left = [card for card in view.hand if card not in laid]
            assert HANDS[option.left] == counts_of(left)
            assert after is not None
            if after.attack is not None:
                assert after is not None
                assert attack_number(after.attack) == option.attack
            seen.add((public.phase, option.attack > HAND_SIZE, bool(option.play.parry)))
    assert len(seen) >= (4 if RULE_SETS[rules].indirect_attacks else 2)


@pytest.mark.parametrize("rules", RULE_SETS)
def test_a_round_in_the_head_ends_as_the_referee_ends_it(rules: str) -> None:
    """The same choices, made by judgement, at a real table with the same cards; every way a round can end occurs."""
    mind = sparring(rules)
    ends = set()
    for full in positions(rules, seeds=20):
        public = full.public
        side = public.to_act
        assert side is not None
        stand = stand_of(full.view(side))
        pile = [card.value - 1 for card in reversed(full.pile)]
        assert side is not None
        other = hand_index(full.hands[side.other])
        said = 1.0 - mind.play_out(stand, other, pile, turns=99)
        while full.public.result is None:
            full = step(full, mind)
        winner = full.public.result.winner
        assert said == (0.5 if winner is None else float(winner is side)), public
        ends.add(full.public.result.reason)
    assert len(ends) >= 3


def test_a_round_cut_short_is_judged_for_the_right_player() -> None:
    mind = sparring("ferti-advanced")
    # A 3 from three spaces away, all three of the others played: he cannot lose, whoever looks at it.
    hit = Stand(INDEX[(0, 0, 3, 1, 1)], 3, 10, 0, 6)
    other = INDEX[(2, 2, 0, 1, 0)]
    at_once = mind.play_out(hit, other, [0] * 6, turns=0)
    assert at_once == 1.0 - chance_of(max(each.logit for each in mind.valued(hit)))
    assert at_once < 0.2
    assert mind.play_out(hit, other, [0] * 6, turns=1) == 0.0


def test_forgetting_changes_no_answer(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("engine.players.bots.sparring.REMEMBERED", 3)
    weights = [Random(4).uniform(-1, 1) for _ in range(WEIGHT_COUNT)]
    rules = RULE_SETS["ferti-advanced"]
    forgetful, fresh = Sparring(rules, weights), Sparring(rules, weights)
    for full in positions("ferti-advanced", seeds=6):
        assert full.public.to_act is not None
        stand = stand_of(full.view(full.public.to_act))
        assert forgetful.valued(stand) == fresh.valued(stand) == Sparring(rules, weights).valued(stand)


def test_features_count_each_place_once_and_stay_inside() -> None:
    used: set[int] = set()
    for left, counts in enumerate(HANDS):
        for distance in range(1, 15):
            found = hand_features(left, distance, 0, left % 7, True)
            assert len(set(found)) == len(found)
            used.update(found)
            if distance <= HAND_SIZE and SIZES[left] < HAND_SIZE:
                for attack in range(1, 11):
                    used.update(hand_features(left, distance, attack, 3, True))
        assert strike(left, 11, True) == 0
        assert strike(left, 4, False) == counts[3]
    for distance in range(1, APART + 1):
        for gained in range(APART - distance + 1):
            for attack in range(11 if distance <= HAND_SIZE else 1):
                used.update(place_features(distance, gained, attack, gained % 7))
    assert min(used) == 0
    assert max(used) == WEIGHT_COUNT - 1


def test_the_judgement_is_the_sum_of_its_weights() -> None:
    weights = [place / 7 for place in range(WEIGHT_COUNT)]
    judged = Judgement(weights, True)
    hand = INDEX[(1, 0, 2, 0, 1)]
    places = (*hand_features(hand, 3, 0, 4, True), *place_features(3, 9, 0, 4))
    for _ in range(2):
        assert judged.logit(hand, 3, 9, 0, 6) == pytest.approx(sum(weights[place] for place in places))
    assert strike(INDEX[(0, 0, 3, 0, 0)], 6, True) == 2, "one of the threes is spent on the step"


def positions(rules: str, seeds: int) -> Iterator[FullState]:
    """Every position of whole rounds played at random, a player to act in each."""
    state, _ = judge(None, MatchEvent(rules, points=10**6))
    for seed in range(seeds):
        rng = Random(seed)
        assert state is not None
        full = start_round(state, rng)
        while full.public.result is None:
            if full.public.to_act is None:
                full, _ = play(full, reveal(full))
                continue
            yield full
            hand = full.hands[full.public.to_act]
            plays = legal_plays(full.public, counts_of(hand))
            view = full.view(full.public.to_act)
            event = (
                play_event(full.public, hand, rng.choice(plays)) if plays else choice_event(full.public, give_up(view))
            )
            full, ruling = play(full, event)
            assert ruling.ok


def step(full: FullState, mind: Sparring) -> FullState:
    """The table after the next event, the player choosing by judgement; best against the known hand at the very end."""
    public = full.public
    if public.to_act is None:
        return play(full, reveal(full))[0]
    view = PlayerView(public, public.to_act, full.hands[public.to_act])
    valued = mind.valued(stand_of(view))
    if not valued:
        return play(full, choice_event(public, give_up(view)))[0]
    plays = [each.option.play for each in sorted(valued, key=lambda each: -each.logit)]
    if public.phase is Phase.FINAL:
        ends = [end_of(play(full, play_event(public, view.hand, each))[0], public.to_act) for each in plays]
        return ends[max(range(len(ends)), key=lambda place: ends[place][0])][1]
    return play(full, play_event(public, view.hand, plays[0]))[0]


def end_of(full: FullState, side: Side) -> tuple[float, FullState]:
    while full.public.result is None:
        full, _ = play(full, reveal(full))
    winner = full.public.result.winner
    return (0.5 if winner is None else float(winner is side)), full
