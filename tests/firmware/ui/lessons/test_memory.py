"""What is due again: themes spaced by memory, and puzzles made of mistakes in lost rounds."""

from __future__ import annotations

import json
from dataclasses import replace
from datetime import datetime
from functools import cache
from pathlib import Path
from random import Random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from engine.lessons.lesson import LESSONS, Step
from engine.players.bots.strengths import RIVALS
from engine.puzzles.collection import PUZZLES
from engine.puzzles.puzzle import solutions
from engine.record.course import Course, follow
from engine.rules.events import Event, MatchEvent
from engine.rules.referee import judge
from engine.rules.track import BySide, Side
from engine.strict.text import json_of
from engine.strict.values import plain, read
from firmware.book.scorebook.book import MatchRow, Played, Scorebook, open_scorebook
from firmware.book.scorebook.schema import DEMO, PLAY
from firmware.cli.main import main
from firmware.core.clock import day_number
from firmware.core.config import Config
from firmware.table.loop.moment import People
from firmware.ui.lessons.lost_rounds import LostRounds, lost_in
from firmware.ui.lessons.progress import (
    FILE,
    MAX_DAYS,
    Bookmark,
    Memories,
    Progress,
    Pupil,
    RecallGrade,
    Remembered,
    Solved,
    called,
    due,
    progress_path,
    recall_of,
    remembered,
    theme_key,
)
from firmware.ui.lessons.solving import (
    answering,
    bookmark_of,
    fresh_puzzle,
    is_there,
    key_of,
    opened_by,
    own_puzzles,
    puzzle_at,
    solvers,
    warm_up,
)
from firmware.ui.menu.state import MenuState
from firmware.ui.menu.table_menu import TableMenu
from tests.firmware.ui.scene_table import machine_of
from tests.matches import GREEDY, match_of
from tests.waiting import until

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


@given(st.lists(st.sampled_from(RecallGrade), min_size=1, max_size=12), st.integers(-5000, 400))
def test_it_is_always_due_after_today_whatever_came_before(recalls: list[RecallGrade], late: int) -> None:
    each, day = None, DAY
    for recall in recalls:
        each = remembered(each, recall, day)
        assert each.due_day > day
        assert read(Memories, json_of(json.dumps(plain(Memories, {"x 0": each})))) == {"x 0": each}
        day = each.due_day + late  # a clock may go back


def test_the_longest_overdue_comes_first_and_nothing_that_was_met_today() -> None:
    first = {"a 0": Remembered(1.0, 5.0, DAY - 3, DAY - 9), "b 0": Remembered(1.0, 5.0, DAY, DAY - 2)}
    second = {"b 0": Remembered(1.0, 5.0, DAY - 5, DAY - 6), "c 0": Remembered(1.0, 5.0, DAY + 1, DAY - 2)}
    assert due([first, second], DAY) == ("b 0", "a 0")
    assert due([first, second], DAY, most=1) == ("b 0",)
    assert due([{"a 0": Remembered(1.0, 5.0, DAY, DAY)}], DAY) == ()


def test_only_what_was_right_at_once_and_unaided_was_known() -> None:
    assert recall_of(0) is RecallGrade.KNEW
    assert {recall_of(1), recall_of(0, helped=True), recall_of(2)} == {RecallGrade.MISSED}


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


BEGAN_S = 1_780_000_000.0


@cache
def events(seed: int) -> tuple[Event, ...]:
    """A match of two greedy players, as its events."""
    return tuple(each.event for each in match_of(MatchEvent("ferti-advanced", Side.WHITE, 3), Random(seed), GREEDY))


def played(
    seed: int, number: int = 1, mode: str = PLAY, names: tuple[str, str] = ("Ana", "Ben"), began_s: float = BEGAN_S
) -> Played:
    course: Course | None = None
    for event in events(seed):
        course, _ = follow(course, event)
    return Played(MatchRow(number, BySide(*names), mode, None, began_s), (), (), course)


@cache
def seed_with_a_mistake() -> int:
    return next(seed for seed in range(40) if any(lost_in(played(seed))))


@pytest.mark.slow
def test_a_lost_round_with_a_better_turn_is_a_puzzle_of_whoever_lost_it_and_of_no_bot() -> None:
    match, losers = played(seed_with_a_mistake()), set[str]()
    for name, puzzle, day in lost_in(match):
        losers.add(name)
        assert match.match.names[puzzle.side] == name
        assert day == datetime.fromtimestamp(BEGAN_S).toordinal()
        assert puzzle.public.played
        assert len(solutions(puzzle)) > 1
    one, two, *_ = RIVALS
    names = (one if "Ana" in losers else "Ana", two if "Ben" in losers else "Ben")
    assert [*lost_in(played(seed_with_a_mistake(), names=names))] == []


@pytest.mark.slow
@pytest.mark.parametrize("began_s", [1e300, float("nan"), 0.0])
def test_a_match_of_a_day_that_nobody_knows_counts_as_one_of_today(began_s: float) -> None:
    match = played(seed_with_a_mistake(), began_s=began_s)
    assert {day for _, _, day in lost_in(match)} == {day_number()}


@pytest.mark.slow
def test_new_matches_are_looked_at_once_and_what_is_found_is_due(tmp_path: Path) -> None:
    progress = Progress(tmp_path / FILE)
    book = [played(seed_with_a_mistake(), 7)]
    asked: list[int] = []

    def read(last: int) -> list[Played]:
        asked.append(last)
        return book

    lost = LostRounds(progress, read)
    lost.look()
    lost.wait()
    name, puzzle, day = next(lost_in(book[0]))
    pupil = progress.of(name)
    assert puzzle in pupil.own
    assert progress.looked == 7
    assert warm_up([pupil], day) == ()
    assert bookmark_of(puzzle) in warm_up([pupil], day + 30)
    assert solvers(puzzle, [progress.of("Ana"), progress.of("Ben")]) == (name,)
    # Met and known, it is due later; looking again changes nothing of that.
    progress.met((name,), key_of(bookmark_of(puzzle)), RecallGrade.KNEW, day + 1)
    before = progress.of(name)
    lost.look()
    lost.wait()
    assert progress.of(name) == before
    book.append(played(seed_with_a_mistake(), 8, DEMO))
    lost.look()
    lost.wait()
    assert progress.looked == 7, "nobody of the house played that one"
    again = Progress(tmp_path / FILE)
    assert (again.looked, again.of(name).own) == (7, before.own)
    before = again.of(name)
    book[:] = book[:1]
    LostRounds(again, read).look()
    book[:] = [played(seed_with_a_mistake(), 2)]
    copy = LostRounds(again, read)  # the book was put back from a copy, and counts from there
    copy.look()
    copy.wait()
    assert again.looked == 2
    assert again.of(name) == before


@pytest.mark.slow
def test_however_much_is_found_it_is_written_once(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The loop keeps it, between two frames, and a card takes its time for every file."""
    written: list[bytes] = []
    monkeypatch.setattr("firmware.ui.lessons.progress.write_state", lambda path, text: written.append(text))
    found = [*lost_in(played(seed_with_a_mistake(), 7))]
    progress = Progress(tmp_path / FILE)
    lost = LostRounds(progress, lambda last: [played(seed_with_a_mistake(), number) for number in (7, 8)])
    lost.look()
    lost.wait()
    assert len(written) == 1
    (pupil,) = (each for each in json.loads(written[0])["people"] if each["name"] == found[0].name)
    assert pupil["own"]
    progress.looked_at(9)
    assert len(written) == 2
    with progress.at_once():
        pass
    assert len(written) == 2, "nothing changed"


def lost_book(path: Path) -> Scorebook:
    """A scorebook with a match in which a round was lost by a mistake."""
    book = open_scorebook(path)
    journal, state = book.begin(BySide("Ana", "Ben"), mode=PLAY), None
    for event in events(seed_with_a_mistake()):
        state, ruling = judge(state, event)
        journal.append(event, ruling, 0.0)
    return book


@pytest.mark.slow
def test_the_warm_up_of_the_command_looks_into_the_scorebook(tmp_path: Path) -> None:
    path = tmp_path / "book.sqlite"
    lost_book(path).close()
    words = ["teach", "--warm-up", "--list", "--player", "Ana", "--player", "Ben", "--scorebook"]
    assert main([*words, str(path)]) == 0
    progress = Progress(progress_path(path))
    own = own_puzzles([progress.of("Ana"), progress.of("Ben")])
    assert own
    assert all(puzzle.id.startswith("own-") for puzzle in own)
    assert main([*words, str(tmp_path / "none" / "book.sqlite")]) == 0


@pytest.mark.slow
def test_the_menu_looks_beside_the_game_and_offers_them(tmp_path: Path) -> None:
    progress = Progress(tmp_path / FILE)
    with lost_book(tmp_path / "book.sqlite") as book:
        people = People(BySide("Ana", "Ben"), "en")
        menu = TableMenu(MenuState(people, machine_of(book), Config(), progress=progress))
        assert menu.now.own == ()
        menu.open()
        assert until(lambda: menu.page is not None and menu.now.own)
        found = {each[:2] for each in lost_in(played(seed_with_a_mistake()))}
        assert {*menu.now.own} == found
