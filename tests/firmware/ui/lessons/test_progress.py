"""What was learned, and the chosen picture, are kept for each player and read again."""

from __future__ import annotations

import json
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import pytest

from engine.lessons.lesson import LESSONS
from engine.lessons.occasions import Occasion
from engine.puzzles.collection import PUZZLES
from engine.puzzles.puzzle import Puzzle, PuzzleTheme, answer, solutions
from engine.rules.cards import Card
from engine.rules.events import MatchEvent
from engine.rules.track import BySide, Side
from firmware.book.scorebook.book import open_scorebook
from firmware.book.scores.ratings import Rating
from firmware.cli.sitting.first_steps import guests_of, keep_portraits
from firmware.ui.lessons.progress import (
    MAX_OWN,
    OWN,
    Bookmark,
    Progress,
    Pupil,
    RecallGrade,
    Solved,
    called,
    next_lesson,
    with_another,
)
from firmware.ui.lessons.solving import Solving

BOTH = BySide("Ana", "Ben")
DAY = 740_000


def names() -> tuple[str, str]:
    return BOTH.white, BOTH.black


MINE = Puzzle(
    "own-1", 1, PuzzleTheme.STUCK, "ferti-advanced", Side.WHITE, "+5a +5b +4a +4b", BySide((), ()), certain=True
)


def mine() -> Puzzle:
    """A puzzle made of a mistake: White is to find that his 4s hit, wherever the others are."""
    return called(replace(MINE, hands=BySide(tuple(map(Card.parse, ("1a", "2a", "4c", "4d", "4e"))), ())))


def test_a_puzzle_made_of_a_mistake_is_kept_once_for_whoever_made_it(tmp_path: Path) -> None:
    path = tmp_path / "lessons.json"
    progress = Progress(path)
    progress.kept("Ana", mine())
    progress.kept("ana", mine())
    again = Progress(path)
    assert again.notice == ""
    assert again.of("Ana").own == (mine(),)
    assert again.of("Ben").own == ()


def test_only_so_many_are_kept_and_the_oldest_makes_way() -> None:
    kept: tuple[Puzzle, ...] = ()
    for number in range(MAX_OWN + 3):
        kept = with_another(kept, replace(MINE, id=f"{OWN}{number}"))
    assert [each.id for each in kept] == [f"{OWN}{number}" for number in range(3, MAX_OWN + 3)]


def test_two_go_on_where_both_left_off_or_at_what_one_of_them_lacks(tmp_path: Path) -> None:
    progress = Progress(tmp_path / "lessons.json")
    first, second, third = (lesson.id for lesson in LESSONS[:3])
    assert next_lesson(progress, BOTH) == Bookmark(first)
    progress.learned(["Ana"], first)
    assert next_lesson(progress, BOTH) == Bookmark(first), "Ben has not done it"
    progress.learned(["Ben"], first)
    assert next_lesson(progress, BOTH) == Bookmark(second)
    progress.left_at(names(), Bookmark(third, 1))
    assert next_lesson(progress, BOTH) == Bookmark(third, 1)
    progress.left_at(["Ben"], Bookmark(first, 1))
    assert next_lesson(progress, BOTH) == Bookmark(second)
    for lesson in LESSONS:
        progress.learned(names(), lesson.id)
    assert next_lesson(progress, BOTH) == Bookmark(first), "all is done"


def test_all_that_is_kept_of_one_name_joins_that_of_another_and_is_forgotten_with_it(tmp_path: Path) -> None:
    path = tmp_path / "lessons.json"
    progress, better = Progress(path), Rating(1700.0, 120.0, 0.06)
    progress.learned(["Ana", "Ben"], "moving", 2)
    progress.learned(["Bo"], "moving", 3)
    progress.learned(["Ana"], "ends")
    for puzzle in ("1-01", "1-02"):
        progress.tried(["Ana"], puzzle, True, lambda _: better)
    progress.tried(["Bo"], "1-03", False, lambda _: Rating())
    progress.kept("Ana", mine())
    progress.pictured("Ana", "owl")
    progress.left_at(["Ana"], Bookmark("ends", 1))
    progress.rowed(["Ana"], 9)
    progress.counted("Ana", True, 1.0)
    progress.met(["Ana"], "ends 0", RecallGrade.KNEW, DAY)
    progress.explained(["Ana"], Occasion.STUCK)
    progress.explained(["Bo"], Occasion.PROVEN)
    progress.rename("ANA", "Bo")
    progress.rename("nobody", "Bo")
    again = Progress(path)
    joined = again.of("Bo")
    assert joined.name == "Bo"
    assert joined.lessons == {"moving", "ends"}
    assert joined.stars == {"moving": 3, "ends": 1}
    assert joined.puzzles == {"1-01", "1-02"}
    assert (joined.own, joined.portrait) == ((mine(),), "owl")
    assert joined.solving == Solved(frozenset({"1-01", "1-02", "1-03"}), better, 2, 2)
    assert (joined.at, joined.longest_row, joined.counting.longest) == (Bookmark("ends", 1), 9, 1)
    assert joined.memory["ends 0"].last_day == DAY
    assert joined.explained == {"stuck", "proven"}
    assert again.of("Ana") == Pupil("Ana")
    assert again.forget("BO")
    assert not again.forget("Bo")
    assert Progress(path).of("Bo") == Pupil("Bo")
    assert "Bo" not in path.read_text(encoding="utf-8")
    assert again.of("Ben").lessons == {"moving"}


def _person(**more: object) -> str:
    return json.dumps({"version": 1, "people": [{"name": "A", "lessons": [], "puzzles": [], **more}]})


def _with_rating(*rating: object) -> str:
    return _person(solving={"tried": [], "rating": rating, "streak": 0, "longest": 0})


@pytest.mark.parametrize(
    "text",
    [
        "",
        "{",
        "[]",
        '{"version": 2, "people": []}',
        '{"version": 1, "people": [{"name": 3}]}',
        *(f'{{"version": 1, "people": [], "looked": {looked}}}' for looked in ('"many"', "[1]", "{}")),
        _person(lessons=[1]),
        _with_rating(1500, 350),
        _with_rating(float("nan"), 350, 0.06),
        _with_rating(1500, 0, 0.06),
        _with_rating("1500", 350, 0.06),
        _with_rating(True, 350, 0.06),
        _person(row=-1),
        _person(memory=7),
        *(_person(memory={"x 0": each}) for each in ([1, 5, 1], [0, 5, 1, 1], [1, 11, 9, 9], [1, 5, 1, 1e9])),
        *(_person(own=[text]) for text in ("", "own-1 1", "m1-01 1 stuck ferti-advanced white\n\n/")),
        _person(own=["own-1 1 stuck x white\n\n/"]),
    ],
)
def test_a_damaged_file_is_said_and_kept_aside(tmp_path: Path, text: str) -> None:
    path = tmp_path / "lessons.json"
    path.write_text(text)
    (tmp_path / "lessons.damaged-1.json").write_text("an earlier one")
    progress = Progress(path)
    assert "kept as lessons.damaged-2.json, and lessons begin anew" in progress.notice
    assert (tmp_path / "lessons.damaged-2.json").read_text() == text
    assert (tmp_path / "lessons.damaged-1.json").read_text() == "an earlier one"
    assert progress.of("A") == Pupil("A")
    progress.learned(["Ana"], "moving")
    assert Progress(path).of("Ana").lessons == {"moving"}


def test_a_file_of_before_there_were_ratings_is_read(tmp_path: Path) -> None:
    (tmp_path / "lessons.json").write_text(_person(puzzles=["1-01"]))
    before = Progress(tmp_path / "lessons.json").of("A")
    assert before.solving.rating == Rating()
    assert before.puzzles == {"1-01"}


def test_a_disk_that_takes_nothing_stops_no_lesson(tmp_path: Path) -> None:
    (tmp_path / "folder").write_text("no folder")
    progress = Progress(tmp_path / "folder" / "lessons.json")
    first = progress.notice
    progress.learned(["Ana"], "moving")
    assert "cannot be kept" in progress.notice or first
    assert progress.of("Ana").lessons == {"moving"}


def test_a_file_of_before_has_none_and_one_of_tomorrow_may_have_others(tmp_path: Path) -> None:
    path = tmp_path / "lessons.json"
    Progress(path).pictured("Ana", "owl")
    written = json.loads(path.read_text())
    written["people"][0]["portrait"] = "unicorn"
    path.write_text(json.dumps(written))
    assert Progress(path).portrait_of("Ana") == ""
    del written["people"][0]["portrait"]
    path.write_text(json.dumps(written))
    assert Progress(path).portrait_of("Ana") == ""
    assert Progress(path).knows("Ana")


def test_guests_are_people_who_were_there_the_last_first(tmp_path: Path, fill: Callable[..., int]) -> None:
    path = tmp_path / "book.sqlite"
    keep_portraits(path, {"Mia": "fox"})
    assert guests_of(path).names == ("Mia",)
    assert guests_of(path).portraits == {"Mia": "fox"}
    with open_scorebook(path) as book:
        for names in (("Ana", "Bot (master)"), ("White", "Ben")):
            fill(book, BySide(*names), [MatchEvent("ferti-advanced", Side.WHITE, 1)])
    assert guests_of(path).names == ("Ben", "Ana", "Mia")


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
