"""The lessons: rounds with what was learned so far, help that grows, stars, and lessons shown instead of taken."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

import pytest

from display.i18n import words
from engine.lessons.lesson import Deed, Lesson, PracticeRound, StepStage
from engine.lessons.lessons import LESSONS
from engine.rules.events import TurnEvent
from engine.rules.track import Side
from engine.table.presses import Button
from firmware.ui.lessons.memory import RecallGrade
from firmware.ui.lessons.progress import Bookmark

Take = Callable[..., Any]


def acts(room: Any, script: Iterator[Any], frames: int = 400) -> None:
    """Have the pupils do this, and nothing else, until it is done and was looked at."""
    done = []

    def scripted() -> Iterator[Any]:
        yield from script
        done.append(True)
        while True:
            yield

    room.pupils._script = scripted()
    for _ in range(frames):
        room.loop.advance()
        if done and room.teacher.told.stage is not StepStage.BACK:
            break
    for _ in range(12):
        room.loop.advance()


def deed(room: Any, deed: Deed) -> Iterator[Any]:
    """One deed of whoever is to act, as the pupils would do it."""
    pupils, state = room.pupils, room.teacher.told.state
    side = state.to_act
    spaces = state.spaces.put(side, state.spaces[side] + side.forward * deed.forward)
    yield from pupils._act(side, TurnEvent(pupils._cards_of(deed.values), spaces[Side.WHITE], spaces[Side.BLACK]))
    yield from pupils._press(Button.WHITE if side is Side.WHITE else Button.BLACK)
    yield from pupils._wait(2.0)


def taught(room: Any, at: Bookmark) -> None:
    """Go there, set it up, and press: it is to be done now."""
    room.teacher.go_to(at)
    acts(room, set_up(room))
    assert room.teacher.told.stage is StepStage.DO


def set_up(room: Any) -> Iterator[Any]:
    yield from room.pupils._set_up(room.teacher.told)
    yield from room.pupils._press(Button.ACT)
    yield from room.pupils._wait(2.0)


@pytest.mark.slow
def test_what_was_not_learned_is_refused_kindly_in_a_bout_and_put_back(lesson_with: Take) -> None:
    room = lesson_with("attack")
    taught(room, Bookmark("attack", 2))
    practice = room.teacher.told.step
    assert isinstance(practice, PracticeRound)
    for each in practice.deeds[:-1]:
        acts(room, deed(room, each))
    told = room.teacher.told
    assert told.state.attack is not None
    hint = room.moments[-1].view.verdict.hint
    assert hint == words("en").say("lessons.practice.no_parry", side="White").replace("White", "Ana"), "and of no parry"
    acts(room, parried_and_put_back(room, told))
    assert room.teacher.told.stage is StepStage.DO
    assert room.teacher.told.state.attack == told.state.attack
    shown = {line.text for moment in room.moments for line in moment.view.panel.lines}
    assert words("en").say("lessons.attack.play.parry") in shown
    assert room.teacher.told.slips == 0, "nobody can know yet"
    acts(room, given_up(room))
    assert room.teacher.told.praise == "practice"
    lines = [line.text for line in room.moments[-1].view.panel.lines]
    assert "Ben wins this round!" in lines


def parried_and_put_back(room: Any, told: Any) -> Iterator[Any]:
    room.pupils._known = frozenset(room.pupils.stage.cards)
    yield from deed(room, Deed((5, 1), 1))
    assert room.teacher.told.stage is StepStage.BACK
    yield from room.pupils._put_back(told.state)
    yield from room.pupils._wait(2.0)


def given_up(room: Any) -> Iterator[Any]:
    for _ in range(2):
        yield from room.pupils._press(Button.WHITE)
        yield from room.pupils._wait(2.0)


@pytest.mark.slow
def test_help_grows_with_every_try_and_the_solution_comes_last(lesson_with: Take) -> None:
    room = lesson_with("ends")
    taught(room, Bookmark("ends", 0))
    say, told = words("en"), room.teacher.told
    general, cards = say.say("lessons.hint.retreat"), say.say("lessons.hint.cards", count=1)
    solution = say.say("lessons.hint.solution", count=1, space=1)
    seen = []
    for _ in range(4):
        acts(room, wrong_and_put_back(room, told, Deed((2,), 2)))
        lines = [line.text for line in room.moments[-1].view.panel.lines]
        seen.append([text in lines for text in (general, cards, solution)])
    assert seen == [[False] * 3, [True, False, False], [True, True, False], [True, False, True]]
    acts(room, deed(room, Deed((2,), -2)))
    assert room.teacher.told.stage is StepStage.WHY
    assert (room.teacher.told.slips, room.teacher.told.stars, room.teacher.told.row) == (4, 1, 0)
    assert room.rows[0] == 0, "a streak that came from another evening ends by a mistake"


def wrong_and_put_back(room: Any, told: Any, wrong: Deed) -> Iterator[Any]:
    room.pupils._known = frozenset(room.pupils.stage.cards)
    yield from deed(room, wrong)
    yield from room.pupils._put_back(told.state)
    yield from room.pupils._wait(2.0)


def test_who_shows_that_he_knows_a_lesson_has_learned_it(lesson_with: Take) -> None:
    room = lesson_with("ends")
    room.teacher.prove()
    acts(room, set_up(room))
    told = room.teacher.told
    assert (told.place, told.stage, told.proving) == (1, StepStage.DO, True)
    acts(room, deed(room, Deed((2,), 2)))
    acts(room, room.pupils._press(Button.ACT))
    assert room.learned == ["ends"]
    assert room.rows == [5], "and goes on by what is right at once"
    assert room.stars == [3]
    assert room.teacher.told.stage is StepStage.DONE


@pytest.mark.slow
def test_who_does_not_know_it_takes_the_lesson(lesson_with: Take) -> None:
    room = lesson_with("ends")
    room.teacher.prove()
    acts(room, set_up(room))
    acts(room, wrong_and_put_back(room, room.teacher.told, Deed((4,), -4)))
    acts(room, deed(room, Deed((2,), 2)))
    lines = [line.text for line in room.moments[-1].view.panel.lines]
    assert "That was not right at once, so here is the whole lesson." in lines
    acts(room, room.pupils._press(Button.ACT))
    told = room.teacher.told
    assert room.learned == []
    assert (told.place, told.stage, told.proving) == (0, StepStage.SETUP, False)


@pytest.mark.slow
def test_the_warm_up_is_so_many_positions_and_then_it_is_over(lesson_with: Take) -> None:
    room = lesson_with("ends", warm_up=(Bookmark("ends", 1), Bookmark("attack", 0)))
    titles = []
    for wrong, right in ((Deed((4,), -4), Deed((2,), 2)), (None, Deed((5,)))):
        acts(room, set_up(room))
        titles.append((room.moments[-1].view.panel.title, room.moments[-1].view.panel.page))
        if wrong is not None:
            acts(room, wrong_and_put_back(room, room.teacher.told, wrong))
        acts(room, deed(room, right))
        acts(room, room.pupils._press(Button.ACT))
    assert titles == [("Warm-up 1 of 2", "The ends of the piste"), ("Warm-up 2 of 2", "The direct attack")]
    assert room.met == [(Bookmark("ends", 1), RecallGrade.MISSED), (Bookmark("attack", 0), RecallGrade.KNEW)]
    assert room.teacher.warmed_up
    assert room.learned == []
    assert room.kept == [], "where they left off stays"


@pytest.mark.slow
def test_who_shows_a_lesson_shows_what_follows_on_its_last_position_too(lesson_with: Take) -> None:
    room = lesson_with("parry")
    room.teacher.prove()
    acts(room, set_up(room))
    steps = room.teacher.told.lesson.steps
    for place, step in enumerate(steps):
        assert (room.teacher.told.place, room.teacher.told.stage, room.learned) == (place, StepStage.DO, [])
        acts(room, deed(room, step.deed))
        acts(room, room.pupils._press(Button.ACT))
    assert (len(steps), room.learned) == (2, ["parry"])


@pytest.mark.slow
@pytest.mark.parametrize("lesson", LESSONS, ids=lambda lesson: lesson.id)
def test_every_lesson_can_be_shown(lesson_with: Take, lesson: Lesson) -> None:
    room = lesson_with(lesson.id)
    room.stop_after = lesson.id
    room.teacher.prove()
    told = room.teacher.told
    assert told.place == lesson.proof
    room.run(1500)
    assert room.learned == [lesson.id]
    assert any(moment.view.panel is not None and PROVING in _lines(moment) for moment in room.moments)


PROVING = "Show that you know it, and the lesson is done."


def _lines(moment: Any) -> list[str]:
    return [line.text for line in moment.view.panel.lines]
