"""The kinds an opponent may be: each chooses as its likes do, and shows in its turns which of them it is."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from math import exp
from random import Random
from typing import Final

import pytest

from engine.players.bots.beliefs import deals, opponents_turns
from engine.players.bots.kinds import REMEMBERED, SPREAD, WHOLE_DECK, Glancing, Judging, answer, kinds
from engine.players.bots.options import APART, HANDS, INDIRECT, PACKED, packed
from engine.players.bots.people import Person, habits_at
from engine.players.bots.sparring import Stand, can_do, sparring, stand_of
from engine.players.players import Bot, Glance, GreedyBot, price
from engine.players.simulation import new_match, play_round
from engine.rules.events import Event
from engine.rules.legal import Play, counts_of
from engine.rules.possible import unseen_cards
from engine.rules.rulesets import FERTI_ADVANCED, RULE_SETS
from engine.rules.state import PlayerView
from engine.rules.track import BySide, Side

RULES: Final = "ferti-advanced"
WHOLE: Final = packed(WHOLE_DECK)


def stands(count: int) -> Iterator[Stand]:
    """Positions of every sort, many of which nobody would come to."""
    rng = Random(1)
    while count:
        distance = rng.randint(1, APART)
        attack = rng.randint(0, 10) if distance <= 5 and rng.random() < 0.4 else 0
        stand = Stand(
            rng.randrange(1, len(HANDS)), distance, rng.randint(0, APART - distance), attack, rng.randint(1, 15)
        )
        if can_do(stand, FERTI_ADVANCED):
            yield stand
            count -= 1


def met(bots: BySide[Bot], whose: Side, seeds: range) -> Iterator[PlayerView]:
    """What this side saw before each of its turns."""
    for seed in seeds:
        seen: list[tuple[PlayerView, Event]] = []
        play_round(new_match(RULES, 2), bots, Random(seed), seen)
        yield from (view for view, _ in seen if view.side is whose)


@pytest.mark.parametrize("rules", RULE_SETS)
def test_every_turn_has_a_chance_and_the_whole_is_one(rules: str) -> None:
    for stand in stands(150):
        unseen = WHOLE - PACKED[stand.hand]
        for kind in kinds(rules):
            chances = kind.chances(stand, unseen)
            assert len(chances) == len(can_do(stand, RULE_SETS[rules]))
            assert not chances or sum(chances) == pytest.approx(1)
            assert all(chance >= 0 for chance in chances)
            assert kind.chances(stand, unseen) == chances


def test_at_a_glance_everything_beyond_reach_looks_the_same() -> None:
    """The few positions that are kept stand for all others: the prices are those of the position itself."""
    glancing = Glancing(FERTI_ADVANCED)
    for stand in stands(400):
        seen = Glance(HANDS[stand.hand], stand.distance, stand.gained, stand.pile, stand.attack > INDIRECT)
        priced = [price(seen, option.play, WHOLE_DECK) for option in can_do(stand, FERTI_ADVANCED)]
        chances = glancing.chances(stand, 0)
        for one, chance in zip(priced, chances, strict=True):
            for other, against in zip(priced, chances, strict=True):
                assert (chance > against) == (one > other) or chance == pytest.approx(against)


def test_who_plays_at_a_glance_likes_best_what_has_the_highest_price() -> None:
    glancing = Glancing(FERTI_ADVANCED)
    for view in met(BySide(GreedyBot(), GreedyBot()), Side.WHITE, range(6)):
        stand = stand_of(view)
        if not view.public.pile:
            continue
        chances = glancing.chances(stand, 0)
        choices = can_do(stand, FERTI_ADVANCED)
        if choices:
            best = choices[chances.index(max(chances))].play
            assert abs(price_of(view, best) - max(price_of(view, each.play) for each in choices)) < 1e-9


def price_of(view: PlayerView, play: Play) -> float:
    stand = stand_of(view)
    seen = Glance(HANDS[stand.hand], stand.distance, stand.gained, stand.pile, stand.attack > INDIRECT)
    return price(seen, play, WHOLE_DECK)


def test_who_judges_likes_best_what_the_judgement_does() -> None:
    judging, mind = Judging(sparring(RULES)), sparring(RULES)
    for stand in stands(150):
        unseen = WHOLE - PACKED[stand.hand]
        logits = [each.logit for each in mind.valued(stand, unseen)]
        chances = judging.chances(stand, unseen)
        assert chances.index(max(chances)) == logits.index(max(logits))
        sharp = [exp((logit - max(logits)) / SPREAD) for logit in logits]
        assert chances == pytest.approx([each / sum(sharp) for each in sharp])


def test_what_was_thought_out_is_forgotten_in_time_and_thought_out_the_same_again() -> None:
    judging = Judging(sparring(RULES))
    first, *others = stands(REMEMBERED // 8)
    told = judging.chances(first, WHOLE - PACKED[first.hand])
    for unseen in range(12):
        for stand in others:
            judging.chances(stand, unseen)
    assert judging.chances(first, WHOLE - PACKED[first.hand]) == told
    assert len(judging._kept) <= REMEMBERED


def test_answers_come_as_often_as_they_are_likely() -> None:
    stand = next(each for each in stands(50) if len(can_do(each, FERTI_ADVANCED)) > 4)
    for kind in kinds(RULES):
        rng = Random(1)
        found = Counter(answer(kind, stand, WHOLE, FERTI_ADVANCED, rng) for _ in range(4000))
        chances = kind.chances(stand, WHOLE - PACKED[stand.hand])
        for option, chance in zip(can_do(stand, FERTI_ADVANCED), chances, strict=True):
            assert found[option] / 4000 == pytest.approx(chance, abs=0.03)
        assert answer(kind, Stand(0, 3, 2, 1, 5), WHOLE, FERTI_ADVANCED, rng) is None, "nobody parries without a card"


@pytest.mark.slow
def test_which_kind_somebody_is_shows_in_his_turns() -> None:
    """Over many turns of the greedy bot he is taken for one who glances, over those of one who judges for that."""
    glancing = {}
    judging = Person({RULES: habits_at(0.0)})
    for name, bot in (("glancing", GreedyBot()), ("judging", judging)):
        shares = []
        for view in met(BySide(judging, bot), Side.WHITE, range(12)):
            unseen = counts_of(unseen_cards(view.public, view.hand))
            if len(opponents_turns(view, 2)) == 2 and sum(unseen) > 5:
                found = deals(view, kinds(RULES), 60, Random(1))
                shares.append(sum(isinstance(each.kind, Glancing) for each in found) / 60)
        assert len(shares) > 20
        glancing[name] = sum(shares) / len(shares)
    assert glancing["glancing"] > 0.5
    assert glancing["judging"] < 0.45
    assert glancing["glancing"] > glancing["judging"] + 0.1
