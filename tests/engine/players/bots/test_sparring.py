"""Rounds in the head against the referee: the same options, the same ends."""

from __future__ import annotations

from collections.abc import Iterator
from math import log
from random import Random

import pytest

from engine.players.bots.judgement import (
    NONE,
    ROWS,
    SITUATIONS,
    WEIGHT_UNIT,
    Judgement,
    Weights,
    chance_of,
    learned,
    left_rows,
    meeting_row,
    place_rows,
    situation_of,
    unseen_rows,
)
from engine.players.bots.options import (
    APART,
    DRAWN,
    HANDS,
    HELD,
    INDEX,
    PACKED,
    SIZES,
    attack_number,
    hand_index,
    packed,
)
from engine.players.bots.sparring import Sparring, Stand, can_do, compared, last_shares, sparring, stand_of
from engine.players.players import choice_event, give_up
from engine.players.simulation import play, reveal
from engine.rules.cards import DECK, HAND_SIZE
from engine.rules.legal import counts_of, legal_plays, play_event
from engine.rules.referee import judge
from engine.rules.rulesets import RULE_SETS
from engine.rules.state import FullState, Phase, PlayerView, PublicState
from engine.rules.track import Side
from tests.matches import tables_of


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
@pytest.mark.parametrize("retreated", [False, True])
def test_the_ends_looked_up_are_those_of_the_rules(rules: str, retreated: bool) -> None:
    """For any two hands, wherever the fencers stand: only the cards equal to the distance count, and the places."""
    rng, found = Random(17), set()
    shares = last_shares(rules)[retreated]
    for _ in range(3_000):
        distance = rng.randint(1, APART)
        gained = rng.randint(0, APART - distance)
        hand, other = rng.randrange(len(HANDS)), rng.randrange(len(HANDS))
        share = shares[distance][gained][HELD[hand][distance] - HELD[other][distance]]
        assert share == compared(RULE_SETS[rules], hand, other, distance, gained, retreated).share
        found.add((share, distance <= HAND_SIZE))
    assert len(found) == 6


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
            if after.attack is not None:
                assert attack_number(after.attack) == option.attack
            seen.add((public.phase, option.attack > HAND_SIZE, bool(option.play.parry)))
    assert len(seen) >= (4 if RULE_SETS[rules].indirect_attacks else 2)


@pytest.mark.slow
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
        other = hand_index(full.hands[side.other])
        said = 1.0 - mind.play_out(stand, other, pile, unplayed(public), turns=99)
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
    left = PACKED[hit.hand] + PACKED[other] + packed((6, 0, 0, 0, 0))
    at_once = mind.play_out(hit, other, [0] * 6, left, turns=0)
    valued = mind.valued(hit, left - PACKED[hit.hand])
    assert at_once == 1.0 - chance_of(max(each.logit for each in valued))
    assert at_once < 0.2
    assert mind.play_out(hit, other, [0] * 6, left, turns=1) == 0.0


@pytest.mark.slow
def test_forgetting_changes_no_answer(monkeypatch: pytest.MonkeyPatch) -> None:
    weights = some_weights()
    rules = RULE_SETS["ferti-advanced"]
    fresh = Sparring(rules, Judgement(weights))
    monkeypatch.setattr("engine.players.bots.sparring.REMEMBERED", 3)
    monkeypatch.setattr("engine.players.bots.judgement.REMEMBERED", 3)
    forgetful = Sparring(rules, Judgement(weights))
    for full in positions("ferti-advanced", seeds=6):
        public, side = full.public, full.public.to_act
        assert side is not None
        stand = stand_of(full.view(side))
        unseen = unplayed(public) - PACKED[stand.hand]
        assert forgetful.valued(stand, unseen) == fresh.valued(stand, unseen)
        pile = [card.value - 1 for card in full.pile]
        for mind in (forgetful, fresh):
            told = mind.play_out(stand, hand_index(full.hands[side.other]), pile, unplayed(public), 3)
            assert told == fresh.play_out(stand, hand_index(full.hands[side.other]), pile, unplayed(public), 3)


def test_features_count_each_row_once_and_stay_inside() -> None:
    used: set[int] = set()
    by_situation: dict[int, set[int]] = {}
    for distance in range(1, APART + 1):
        for attack in range(2 * HAND_SIZE + 1 if distance <= HAND_SIZE else 1):
            situation = situation_of(distance, attack)
            assert 0 <= situation < SITUATIONS
            for left in range(len(HANDS)):
                used.update(left_rows(situation, left))
            for there in range(HAND_SIZE + 1):
                rows = unseen_rows(situation, packed([there] * 5))
                assert len(set(rows)) == 5
                used.update(rows)
            counted = {row for there in range(HAND_SIZE + 1) for row in unseen_rows(situation, packed([there] * 5))}
            assert len(counted) == 5 * (HAND_SIZE + 1)
            by_situation[situation] = counted
            for there in range(HAND_SIZE + 1):
                used.update(meeting_row(distance, attack, kept, there) for kept in range(HAND_SIZE + 1))
        for gained in range(APART - distance + 1):
            for pile in range(16):
                used.update(place_rows(distance, gained, pile))
    assert len(set().union(*by_situation.values())) == SITUATIONS * 5 * (HAND_SIZE + 1), "none counts in two situations"
    assert min(used) == 0
    assert max(used) == NONE == ROWS - 1


def test_a_thousand_and_twenty_four_is_one_more_in_the_logarithm() -> None:
    """What the files of learned weights are written in."""
    weights = [[0] * 3 for _ in range(ROWS)]
    judged = Judgement(weights)
    assert judged.logit(0, APART, 0, 0, 5, 0) == 0.0
    weights[place_rows(APART, 0, 5)[0]][0] = 1024
    assert Judgement(weights).logit(0, APART, 0, 0, 5, 0) == 1.0


def some_weights() -> Weights:
    rng = Random(4)
    return [[rng.randint(-4140, 4140) if row != NONE else 0 for _ in range(33)] for row in range(ROWS)]


@pytest.mark.parametrize("weights", [some_weights(), learned("ferti-advanced")], ids=["some", "learned"])
def test_the_judgement_is_what_its_weights_say(weights: Weights) -> None:
    """One by one as in all at once: the odds, and every unit that speaks up."""
    judged, width = Judgement(weights), len(weights[0])
    rng = Random(8)
    for _ in range(300):
        distance = rng.randint(1, APART)
        gained, pile, left = rng.randint(0, APART - distance), rng.randint(0, 15), rng.randrange(len(HANDS))
        attack = rng.randint(0, 10) if distance <= HAND_SIZE else 0
        counts = [rng.randint(0, 5) for _ in range(5)]
        situation = situation_of(distance, attack)
        kept, there = (HANDS[left][distance - 1], counts[distance - 1]) if distance <= HAND_SIZE else (0, 0)
        rows = (
            *left_rows(situation, left),
            *unseen_rows(situation, packed(counts)),
            meeting_row(distance, attack, kept, there),
            *place_rows(distance, gained, pile),
        )
        odds, *units = (sum(weights[row][column] for row in rows) for column in range(width))
        said = sum(max(0, unit) for unit in units[: width // 2]) - sum(max(0, unit) for unit in units[width // 2 :])
        assert judged.logit(left, distance, gained, attack, pile, packed(counts)) == WEIGHT_UNIT * (odds + said)


@pytest.mark.slow
def test_the_judgement_forgets_in_time_and_judges_the_same_without(monkeypatch: pytest.MonkeyPatch) -> None:
    """Never more sums than allowed, and what was forgotten is made anew."""
    monkeypatch.setattr("engine.players.bots.judgement.REMEMBERED", 3)
    judged, rng = Judgement(some_weights()), Random(2)
    asked = [
        (rng.randint(1, 5), rng.randint(0, 9), rng.randint(0, 15), packed([rng.randint(0, 5)] * 5)) for _ in "x" * 40
    ]
    first, most = [], [0, 0]
    for distance, gained, pile, unseen in asked:
        first.append(judged.logit(7, distance, gained, 0, pile, unseen))
        most = [max(before, len(sums)) for before, sums in zip(most, (judged._unseen, judged._places), strict=True)]
    assert most == [3, 3]
    assert [judged.logit(7, distance, gained, 0, pile, unseen) for distance, gained, pile, unseen in asked] == first
    for position, logit in zip(asked[:9], first, strict=False):
        distance, gained, pile, unseen = position
        assert Judgement(some_weights()).logit(7, distance, gained, 0, pile, unseen) == logit


def test_the_chance_that_odds_are() -> None:
    """Even odds, three to one, and odds too long for a number of the machine's."""
    assert chance_of(0.0) == 0.5
    assert chance_of(log(3)) == pytest.approx(0.75)
    assert chance_of(-log(3)) == pytest.approx(0.25)
    assert chance_of(-699.0) > 0.0
    assert chance_of(-10_000.0) == chance_of(-700.0) == 0.0
    assert chance_of(10_000.0) == 1.0


def test_rows_that_are_missing_or_not_as_wide_are_refused() -> None:
    weights = some_weights()
    with pytest.raises(ValueError, match="takes 1697 rows, all as wide, but 2 rows were given"):
        Judgement(weights[:2])
    with pytest.raises(ValueError, match="all as wide"):
        Judgement([*weights[:-1], weights[-1][:-1]])


def unplayed(public: PublicState) -> int:
    """All cards in hands and pile, packed."""
    return packed(tuple(public.unseen_counts.values()))


def positions(rules: str, seeds: int) -> Iterator[FullState]:
    """Every position of whole rounds played at random, a player to act in each."""
    for seed in range(seeds):
        yield from tables_of(rules, Random(seed))


def step(full: FullState, mind: Sparring) -> FullState:
    """The table after the next event, the player choosing by judgement; best against the known hand at the very end."""
    public = full.public
    if public.to_act is None:
        return play(full, reveal(full))[0]
    view = PlayerView(public, public.to_act, full.hands[public.to_act])
    stand = stand_of(view)
    valued = mind.valued(stand, unplayed(public) - PACKED[stand.hand])
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
