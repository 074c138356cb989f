"""Lessons, puzzles, counting and hints at the simulated table in a window, by pointer and keys, kept as their pupils' own."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from random import Random
from typing import Any
import pygame
import pytest
from engine.lessons.lesson import Deed, Position, Step, StepStage, Telling
from engine.lessons.lessons import LESSONS
from engine.lessons.positions import state_of
from engine.rules.events import TurnEvent
from engine.rules.referee import judge
from engine.rules.state import Phase
from engine.rules.track import BySide, Side
from firmware.cli.commands import teach
from firmware.cli.main import main
from firmware.cli.sitting.lessons import give_lessons
from firmware.core.clock import day_number
from firmware.extras.hands.lesson_hands import LessonHands
from firmware.ui.lessons.memory import RecallGrade
from firmware.ui.lessons.progress import FILE, Progress
from collections.abc import Callable
from pathlib import Path
from typing import Any
import pygame
import pytest
from display.menu.lines import Act, Goto, Open
from engine.puzzles.collection import PUZZLES
from engine.puzzles.puzzle import Puzzle, answer, judge_answer
from engine.rules.legal import Play, counts_of, legal_plays, play_event
from engine.rules.state import Phase
from firmware.cli.main import main
from firmware.ui.lessons.progress import FILE, Progress
from firmware.ui.menu.pages.puzzles import A_PAGE, group_of, grouped
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any
import pygame
import pytest
from display.menu.lines import Act, Goto, Open
from engine.rules.track import Side
from firmware.cli.main import main
from firmware.ui.lessons.progress import FILE, Counted, Progress
from firmware.ui.menu.pages.playing import ALONE, ROUND
from collections.abc import Callable
from pathlib import Path
from typing import Any
import pytest
from display.menu.lines import Act, Goto
from engine.rules.state import Phase
from engine.rules.track import Side
from firmware.cli.main import main
from firmware.extras.hands.seat import OPEN_HANDS
from firmware.ui.coach.coach import Mode




class Taught:
    """What the teacher told last."""

    def __init__(self) -> None:
        self.told: Telling | None = None

    def __call__(self, told: Telling, over: bool) -> None:
        self.told = told


@pytest.fixture
def taught(monkeypatch: pytest.MonkeyPatch) -> Taught:
    heard = Taught()

    def gives(*given: Any, **more: Any) -> Any:
        return give_lessons(*given, **{**more, "look": heard})

    monkeypatch.setattr(teach, "give_lessons", gives)
    return heard


def cleared(me: Any, spaces: BySide[int]) -> Any:
    """Nothing lies on the table, and the fencers stand here."""
    for lying in me.hands.view.cards:
        yield from me.take_back(lying.card)
    for side, space in spaces.items():
        yield from me.move(side, space)


def performed(me: Any, told: Telling, deed: Deed) -> Any:
    """Do this: the cards, the way of the fencers, the button."""
    side = told.state.to_act
    assert side is not None
    for value in deed.values:
        card = next(card for card in me.cards if card.value == value)
        yield from me.lay(card, *me.free_place())
        yield from me.wait(2)
    for mover, forward in ((side, deed.forward), (side.other, deed.other)):
        if forward:
            yield from me.move(mover, told.state.spaces[mover] + mover.forward * forward)
    yield from me.wait(6)
    yield from me.press(side)


@pytest.mark.slow
def test_a_warm_up_is_the_position_that_was_missed_and_no_game_where_none_is_wanted(
    at_window: Opens, tmp_path: Path, taught: Taught, capsys: pytest.CaptureFixture[str]
) -> None:
    Progress(tmp_path / FILE).met(("Ana", "Ben"), "attack 0", RecallGrade.MISSED, day_number() - 5)
    titles: list[str] = []

    def person(me: Any) -> Any:
        yield from me.until(lambda view: view.panel is not None)
        titles.append(me.view.panel.title)
        assert taught.told is not None
        yield from cleared(me, taught.told.state.spaces)
        yield from me.wait(8)
        me.key(pygame.K_SPACE)
        yield from me.until(lambda _: bool(taught.told and taught.told.stage is StepStage.DO))
        assert isinstance(taught.told.step, Step)
        yield from performed(me, taught.told, taught.told.step.deed)
        yield from me.until(lambda _: bool(taught.told and taught.told.stage is StepStage.WHY))
        me.key(pygame.K_SPACE)
        yield from me.wait(20)

    at_window(person)
    words = ["teach", "--camera", "synthetic", "--player", "Ana", "--player", "Ben", "--warm-up", "--no-game"]
    assert main([*words, "--scorebook", str(tmp_path / "book.sqlite")]) == 0
    assert titles == ["Warm-up 1 of 1"]
    assert Progress(tmp_path / FILE).of("Ana").memory["attack 0"].due_day > day_number()
    assert "And now the first game." not in capsys.readouterr().err


def way_to(puzzle: Puzzle) -> tuple[Open, ...]:
    """The tiles that lead from all puzzles to this one: its group, further pages of that, and its own."""
    group = group_of(puzzle)
    further = range(1, grouped()[group].index(puzzle) // A_PAGE + 1)
    pages = (Goto.THEME.of(group.value, part) for part in further)
    return (Goto.THEME.of(group.value), *pages, Goto.PUZZLE.of(puzzle.id))


def wrong_play(puzzle: Puzzle) -> Play:
    """A turn that is allowed here and is not the best."""
    plays = legal_plays(puzzle.public, counts_of(puzzle.hand(puzzle.side)))
    return next(play for play in plays if not judge_answer(puzzle, play).right)


def played(me: Any, puzzle: Puzzle, play: Play) -> Any:
    """Do it: the cards, the way of the fencer, the button."""
    side = puzzle.side
    event = play_event(puzzle.public, puzzle.hand(side), play)
    for value in [card.value for card in event.cards]:
        card = next(card for card in me.cards if card.value == value)
        yield from me.lay(card, *me.free_place())
        yield from me.wait(2)
    if play.move:
        yield from me.move(side, event.spaces[side])
    yield from me.wait(6)
    yield from me.press(side)


def solved(me: Any, puzzle: Puzzle, *, first_wrong: bool) -> Any:
    """Once the teacher has set it up, do what is right, after what is wrong if that is wanted."""
    plays = [wrong_play(puzzle), answer(puzzle)] if first_wrong else [answer(puzzle)]
    for play in plays:
        yield from me.until(lambda view: view.verdict.headline.endswith("What is the best turn?"), 300)
        yield from me.wait(2)
        assert not me.offered
        yield from played(me, puzzle, play)
        yield from me.until(lambda view: not any(line.cards for line in view.panel.lines), 300)  # the answer is told
        me.key(pygame.K_SPACE)
        yield from me.wait(6)


@pytest.mark.parametrize("puzzle", PUZZLES[:5], ids=lambda puzzle: puzzle.id)
def test_a_mistake_that_is_made_here_is_one_that_can_be_laid(puzzle: Puzzle) -> None:
    play = wrong_play(puzzle)
    event = play_event(puzzle.public, puzzle.hand(puzzle.side), play)
    assert {*event.cards} <= {*puzzle.hand(puzzle.side)}
    assert play != answer(puzzle)


@pytest.mark.slow
def test_a_puzzle_is_answered_by_doing_it(at_window: Opens, tmp_path: Path) -> None:
    """One that is found at the first try is solved; one after a mistake was only tried."""
    first, second = PUZZLES[0], PUZZLES[1]

    def person(me: Any) -> Any:
        yield from me.until(lambda view: view.phase is Phase.TURN)
        me.key(pygame.K_m)
        yield from me.wait(3)
        for line in (Goto.MORE, Goto.PUZZLES, *way_to(first), Act("lesson", f"puzzle:{first.id}")):
            yield from me.choose(line)
        yield from me.wait(6)
        yield from solved(me, first, first_wrong=False)
        yield from solved(me, second, first_wrong=True)
        kept.append(Progress(tmp_path / FILE).of("Ana"))

    kept: list[Any] = []
    at_window(person)
    words = ["play", "--camera", "synthetic", "--against", "novice", "--white", "Ana"]
    assert main([*words, "--scorebook", str(tmp_path / "book.sqlite")]) == 0
    [pupil] = kept
    assert pupil.puzzles == {first.id}
    assert pupil.solving.tried == {first.id, second.id}


COUNTING = "counting"
THINKING_S = 0.2


def asked_for(text: str) -> int:
    """The value whose cards are asked for: the one digit of the question, "How many 4s are left?"."""
    [value] = [int(letter) for letter in text if letter.isdigit()]
    return value


@pytest.mark.slow
def test_cards_are_counted_after_a_round_and_alone(at_window: Opens, tmp_path: Path) -> None:
    """Right twice, which makes a row of two; wrong once, which ends it; the fastest time is kept."""

    def answered(me: Any, played: list[int], *, right: bool) -> Any:
        [question] = me.window.page.lines
        time.sleep(THINKING_S)
        left = 5 - played.count(asked_for(question))
        yield from me.choose(Act("option", left if right else (left + 1) % 6))
        yield from me.wait(3)

    def person(me: Any) -> Any:
        yield from me.until(lambda view: view.phase is not None and me.window.hands is not None)
        while me.state.result is None:
            yield from me.play_one(Side.WHITE)
        played = [card.value for card in me.state.played]
        me.key(pygame.K_m)
        yield from me.wait(3)
        for line in (Goto.MORE, Goto.LEARN, Open(COUNTING)):
            yield from me.choose(line)
        yield from me.choose(Open(COUNTING, f"{ROUND} white"))
        yield from answered(me, played, right=True)
        yield from me.choose(Act("next"))
        for right in (True, False):
            if right:
                yield from me.choose(Open(COUNTING, f"{ALONE} white"))
            shown = list(me.window.page.cards)
            lengths.append(len(shown))
            yield from me.choose(Act("cover"))
            assert not me.window.page.cards
            yield from answered(me, shown, right=right)
            counted.append(Progress(tmp_path / FILE).of("Ana").counting)
            yield from me.choose(Act("next"))

    counted: list[Counted] = []
    lengths: list[int] = []
    at_window(person)
    words = ["play", "--camera", "synthetic", "--against", "novice", "--white", "Ana", "--starter", "white"]
    assert main([*words, "--points", "3", "--scorebook", str(tmp_path / "book.sqlite")]) == 0
    assert [each.row for each in counted] == [2, 0]
    assert [each.longest for each in counted] == [2, 2]
    assert THINKING_S <= counted[0].fastest_s == counted[1].fastest_s < 9
    assert lengths == [7, 8], "each right answer brings one more card"





def test_the_table_means_by_open_hands_what_the_coach_does() -> None:
    assert Mode.OPEN.value == OPEN_HANDS


@pytest.mark.slow
@pytest.mark.parametrize("option", ["--coach", "--open"])
def test_both_agree_and_are_told(at_window: Opens, tmp_path: Path, option: str) -> None:
    told: list[str] = []

    def person(me: Any) -> Any:
        yield from me.until(lambda view: view.phase is Phase.TURN)
        for side in Side:
            yield from me.press(side)
            yield from me.wait(6)
        if option == "--open":
            for side in Side:
                if me.offered:
                    yield from me.accept()
                    yield from me.wait(2)
                yield from me.show_hand(side)
                yield from me.wait(8)
        yield from me.until(lambda view: view.panel is not None and len(view.panel.lines) > 1)
        told.extend(line.text for line in me.view.panel.lines)

    at_window(person)
    words = ["play", "--camera", "synthetic", "--white", "Ana", "--black", "Ben", "--starter", "white", option]
    assert main([*words, "--scorebook", str(tmp_path / "book.sqlite")]) == 0
    assert told


def test_a_first_game_is_begun_in_the_menu_and_played_with_open_hands(at_window: Opens, tmp_path: Path) -> None:
    """By pointer alone: the button of the menu, a tile, two lines behind it, and both buttons."""

    def person(me: Any) -> Any:
        yield from me.until(lambda view: view.phase is Phase.TURN)
        assert len(me.hands.view.fans) == 1
        yield from me.tap(me.window.places.buttons["menu"].center)
        yield from me.wait(3)
        yield from me.choose(Goto.MORE)
        yield from me.choose(Goto.START)
        yield from me.choose(Act("begin_open"))
        for side in Side:
            yield from me.wait(6)
            yield from me.press(side)
        yield from me.until(lambda view: view.phase is Phase.TURN)
        yield from me.until(lambda _: len(me.hands.view.fans) == 2)
        seen.extend(fan.hidden for fan in me.hands.view.fans)

    seen: list[bool] = []
    at_window(person)
    words = ["play", "--camera", "synthetic", "--white", "Ana", "--black", "Ben", "--starter", "white"]
    assert main([*words, "--scorebook", str(tmp_path / "book.sqlite")]) == 0
    assert seen == [False, False]
