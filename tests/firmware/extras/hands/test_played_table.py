"""The table that is played at: acts become the scene, frames and presses are all that leaves it, and cards are dealt
as the rules say.
"""

from __future__ import annotations

from collections import Counter
from dataclasses import replace
from random import Random
from typing import Any, cast

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from engine.lessons.lesson import LESSONS, Position, Step, StepStage, Telling
from engine.lessons.positions import state_of
from engine.rules.cards import DECK
from engine.rules.events import MatchEvent, TurnEvent
from engine.rules.referee import judge
from engine.rules.state import Phase
from engine.rules.track import START, BySide, Side
from engine.table.presses import Button, Press
from firmware.extras.hands.lesson_hands import LessonHands
from firmware.extras.hands.played_table import AFTERWARDS_S, PlayedTable
from firmware.extras.hands.rival import holding
from firmware.extras.hands.table_top import (
    HAND_S,
    Act,
    Clear,
    Cover,
    Deal,
    Lay,
    MoveFigure,
    MoveTo,
    PressButton,
    TableTop,
    Take,
    TimedAct,
    after,
    table_top,
)
from firmware.table.camera.setup import TABLE_FILE, table_of
from tests.matches import match_of
from vision.frame import Frame
from vision.printed.table import Table
from vision.synthetic.renderer import Renderer
from vision.synthetic.scene import Scene

TICK_S = 0.2
TABLE = table_of(TABLE_FILE)
A, B = DECK[0], DECK[7]


class Seen:
    """Stands in for the renderer: keeps the scenes."""

    def __init__(self) -> None:
        self.scenes: list[Scene] = []

    def render(self, scene: Scene, index: int, t_s: float) -> Frame:
        self.scenes.append(scene)
        return Frame(index, t_s, np.zeros((1, 1), np.uint8))


def played(table: Table, **options: Any) -> tuple[PlayedTable, Seen]:
    seen = Seen()
    return PlayedTable(table_top(table), cast(Renderer, seen), tick_s=TICK_S, **options), seen


def done(table: Table, *acts: Act) -> TableTop:
    top = table_top(table)
    for number, act in enumerate(acts):
        top = after(top, act, float(number))
    return top


def test_a_card_lies_where_it_was_laid_over_what_lay_there(table: Table) -> None:
    scene = done(table, Lay(A, 200, -150, 12), Lay(B, 230, -150), Lay(A, 240, -140, -170)).scene(9.0)
    assert [(card.card, card.x_mm, card.level) for card in scene.cards] == [(B, 230, 1), (A, 240, 2)]
    assert scene.cards[1].turn_deg == -170
    far = done(table, Lay(A, 100, -150), Lay(B, 400, -150)).scene(9.0)
    assert [card.level for card in far.cards] == [0, 0]


def test_what_is_taken_is_gone_and_what_never_lay_there_is_no_matter(table: Table) -> None:
    assert done(table, Lay(A, 200, -150), Take(B)).scene(9.0).cards[0].card == A
    assert done(table, Lay(A, 200, -150), Take(A)).scene(9.0).cards == ()


def test_fencers_go_to_a_space_or_wherever_they_are_put(table: Table) -> None:
    scene = done(table, MoveTo(Side.WHITE, 4), MoveFigure(Side.BLACK, 300.0, -3.0)).scene(9.0)
    assert scene.white is not None
    assert scene.black is not None
    assert (scene.white.x_mm, scene.white.y_mm) == (table.space_mm(4).x, table.space_mm(4).y)
    assert (scene.black.x_mm, scene.black.y_mm) == (300.0, -3.0)
    swept = done(table, MoveTo(Side.WHITE, 4), Lay(A, 0, 0), Clear()).scene(9.0)
    assert swept.white is not None
    assert swept.white.x_mm == table.space_mm(START.white).x
    assert swept.cards == ()


def test_a_hand_is_over_the_table_while_it_acts_and_holds_what_it_carries(table: Table) -> None:
    top = after(table_top(table), Lay(A, 200, -150), 1.0)
    assert [hand.side for hand in top.scene(1.0).hands] == [Side.WHITE]
    assert top.scene(1.0 + HAND_S).hands == ()
    carried = after(top, Cover(400, -150, 2.0, card=A), 2.0)
    scene = carried.scene(3.0)
    assert scene.cards == ()
    held = scene.hands[0].holds
    assert held is not None
    assert (held.x_mm, held.y_mm) == (400, -150)
    assert [card.card for card in carried.scene(4.0).cards] == [A]
    lifted = after(top, Cover(400, -20, 1.0, side=Side.BLACK), 2.0).scene(2.0)
    assert lifted.black is None
    assert lifted.white is not None
    assert not any(hand.holds for hand in after(top, Cover(300, -100, 1.0), 2.0).scene(2.0).hands)


def test_an_act_shows_in_the_next_picture_and_a_press_is_handed_out_once(table: Table) -> None:
    camera, seen = played(table)
    camera.read()
    camera.do(Lay(A, 200, -150))
    camera.post(Button.WHITE)
    frame = camera.read()
    assert frame is not None
    assert [len(scene.cards) for scene in seen.scenes] == [0, 1]
    assert camera.due(frame.t_s) == (Press(frame.t_s, Button.WHITE),)
    assert camera.due(frame.t_s) == ()


def test_what_is_planned_is_done_when_its_time_comes_and_not_before(table: Table) -> None:
    camera, seen = played(table, script=[TimedAct(0.7, Lay(A, 200, -150))])
    camera.plan([TimedAct(0.3, Lay(B, 300, -150))])
    for _ in range(5):
        camera.read()
    assert [len(scene.cards) for scene in seen.scenes] == [0, 0, 1, 1, 2]
    camera.read()
    camera.read()
    assert not camera.busy
    camera.plan([TimedAct(2.0, Clear())])
    assert camera.busy


def test_a_file_of_acts_ends_when_all_of_it_was_ruled_on(table: Table) -> None:
    camera, seen = played(table, script=[TimedAct(1.0, PressButton(Button.WHITE))], ends=True)
    while camera.read() is not None:
        pass
    assert len(seen.scenes) == round((1.0 + AFTERWARDS_S) / TICK_S) + 1


@pytest.mark.parametrize("seed", range(20))
def test_cards_are_dealt_and_drawn_as_the_rules_say(seed: int) -> None:
    opening = MatchEvent("ferti-advanced", (*Side,)[seed % 2], 1)
    first, *later = (each.after for each in match_of(opening, Random(seed)) if each.after and each.state.round == 1)
    both = zip(first.hands[first.public.starter], first.hands[first.public.starter.other], strict=True)
    deck = (*(card for pair in both for card in pair), *first.pile)
    for full in (first, *later):
        held = holding(deck, full.public)
        assert (held.hands, held.pile) == (full.hands, full.pile)


@pytest.mark.slow
@given(st.integers(0), st.integers(0))
def test_nobody_who_looks_at_the_table_can_tell_how_the_cards_are_dealt(one: int, other: int) -> None:
    """Two deals that differ in every card nobody has laid give the same scenes and the same presses."""
    looks = []
    for seed in (one, other):
        hidden = Random(seed).sample(DECK[2:], len(DECK) - 2)
        camera, seen = played(TABLE)
        camera.do(Deal((DECK[0], DECK[1], *hidden)))
        camera.do(Lay(DECK[0], 200, -150))
        camera.read()
        camera.do(Cover(220, -150, TICK_S, card=DECK[1]), PressButton(Button.WHITE))
        camera.read()
        looks.append((seen.scenes, camera.due(1.0)))
    assert looks[0] == looks[1]
    shown = {card.card for scene in looks[0][0] for card in scene.cards}
    assert shown == {DECK[0]}


MOVING = next(number for number, lesson in enumerate(LESSONS) if lesson.id == "moving")


def telling(lesson: int, place: int, hands: BySide[tuple[int, ...]] | None = None) -> Telling:
    """This step of a lesson, at its own position."""
    position = LESSONS[lesson].steps[place].position
    assert position is not None
    state = state_of(position)
    return Telling(LESSONS[lesson], lesson + 1, len(LESSONS), place, StepStage.DO, state, hands or position.hands)


def test_a_card_that_was_laid_is_in_no_hand_and_one_taken_back_is_again() -> None:
    told = telling(MOVING, 0)
    hands = LessonHands(lambda: told)
    [fan] = hands.fans(())
    assert fan.owner is Side.WHITE
    three, two, five = fan.cards
    assert [three.value, two.value, five.value] == [3, 2, 5]
    assert hands.fans({three})[0].cards == (two, five)
    assert hands.fans(())[0].cards == (three, two, five)
    hands.fans({three})
    told = telling(MOVING, 0, BySide((2, 5), (4, 1)))  # it counted
    assert hands.fans({three})[0].cards == (two, five)


def test_in_a_bout_the_cards_are_dealt_and_drawn_as_in_a_match() -> None:
    number, lesson = next((at, each) for at, each in enumerate(LESSONS) if each.id == "attack")
    told = telling(number, len(lesson.steps) - 1)
    hands = LessonHands(lambda: told, Random(3))
    [fan] = hands.fans(())
    assert (fan.owner, len(fan.cards)) == (Side.WHITE, 5)
    laid = fan.cards[0]
    after, ruling = judge(told.state, TurnEvent((laid,), 1 + laid.value, 23))
    assert ruling.ok
    assert after is not None
    told = replace(told, state=after)
    [blacks] = hands.fans((laid,))
    assert (blacks.owner, len(blacks.cards)) == (Side.BLACK, 5)
    assert not {*blacks.cards} & {*fan.cards}
    told = replace(told, state=state_of(lesson.steps[-1].position or Position(1, 23)))
    [again] = hands.fans(())
    assert again.cards != fan.cards, "it is shuffled anew for every practice round"


def test_every_lesson_gives_the_cards_that_its_steps_and_their_mistakes_take() -> None:
    tried = 0
    for number, lesson in enumerate(LESSONS):
        for place, step in enumerate(lesson.steps):
            if not isinstance(step, Step) or step.position is None:
                continue
            told = telling(number, place)
            fans = LessonHands(lambda told=told: told).fans(())  # type: ignore[misc]
            shown = [card for fan in fans for card in fan.cards]
            assert len({*shown}) == len(shown)
            if told.state.phase is Phase.REVEAL:
                assert [fan.owner for fan in fans] == [*Side]
            elif told.state.to_act is not None:
                held = Counter(card.value for card in fans[0].cards)
                for deed in (step.deed, *(mistake.deed for mistake in step.mistakes)):
                    assert Counter(deed.values) <= held, (lesson.id, step.id, deed)
                    tried += 1
    assert tried > 30
