"""What the review calls a mistake is one by another solver's price; the hand held is among those that fit."""

from __future__ import annotations

import pytest
from bench_mistakes import checked, round_of

from engine.review.judging import GOOD, LOSS, Judged, Kind, Sign, judged_turn
from engine.review.own_puzzle import own_hands
from engine.rules.legal import counts_of


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
    for seed in range(8):
        steps, _ = round_of("club", "ferti-advanced", f"signs {seed}")
        hands = own_hands(steps)
        found = [judged_turn(step, hands[place]) for place, step in enumerate(steps)]
        told += [each for each in found if each is not None]
    assert len({each.sign for each in told}) >= 3
    for each in told:
        assert (each.sign in (Sign.WORSE, Sign.BLUNDER)) == (each.kind in (Kind.MISTAKE, Kind.LIKELY_MISTAKE))
        if each.sign is Sign.BRILLIANT and each.price_taken is not None and each.price_better is not None:
            assert each.price_better - each.price_taken < GOOD
        if each.kind is not None:
            assert each.better is not None
            assert each.better.play != each.taken
