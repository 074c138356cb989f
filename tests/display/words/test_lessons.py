"""The teacher's words: every key of the catalogue is said somewhere, and what is to be done stands on the panel."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import replace

import pytest

from display.draw.pictures import new_surface
from display.i18n import LANGUAGES, words
from display.menu.model import Act, Goto, Menu, MenuPlace
from display.view import Helped, Situation
from display.words.lessons import in_his_place, lesson_panel, lesson_verdict, occasion_panel, task_end, task_text
from display.words.present import present
from display.words.sentences import side_name, words_for
from engine.lessons.lesson import LESSONS, PUZZLE, WRONG, PracticeRound, Question, Step, StepStage, Telling
from engine.lessons.occasions import Occasion
from engine.lessons.outcome import ALLOWED, COMMON, GAVE_UP, NOT_MOVED
from engine.lessons.positions import state_of
from engine.puzzles.collection import PUZZLES
from engine.puzzles.puzzle import judge_answer, solutions
from engine.rules.events import YieldEvent
from engine.rules.rulings import ActionKind, Remedy, RemedyKind
from engine.rules.state import Attack, AttackKind, PublicState, Reason, Result
from engine.rules.track import BySide, Side
from tests.display.drawn import draw_table
from tests.display.menu_showcase import MenuContext, page_of, pupil

PRAISE = (*(kind.value for kind in ActionKind), "riposte", "parry", "yield", "reveal", "round", "knew")
MOVE = Remedy(RemedyKind.MOVE_FIGURE, side=Side.WHITE, space=3)
CLEAR = Remedy(RemedyKind.CLEAR_CARDS, count=3)


def tellings() -> Iterator[Telling]:
    """Everything the teacher can say."""
    for number, lesson in enumerate(LESSONS, start=1):
        position = lesson.steps[0].position
        for place, step in enumerate(lesson.steps):
            position = step.position or position
            assert position is not None
            following = LESSONS[number] if number < len(LESSONS) else None
            told = Telling(
                lesson,
                number,
                len(LESSONS),
                place,
                StepStage.WHY,
                state_of(position),
                position.hands,
                following=following,
            )
            yield told
            yield _at(told, StepStage.DONE)
            if isinstance(step, Question):
                yield _at(told, StepStage.ASK)
                yield _at(told, StepStage.ASK, WRONG)
            elif isinstance(step, PracticeRound):
                yield _at(told, StepStage.SETUP, remedies=())
                yield _at(told, StepStage.DO)
                yield from (_at(told, StepStage.BACK, name) for name in step.without if name != "end")
                yield replace(told, praise="practice", state=told.state._replace(result=Result(Side.WHITE, Reason.HIT)))
                attack = Attack(Side.WHITE, AttackKind.DIRECT, 5, 1)
                yield replace(_at(told, StepStage.DO), state=told.state._replace(attack=attack, to_act=Side.BLACK))
            elif isinstance(step, Step):
                yield from (replace(_at(told, StepStage.DO), tries=tries) for tries in range(1, 5))
                yield from (replace(told, praise=praise, row=row) for praise in PRAISE for row in range(5))
                yield replace(_at(told, StepStage.DO), proving=True)
                yield replace(told, proving=True, tries=1)
                yield replace(_at(told, StepStage.DO), warming=3)
                for remedies in (None, (), (MOVE,), (MOVE, CLEAR)):
                    for pressed in (True, False):
                        yield _at(told, StepStage.SETUP, remedies=remedies, pressed=pressed)
                common = [f"common.{name}" for name in (*COMMON.values(), GAVE_UP, ALLOWED, NOT_MOVED)]
                for answer in ("", *(mistake.name for mistake in step.mistakes), *common):
                    yield _at(told, StepStage.DO, answer)
                    yield _at(told, StepStage.BACK, answer)


def met_state() -> PublicState:
    """White is to act."""
    return next(told.state for told in tellings() if told.state.to_act is Side.WHITE)


def alone() -> Iterator[Telling]:
    """The same to somebody who learns alone, while the teacher plays the other side."""
    return (replace(told, pupil=told.lesson.pupil(told.place)) for told in tellings())


def puzzled() -> Iterator[Telling]:
    """A puzzle at every stage, answered rightly and wrongly."""
    puzzle = PUZZLES[0]
    hands = puzzle.hands.map(lambda hand: tuple(card.value for card in hand))
    for stage in (StepStage.SETUP, StepStage.DO, StepStage.WHY):
        for reply in [None, *(judge_answer(puzzle, solved.play) for solved in solutions(puzzle)[:2])]:
            yield Telling(PUZZLE, 1, 50, 0, stage, puzzle.public, hands, puzzle=puzzle, reply=reply)


def _at(
    told: Telling, stage: StepStage, answer: str = "", remedies: tuple[Remedy, ...] | None = None, pressed: bool = False
) -> Telling:
    return Telling(
        told.lesson,
        told.number,
        told.lessons,
        told.place,
        stage,
        told.state,
        told.hands,
        answer,
        remedies,
        pressed,
        told.following,
    )


def menus(language: str) -> Iterator[None]:
    white, black = (pupil(name, len(LESSONS) - 1, row=1, longest_row=4) for name in ("White", "Black"))
    lines = {Side.WHITE: white, Side.BLACK: replace(black, longest_row=0)}
    for teaching, puzzling in ((True, False), (True, True), (False, False)):
        context = MenuContext(
            language, pupils=lines, next_lesson="ends", warm_up=3, teaching=teaching, puzzling_at_table=puzzling
        )
        for page in (Goto.MAIN, Goto.START, Goto.LEARN, Goto.PUZZLES, Goto.PUZZLE.of(PUZZLES[0].id)):
            shown = page_of(Menu((MenuPlace(page),)), context)
            assert shown.items
            certificates = [item for item in shown.items if item.key == Act("certificate")]
            assert certificates == [], "not before somebody has learned them all"
            yield
    everything = {**lines, Side.BLACK: pupil("Black", len(LESSONS))}
    learned = MenuContext(language, pupils=everything, teaching=True)
    assert page_of(Menu((MenuPlace(Goto.LEARN),)), learned).items[-1].key == Act("certificate")
    yield


@pytest.mark.slow
@pytest.mark.parametrize("language", LANGUAGES)
def test_every_sentence_of_the_lessons_can_be_said(language: str) -> None:
    say = words(language)
    for told in (*tellings(), *alone()):
        panel = lesson_panel(say, told)
        assert panel.lines or told.pupil is not None
        assert all(line.text for line in panel.lines)
        corrected = told.pupil is not None and told.answer  # alone a mistake is answered while the turn goes on
        assert (lesson_verdict(say, told) is None) is (told.stage is StepStage.DO and not corrected)
        task_end(say, told)
        say.say(told.spoken)
    for told in puzzled():
        lesson_panel(say, told)
        lesson_verdict(say, told)
    for _ in menus(language):
        pass
    situation = Situation(next(tellings()).state, language=language, helped=Helped(asked="Do this."))
    present(in_his_place(situation, Side.WHITE))
    for occasion in Occasion:
        occasion_panel(say, occasion, met_state())


@pytest.mark.parametrize("language", LANGUAGES)
def test_whose_button_it_is_stands_with_every_task(language: str) -> None:
    say = words_for(language, BySide("Ana", "Ben"))
    ends = set()
    for told in (*tellings(), *puzzled()):
        end = task_end(say, told)
        name = {Side.WHITE: "Ana", Side.BLACK: "Ben", None: ""}[told.state.to_act]
        gives_up = isinstance(told.step, Step) and told.step.wanted.event == YieldEvent.name
        asked = bool(task_text(say, told)) and not gives_up  # a task of giving up tells of the presses itself
        if isinstance(told.step, PracticeRound) and told.state.attack is not None and end:
            assert end == say.say("lessons.practice.no_parry", side=side_name(say, told.state.to_act))
            assert "parry" in told.step.without
            continue
        assert end == (say.say("lessons.said.asked", side=side_name(say, told.state.to_act)) if asked and name else "")
        assert name in end or not end
        ends.add(end)
    assert len(ends) == 3, "each of the two, and what goes on by itself"


@pytest.mark.parametrize("language", LANGUAGES)
def test_lessons_call_players_by_name_and_only_fencers_and_buttons_by_colour(language: str) -> None:
    """A fencer is white or black on the table, a button on the panel; who sits there has a name."""
    say = words(language)
    colours = [say.say(f"name.{side.value}") for side in Side]
    told = {
        key
        for key, sentence in say.entries.items()
        if key.startswith("lessons.")
        and any(re.search(rf"(?<!{{)\b{colour}\b", text) for text in sentence.forms.values() for colour in colours)
    }
    fencers = {
        "lessons.moving.advance.other_fencer",
        "lessons.said.figures",
        "lessons.alone.black",
        "lessons.alone.white",
    }
    assert told == {*fencers, "lessons.said.answer"}
    named = words_for(language, BySide("Ana", "Ben"))
    assert named.say("lessons.first.touch.do").startswith("Ana")
    assert "Ben" in named.say("lessons.first.touch.do")


def test_a_pupil_alone_hears_whose_fencer_is_theirs_when_the_sides_change() -> None:
    say, changes = words("en"), 0
    for told in alone():
        if told.stage is not StepStage.DO:
            continue
        before = told.lesson.pupil(told.place - 1) if told.place else Side.WHITE
        lines = [line.text for line in lesson_panel(say, told).lines]
        said = {side for side in Side if say.say(f"lessons.alone.{side.value}") in lines}
        assert said == ({told.pupil} if told.pupil is not before else set())
        changes += told.pupil is not before
    assert changes


def test_a_lesson_that_begins_where_a_round_is_over_says_what_to_do_and_not_who_won() -> None:
    say = words("en")
    told = next(told for told in tellings() if told.step.id == "deal" and told.stage is StepStage.DO)
    view = present(Situation(told.state, helped=Helped(panel=lesson_panel(say, told), asked=task_text(say, told))))
    assert view.verdict.headline == say.say("lessons.first.deal.do")
    assert view.ending is None
    assert "wins" not in " ".join(view.heard.aloud)


@pytest.mark.slow
def test_what_the_band_says_stands_nowhere_else() -> None:
    say = words("en")
    for told in (*tellings(), *puzzled()):
        if told.stage is StepStage.DO and (task := task_text(say, told)):
            panel = lesson_panel(say, told)
            view = present(Situation(told.state, helped=Helped(panel=panel, asked=task)))
            assert view.verdict.headline == task
            left = () if view.panel is None else view.panel.lines
            assert task in [line.text for line in panel.lines]
            assert task not in [line.text for line in left]


@pytest.mark.parametrize("stage", [StepStage.SETUP, StepStage.DO, StepStage.BACK])
def test_where_the_distance_is_to_be_counted_nothing_shows_it(stage: StepStage) -> None:
    say = words("en")
    counted, known = (
        next(_at(told, stage) for told in tellings() if told.lesson.id == lesson and told.step.id == step)
        for lesson, step in (("distance", "count"), ("attack", "attack"))
    )
    for told, shown in ((counted, False), (known, True)):
        view = present(Situation(told.state, helped=Helped(panel=lesson_panel(say, told), asked=task_text(say, told))))
        assert told.state.distance == 5
        assert view.lamps["distance_5"] is shown
        assert any("distance 5" in sentence or "distance: 5" in sentence for sentence in view.heard.aloud) is shown
        assert view.panel is not None
        surface = new_surface(800, 480)
        assert (view.piste.distance_text in [text.text for text in draw_table(surface, view)]) is shown


@pytest.mark.parametrize("language", LANGUAGES)
def test_both_have_something_to_do_in_every_step(language: str) -> None:
    """Whoever is not to act is told a job of his own; at a question one reads, and the other answers."""
    say = words(language)
    readers = set()
    for told in tellings():
        if told.stage is StepStage.ASK:
            *_, job = (line.text for line in lesson_panel(say, told).lines)
            names = [say.say(f"name.{side.value}") for side in Side]
            assert all(name in job for name in names), job
            readers.add(job)
        elif told.stage is StepStage.DO and isinstance(told.step, Step) and not told.proving:
            told_lines = [line.text for line in lesson_panel(say, told).lines]
            side = told.state.to_act
            busy = Side if side is None else (side.other,)
            for each in busy:
                assert any(say.say(f"name.{each.value}") in text for text in told_lines), told_lines
    assert len(readers) == 2, "they take turns"


def test_a_distance_to_be_counted_is_not_given_away() -> None:
    """Not by the number on the screen, nor by a job that says it aloud, until it was found."""
    say = words("en")
    counted = [told for told in tellings() if isinstance(told.step, Step) and told.step.counts]
    assert {told.stage for told in counted} >= {StepStage.SETUP, StepStage.DO, StepStage.WHY}
    for told in counted:
        panel = lesson_panel(say, told)
        assert panel.asks == (told.stage in (StepStage.SETUP, StepStage.DO, StepStage.BACK))
        lines = " ".join(line.text for line in panel.lines)
        assert told.stage is not StepStage.DO or told.proving or "in your head" in lines
        assert "aloud" not in lines


@pytest.mark.slow
def test_a_pile_that_nobody_set_up_is_neither_shown_nor_told() -> None:
    """It is told where the players are to leave a few cards in it, and once all of them were dealt."""
    say = words("en")
    told_piles = set()
    for told in (*tellings(), *puzzled()):
        view = present(Situation(told.state, helped=Helped(panel=lesson_panel(say, told))))
        heard = (
            say.say("aloud.pile" if told.state.pile else "aloud.pile_empty", count=told.state.pile) in view.heard.aloud
        )
        counts = isinstance(told.step, Step) and told.step.counts and told.stage is not StepStage.WHY
        assert heard is bool(view.piles.pile_text) or counts
        assert view.piles.pile_text or view.piles.top_discard is None
        if view.piles.pile_text and told.puzzle is None and told.stage is StepStage.SETUP:
            told_piles.add(told.state.pile)
    assert told_piles == {0, 1, 2, 15}, "few that were left there, or what is left of a whole deck that was dealt"


def test_the_streak_is_told_where_lessons_are_chosen() -> None:
    names = BySide("Ana", "Ben")
    pupils = {Side.WHITE: pupil("Ana", row=12, longest_row=20), Side.BLACK: pupil("Ben", row=1, longest_row=4)}
    page = page_of(Menu((MenuPlace(Goto.LEARN),)), MenuContext("en", names=names, pupils=pupils))
    assert page.lines == (
        "Ana: 12 steps in a row right at the first try, 20 at most",
        "Ben: 1 step right at the first try, 4 in a row at most",
    )
    nobody = MenuContext("en", pupils={Side.WHITE: pupil("White")})
    assert page_of(Menu((MenuPlace(Goto.LEARN),)), nobody).lines == ()
