"""Puzzles: answered on the screen, or set up on the board and played with real cards."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from display.view import Mark
from engine.lessons.lesson import StepStage
from engine.puzzles.collection import PUZZLES
from engine.puzzles.puzzle import Puzzle, answer, solutions
from engine.rules.legal import Play, play_event
from engine.rules.track import BySide, Side
from engine.table.presses import Button
from firmware.ui.lessons.progress import OWN, Bookmark, Progress, called
from firmware.ui.lessons.solving import Solving, after_puzzle, bookmark_of, play_of


def test_solved_is_what_was_unaided_and_it_makes_a_rating(tmp_path: Path) -> None:
    progress = Progress(tmp_path / "lessons.json")
    solving, (first, second, third) = Solving(progress), PUZZLES[:3]
    assert solving.answer(first, answer(first), ["Ana"]).solved
    ana = Progress(tmp_path / "lessons.json").of("Ana")
    assert ana.puzzles == ana.solving.tried == {first.id}
    assert ana.solving.streak == 1
    assert 1500 < ana.solving.rating.points < 1600
    assert ana.solving.rating.deviation < 350
    assert solving.hint(second, ["Ana"]).hints == 1
    assert solving.answer(second, answer(second), ["Ana"]).right
    ana = Progress(tmp_path / "lessons.json").of("Ana")
    assert ana.puzzles == {first.id}
    assert ana.solving.tried == {first.id, second.id}
    assert (ana.solving.streak, ana.solving.longest) == (0, 1)
    worse = solutions(third)[-1].play
    assert not solving.answer(third, worse, ["Ana"]).over
    lower = progress.of("Ana").solving.rating
    assert lower.points < ana.solving.rating.points
    assert solving.answer(third, answer(third), ["Ana"]).right
    assert progress.of("Ana").solving.rating == lower  # one game a puzzle
    assert progress.of("Ana").puzzles == {first.id}
    solving.begin(third)
    assert not solving.answer(third, answer(third), ["Ana"]).solved  # the solution was told this evening
    again = Solving(Progress(tmp_path / "lessons.json"))
    assert again.answer(third, answer(third), ["Ana"]).solved  # another day
    solved = Progress(tmp_path / "lessons.json").of("Ana")
    assert solved.puzzles == {first.id, third.id}
    assert solved.solving.rating == lower


@pytest.mark.slow
@pytest.mark.parametrize("puzzle", PUZZLES[::7], ids=lambda puzzle: puzzle.id)
def test_a_turn_on_the_board_is_the_play_that_was_meant(puzzle: Puzzle) -> None:
    for play in (each.play for each in solutions(puzzle)):
        event = play_event(puzzle.public, puzzle.hand(puzzle.side), play)
        assert play_of(puzzle.public, event) == play


SOME = (*PUZZLES[::28], *[puzzle for puzzle in PUZZLES if puzzle.hidden][::24])


class Board:
    """A puzzle on the board of a class whose pupils sit still. ``frames`` show what was done."""

    def __init__(self, room: Any, puzzle: Puzzle, frames: int = 8) -> None:
        self.room, self.puzzle, self._frames = room.idle(), puzzle, frames
        self.look()

    @property
    def told(self) -> Any:
        return self.room.teacher.told

    def look(self, frames: int = 0) -> Any:
        return self.room.look(frames or self._frames)

    def press(self, button: Button) -> None:
        self.room.press(button)
        self.look()

    def stand(self, spaces: BySide[int]) -> None:
        self.room.stand(spaces.white, spaces.black)
        self.look()

    def set_up(self) -> None:
        self.room.pupils.stage.clear_cards()
        self.stand(self.puzzle.public.spaces)
        self.press(Button.ACT)

    def play(self, play: Play) -> None:
        event = play_event(self.puzzle.public, self.puzzle.hand(self.puzzle.side), play)
        for among, card in enumerate(event.cards):
            self.room.pupils.stage.lay(card, among)
        self.stand(event.spaces)
        self.press(Button.WHITE if self.puzzle.side is Side.WHITE else Button.BLACK)


@pytest.mark.slow
@pytest.mark.parametrize("puzzle", SOME, ids=lambda puzzle: puzzle.id)
def test_a_puzzle_is_set_up_on_the_board_and_answered_with_real_cards(
    lesson_with: Callable[..., Any], puzzle: Puzzle
) -> None:
    best, *others = (solved.play for solved in solutions(puzzle))
    board = Board(lesson_with(f"puzzle:{puzzle.id}"), puzzle)
    assert board.told.stage is StepStage.SETUP
    assert board.room.moments[-1].view.remedies
    board.set_up()
    told = board.told
    assert told.stage is StepStage.DO
    board.play(others[-1])
    assert (board.told.stage, board.told.reply.right, board.told.once_more) == (StepStage.WHY, False, True)
    said = " ".join(line.text for line in board.look(1).view.panel.lines)
    assert "The best turn" not in said
    board.press(Button.ACT)
    assert board.told.puzzle == puzzle, "once more"
    board.set_up()
    board.play(best)
    assert (board.told.stage, board.told.reply.right, board.room.solved) == (StepStage.WHY, True, [])  # not unaided
    assert board.look(1).view.panel.lines[0].mark is Mark.GOOD
    board.press(Button.ACT)
    following = PUZZLES[(PUZZLES.index(puzzle) + 1) % len(PUZZLES)]
    assert board.told.puzzle == following
    assert board.room.kept == [], "where lessons go on is not where a puzzle was left"


@pytest.mark.slow
def test_one_of_an_own_lost_round_warms_up_at_the_table(lesson_with: Callable[..., Any]) -> None:
    own = called(replace(next(each for each in PUZZLES if each.rules == "ferti-classic"), id=OWN))
    board = Board(lesson_with("warm-up", warm_up=(bookmark_of(own),), own=(own,)), own)
    panel = board.look(1).view.panel
    assert (panel.title, panel.page) == ("Warm-up 1 of 1", "From your own rounds · Ferti, classic")
    board.set_up()
    board.play(answer(own))
    assert board.room.solved == [own.id]
    board.press(Button.ACT)
    assert board.room.teacher.warmed_up
    alone = Board(lesson_with(bookmark_of(own).lesson, own=(own,)), own)
    assert alone.look(1).view.panel.title == "From your own rounds"
    alone.set_up()
    alone.play(answer(own))
    alone.press(Button.ACT)
    assert alone.room.teacher.finished
    assert after_puzzle(own) == PUZZLES[0]


@pytest.mark.slow
def test_a_puzzle_is_solved_with_cards_that_the_camera_sees(lesson_with: Callable[..., Any]) -> None:
    """Nobody sits at a window: the fencers are set up and the turn is laid on the table, and frames show it."""
    first, following = PUZZLES[:2]
    board = Board(lesson_with(f"puzzle:{first.id}", rendered=True), first, frames=24)
    board.set_up()
    assert board.told.stage is StepStage.DO
    board.play(answer(first))
    assert (board.told.stage, board.told.reply.right, board.room.solved) == (StepStage.WHY, True, [first.id])
    board.press(Button.ACT)
    assert board.told.puzzle == following


def test_the_next_puzzle_can_be_chosen_and_lessons_again(lesson_with: Callable[..., Any]) -> None:
    teacher = lesson_with(f"puzzle:{PUZZLES[-1].id}").teacher
    teacher.again()
    assert teacher.told.puzzle == PUZZLES[-1]
    teacher.skip()
    assert teacher.told.puzzle == PUZZLES[0]
    teacher.go_to(Bookmark("ends"))
    assert teacher.told.puzzle is None
    assert teacher.told.lesson.id == "ends"
