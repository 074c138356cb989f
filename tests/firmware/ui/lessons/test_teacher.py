"""The teacher at the table: lessons are done by right play, mistakes are answered, and nothing goes on by itself."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from typing import Any

import pytest

from display.i18n import LANGUAGES, words
from display.view import Mark, Tone
from display.words.sentences import words_for
from engine.lessons.lesson import PracticeRound, Question, StepStage
from engine.lessons.lessons import LESSON_BY_ID, LESSONS
from engine.rules.rulings import RemedyKind
from engine.rules.track import BySide, Side
from engine.table.notes import NoteKind
from engine.table.observation import BackReading
from firmware.ui.lessons.progress import Bookmark

pytestmark = pytest.mark.slow

Take = Callable[..., Any]


@pytest.mark.parametrize("lesson", LESSONS, ids=lambda lesson: lesson.id)
def test_a_lesson_is_done_by_right_play(lesson_with: Take, lesson: Any) -> None:
    room = lesson_with(lesson.id).run()
    assert room.learned == [lesson.id]
    assert room.pupils.made == []
    assert [bookmark.place for bookmark in room.kept] == list(range(len(lesson.steps)))
    assert room.stars == [3]
    assert not any(moment.view.verdict.tone is Tone.REFUSED for moment in room.moments)


@pytest.mark.parametrize(
    ("lesson", "late_s"), [(lesson, 1.2 * (place % 2)) for place, lesson in enumerate(LESSONS)]
)  # at once and late in turn
def test_every_likely_mistake_is_made_and_answered_and_the_lesson_is_done_all_the_same(
    lesson_with: Take, lesson: Any, late_s: float
) -> None:
    room = lesson_with(lesson.id, mistakes=1.0, seed=3, late_s=late_s).run()
    expected = [
        (lesson.id, step.id, name)
        for step in lesson.steps
        if not isinstance(step, PracticeRound)
        for name in (["wrong"] if isinstance(step, Question) else [mistake.name for mistake in step.mistakes])
    ]
    assert [(where, step, name) for where, step, name, _ in room.pupils.made] == expected
    assert [answer for *_, answer in room.pupils.made] == [name for *_, name in expected]
    assert room.learned == [lesson.id]
    say = words_for("en", room.loop.people.names)
    shown = {line.text for moment in room.moments for line in moment.view.panel.lines if line.mark is Mark.BAD}
    assert {say.say(f"lessons.{where}.{step}.{name}") for where, step, name in expected} <= shown


@pytest.mark.parametrize("language", LANGUAGES)
def test_lessons_are_told_in_every_language(lesson_with: Take, language: str) -> None:
    room = lesson_with("moving", mistakes=1.0, language=language).run()
    titles = {moment.view.panel.title for moment in room.moments}
    say = words(language)
    assert titles == {say.say("lessons.said.title", number=2, title=say.say("lessons.moving.title"))}


def test_what_is_new_is_spoken_once(lesson_with: Take) -> None:
    room = lesson_with("distance").run()
    spoken = [(moment.view.heard.call_key, moment.view.serial) for moment in room.moments if moment.view.heard.call]
    lessons = [key for key, _ in spoken if key.startswith("lessons.")]
    assert lessons == [
        "lessons.distance.goal",
        "lessons.distance.count.do",
        "lessons.distance.count.why",
        "lessons.said.set_up",
        "lessons.distance.measure.do",
        "lessons.distance.measure.why",
    ]
    serials = [moment.view.serial for moment in room.moments]
    assert serials == sorted(serials)


def looking(room: Any, frames: int) -> Any:
    """Some moments at which the pupils do nothing."""
    for _ in range(frames):
        room.loop.advance()
    return room.moments[-1]


def idle(room: Any) -> Any:
    """Pupils who sit on their hands; the test moves and presses."""
    room.pupils._script = _forever()
    return room


def _forever() -> Any:
    while True:
        yield


def test_the_camera_says_what_is_still_wrong_before_a_lesson_begins(lesson_with: Take) -> None:
    room = idle(lesson_with("ends"))
    moment = looking(room, 8)
    assert room.teacher.told.stage is StepStage.SETUP
    kinds = [(remedy.kind, remedy.side, remedy.to_space) for remedy in moment.view.remedies]
    assert kinds == [(RemedyKind.MOVE_FIGURE, Side.WHITE, 3), (RemedyKind.MOVE_FIGURE, Side.BLACK, 15)]
    press(room, "ACT")
    moment = looking(room, 2)
    assert room.teacher.told.stage is StepStage.SETUP
    assert any(line.mark is Mark.BAD for line in moment.view.panel.lines)
    stand(room, 3, 15)
    moment = looking(room, 8)
    assert moment.view.remedies == ()
    assert room.teacher.told.stage is StepStage.SETUP, "only the players know whether they hold their cards"
    press(room, "ACT")
    looking(room, 2)
    told = room.teacher.told
    assert told.stage is StepStage.DO


def stand(room: Any, white: int, black: int) -> None:
    for side, space in BySide(white, black).items():
        del room.pupils.stage.figures[side]
        room.pupils.stage.put_figure(side, space)


def press(room: Any, name: str) -> None:
    from engine.table.presses import Button, Press

    sight = room.loop._source
    sight._presses += (Press(room.moments[-1].frame.t_s, Button[name]),)


def test_a_press_that_the_eyes_cannot_judge_is_answered(lesson_with: Take) -> None:
    room = idle(lesson_with("moving"))
    looking(room, 2)
    room.pupils.stage.reach(Side.WHITE, (300.0, -100.0), 0.2)
    press(room, "WHITE")
    for _ in range(60):
        looking(room, 1)
        if room.moments[-1].view.verdict.tone is Tone.UNSEEN:
            break
    assert room.moments[-1].view.verdict.headline == words("en").say("note.cannot_see")
    assert room.teacher.told.stage is StepStage.SETUP


def test_the_same_notes_as_in_a_match(lesson_with: Take) -> None:
    room = idle(lesson_with("moving"))
    looking(room, 8)
    press(room, "ACT")
    looking(room, 2)
    press(room, "BLACK")
    looking(room, 3)
    assert room.moments[-1].desk.note.kind is NoteKind.NOT_YOUR_TURN
    assert room.teacher.told.answer == ""


def test_taking_back_begins_the_step_again(lesson_with: Take) -> None:
    room = idle(lesson_with("moving"))
    looking(room, 8)
    press(room, "ACT")
    looking(room, 2)
    assert room.teacher.told.stage is StepStage.DO
    press(room, "UNDO")
    looking(room, 2)
    told = room.teacher.told
    assert told.stage is StepStage.SETUP


def test_a_lesson_that_was_left_goes_on_where_it_can_be_set_up(lesson_with: Take) -> None:
    """A step that goes on from the one before is taken up with that one."""
    teacher = lesson_with("parry").teacher
    teacher.go_to(Bookmark("parry", 1))
    assert (teacher.told.lesson.id, teacher.told.place) == ("parry", 0)
    teacher.go_to(Bookmark("strength", 1))
    assert (teacher.told.lesson.id, teacher.told.place) == ("strength", 1)
    teacher.go_to(Bookmark("no such lesson", 7))
    assert (teacher.told.lesson.id, teacher.told.place) == (LESSONS[0].id, 0)
    teacher.skip()
    assert teacher.told.lesson.id == LESSONS[1].id
    teacher.go_to(Bookmark(LESSONS[-1].id))
    teacher.skip()
    assert teacher.told.lesson.id == LESSONS[0].id


def test_a_question_is_shown_on_the_screen_and_needs_no_table(lesson_with: Take) -> None:
    room = idle(lesson_with("curious"))
    room.teacher.go_to(Bookmark("curious", 2))
    moment = looking(room, 3)
    assert room.teacher.told.stage is StepStage.ASK
    assert [fencer.space for _, fencer in moment.view.piste.fencers.items()] == [8, 15]
    assert moment.view.remedies == ()
    press(room, "ACT")
    looking(room, 2)
    assert room.teacher.told.stage is StepStage.ASK, "the space bar is no answer"
    press(room, "WHITE")
    looking(room, 2)
    assert room.teacher.told.answer == "wrong"
    press(room, "BLACK")
    looking(room, 2)
    told = room.teacher.told
    assert told.stage is StepStage.WHY


def test_after_the_last_lesson_the_first_game_is_offered(lesson_with: Take) -> None:
    room = lesson_with(LESSONS[-1].id)
    room.stop_after = None
    room.run()
    assert room.teacher.finished
    assert room.learned == [LESSONS[-1].id]
    last = room.teacher.told
    assert last.following is None
    assert LESSON_BY_ID[last.lesson.id] is LESSONS[-1]


def test_nothing_is_judged_while_the_teacher_has_the_word(lesson_with: Take) -> None:
    room = lesson_with("attack", mistakes=1.0).run()
    for moment in room.moments:
        assert moment.held or not moment.entries or moment.view.panel is not None
        assert not (moment.held and moment.entries)


@pytest.mark.slow
@pytest.mark.parametrize("lesson", LESSONS[::5], ids=lambda lesson: lesson.id)
def test_nothing_taught_changes_with_the_cards_that_are_hidden(lesson_with: Take, lesson: Any) -> None:
    """All a teacher sees is what the eyes give; cards with their backs up say nothing, whichever they are."""
    told = []
    for tokens in ((), ("7KQ2XN", "ABCDEF")):
        room = lesson_with(lesson.id, mistakes=0.5, seed=2)
        look = room.loop.eyes.look
        backs = tuple(BackReading(token, 200.0 + 90.0 * number, -210.0, 0.0) for number, token in enumerate(tokens))

        def looked(frame: Any, look: Any = look, backs: Any = backs) -> Any:
            seen = look(frame)
            return replace(seen, table=replace(seen.table, backs=backs))

        room.loop.eyes.look = looked
        room.run()
        told.append([(moment.view.panel, moment.view.verdict, moment.view.remedies) for moment in room.moments])
    assert told[0] == told[1]
