"""The lessons as data: every rule is taught, every step can be done, every likely mistake has its answer."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator

import pytest

from engine.lessons.lesson import (
    CLASSIC,
    LESSON_BY_ID,
    LESSONS,
    NO_HANDS,
    Deed,
    Lesson,
    Mistake,
    Position,
    PracticeRound,
    Question,
    Sign,
    Step,
    Threat,
    Values,
)
from engine.lessons.occasions import Occasion, occasions
from engine.lessons.outcome import COMMON, RIGHT, is_over, on_the_way, outcome, too_early
from engine.lessons.positions import lettered, rebound, state_of
from engine.rules.cards import Card
from engine.rules.events import Event, MatchEvent, RevealEvent, RoundEvent, TurnEvent, YieldEvent
from engine.rules.referee import judge
from engine.rules.rulesets import FERTI_CLASSIC, RULE_SETS
from engine.rules.rulings import Ruling
from engine.rules.state import AttackKind, Phase, PublicState, Reason
from engine.rules.track import BySide, Side

RULES_TAUGHT = {
    *(
        "piste",
        "deck",
        "distance",
        "move",
        "direct",
        "indirect",
        "bounds",
        "refill",
        "parry",
        "retreat",
        "hit",
        "stuck",
    ),
    *("points", "last", *(f"last {number}" for number in range(1, 5))),
    *(f"preset {name}" for name in RULE_SETS),
    *(f"ruling {number}" for number in range(1, 16)),
}
"""Names for every rule there is to teach. Source: RULES.md; the names are ours."""
STEPS = [(lesson, step) for lesson in LESSONS for step in lesson.steps]


def before_each(lesson: Lesson) -> dict[str, tuple[PublicState, BySide[Values]]]:
    """The state and the hands at the beginning of every step, all before it done as it should be."""
    found: dict[str, tuple[PublicState, BySide[Values]]] = {}
    state, hands = None, None
    for step in lesson.steps:
        if step.position is not None:
            state, hands = state_of(step.position), step.position.hands
        assert state is not None
        assert hands is not None
        found[step.id] = (state, hands)
        if isinstance(step, Step):
            state, ruling = judge(state, event_of(state, step.deed, step.wanted, hands))
            assert ruling.ok, (lesson.id, step.id, ruling)
    return found


def event_of(state: PublicState, deed: Deed, wanted: Sign, hands: BySide[Values]) -> Event:
    """The event this deed is at this position, with cards nobody has played yet.

    ``wanted`` says which kind of event the step waits for.
    """
    if wanted.event == "round":
        return RoundEvent()
    if state.phase is Phase.REVEAL:
        white = deed.values or hands.white
        cards = lettered((*white, *hands.black), state.played)
        return RevealEvent(cards[: len(white)], cards[len(white) :])
    cards = lettered(deed.values, state.played)
    if deed.gives_up:
        return YieldEvent(cards)
    side = state.to_act
    if side is None:
        raise ValueError(f"nobody is to act in {state}")
    moved = {side: deed.forward, side.other: deed.other}
    spaces = {each: state.spaces[each] + each.forward * moved[each] for each in Side}
    return TurnEvent(cards, spaces[Side.WHITE], spaces[Side.BLACK])


def step_of(lesson: str, name: str = "") -> Step:
    """The step of this name; without one the lesson's first."""
    step = next(each for each in LESSON_BY_ID[lesson].steps if each.id == name or not name)
    assert isinstance(step, Step)
    return step


def done(lesson: Lesson, step: Step, deed: Deed, event: str = "turn") -> str:
    state, hands = before_each(lesson)[step.id]
    happened = event_of(state, deed, Sign(event), hands)
    return outcome(step, state, hands, happened, judge(state, happened)[1])


def after_step(lesson: str, name: str) -> tuple[PublicState, Ruling]:
    """The state once this step was done as it should be, and the ruling on it."""
    step = step_of(lesson, name)
    state, hands = before_each(LESSON_BY_ID[lesson])[step.id]
    after, ruling = judge(state, event_of(state, step.deed, step.wanted, hands))
    assert after is not None
    return after, ruling


def test_what_is_to_be_laid_is_among_the_cards_that_are_to_be_taken() -> None:
    """Where cards are named at all: a step that names none takes any."""
    named = {
        (lesson.id, step.id): (Counter(step.deed.values), Counter(step.position.hands[step.position.to_act]))
        for lesson, step in STEPS
        if isinstance(step, Step) and step.position is not None and step.position.hands != NO_HANDS
    }
    assert len(named) > 15
    assert {at: deed - hand for at, (deed, hand) in named.items() if deed - hand} == {}


def test_there_are_enough_short_lessons_and_their_names_differ() -> None:
    assert 10 <= len(LESSONS) <= 16
    assert len(LESSON_BY_ID) == len(LESSONS)
    for lesson in LESSONS:
        assert 2 <= len(lesson.steps) <= (7 if lesson is LESSONS[-1] else 4)
        assert lesson.steps[0].position is not None
        assert len({step.id for step in lesson.steps}) == len(lesson.steps)


def test_every_rule_is_taught_by_a_step() -> None:
    taught = {rule for lesson in LESSONS for rule in lesson.rules}
    assert taught == RULES_TAUGHT
    assert all(step.rules for _, step in STEPS)


@pytest.mark.parametrize("lesson", LESSONS, ids=lambda lesson: lesson.id)
def test_a_lesson_answers_its_likeliest_mistakes(lesson: Lesson) -> None:
    mistakes = [
        1 if isinstance(step, Question) else len(step.mistakes)
        for step in lesson.steps
        if not isinstance(step, PracticeRound)
    ]
    assert sum(mistakes) >= 2 or lesson.id == "score", "a round is set up, and one is played"


@pytest.mark.parametrize(
    ("lesson", "step"),
    [pytest.param(lesson, step, id=f"{lesson.id}-{step.id}") for lesson, step in STEPS if isinstance(step, Step)],
)
def test_a_step_is_known_when_it_is_done_and_so_is_each_mistake(lesson: Lesson, step: Step) -> None:
    assert done(lesson, step, step.deed, step.wanted.event) == RIGHT
    for mistake in step.mistakes:
        assert done(lesson, step, mistake.deed, mistake.sign.event) == mistake.name, mistake


ROUNDS = [(lesson, step) for lesson, step in STEPS if isinstance(step, PracticeRound)]


def test_it_is_played_after_what_makes_a_game() -> None:
    assert [lesson.id for lesson, _ in ROUNDS] == ["attack", "counter", "fall_back", "score"]
    for lesson, practice in ROUNDS:
        assert practice is lesson.steps[-1]
        assert state_of(practice.position).pile == 15
    assert [practice.without for _, practice in ROUNDS] == [("parry", "end"), ("end",), ("end",), ()]
    assert [practice.position.rules.indirect_attacks for _, practice in ROUNDS] == [False, False, True, True]


@pytest.mark.parametrize(("lesson", "practice"), [pytest.param(*each, id=each[0].id) for each in ROUNDS])
def test_a_practice_round_can_be_played_to_its_end_as_it_says(lesson: Lesson, practice: PracticeRound) -> None:
    state = state_of(practice.position)
    for deed in practice.deeds:
        assert not is_over(practice, state)
        after, ruling = judge(state, event_of(state, deed, Sign(), NO_HANDS))
        assert ruling.ok, (lesson.id, deed, ruling)
        assert too_early(practice, ruling) == ""
        assert after is not None
        state = after
    assert is_over(practice, state)
    assert state.result is not None


def test_what_was_not_learned_is_too_early_and_ends_a_bout() -> None:
    first = ROUNDS[0][1]
    state = state_of(Position(8, 13, Side.BLACK, attack=Threat(AttackKind.DIRECT, 1), rules=FERTI_CLASSIC))
    after, ruling = judge(state, TurnEvent(lettered((5, 1), state.played), 8, 12))
    assert ruling.ok
    assert too_early(first, ruling) == "parry"
    assert all(too_early(practice, ruling) == "" for _, practice in ROUNDS[1:])
    assert after is not None
    empty = after._replace(pile=0)
    assert [is_over(practice, empty) for _, practice in ROUNDS] == [True, True, True, False]


@pytest.mark.parametrize(
    ("lesson", "step", "reason"),
    [
        (LESSONS[0].id, LESSONS[0].steps[0].id, Reason.HIT),  # in the first minute somebody is touched
        ("attack", "hit", Reason.HIT),
        ("strength", "proof", Reason.HIT),
        ("stuck", "stuck", Reason.NO_LEGAL_MOVE),
        ("last_card", "far", Reason.FURTHER_ADVANCED),
        ("last_card", "draw", Reason.DRAW),
        ("final", "hands", Reason.MORE_ATTACK_CARDS),
        ("curious", "proof", Reason.HIT),
    ],
)
def test_every_way_a_round_can_end_is_seen_in_a_lesson(lesson: str, step: str, reason: Reason) -> None:
    result = after_step(lesson, step)[0].result
    assert result is not None
    assert result.reason is reason


@pytest.mark.parametrize(
    ("step", "deed", "event", "answer"),
    [
        ("advance", Deed((2,), 2), "turn", "allowed"),
        ("advance", Deed((4,), 4), "turn", "other_cards"),
        ("advance", Deed(gives_up=True), "yield", "gave_up"),
        ("advance", Deed((), 0), "turn", "no_cards"),  # no fencer moved without a card
        ("advance", Deed((3,), 0), "turn", "not_moved"),
        ("back", Deed((2,), -1), "turn", "wrong_number"),
    ],
)
def test_a_deed_without_an_answer_of_its_own_gets_a_common_one(step: str, deed: Deed, event: str, answer: str) -> None:
    assert done(LESSON_BY_ID["moving"], step_of("moving", step), deed, event) == f"common.{answer}"


def test_a_fencer_is_not_forgotten_where_none_is_to_move() -> None:
    assert done(LESSON_BY_ID["first"], step_of("first"), Deed((2,), 0)) != "common.not_moved"
    assert set(COMMON.values()) >= {"no_cards", "must_parry"}


def test_the_first_of_two_presses_is_no_mistake_where_giving_up_is_wanted() -> None:
    state, _ = before_each(LESSON_BY_ID["stuck"])["stuck"]
    ruling = judge(state, TurnEvent((), 3, 5))[1]
    assert on_the_way(step_of("stuck"), ruling)
    assert not on_the_way(step_of("moving"), ruling)


def test_all_25_cards_of_a_position_are_somewhere() -> None:
    for _, step in STEPS:
        if step.position is None or step.position.phase is Phase.ROUND_OVER:
            continue
        state = state_of(step.position)
        assert state.pile + state.hands.white + state.hands.black + len(state.played) == 25
        told = [*step.position.hands.white, *step.position.hands.black]
        assert all(told.count(value) <= count for value, count in state.unseen_counts.items())


def test_a_position_that_cannot_be_is_refused() -> None:
    with pytest.raises(ValueError, match="more than five cards of one value"):
        state_of(Position(1, 23, hands=BySide((3, 3, 3), (3, 3, 3))))
    with pytest.raises(ValueError, match="do not add up"):
        state_of(Position(1, 23, pile=15, played=(2,)))
    with pytest.raises(ValueError, match="not enough cards of value 3"):
        lettered((3,) * 6)


def test_a_card_that_is_said_to_be_gone_makes_way_for_the_one_that_is_laid() -> None:
    state = state_of(Position(10, 12, hands=BySide((2, 2), ()), played=(2, 2)))
    gone = [card for card in state.played if card.value == 2]
    moved = rebound(state, (), gone)
    assert [card.value for card in moved.played] == [card.value for card in state.played]
    assert not {*gone} & {*moved.played}
    turn = TurnEvent(tuple(gone), 10, 12)
    assert not judge(state, turn)[1].ok
    assert judge(moved, turn)[1].ok


def test_a_card_that_was_really_laid_keeps_its_letter() -> None:
    state = state_of(Position(10, 12, played=(2, 2)))
    assert rebound(state, state.played, state.played) is state


def test_where_every_card_of_a_value_is_gone_one_more_was_played_before() -> None:
    state = state_of(Position(10, 12, pile=10, played=(2, 2, 2, 2, 2)))
    laid = Card(2, "a")
    assert laid in rebound(state, (), (laid,)).played


def test_names_of_mistakes_are_no_keys_of_a_step() -> None:
    for _, step in STEPS:
        mistakes: tuple[Mistake, ...] = step.mistakes if isinstance(step, Step) else ()
        assert not {mistake.name for mistake in mistakes} & {"do", "why", "white", "black", "wrong"}


@pytest.mark.parametrize("lesson", LESSONS, ids=lambda lesson: lesson.id)
def test_who_shows_a_lesson_shows_a_deed_of_it_that_can_be_set_up(lesson: Lesson) -> None:
    assert lesson.proof is not None
    step = lesson.steps[lesson.proof]
    assert isinstance(step, Step)
    assert step.position is not None
    assert lesson.shown_by in ("", step.id), "a step that is named is there, and can be set up"


def test_what_is_shown_is_what_the_lesson_is_about() -> None:
    shown = {lesson.id: [*_shown(lesson)] for lesson in LESSONS}
    assert shown["first"] == ["touch"], "no shuffling"
    assert shown["counter"] == ["riposte"]
    assert shown["indirect"] == ["lunge"], "an indirect attack, not a step back"
    assert shown["fall_back"] == ["lunge", "retreat"], "a retreat from an attack, not a parry"
    assert shown["final"] == ["attack", "defence"], "the last defence, not cards laid down"


def _shown(lesson: Lesson) -> Iterator[str]:
    """The steps done by whoever shows a lesson: that of the proof, and the deeds that go on from it."""
    assert lesson.proof is not None
    for at, step in enumerate(lesson.steps[lesson.proof :]):
        if at and (step.position is not None or not isinstance(step, Step)):
            return
        yield step.id


MET, RETREATED = Occasion.INDIRECT, Occasion.RETREAT


def played(events: str) -> tuple[Ruling, PublicState]:
    state = judge(judge(None, MatchEvent("ferti-advanced"))[0], RoundEvent())[0]
    for each in events.split("/"):
        *cards, white, black = each.split()
        state, ruling = judge(state, TurnEvent(tuple(map(Card.parse, cards)), int(white), int(black)))
        assert ruling.ok, each
    assert state is not None
    return ruling, state


@pytest.mark.parametrize(
    ("lesson", "step", "met"),
    [
        ("indirect", "lunge", (MET,)),
        ("indirect", "no_way_back", ()),
        ("fall_back", "lunge", (MET,)),
        ("fall_back", "retreat", (RETREATED,)),
        ("final", "attack", (Occasion.DEFENCE,)),
        ("last_retreat", "lunge", (Occasion.DEFENCE, Occasion.LAST_RETREAT)),
        ("stuck", "stuck", (Occasion.STUCK,)),
        ("last_card", "far", ()),
        ("score", "next_round", (Occasion.STARTER,)),
        ("curious", "proof", (Occasion.PROVEN,)),
        ("strength", "proof", ()),
        ("moving", "advance", ()),
        ("moving", "back", ()),
        ("attack", "attack", ()),
        ("parry", "parry", ()),
        ("attack", "hit", ()),
    ],
)
def test_a_lessons_own_step_is_an_example_of_what_it_teaches(lesson: str, step: str, met: tuple[Occasion, ...]) -> None:
    after, ruling = after_step(lesson, step)
    assert occasions(ruling, after) == met


def test_each_of_the_later_lessons_is_explained_by_something() -> None:
    later = [lesson.id for lesson in LESSONS if lesson not in CLASSIC]
    assert sorted(occasion.lesson for occasion in Occasion) == sorted(later)


def test_the_end_of_the_pile_is_told_before_the_last_card_is_drawn() -> None:
    ruling, state = played("5a 6 23/5b 6 18/5c 11 18/2a 11 16")
    met = [occasions(ruling, state._replace(pile=pile)) for pile in (1, 2, 3, 9)]
    assert met == [(Occasion.NEARLY_EMPTY,), (Occasion.NEARLY_EMPTY,), (), ()]


def test_a_refused_turn_the_first_round_and_an_attack_without_a_step_are_no_examples() -> None:
    state, ruling = judge(judge(None, MatchEvent("ferti-advanced"))[0], RoundEvent())
    assert state is not None
    assert occasions(ruling, state) == occasions(judge(state, TurnEvent((Card(5, "a"),), 5, 23))[1], state) == ()
    assert occasions(*played("5a 6 23/5b 6 18/5c 11 18/2a 11 16/5d 11 16")) == ()


def test_a_retreat_that_nobody_attacked_is_an_ordinary_one() -> None:
    assert occasions(*played("5a 6 23/5b 6 18/2a 4 18")) == ()
    assert occasions(*played("5a 6 23/5b 6 18/5c 11 18/2a 5d 11 16")) == (MET,)
    assert occasions(*played("5a 6 23/5b 6 18/5c 11 18/2a 5d 11 16/1a 10 16")) == (RETREATED,)
