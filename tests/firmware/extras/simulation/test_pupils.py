"""Two pupils at the simulated table."""

from __future__ import annotations

import random

from hypothesis import given
from hypothesis import strategies as st

from engine.lessons.lesson import LESSON_BY_ID, LESSONS, StepStage, Telling
from engine.lessons.positions import state_of
from engine.rules.cards import LETTERS, Card
from engine.table.presses import Button
from firmware.extras.simulation.pupils import Pupils
from tests.tables import TABLE

TICK_S = 0.2


@given(st.integers(0, len(LETTERS)))
def test_a_step_is_done_however_many_cards_of_its_value_lie_already(lying: int) -> None:
    lesson = LESSON_BY_ID["first"]
    position = lesson.steps[0].position
    assert position is not None
    pupils = Pupils(TABLE, random.Random(lying), TICK_S)
    before = [Card(4, letter) for letter in LETTERS[:lying]]
    for card in before:
        pupils.stage.lay(card)
    pupils.look(Telling(lesson, 1, len(LESSONS), 0, StepStage.DO, state_of(position), position.hands))
    ticks = (pupils.tick(TICK_S * number, None) for number in range(200))
    tick = next(tick for tick in ticks if tick is not None and tick.presses)
    assert [press.button for press in tick.presses] == [Button.WHITE]
    cards = [each.card for each in tick.scene.cards]
    assert len(cards) == max(3, min(5, lying + 3))
    assert {card.value for card in cards[-3:]} == {4}
