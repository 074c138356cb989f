"""A round lost by a mistake that is proved comes back: as a puzzle of whoever made it, due the next evening."""

from __future__ import annotations

import json
from datetime import datetime
from functools import cache
from pathlib import Path
from random import Random
from typing import Any

import pytest

from engine.lessons.lesson import StepStage
from engine.players.bots.strengths import RIVALS
from engine.puzzles.puzzle import answer, solutions
from engine.record.course import Course, follow
from engine.rules.events import Event, MatchEvent
from engine.rules.legal import play_event
from engine.rules.referee import judge
from engine.rules.track import BySide, Side
from firmware.book.scorebook.book import MatchRow, Played, open_scorebook
from firmware.book.scorebook.modes import DEMO, PLAY
from firmware.cli.main import main
from firmware.core.clock import day_number
from firmware.table.loop.moment import People
from firmware.ui.lessons.lost_rounds import LostRounds, lost_in
from firmware.ui.lessons.memory import RecallGrade
from firmware.ui.lessons.progress import FILE, Bookmark, Progress, progress_path
from firmware.ui.lessons.solving import Solving, bookmark_of, puzzle_at
from firmware.ui.lessons.teacher import Teacher
from firmware.ui.lessons.warm_up import key_of, own_puzzles, solvers, warm_up
from firmware.ui.menu.state import Puzzling
from tests.matches import GREEDY, match_of

pytestmark = pytest.mark.slow

BEGAN_S = 1_780_000_000.0


@cache
def events(seed: int) -> tuple[Event, ...]:
    """A match of two greedy players, as its events."""
    return tuple(each.event for each in match_of(MatchEvent("ferti-advanced", Side.WHITE, 3), Random(seed), GREEDY))


def played(
    seed: int,
    number: int = 1,
    mode: str = PLAY,
    names: tuple[str, str] = ("Ana", "Ben"),
    began_s: float = BEGAN_S,
) -> Played:
    course: Course | None = None
    for event in events(seed):
        course, _ = follow(course, event)
    return Played(MatchRow(number, BySide(*names), mode, None, began_s), (), (), course)


@cache
def seed_with_a_mistake() -> int:
    return next(seed for seed in range(40) if any(lost_in(played(seed))))


def test_a_lost_round_with_a_better_turn_is_a_puzzle_of_whoever_lost_it() -> None:
    match = played(seed_with_a_mistake())
    for name, puzzle, day in lost_in(match):
        side = next(side for side, each in match.match.names.items() if each == name)
        assert puzzle.side is side
        assert day == day_number_of(BEGAN_S)
        assert puzzle.public.played
        assert len(solutions(puzzle)) > 1


def day_number_of(wall_s: float) -> int:
    return datetime.fromtimestamp(wall_s).toordinal()


@pytest.mark.parametrize("began_s", [1e300, -1e18, float("nan"), 0.0])
def test_a_match_of_a_day_that_nobody_knows_counts_as_one_of_today(began_s: float, tmp_path: Path) -> None:
    match = played(seed_with_a_mistake(), began_s=began_s)
    assert {day for _, _, day in lost_in(match)} == {day_number()}
    progress = Progress(tmp_path / FILE)
    lost = LostRounds(progress, lambda last: [match])
    lost.look()
    lost.wait()
    assert own_puzzles([progress.of("Ana"), progress.of("Ben")])


def test_bots_have_no_puzzles() -> None:
    seed = seed_with_a_mistake()
    losers = {name for name, _, _ in lost_in(played(seed))}
    one, two, *_ = RIVALS
    names = (one if "Ana" in losers else "Ana", two if "Ben" in losers else "Ben")
    assert [*lost_in(played(seed, names=names))] == []


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


@pytest.mark.parametrize("looked", ["many", [1], {}])
def test_a_damaged_number_is_kept_aside(tmp_path: Path, looked: Any) -> None:
    (tmp_path / FILE).write_text(json.dumps({"version": 1, "people": [], "looked": looked}), encoding="utf-8")
    assert "kept as" in Progress(tmp_path / FILE).notice


def test_the_warm_up_of_the_command_looks_into_the_scorebook(tmp_path: Path) -> None:
    path = tmp_path / "book.sqlite"
    with open_scorebook(path) as book:
        journal = book.begin(BySide("Ana", "Ben"), mode=PLAY)
        state = None
        for event in events(seed_with_a_mistake()):
            state, ruling = judge(state, event)
            journal.append(event, ruling, 0.0)
    words = ["teach", "--warm-up", "--list", "--player", "Ana", "--player", "Ben", "--scorebook"]
    assert main([*words, str(path)]) == 0
    progress = Progress(progress_path(path))
    own = own_puzzles([progress.of("Ana"), progress.of("Ben")])
    assert own
    assert all(puzzle.id.startswith("own-") for puzzle in own)
    assert main([*words, str(tmp_path / "none" / "book.sqlite")]) == 0


def test_the_teacher_sets_it_up_as_it_stood(tmp_path: Path) -> None:
    progress = Progress(tmp_path / FILE)
    name, puzzle, _ = next(lost_in(played(seed_with_a_mistake())))
    progress.kept(name, puzzle)
    at = bookmark_of(puzzle)
    assert puzzle_at(at) is None
    assert puzzle_at(at, (puzzle,)) is puzzle
    assert puzzle_at(Bookmark("attack"), (puzzle,)) is None
    solving = Solving(progress)
    teacher = Teacher(
        Bookmark("warm-up"),
        kept=lambda at: None,
        learned=lambda lesson, stars: None,
        answered=lambda puzzle, play: solving.answer(puzzle, play, (name,)),
        warm_up=(at,),
        own=(puzzle,),
    )
    told = teacher.told
    assert (told.puzzle, told.stage, told.warming, told.number) == (puzzle, StepStage.SETUP, 1, 1)
    assert told.state == puzzle.public
    assert judge(puzzle.public, play_event(puzzle.public, puzzle.hand(puzzle.side), answer(puzzle)))[1].ok


def test_the_menu_looks_beside_the_game_and_offers_them(tmp_path: Path) -> None:
    progress = Progress(tmp_path / FILE)
    people = People(BySide("Ana", "Ben"), "en")
    puzzling = Puzzling(progress, people, lambda last: [played(seed_with_a_mistake())])
    pupils = [progress.of("Ana"), progress.of("Ben")]
    assert not warm_up(pupils, day_number())
    puzzling.opened()
    puzzling._lost.wait()
    found = len({puzzle.id for _, puzzle, _ in lost_in(played(seed_with_a_mistake()))})
    puzzling.take()
    pupils = [progress.of("Ana"), progress.of("Ben")]
    assert len(warm_up(pupils, day_number())) == min(3, found)
