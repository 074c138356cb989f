"""The teacher at the table: lessons as text, and every lesson by right play, with every mistake, and shown."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from display.i18n import LANGUAGES
from display.view import Mark, Tone, ViewModel
from display.words.sentences import words_for
from engine.lessons.lesson import LESSONS, Deed, Lesson, PracticeRound, Question, Step, StepStage
from engine.puzzles.collection import PUZZLES
from engine.puzzles.puzzle import Puzzle, answer, solutions
from engine.rules.events import TurnEvent
from engine.rules.legal import Play, play_event
from engine.rules.track import Side
from engine.table.observation import BackReading
from engine.table.presses import Button
from firmware.ui.lessons.progress import OWN, Bookmark, called
from firmware.ui.lessons.solving import bookmark_of, play_of
from tests.firmware.scenes import Evening
from tests.firmware.ui.lessons.conftest import Class
from tests.firmware.ui.scene_table import TICK_S
from tests.scenes import played, scenes
from vision.printed.table import Table

pytestmark = pytest.mark.slow

SCENES = Path(__file__).with_name("lessons.txt")
Take = Callable[..., Any]


class LessonEvening(Evening):
    """Pupils who do what the scene says and nothing else."""

    room: Class

    def __init__(self, table: Table) -> None:
        self.table, self.spoken = table, list[str]()

    @property
    def loop(self) -> Any:
        return self.room.loop

    @property
    def view(self) -> ViewModel | None:
        return self.room.moments[-1].view if self.room.moments else None

    def facts(self) -> Iterator[tuple[str, object]]:
        if not hasattr(self, "room"):
            return
        room, told = self.room, self.room.teacher.told
        yield "step", f"{told.puzzle.id if told.puzzle else f'{told.lesson.id} {told.step.id}'}: {told.stage.value}"
        yield "answer", told.answer
        yield "slips, stars, row", [told.slips, told.stars, told.row]
        yield "fencers", self.view and self.view.piste.fencers.map(lambda fencer: fencer.space)
        yield "still to do", self.view and [each.text for each in self.view.remedies]
        yield "spoken", self.spoken
        self.spoken = []
        yield "bookmark", [f"{each.lesson} {each.place}" for each in room.kept[-1:]]
        yield "learned", [*room.learned, *room.stars, *room.solved]
        yield "met", [f"{at.lesson} {at.place} {recall.name.lower()}" for at, recall in room.met]
        yield "rows", room.rows
        yield "over", [name for name in ("finished", "warmed_up", "plays") if getattr(room.teacher, name)]

    def common_facts(self) -> Iterator[tuple[str, object]]:
        if self.room.moments:
            yield from super().common_facts()

    def wait(self, seconds: float) -> None:
        for _ in range(round(seconds / TICK_S)):
            if self.loop.advance() is None:
                break
            heard = self.room.moments[-1].view.heard
            self.spoken += [heard.call_key] if heard.call and heard.call_key.startswith("lessons.") else []

    def taken(self, at: str, **more: Any) -> None:
        self.room = Class(self.table, at, 0.0, **more).idle()
        self.wait(1.6)

    def do_take(self, at: str) -> None:
        self.taken(at.replace("puzzle:last", f"puzzle:{PUZZLES[-1].id}"))

    def do_warm_up(self, *places: str) -> None:
        at = [each.partition(":") for each in places]
        self.taken("warm-up", warm_up=tuple(Bookmark(lesson, int(place)) for lesson, _, place in at))

    def do_own(self, at: str = "") -> None:
        """A puzzle of a mistake, as the warm-up or alone."""
        own = called(replace(next(each for each in PUZZLES if each.rules == "ferti-classic"), id=OWN))
        self.taken(bookmark_of(own).lesson, own=(own,), warm_up=(bookmark_of(own),) if at else ())

    def do_go(self, lesson: str, place: str = "0") -> None:
        self.room.teacher.go_to(Bookmark(lesson, int(place)))
        self.wait(0.6)

    def do_skip(self) -> None:
        self.room.teacher.skip()
        self.wait(0.6)

    def do_again(self) -> None:
        self.room.teacher.again()
        self.wait(0.6)

    def do_prove(self) -> None:
        self.room.teacher.prove()
        self.wait(0.6)

    def do_press(self, *buttons: str) -> None:
        for button in map(Button, buttons):
            self.room.press(button)
            self.wait(1.6)

    def do_stand(self, white: str, black: str) -> None:
        self.room.stand(int(white), int(black))
        self.wait(1.6)

    def do_reach(self, side: str) -> None:
        self.room.pupils.stage.reach(Side(side), (300.0, -100.0), TICK_S)

    def do_set_up(self) -> None:
        """As the teacher says, and a press."""
        told = self.room.teacher.told
        if told.puzzle is None:
            self.act(self.room.pupils._set_up(told))
        else:
            self.room.pupils.stage.clear_cards()
            self.do_stand(*map(str, (told.state.spaces.white, told.state.spaces.black)))
        self.do_press("act")

    def do_turn(self, forward: str, *cards: str) -> None:
        """Whoever is to act lays these cards, moves so far, and presses."""
        self.act(self._deed(Deed(tuple(map(int, cards)), int(forward))))

    def do_wrong(self, forward: str, *cards: str) -> None:
        """A turn that has to be put back, and is."""
        state, pupils = self.room.teacher.told.state, self.room.pupils
        pupils._known = frozenset(pupils.stage.cards)
        self.do_turn(forward, *cards)
        assert self.room.teacher.told.stage is StepStage.BACK
        self.act(pupils._put_back(state))
        self.wait(2.4)

    def do_as_taught(self) -> None:
        step = self.room.teacher.told.step
        assert isinstance(step, Step)
        self.act(self._deed(step.deed))

    def do_practise(self) -> None:
        """The bout, but for its last turn."""
        practice = self.room.teacher.told.step
        assert isinstance(practice, PracticeRound)
        for each in practice.deeds[:-1]:
            self.act(self._deed(each))

    def do_answer(self) -> None:
        self._play(answer(self._puzzle))

    def do_miss(self) -> None:
        self._play(solutions(self._puzzle)[-1].play)

    def do_run(self) -> None:
        """The pupils take the rest by themselves."""
        self.room.pupils._script = self.room.pupils._take_lessons()
        self.room.run()

    @property
    def _puzzle(self) -> Puzzle:
        puzzle = self.room.teacher.told.puzzle
        assert puzzle is not None
        return puzzle

    def _play(self, play: Play) -> None:
        puzzle = self._puzzle
        event = play_event(puzzle.public, puzzle.hand(puzzle.side), play)
        for among, card in enumerate(event.cards):
            self.room.pupils.stage.lay(card, among)
        self.do_stand(str(event.white), str(event.black))
        self.do_press(puzzle.side.value)

    def _deed(self, deed: Deed) -> Iterator[Any]:
        pupils, state = self.room.pupils, self.room.teacher.told.state
        side = state.to_act
        assert side is not None
        spaces = state.spaces.put(side, state.spaces[side] + side.forward * deed.forward)
        yield from pupils._act(side, TurnEvent(pupils._cards_of(deed.values), spaces.white, spaces.black))
        yield from pupils._press(Button.WHITE if side is Side.WHITE else Button.BLACK)

    def act(self, script: Iterator[Any]) -> None:
        """Have the pupils do this, and look at what came of it."""
        done: list[bool] = []

        def scripted() -> Iterator[Any]:
            yield from script
            done.append(True)
            while True:
                yield

        self.room.pupils._script = scripted()
        for _ in range(400):
            self.wait(TICK_S)
            if done:
                break
        self.wait(2.4)


@pytest.mark.parametrize("scene", scenes(SCENES))
def test_the_lesson_goes_as_written(scene: str, table: Table, request: pytest.FixtureRequest) -> None:
    assert played(SCENES, scene, LessonEvening(table), request) == scene


@pytest.mark.parametrize("lesson", LESSONS, ids=lambda lesson: lesson.id)
def test_a_lesson_is_done_by_right_play(lesson_with: Take, lesson: Any) -> None:
    room = lesson_with(lesson.id).run()
    assert room.learned == [lesson.id]
    assert room.pupils.made == []
    assert [bookmark.place for bookmark in room.kept] == list(range(len(lesson.steps)))
    assert room.stars == [3]
    assert not any(moment.view.verdict.tone is Tone.REFUSED for moment in room.moments)


@pytest.mark.parametrize(
    ("lesson", "late_s", "language"),
    [(lesson, 1.2 * (place % 2), LANGUAGES[place % len(LANGUAGES)]) for place, lesson in enumerate(LESSONS)],
)  # at once and late in turn, in every language
def test_every_likely_mistake_is_made_and_answered_and_the_lesson_is_done_all_the_same(
    lesson_with: Take, lesson: Any, late_s: float, language: str
) -> None:
    room = lesson_with(lesson.id, mistakes=1.0, seed=3, late_s=late_s, language=language).run()
    expected = [
        (lesson.id, step.id, name)
        for step in lesson.steps
        if not isinstance(step, PracticeRound)
        for name in (["wrong"] if isinstance(step, Question) else [mistake.name for mistake in step.mistakes])
    ]
    assert [(where, step, name) for where, step, name, _ in room.pupils.made] == expected
    assert [answer for *_, answer in room.pupils.made] == [name for *_, name in expected]
    assert room.learned == [lesson.id]
    say = words_for(language, room.loop.people.names)
    shown = {line.text for moment in room.moments for line in moment.view.panel.lines if line.mark is Mark.BAD}
    assert {say.say(f"lessons.{where}.{step}.{name}") for where, step, name in expected} <= shown
    number, title = LESSONS.index(lesson) + 1, say.say(f"lessons.{lesson.id}.title")
    titles = {moment.view.panel.title for moment in room.moments}
    assert titles == {say.say("lessons.said.title", number=number, title=title)}
    for moment in room.moments:
        assert not (moment.held and moment.entries), "nothing is judged while the teacher has the word"


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


@pytest.mark.parametrize("lesson", LESSONS, ids=lambda lesson: lesson.id)
def test_every_lesson_can_be_shown(lesson_with: Take, lesson: Lesson) -> None:
    room = lesson_with(lesson.id)
    room.teacher.prove()
    assert room.teacher.told.place == lesson.proof
    room.run(1500)
    assert room.learned == [lesson.id]
    shown = {line.text for moment in room.moments for line in moment.view.panel.lines}
    assert "Show that you know it, and the lesson is done." in shown


@pytest.mark.parametrize("puzzle", PUZZLES[::7], ids=lambda puzzle: puzzle.id)
def test_a_turn_on_the_board_is_the_play_that_was_meant(puzzle: Puzzle) -> None:
    for play in (each.play for each in solutions(puzzle)):
        event = play_event(puzzle.public, puzzle.hand(puzzle.side), play)
        assert play_of(puzzle.public, event) == play


def test_a_puzzle_is_solved_with_cards_that_the_camera_sees(table: Table) -> None:
    """Nobody sits at a window: the fencers are set up and the turn is laid on the table, and frames show it."""
    at = LessonEvening(table)
    at.taken(bookmark_of(PUZZLES[0]).lesson, rendered=True)
    for do in (at.do_set_up, at.do_answer):
        do()
        at.wait(3.2)
    told = at.room.teacher.told
    assert (told.stage, told.reply and told.reply.right, at.room.solved) == (StepStage.WHY, True, [PUZZLES[0].id])
    at.do_press("act")
    assert at.room.teacher.told.puzzle == PUZZLES[1]
