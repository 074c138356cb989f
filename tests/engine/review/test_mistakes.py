"""What the review calls a mistake is one by another solver's price; the hand held is among those that fit."""

from __future__ import annotations

from random import Random

import pytest
from bench_mistakes import checked, round_of

from display.words.review import review_lines
from display.words.sentences import words_for
from engine.players.simulation import new_match, start_round
from engine.record.course import follow
from engine.record.retelling import finished_rounds
from engine.review.judging import GOOD, LOSS, MOSTLY, Judged, Kind, Sign, judged_turn
from engine.review.own_puzzle import own_hands
from engine.review.proof import Basis, Better
from engine.review.review import Reviewed, Why, review, to_the_end, why_worse
from engine.rules.events import MatchEvent, YieldEvent
from engine.rules.legal import Play, counts_of, legal_plays
from engine.rules.possible import hidden_hand
from engine.rules.track import BySide, Side
from tests.matches import GREEDY, match_of


@pytest.mark.slow
@pytest.mark.parametrize("bot", ["novice", "fencer"])
def test_no_mistake_was_the_best_turn_by_price(bot: str) -> None:
    counts, losses = checked(bot, 12, 7, "ferti-advanced")
    assert counts["priced anew"] >= 1
    assert counts["was the best"] == counts["advice is worse"] == 0
    assert min(losses) >= LOSS / 2


@pytest.mark.slow
@pytest.mark.parametrize("rules", ["ferti-classic", "brettspielnetz"])
def test_the_hand_that_was_held_is_always_among_those_that_fit(rules: str) -> None:
    for seed in range(10):
        steps, hidden = round_of("fencer", rules, str(seed))
        for place, (fitting, full) in enumerate(zip(own_hands(steps), hidden, strict=True)):
            side = full.public.to_act
            if side is None:
                assert not fitting
                continue
            assert counts_of(full.hands[side]) in fitting, (seed, place)
            assert all(sum(hand) == full.public.hands[side] and min(hand) >= 0 for hand in fitting)


@pytest.mark.slow
def test_signs_follow_the_prices() -> None:
    told: list[Judged] = []
    rounds = [("club", f"signs {seed}") for seed in range(8)] + [("novice", f"prices {seed}") for seed in range(4, 7)]
    for bot, seed in rounds:
        steps, _ = round_of(bot, "ferti-advanced", seed)
        hands = own_hands(steps)
        found = [judged_turn(step, hands[place]) for place, step in enumerate(steps)]
        told += [each for each in found if each is not None]
    assert len({each.sign for each in told}) >= 3
    for each in told:
        assert (each.sign in (Sign.WORSE, Sign.BLUNDER)) == (each.kind in (Kind.MISTAKE, Kind.LIKELY_MISTAKE))
        if each.sign is Sign.BRILLIANT and each.price_taken is not None and each.price_better is not None:
            assert each.price_better - each.price_taken < GOOD
        if each.sign is Sign.OK:
            assert each.loss <= 1 - MOSTLY + LOSS, "it is none worse with most of what he is likely to have held"
        if each.kind is not None:
            assert each.better is not None
            assert each.better.play != each.taken


@pytest.mark.parametrize(
    ("taken", "play", "why"),
    [
        (3, -3, Why.NEAR),
        (3, 1, Why.NEAR),
        (-1, -3, Why.DISTANCE),
        (-3, 3, Why.GROUND),
        (-3, -1, Why.GROUND),
        (1, 3, Why.FAR),
    ],
)
def test_of_steps_it_is_said_which_went_too_near_or_stayed_too_far(taken: int, play: int, why: Why) -> None:
    before = start_round(new_match("ferti-classic", 9), Random(1)).public._replace(spaces=BySide(6, 18), distance=12)
    better = Better(Side.WHITE, Basis.JUDGED, Play(0, play, 0), Play(0, taken, 0), 0.9, 0.2)
    assert why_worse(before, better, {}) is why


@pytest.mark.slow
def test_giving_up_is_a_mistake_where_every_hand_had_an_answer_and_open_where_only_some_had() -> None:
    told = set()
    course = None
    for event, _, state, _, _ in match_of(MatchEvent("ferti-advanced", Side.WHITE, 2), Random(0), GREEDY):
        course, _ = follow(course, event)
        if state.to_act is None:
            continue
        given_up, _ = follow(course, YieldEvent())
        steps = finished_rounds(given_up)[-1]
        can = [bool(legal_plays(state, hand)) for hand, _ in hidden_hand(state, state.to_act).hands()]
        *_, end = review(steps, 1)
        turned = to_the_end([end])
        if all(can):
            assert end.judged is not None
            assert end.judged.better is not None
            assert (end.kind, end.judged.better.basis) == (Kind.MISTAKE, Basis.ANY_TURN)
            assert end.judged.sign in (Sign.WORSE, Sign.BLUNDER)
            assert turned == [end]
            assert mistakes_of(end) == ["Mistake"]
        else:
            assert (end.judged is not None) == any(can)
            assert end.kind is None
            assert turned == []
            assert mistakes_of(end) == (["Whether"] if any(can) else [])
        told.add((all(can), any(can)))
    assert told == {(True, True), (False, True)}


def mistakes_of(end: Reviewed) -> list[str]:
    """How what the review says below this entry begins."""
    words = words_for("en", BySide("Ana", "Bo"))
    below = [line.strip() for line in review_lines(words, 1, [end])[2:] if line.startswith("    ")]
    return ["Whether" if "Whether" in line else line.split(":")[0] for line in below]
