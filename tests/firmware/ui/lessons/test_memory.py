"""What a player still knows: what he missed comes again soon, what he knows later and later."""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from engine.lessons.lesson import Step
from engine.lessons.lessons import LESSONS
from engine.players.bots.strengths import RIVALS
from engine.puzzles.collection import PUZZLES
from engine.puzzles.puzzle import answer, solutions
from engine.rules.track import BySide, Side
from engine.strict.text import json_of
from engine.strict.values import plain, read
from firmware.core.clock import day_number
from firmware.ui.lessons.memory import MAX_DAYS, Memories, RecallGrade, Remembered, due, recall_of, remembered
from firmware.ui.lessons.own_puzzles import called
from firmware.ui.lessons.progress import FILE, Bookmark, Progress, Pupil, Solved, theme_key
from firmware.ui.lessons.solving import Solving, puzzle_at
from firmware.ui.lessons.warm_up import answering, fresh_puzzle, is_there, opened_by, warm_up

DAY = 740_000


def gaps(*recalls: RecallGrade) -> list[int]:
    """How many days each meeting is after the one before it, every one of them met on the day it is due."""
    found, each, day = [], None, DAY
    for recall in recalls:
        each = remembered(each, recall, day)
        found.append(each.due_day - day)
        day = each.due_day
    return found


def test_what_is_known_is_met_later_and_later_and_what_is_missed_soon() -> None:
    known = gaps(*[RecallGrade.KNEW] * 4)
    assert known == sorted({*known}), "each gap is longer than the one before it"
    assert known[-1] > 30
    missed = gaps(RecallGrade.MISSED, RecallGrade.MISSED, RecallGrade.MISSED)
    assert missed == [1, 1, 1]
    assert gaps(RecallGrade.MISSED)[0] < gaps(RecallGrade.KNEW)[0]
    assert gaps(*[RecallGrade.KNEW] * 12)[-1] == MAX_DAYS
    again = gaps(*[RecallGrade.KNEW] * 6, RecallGrade.MISSED)
    assert again[-1] < again[2], "what is missed is a lapse"


@given(st.lists(st.sampled_from(RecallGrade), min_size=1, max_size=12), st.integers(0, 400))
def test_it_is_always_due_after_today_whatever_came_before(recalls: list[RecallGrade], late: int) -> None:
    each, day = None, DAY
    for recall in recalls:
        each = remembered(each, recall, day)
        assert each.due_day > day
        assert read(Memories, json_of(json.dumps(plain(Memories, {"x 0": each})))) == {"x 0": each}
        day = each.due_day + late


def test_a_clock_that_went_back_breaks_nothing() -> None:
    later = remembered(None, RecallGrade.KNEW, DAY)
    assert remembered(later, RecallGrade.KNEW, DAY - 5000).due_day > DAY - 5000


def test_what_was_met_while_the_clock_was_years_ahead_is_due_at_once() -> None:
    ahead = {"a": remembered(None, RecallGrade.KNEW, DAY + 3650)}
    assert due([ahead], DAY) == ("a",)
    again = {"a": remembered(ahead["a"], RecallGrade.KNEW, DAY)}
    assert due([again], DAY) == ()
    assert due([again], again["a"].due_day) == ("a",)


def test_the_longest_overdue_comes_first_and_nothing_that_was_met_today() -> None:
    first = {"a 0": Remembered(1.0, 5.0, DAY - 3, DAY - 9), "b 0": Remembered(1.0, 5.0, DAY, DAY - 2)}
    second = {"b 0": Remembered(1.0, 5.0, DAY - 5, DAY - 6), "c 0": Remembered(1.0, 5.0, DAY + 1, DAY - 2)}
    assert due([first, second], DAY) == ("b 0", "a 0")
    assert due([first, second], DAY, most=1) == ("b 0",)
    assert due([{"a 0": Remembered(1.0, 5.0, DAY, DAY)}], DAY) == ()


@pytest.mark.parametrize(
    ("tries", "helped", "recall"),
    [
        (0, False, RecallGrade.KNEW),
        (1, False, RecallGrade.MISSED),
        (0, True, RecallGrade.MISSED),
        (2, False, RecallGrade.MISSED),
    ],
)
def test_how_well_it_was_met(tries: int, helped: bool, recall: RecallGrade) -> None:
    assert recall_of(tries, helped=helped) is recall


def test_the_warm_up_takes_lessons_and_themes_that_there_are() -> None:
    puzzle, late = PUZZLES[3], Remembered(1.0, 5.0, DAY - 1, DAY - 2)
    theme = theme_key(puzzle.theme)
    keys = {theme: late, "ends 0": late, "no-such-lesson 0": late, "ends 77": late, "attack 1": late, "": late}
    ana = Pupil("Ana", memory=keys)
    first, second = warm_up([ana], DAY)
    assert first == Bookmark("ends", 0)
    assert puzzle_at(second).theme is puzzle.theme  # type: ignore[union-attr]
    assert warm_up([ana, Pupil("Ben")], DAY, most=1) == (Bookmark("ends", 0),)
    assert warm_up([Pupil("Ana")], DAY) == ()


def test_a_theme_that_is_due_brings_a_position_that_was_not_seen() -> None:
    theme = PUZZLES[3].theme
    tried: set[str] = set()
    alike = [puzzle for puzzle in PUZZLES if puzzle.theme is theme]
    for _ in alike:
        puzzle = fresh_puzzle(theme, [Pupil("Ana", solving=Solved(frozenset(tried)))], DAY)
        assert puzzle is not None
        assert puzzle.theme is theme
        assert puzzle.id not in tried
        tried.add(puzzle.id)
    ana = Pupil("Ana", solving=Solved(frozenset(tried)))
    assert fresh_puzzle(theme, [ana], DAY) != fresh_puzzle(theme, [ana], DAY + 1), "another one each day"
    own = called(replace(PUZZLES[3], id="own-x"))
    assert fresh_puzzle(theme, [Pupil("Ana", own=(own,))], DAY) == own, "the own mistake first"


def test_one_answer_grades_one_person() -> None:
    assert answering(BySide("Ana", "Ben"), Side.BLACK) == ("Ben",)
    assert answering(BySide("Ana", "Ben"), None) == ()
    for names in (BySide("Ana", next(iter(RIVALS))), BySide(next(iter(RIVALS)), "Ana")):
        assert {answering(names, side) for side in (*Side, None)} == {("Ana",)}


def test_a_file_of_before_that_kept_single_puzzles_is_read(tmp_path: Path) -> None:
    """Of a theme the puzzle that is due first counts."""
    one, two = [puzzle for puzzle in PUZZLES if puzzle.theme is PUZZLES[0].theme][:2]
    memory = {f"puzzle:{one.id} 0": [3.0, 5.0, DAY + 9, DAY], f"puzzle:{two.id} 0": [2.0, 6.0, DAY + 2, DAY]}
    people = [{"name": "Ana", "lessons": [], "puzzles": [], "memory": {**memory, "ends 0": [1.0, 5.0, DAY + 1, DAY]}}]
    (tmp_path / FILE).write_text(json.dumps({"version": 1, "people": people}), encoding="utf-8")
    progress = Progress(tmp_path / FILE)
    assert progress.notice == ""
    read = progress.of("Ana").memory
    assert read.keys() == {theme_key(one.theme), "ends 0"}
    assert read[theme_key(one.theme)] == Remembered(2.0, 6.0, DAY + 2, DAY)


def test_every_deed_of_a_lesson_is_met_where_it_can_be_set_up() -> None:
    for lesson in LESSONS:
        for place, step in enumerate(lesson.steps):
            if isinstance(step, Step):
                assert is_there(opened_by(lesson, place)), (lesson.id, step.id)


def test_it_is_kept_for_each_player_and_read_again(tmp_path: Path) -> None:
    path = tmp_path / FILE
    Progress(path).met(["Ana", "Ben"], "ends 0", RecallGrade.MISSED, DAY)
    Progress(path).met(["Ana"], "ends 0", RecallGrade.KNEW, DAY + 1)
    again = Progress(path)
    assert again.notice == ""
    assert again.of("Ana").memory["ends 0"].last_day == DAY + 1
    assert again.of("Ben").memory["ends 0"].due_day == DAY + 1
    again.rename("Ana", "Anna")
    assert Progress(path).of("Anna").memory["ends 0"].last_day == DAY + 1


@pytest.mark.parametrize(
    "memory", [{"a": [1, 5, 1]}, {"a": [0, 5, 1, 1]}, {"a": [1, 99, 1, 1]}, {"a": [1, 5, 1, 1e9]}, 7]
)
def test_a_memory_that_cannot_be_is_kept_aside(tmp_path: Path, memory: object) -> None:
    path = tmp_path / FILE
    Progress(path).met(["Ana"], "ends 0", RecallGrade.KNEW, DAY)
    told = json.loads(path.read_text())
    told["people"][0]["memory"] = memory
    path.write_text(json.dumps(told))
    again = Progress(path)
    assert "lessons begin anew" in again.notice
    assert again.of("Ana").memory == {}


def test_a_puzzle_that_was_missed_on_the_screen_is_met_again(tmp_path: Path) -> None:
    progress = Progress(tmp_path / FILE)
    solving, today = Solving(progress), day_number()
    easy = PUZZLES[0]
    hard = next(puzzle for puzzle in PUZZLES if puzzle.theme is not easy.theme and len(solutions(puzzle)) > 2)
    solving.answer(easy, answer(easy), ["Ana"])
    worse = [each.play for each in solutions(hard)[1:3]]
    for play in worse:
        assert theme_key(hard.theme) not in progress.of("Ana").memory
        solving.answer(hard, play, ["Ana"])
    memory = progress.of("Ana").memory
    assert memory[theme_key(hard.theme)].due_day == today + 1
    assert memory[theme_key(easy.theme)].due_day > today + 1
    (again,) = warm_up([progress.of("Ana")], today + 1)
    brought = puzzle_at(again)
    assert brought is not None
    assert (brought.theme, brought == hard) == (hard.theme, False)
