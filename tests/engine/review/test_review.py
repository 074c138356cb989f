"""A round reviewed: chances that are what counting says, and judgements that hold for the cards there really were."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable
from fractions import Fraction
from itertools import pairwise

import pytest

from engine.odds import options, public_hints
from engine.players.bots.options import HANDS
from engine.players.bots.sparring import Stand
from engine.players.bots.strengths import STRENGTHS
from engine.players.players import RandomBot
from engine.record.course import CourseStep
from engine.review.chance import Chance, chance_of, limits, shown_chance
from engine.review.judging import Kind
from engine.review.proof import Basis, Better, Fitting, Lie, _lies, play_of, values_at
from engine.review.review import DECIDES, Reviewed, _shown, deciding, mistakes, review, to_the_end, turning_points
from engine.rules.events import RevealEvent, TurnEvent
from engine.rules.legal import Counts, Play, counts_of
from engine.rules.possible import unseen_cards
from engine.rules.rulings import Ruling
from engine.rules.state import Phase, PlayerView, PublicState, Reason, Result
from engine.rules.track import BySide, Side
from tests.engine.conftest import position
from tests.engine.review.conftest import Played, rounds_of

FEW = 40


@pytest.fixture(scope="module")
def played() -> list[Played]:
    """Of matches of a novice against a fencer."""
    return [each for seed in range(6) for each in rounds_of(seed, BySide(STRENGTHS["novice"](), STRENGTHS["fencer"]()))]


@pytest.fixture(scope="module")
def reviews(played: list[Played]) -> list[list[Reviewed]]:
    """Of these rounds, with few rounds tried for the chances."""
    return [list(review(each.steps, 1)) for each in played]


@pytest.mark.slow
def test_chances_have_limits_and_follow_on_one_another(played: list[Played]) -> None:
    for each in played[:4]:
        reviewed = list(review(each.steps, FEW))
        assert [one.number for one in reviewed] == list(range(1, len(each.steps) + 1))
        for one, following in pairwise(reviewed):
            assert one.after == following.before
        for one in reviewed:
            assert 0.0 <= one.after.low <= one.after.white <= one.after.high <= 1.0
            assert one.after.exact == (one.after.low == one.after.high)
        decided = deciding(reviewed)
        assert len(decided) <= 3
        assert all(abs(one.change) >= DECIDES and one.is_certain for one in decided)
        assert reviewed == list(review(each.steps, FEW))  # the same every time


def test_a_match_turns_on_turns_and_not_on_giving_up_without_an_answer_or_showing_hands(
    reviews: list[list[Reviewed]],
) -> None:
    assert any(not isinstance(each[-1].step.entry, TurnEvent) for each in reviews)
    for reviewed in reviews:
        turns = to_the_end(reviewed)
        assert [one.number for one in turns] == [
            one.number for one in reviewed if isinstance(one.step.entry, TurnEvent)
        ]
        assert turns[-1].after == reviewed[-1].after
        assert turns[-1].end == (None if turns[-1] is reviewed[-1] else reviewed[-1].step)
        assert all(isinstance(one.step.entry, TurnEvent) for _, one in turning_points([reviewed]))
        assert {one.number for one in deciding(reviewed)} <= {one.number for one in turns}


def test_three_turns_of_four_have_a_sign(reviews: list[list[Reviewed]]) -> None:
    turns = [one for reviewed in reviews for one in reviewed if isinstance(one.step.entry, TurnEvent)]
    judged = [one.judged for one in turns if one.judged is not None]
    assert sum(one.sign is not None for one in judged) >= 0.75 * len(judged)


@pytest.mark.slow
def test_what_is_told_of_a_turn_holds_for_the_cards_there_really_were(
    played: list[Played], reviews: list[list[Reviewed]]
) -> None:
    found: Counter[Kind] = Counter()
    for each, reviewed in zip(played, reviews, strict=True):
        for one in reviewed:
            better = one.better
            if better is None or one.kind is None:
                continue
            found[one.kind] += 1
            full = each.hidden[one.number - 1]
            side = full.public.to_act
            assert side is better.side
            assert better.taken == play_of(one.step)
            if better.basis is Basis.EVERY_HAND:
                value = full.public.distance - better.play.move
                assert counts_of(full.hands[side])[value - 1] >= better.play.attack
                assert counts_of(full.hands[side.other])[value - 1] < better.play.attack
            if better.basis is Basis.LUCK:
                truth = Lie(*(counts_of(cards) for cards in (full.hands[side], full.hands[side.other], full.pile)))
                assert truth in better.lies
                assert all(
                    values[better.play] >= values[better.taken] for values in map(lying(full.public), better.lies)
                )
    assert found[Kind.MISTAKE] >= 2
    assert found[Kind.LIKELY_MISTAKE] >= 2


def lying(public: PublicState) -> Callable[[Lie], dict[Play, Fraction]]:
    return lambda lie: values_at(public, lie)


@pytest.mark.slow
def test_a_match_turns_on_its_worst_mistakes(reviews: list[list[Reviewed]]) -> None:
    rounds = reviews[:4]
    points = turning_points(rounds)
    assert 0 < len(points) <= 3
    assert list(points) == sorted(points, key=lambda each: (each[0], each[1].number))
    lost = sorted((each.judged.loss for found in rounds for each in found if each.why and each.judged), reverse=True)
    told = [each.judged.loss for _, each in points if each.why and each.judged]
    assert sorted(told, reverse=True) == lost[: len(told)]
    assert turning_points([]) == ()


def test_every_card_nobody_saw_lies_somewhere(played: list[Played], monkeypatch: pytest.MonkeyPatch) -> None:
    """However the cards are dealt to find out: as many to each hand as it holds, the others on the pile."""
    dealt: list[tuple[Stand, int, list[int]]] = []

    class Dealt:
        def play_out(self, stand: Stand, other: int, pile: list[int], unplayed: int, longest: int) -> float:
            dealt.append((stand, other, pile))
            return 0.5

    monkeypatch.setattr("engine.review.chance.sparring", lambda name: Dealt())
    for step in played[0].steps[:-1]:
        state = step.state
        if not state.pile or state.to_act is None:
            continue
        dealt.clear()
        assert chance_of(state, 4).white == 0.5
        unseen = Counter(card.value for card in unseen_cards(state))
        for stand, other, pile in dealt:
            hands = HANDS[stand.hand], HANDS[other]
            assert [sum(hand) for hand in hands] == [state.hands[state.to_act], state.hands[state.to_act.other]]
            lying = Counter(value + 1 for value in pile)
            assert lying + sum((Counter(dict(enumerate(hand, 1))) for hand in hands), Counter()) == unseen
        assert len(dealt) == 4


def test_of_every_deal_that_fits_the_pile_is_as_large_as_it_was(played: list[Played]) -> None:
    shown = next(each for each in played if any(isinstance(step.entry, RevealEvent) for step in each.steps))
    places = list(_lies(shown.steps))
    assert places
    for place, lies in places:
        full = shown.hidden[place]
        assert all(sum(lie.pile) == full.public.pile and min(lie.pile) >= 0 for lie in lies)


def test_shown_hands_say_nothing_of_what_came_after() -> None:
    """The last turn they tell of has the chance they gave it, and whatever follows that of the end."""
    first, last = position(8, 13).state, position(8, 14).state
    ended = last._replace(previous=first, to_act=None, phase=Phase.SETUP, result=Result(Side.WHITE, Reason.HIT))
    step = CourseStep(TurnEvent((), 8, 13), Ruling(True, "turn"), ended)
    lie = Fitting(Lie((1, 0, 0, 0, 0), (0, 1, 0, 0, 0), (0, 0, 0, 0, 0)), 1, {Play(0, 1, 0): Fraction(1, 4)})
    before, after = (_shown((step,), {0: (lie,)})[place].white for place in (0, 1))
    assert (before, after) == (0.25, 1.0)


@pytest.mark.parametrize(("to_act", "white"), [(Side.WHITE, 0.0), (Side.BLACK, 1.0)])
def test_who_cannot_parry_the_last_attack_has_lost(to_act: Side, white: float) -> None:
    state = position(8, 13, "1122334444", to_act=to_act, attack="direct 5 1", phase=Phase.FINAL).state
    assert chance_of(state).white == white


def _parrying(view: PlayerView, better: Better) -> list[Counts]:
    """The hands of the other that fit the unseen cards and hold as many cards as the better turn attacks with."""
    size, unseen = view.public.hands[view.side.other], counts_of(unseen_cards(view.public, view.hand))
    value = view.public.distance - better.play.move
    fits = [hand for hand in HANDS if sum(hand) == size and all(h <= u for h, u in zip(hand, unseen, strict=True))]
    assert fits
    return [hand for hand in fits if hand[value - 1] >= better.play.attack]


@pytest.mark.slow
def test_hints_count_as_the_review_does() -> None:
    """What the review proves for every hand the hints call a sure hit; and whoever attacked with the last card wins, by
    the review's count, at least as often as the hints find no answer."""
    found: Counter[Basis] = Counter()
    counted = 0
    careless = [(seed, RandomBot()) for seed in (64, 76)]
    for seed, other in (*careless, *((seed, STRENGTHS["fencer"]()) for seed in range(2))):
        for each in rounds_of(seed, BySide(RandomBot(), other)):
            for place, better in mistakes(each.steps):
                before = each.steps[place].state.previous
                if better.basis is not Basis.EVERY_HAND or better.play.move or before is None or before.attack:
                    continue
                view = each.hidden[place].view(better.side)
                (straight,) = (one for one in options(view) if not one.move and one.strikes)
                hits = straight.strikes[better.play.attack - 1].hits
                assert hits == 1, "for every hand is for every hand"
                assert not _parrying(view, better), "no hand of cards he had not seen holds the parry"
                found[better.basis] += 1
            for step in each.steps:
                if step.state.phase is not Phase.FINAL:
                    continue
                told_to_both = public_hints(step.state)
                assert told_to_both is not None
                assert told_to_both.defence is not None
                answered, white = told_to_both.defence.answer, chance_of(step.state)
                attacker = white.white if told_to_both.side is Side.BLACK else 1 - white.white
                assert white.exact
                assert attacker >= float(1 - answered) - 1e-12
                counted += 1
    assert found[Basis.EVERY_HAND]
    assert counted >= 3


def test_limits_are_those_of_wilson() -> None:
    assert limits(0.5, 100) == pytest.approx((0.4038, 0.5962), abs=1e-3)
    assert limits(0.0, 100)[0] == 0.0
    assert 0.03 < limits(0.0, 100)[1] < 0.04
    assert limits(1.0, 100)[1] == 1.0


@pytest.mark.slow
def test_what_the_shown_hands_say_is_no_narrower_than_the_truth(
    played: list[Played], reviews: list[list[Reviewed]]
) -> None:
    """With the hands that were shown: between its limits lies what the solver says of the cards there really were."""
    exact = known = 0
    for each, reviewed in zip(played, reviews, strict=True):
        for one in reviewed:
            shown, full = one.shown_before, each.hidden[one.number - 1]
            side = full.public.to_act
            if shown is None or side is None:
                continue
            known += 1
            truth = Lie(*(counts_of(cards) for cards in (full.hands[side], full.hands[side.other], full.pile)))
            value = float(max(values_at(full.public, truth).values(), default=0))
            white = value if side is Side.WHITE else 1 - value
            assert shown.low <= white <= shown.high
            assert shown.low <= shown.white <= shown.high
            assert shown.exact == (shown.low == shown.high)
            if shown.exact:
                exact += 1
                assert shown.white == white
    assert known > exact >= 5


@pytest.mark.slow
def test_shown_hands_end_with_what_came_of_the_round(played: list[Played], reviews: list[list[Reviewed]]) -> None:
    told = 0
    for each, reviewed in zip(played, reviews, strict=True):
        for one, following in pairwise(reviewed):
            assert one.shown_after == following.shown_before
        shows = any(isinstance(step.entry, RevealEvent) for step in each.steps)
        assert (reviewed[-1].shown_after is not None) == shows
        if shows:
            told += 1
            assert reviewed[-1].shown_after == reviewed[-1].after
    assert told


def test_several_deals_are_weighed_by_the_ways_they_can_be_dealt() -> None:
    def fit(value: Fraction, ways: int) -> Fitting:
        return Fitting(Lie((1, 0, 0, 0, 0), (0, 1, 0, 0, 0), (0, 0, 0, 0, 0)), ways, {Play(0, 1, 0): value})

    fits = (fit(Fraction(1, 4), 3), fit(Fraction(3, 4), 1))
    assert shown_chance(Side.WHITE, fits) == Chance(0.375, 0.25, 0.75, exact=False)
    assert shown_chance(Side.BLACK, fits) == Chance(0.625, 0.25, 0.75, exact=False)
    assert shown_chance(Side.BLACK, (fit(Fraction(1, 4), 2),)) == Chance(0.75, 0.75, 0.75, exact=True)
    stuck = fits[0]._replace(values={})
    assert shown_chance(Side.WHITE, (stuck,)).white == 0.0
