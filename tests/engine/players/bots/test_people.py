"""Players who make people's mistakes: each kind shows in what is chosen, and a plain touch is taken."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from itertools import pairwise
from random import Random
from typing import Final

import bench_certain
import bench_ladder
import pytest
from hypothesis import given
from hypothesis import strategies as st

from engine.players.bots.people import EDGE_SPACES, WAY, Habits, Mistake, Person, habits_at
from engine.players.bots.sparring import can_do, stand_of
from engine.players.bots.strengths import PLACES, STRENGTHS
from engine.players.players import RandomBot, choice_event
from engine.players.simulation import new_match, play_round
from engine.rules.cards import DECK
from engine.rules.events import Event
from engine.rules.legal import Play, Turn, turn_of
from engine.rules.rulesets import RULE_SETS
from engine.rules.state import PlayerView
from engine.rules.track import SPACES, BySide, Side
from tests.engine.conftest import position
from tests.matches import cards

RULES: Final = "ferti-advanced"
TIMES: Final = 60


def somebody(**rates: float) -> Person:
    """Who makes these mistakes and no others."""
    return Person({rules: Habits({kind: rates.get(kind.value, 0.0) for kind in Mistake}, False) for rules in RULE_SETS})


def met(rules: str, rounds: int) -> Iterator[PlayerView]:
    """What players see in rounds of a strong one against one who plays anything."""
    for seed in range(rounds):
        seen: list[tuple[PlayerView, Event]] = []
        play_round(new_match(rules, 2), BySide(somebody(), RandomBot()), Random(seed), seen)
        yield from (view for view, _ in seen)


def chosen(person: Person, view: PlayerView, times: int = TIMES) -> Counter[Play]:
    """How often each play was chosen."""
    plays = {
        turn_of(view.public, view.hand, each.play): each.play for each in can_do(stand_of(view), view.public.rules)
    }
    turns = [person.choose(view, Random(number)) for number in range(times)]
    return Counter(plays[turn] for turn in turns if isinstance(turn, Turn))


def at(hand: tuple[int, int, str], unseen: str = "1122333344445555") -> PlayerView:
    """What White sees on these spaces; ``unseen`` are the values not played, his own among them."""
    white, black, held = hand
    return PlayerView(position(white, black, unseen, to_act=Side.WHITE).state, Side.WHITE, cards(held))


@st.composite
def plain_touches(draw: st.DrawFn) -> PlayerView:
    """What a player sees who holds more than half of the cards of a value: at that distance, or a step further from an
    opponent at the edge."""
    rules = draw(st.sampled_from([*RULE_SETS.values()]))
    value = draw(st.integers(1, 5))
    step = draw(st.integers(1, 5)) if rules.indirect_attacks and draw(st.booleans()) else 0
    edge = step or draw(st.booleans())
    kept = [step] if step else []
    hand = [value] * draw(st.integers(3, 5 - len(kept))) + kept
    rest = [each for each in range(1, 6) for _ in range(5 - hand.count(each))]
    rest = draw(st.permutations(rest))
    hand, rest = [*hand, *rest[len(hand) - 5 :]] if len(hand) < 5 else hand, rest[: len(hand) - 5 or None]
    black = SPACES if edge else draw(st.integers(value + 1, SPACES))
    unseen = "".join(map(str, sorted(hand + rest[: 5 + draw(st.integers(1, 15))])))
    state = position(black - value - step, black, unseen, rules=rules.name).state
    of_value = [[card for card in DECK if card.value == each][::-1] for each in range(6)]
    return PlayerView(state, Side.WHITE, tuple(of_value[each].pop(0) for each in hand))


@pytest.mark.parametrize("strength", ["fencer", "club", "master", "maestro"])
@given(view=plain_touches(), seed=st.integers(0, 1 << 32))
def test_a_touch_that_needs_no_counting_is_taken_by_everybody_who_has_played_before(
    strength: str, view: PlayerView, seed: int
) -> None:
    assert bench_certain.hits(view, bench_certain.unseen_without_counting(view))
    event = choice_event(view.public, STRENGTHS[strength]().choose(view, Random(seed)))
    assert bench_certain.taken_or_won(view, event, ())


def test_who_forgets_misses_the_touch_that_only_counting_proves() -> None:
    view = at((8, 10, "1a 2e 3d 4e 5e"), "111123333444555")
    assert set(chosen(somebody(), view)) == {Play(0, 0, 1)}
    assert Play(0, 0, 1) not in chosen(somebody(forgets=1.0), view)
    sometimes = chosen(somebody(forgets=0.4), view)
    assert 0 < sometimes[Play(0, 0, 1)] < TIMES


def test_who_hits_early_attacks_whenever_he_can() -> None:
    attacked = held_back = 0
    for view in met(RULES, 6):
        options = can_do(stand_of(view), view.public.rules)
        if not any(each.attack for each in options):
            continue
        attacked += 1
        assert all(play.attack for play in chosen(somebody(hits_early=1.0), view, 1))
        held_back += not all(play.attack for play in chosen(somebody(), view, 1))
    assert attacked > 10
    assert held_back > 2


def test_who_fears_the_edge_goes_back_only_with_spaces_behind_him_or_where_he_must() -> None:
    went_back = 0
    for view in met(RULES, 12):
        stand, options = stand_of(view), can_do(stand_of(view), view.public.rules)
        for play in chosen(somebody(fears_edge=1.0), view, 1):
            far = [each for each in options if each.play.move >= 0 or stand.gained + each.play.move >= EDGE_SPACES]
            assert not far or play in {each.play for each in far}
        went_back += any(
            play.move < 0 and stand.gained + play.move < EDGE_SPACES for play in chosen(somebody(), view, 1)
        )
    assert went_back > 2


def test_who_does_not_look_at_the_answer_does_what_does_most() -> None:
    assert set(chosen(somebody(ignores_answer=1.0), at((1, 23, "1a 2a 3a 4a 5a")))) == {Play(0, 5, 0)}
    assert set(chosen(somebody(ignores_answer=1.0), at((8, 11, "3a 3b 1d 4d 5d")))) == {Play(0, 0, 2)}


def test_who_misses_sees_no_attack_after_a_step_or_a_parry_but_a_sure_one() -> None:
    combined = 0
    for view in met(RULES, 12):
        options = can_do(stand_of(view), view.public.rules)
        if bench_certain.hits(view, bench_certain.unseen_of(view)):
            continue
        simple = [each for each in options if not (each.attack and (each.play.move or each.play.parry))]
        for play in chosen(somebody(misses=1.0), view, 1):
            assert not simple or play in {each.play for each in simple}
        combined += any(play.attack and (play.move or play.parry) for play in chosen(somebody(), view, 1))
    assert combined > 2


def test_who_hopes_takes_the_other_not_to_hold_what_matters() -> None:
    """With every card of the value unseen he plays as one who knows that they are all played."""
    differing = 0
    for view in met(RULES, 12):
        differing += chosen(somebody(hopes=1.0), view, 1) != chosen(somebody(), view, 1)
    assert differing > 10


def test_who_plays_anything_plays_everything() -> None:
    view = at((8, 11, "3a 3b 1d 4d 5d"))
    assert set(chosen(somebody(anything=1.0), view, 400)) == {
        each.play for each in can_do(stand_of(view), view.public.rules)
    }


def test_without_mistakes_a_position_has_one_answer_and_misjudging_brings_others() -> None:
    view = at((6, 17, "1d 2d 3c 4d 5d"))
    (best,) = chosen(somebody(), view)
    rough = chosen(somebody(misjudges=1.0), view)
    assert len(rough) > 1
    assert rough.most_common(1)[0][0] == best


@pytest.mark.parametrize("rules", RULE_SETS)
def test_every_mistake_is_as_often_made_by_the_weaker(rules: str) -> None:
    places = [PLACES[name][rules] for name in STRENGTHS if name in PLACES]
    assert places == sorted(places, reverse=True)
    for kind in Mistake:
        if kind is not Mistake.IGNORES_ANSWER:  # the less often, the more often anything is played
            rates = [habits_at(place).rates[kind] for place in places]
            assert rates == sorted(rates, reverse=True), kind
    assert habits_at(PLACES["fencer"][rules]).rates[Mistake.ANYTHING] == 0


def test_a_place_that_is_not_on_the_way_is_refused() -> None:
    assert habits_at(len(WAY) - 1).rates[Mistake.ANYTHING] == 1
    for place in (-0.1, len(WAY) - 0.9):
        with pytest.raises(ValueError, match="between 0 and 4"):
            habits_at(place)


@pytest.mark.slow
@pytest.mark.parametrize("rules", RULE_SETS)
def test_each_strength_beats_the_one_before_by_about_as_much(rules: str) -> None:
    """Few rounds, wide limits; ``bench_ladder.py`` measures."""
    ladder = [RandomBot(), *(STRENGTHS[name]() for name in STRENGTHS if name != "maestro")]
    for below, above in pairwise(ladder):
        assert 0.52 < bench_ladder.share(rules, above, below, 300, "test") < 0.74, above
