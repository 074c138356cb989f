"""The teacher at the table: right play goes on, mistakes are answered, help grows, lessons are shown or practised."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import replace
from typing import Any

import pytest

from display.i18n import LANGUAGES, words
from display.view import Mark, Tone
from display.words.sentences import words_for
from engine.lessons.lesson import Deed, Lesson, PracticeRound, Question, StepStage
from engine.lessons.lessons import LESSON_BY_ID, LESSONS
from engine.rules.events import TurnEvent
from engine.rules.rulings import RemedyKind
from engine.rules.track import Side
from engine.table.notes import NoteKind
from engine.table.observation import BackReading
from engine.table.presses import Button
from firmware.ui.lessons.progress import Bookmark, RecallGrade

Take = Callable[..., Any]


@pytest.mark.slow
@pytest.mark.parametrize("lesson", LESSONS, ids=lambda lesson: lesson.id)
def test_a_lesson_is_done_by_right_play(lesson_with: Take, lesson: Any) -> None:
    room = lesson_with(lesson.id).run()
    assert room.learned == [lesson.id]
    assert room.pupils.made == []
    assert [bookmark.place for bookmark in room.kept] == list(range(len(lesson.steps)))
    assert room.stars == [3]
    assert not any(moment.view.verdict.tone is Tone.REFUSED for moment in room.moments)


@pytest.mark.slow
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


@pytest.mark.slow
@pytest.mark.parametrize("language", LANGUAGES)
def test_lessons_are_told_in_every_language(lesson_with: Take, language: str) -> None:
    room = lesson_with("moving", mistakes=1.0, language=language).run()
    titles = {moment.view.panel.title for moment in room.moments}
    say = words(language)
    assert titles == {say.say("lessons.said.title", number=2, title=say.say("lessons.moving.title"))}


@pytest.mark.slow
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


@pytest.mark.slow
def test_the_camera_says_what_is_still_wrong_before_a_lesson_begins(lesson_with: Take) -> None:
    room = lesson_with("ends").idle()
    moment = room.look(8)
    assert room.teacher.told.stage is StepStage.SETUP
    kinds = [(remedy.kind, remedy.side, remedy.to_space) for remedy in moment.view.remedies]
    assert kinds == [(RemedyKind.MOVE_FIGURE, Side.WHITE, 3), (RemedyKind.MOVE_FIGURE, Side.BLACK, 15)]
    room.press(Button.ACT)
    moment = room.look(2)
    assert room.teacher.told.stage is StepStage.SETUP
    assert any(line.mark is Mark.BAD for line in moment.view.panel.lines)
    room.stand(3, 15)
    moment = room.look(8)
    assert moment.view.remedies == ()
    assert room.teacher.told.stage is StepStage.SETUP, "only the players know whether they hold their cards"
    room.press(Button.ACT)
    room.look(2)
    told = room.teacher.told
    assert told.stage is StepStage.DO


@pytest.mark.slow
def test_a_press_that_the_eyes_cannot_judge_is_answered(lesson_with: Take) -> None:
    room = lesson_with("moving").idle()
    room.look(2)
    room.pupils.stage.reach(Side.WHITE, (300.0, -100.0), 0.2)
    room.press(Button.WHITE)
    for _ in range(60):
        room.look(1)
        if room.moments[-1].view.verdict.tone is Tone.UNSEEN:
            break
    assert room.moments[-1].view.verdict.headline == words("en").say("note.cannot_see")
    assert room.teacher.told.stage is StepStage.SETUP


@pytest.mark.slow
def test_the_same_notes_as_in_a_match(lesson_with: Take) -> None:
    room = lesson_with("moving").idle()
    room.look(8)
    room.press(Button.ACT)
    room.look(2)
    room.press(Button.BLACK)
    room.look(3)
    assert room.moments[-1].desk.note.kind is NoteKind.NOT_YOUR_TURN
    assert room.teacher.told.answer == ""


@pytest.mark.slow
def test_taking_back_begins_the_step_again(lesson_with: Take) -> None:
    room = lesson_with("moving").idle()
    room.look(8)
    room.press(Button.ACT)
    room.look(2)
    assert room.teacher.told.stage is StepStage.DO
    room.press(Button.UNDO)
    room.look(2)
    told = room.teacher.told
    assert told.stage is StepStage.SETUP


@pytest.mark.slow
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


@pytest.mark.slow
def test_a_question_is_shown_on_the_screen_and_needs_no_table(lesson_with: Take) -> None:
    room = lesson_with("curious").idle()
    room.teacher.go_to(Bookmark("curious", 2))
    moment = room.look(3)
    assert room.teacher.told.stage is StepStage.ASK
    assert [fencer.space for _, fencer in moment.view.piste.fencers.items()] == [8, 15]
    assert moment.view.remedies == ()
    room.press(Button.ACT)
    room.look(2)
    assert room.teacher.told.stage is StepStage.ASK, "the space bar is no answer"
    room.press(Button.WHITE)
    room.look(2)
    assert room.teacher.told.answer == "wrong"
    room.press(Button.BLACK)
    room.look(2)
    told = room.teacher.told
    assert told.stage is StepStage.WHY


@pytest.mark.slow
def test_after_the_last_lesson_the_first_game_is_offered(lesson_with: Take) -> None:
    room = lesson_with(LESSONS[-1].id)
    room.stop_after = None
    room.run()
    assert room.teacher.finished
    assert room.learned == [LESSONS[-1].id]
    last = room.teacher.told
    assert last.following is None
    assert LESSON_BY_ID[last.lesson.id] is LESSONS[-1]


@pytest.mark.slow
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
