"""Lessons at the simulated table, taken by pointer and keys: with their cards, and kept as their pupils' own."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from random import Random
from typing import Any

import pygame
import pytest

from engine.lessons.lesson import LESSONS, Deed, Position, Step, StepStage, Telling
from engine.lessons.positions import state_of
from engine.rules.events import TurnEvent
from engine.rules.referee import judge
from engine.rules.state import Phase
from engine.rules.track import BySide, Side
from firmware.cli.commands import teach
from firmware.cli.main import main
from firmware.cli.sitting.lessons import give_lessons
from firmware.core.clock import day_number
from firmware.extras.hands.lesson_hands import LessonHands
from firmware.ui.lessons.progress import FILE, Progress, RecallGrade

Opens = Callable[..., Any]


class Taught:
    """What the teacher told last."""

    def __init__(self) -> None:
        self.told: Telling | None = None

    def __call__(self, told: Telling, over: bool) -> None:
        self.told = told


@pytest.fixture
def taught(monkeypatch: pytest.MonkeyPatch) -> Taught:
    heard = Taught()

    def gives(*given: Any, **more: Any) -> Any:
        return give_lessons(*given, **{**more, "look": heard})

    monkeypatch.setattr(teach, "give_lessons", gives)
    return heard


def cleared(me: Any, spaces: BySide[int]) -> Any:
    """Nothing lies on the table, and the fencers stand here."""
    for lying in me.hands.view.cards:
        yield from me.take_back(lying.card)
    for side, space in spaces.items():
        yield from me.move(side, space)


def performed(me: Any, told: Telling, deed: Deed) -> Any:
    """Do this: the cards, the way of the fencers, the button."""
    side = told.state.to_act
    assert side is not None
    for value in deed.values:
        card = next(card for card in me.cards if card.value == value)
        yield from me.lay(card, *me.free_place())
        yield from me.wait(2)
    for mover, forward in ((side, deed.forward), (side.other, deed.other)):
        if forward:
            yield from me.move(mover, told.state.spaces[mover] + mover.forward * forward)
    yield from me.wait(6)
    yield from me.press(side)


@pytest.mark.slow
def test_a_warm_up_is_the_position_that_was_missed_and_no_game_where_none_is_wanted(
    at_window: Opens, tmp_path: Path, taught: Taught, capsys: pytest.CaptureFixture[str]
) -> None:
    Progress(tmp_path / FILE).met(("Ana", "Ben"), "attack 0", RecallGrade.MISSED, day_number() - 5)
    titles: list[str] = []

    def person(me: Any) -> Any:
        yield from me.until(lambda view: view.panel is not None)
        titles.append(me.view.panel.title)
        assert taught.told is not None
        yield from cleared(me, taught.told.state.spaces)
        yield from me.wait(8)
        me.key(pygame.K_SPACE)
        yield from me.until(lambda _: bool(taught.told and taught.told.stage is StepStage.DO))
        assert isinstance(taught.told.step, Step)
        yield from performed(me, taught.told, taught.told.step.deed)
        yield from me.until(lambda _: bool(taught.told and taught.told.stage is StepStage.WHY))
        me.key(pygame.K_SPACE)
        yield from me.wait(20)

    at_window(person)
    words = ["teach", "--camera", "synthetic", "--player", "Ana", "--player", "Ben", "--warm-up", "--no-game"]
    assert main([*words, "--scorebook", str(tmp_path / "book.sqlite")]) == 0
    assert titles == ["Warm-up 1 of 1"]
    assert Progress(tmp_path / FILE).of("Ana").memory["attack 0"].due_day > day_number()
    assert "And now the first game." not in capsys.readouterr().err


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
