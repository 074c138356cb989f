"""What a match gives an example of: each advanced lesson's own steps are one, and nothing of the classic game is."""

from __future__ import annotations

import pytest

from engine.lessons.lesson import Step
from engine.lessons.lessons import CLASSIC, LESSON_BY_ID, LESSONS
from engine.lessons.occasions import Occasion, occasions
from engine.rules.cards import Card
from engine.rules.events import MatchEvent, RoundEvent, TurnEvent
from engine.rules.referee import judge
from engine.rules.rulings import Ruling
from engine.rules.state import PublicState
from tests.engine.lessons.test_lessons import before_each, event_of

MET, RETREATED = Occasion.INDIRECT, Occasion.RETREAT


def done(lesson: str, step: str) -> tuple[Occasion, ...]:
    """What is met as this step is done as it should be."""
    at = next(each for each in LESSON_BY_ID[lesson].steps if each.id == step)
    assert isinstance(at, Step)
    state, hands = before_each(LESSON_BY_ID[lesson])[step]
    after, ruling = judge(state, event_of(state, at.deed, at.wanted, hands))
    assert after is not None
    return occasions(ruling, after)


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
    assert done(lesson, step) == met


def test_each_of_the_later_lessons_is_explained_by_something() -> None:
    later = [lesson.id for lesson in LESSONS if lesson not in CLASSIC]
    assert sorted(occasion.lesson for occasion in Occasion) == sorted(later)


def test_the_end_of_the_pile_is_told_before_the_last_card_is_drawn() -> None:
    ruling, state = played("5a 6 23/5b 6 18/5c 11 18/2a 11 16")
    met = [occasions(ruling, state._replace(pile=pile)) for pile in (1, 2, 3, 9)]
    assert met == [(Occasion.NEARLY_EMPTY,), (Occasion.NEARLY_EMPTY,), (), ()]


def test_a_refused_turn_the_first_round_and_an_attack_without_a_step_are_no_examples() -> None:
    opened = judge(None, MatchEvent("ferti-advanced"))[0]
    state, ruling = judge(opened, RoundEvent())
    assert state is not None
    assert occasions(ruling, state) == ()
    same, refused = judge(state, TurnEvent((Card(5, "a"),), 5, 23))
    assert same is not None
    assert occasions(refused, same) == ()
    assert occasions(*played("5a 6 23/5b 6 18/5c 11 18/2a 11 16/5d 11 16")) == ()


def test_a_retreat_that_nobody_attacked_is_an_ordinary_one() -> None:
    assert occasions(*played("5a 6 23/5b 6 18/2a 4 18")) == ()
    assert occasions(*played("5a 6 23/5b 6 18/5c 11 18/2a 5d 11 16")) == (MET,)
    assert occasions(*played("5a 6 23/5b 6 18/5c 11 18/2a 5d 11 16/1a 10 16")) == (RETREATED,)
