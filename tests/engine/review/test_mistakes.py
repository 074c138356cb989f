"""What the review calls a mistake is one by another solver's price; the hand held is among those that fit."""

from __future__ import annotations

from random import Random

import pytest
from bench_mistakes import checked, round_of

from engine.players.simulation import new_match, start_round
from engine.review.judging import GOOD, LOSS, MOSTLY, Judged, Kind, Sign, judged_turn
from engine.review.own_puzzle import own_hands
from engine.review.proof import Basis, Better
from engine.review.why import Why, why_worse
from engine.rules.legal import Play, counts_of
from engine.rules.track import BySide, Side


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
