"""Lessons, puzzles, counting and hints at the simulated table in a window, by pointer and keys, and what is kept."""

from __future__ import annotations

import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pygame
import pytest

from display.menu.model import Act, Goto, Open
from engine.lessons.lesson import Step, StepStage, Telling
from engine.puzzles.collection import PUZZLES
from engine.puzzles.puzzle import Puzzle, answer, judge_answer
from engine.rules.legal import Play, counts_of, legal_plays, play_event
from engine.rules.state import Phase
from engine.rules.track import Side
from firmware.cli.commands import teach
from firmware.cli.main import main
from firmware.cli.sitting.lessons import give_lessons
from firmware.core.clock import day_number
from firmware.extras.hands.seat import OPEN_HANDS
from firmware.ui.coach.coach import Mode
from firmware.ui.lessons.progress import FILE, Counted, Progress, RecallGrade
from firmware.ui.menu.pages.learning import ALONE, ROUND
from firmware.ui.menu.pages.puzzles import A_PAGE, group_of, grouped
from tests.firmware.extras.hands.conftest import Sits

pytestmark = pytest.mark.slow


def test_a_warm_up_is_the_position_that_was_missed_and_no_game_where_none_is_wanted(
    at_window: Callable[..., Any], tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    Progress(tmp_path / FILE).met(("Ana", "Ben"), "attack 0", RecallGrade.MISSED, day_number() - 5)
    heard: list[Telling] = []

    def person(me: Any) -> Any:
        yield from me.until(lambda view: view.panel is not None)
        assert me.view.panel.title == "Warm-up 1 of 1"
        for lying in me.hands.view.cards:
            yield from me.take_back(lying.card)
        for side, space in heard[-1].state.spaces.items():
            yield from me.move(side, space)
        yield from me.wait(8)
        me.key(pygame.K_SPACE)
        yield from me.until(lambda _: heard[-1].stage is StepStage.DO)
        state, step = heard[-1].state, heard[-1].step
        assert isinstance(step, Step)
        side = state.to_act or Side.WHITE
        yield from me.lay_values(step.deed.values)
        if step.deed.forward:
            yield from me.move(side, state.spaces[side] + side.forward * step.deed.forward)
        yield from me.wait(6)
        yield from me.press(side)
        yield from me.until(lambda _: heard[-1].stage is StepStage.WHY)
        me.key(pygame.K_SPACE)
        yield from me.wait(20)

    look = {"look": lambda told, over: heard.append(told)}
    monkeypatch.setattr(teach, "give_lessons", lambda *a, **more: give_lessons(*a, **{**more, **look}))
    at_window(person)
    words = ["teach", "--camera", "synthetic", "--player", "Ana", "--player", "Ben", "--warm-up", "--no-game"]
    assert main([*words, "--scorebook", str(tmp_path / "book.sqlite")]) == 0
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


def solved(me: Any, puzzle: Puzzle, *, first_wrong: bool) -> Any:
    """Once the teacher has set it up, do what is right, after what is wrong if that is wanted."""
    plays = [wrong_play(puzzle), answer(puzzle)] if first_wrong else [answer(puzzle)]
    for play in plays:
        yield from me.until(lambda view: view.verdict.headline.endswith("What is the best turn?"), 300)
        yield from me.wait(2)
        assert not me.offered
        event = play_event(puzzle.public, puzzle.hand(puzzle.side), play)
        yield from me.lay_values(card.value for card in event.cards)
        if play.move:
            yield from me.move(puzzle.side, event.spaces[puzzle.side])
        yield from me.wait(6)
        yield from me.press(puzzle.side)
        yield from me.until(lambda view: not any(line.cards for line in view.panel.lines), 300)  # the answer is told
        me.key(pygame.K_SPACE)
        yield from me.wait(6)


def test_a_puzzle_is_answered_by_doing_it(sit: Sits, tmp_path: Path) -> None:
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
    sit(person, "--against", "novice", "--white", "Ana")
    [pupil] = kept
    assert pupil.puzzles == {first.id}
    assert pupil.solving.tried == {first.id, second.id}


COUNTING = "counting"
THINKING_S = 0.2


def asked_for(text: str) -> int:
    """The value whose cards are asked for: the one digit of the question, "How many 4s are left?"."""
    [value] = [int(letter) for letter in text if letter.isdigit()]
    return value


def test_cards_are_counted_after_a_round_and_alone(sit: Sits, tmp_path: Path) -> None:
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
    sit(person, "--against", "novice", "--white", "Ana", "--points", "3")
    assert [each.row for each in counted] == [2, 0]
    assert [each.longest for each in counted] == [2, 2]
    assert THINKING_S <= counted[0].fastest_s == counted[1].fastest_s < 9
    assert lengths == [7, 8], "each right answer brings one more card"


def test_the_table_means_by_open_hands_what_the_coach_does() -> None:
    assert Mode.OPEN.value == OPEN_HANDS


@pytest.mark.parametrize("option", ["--coach", "--open"])
def test_both_agree_and_are_told(sit: Sits, option: str) -> None:
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

    sit(person, "--white", "Ana", "--black", "Ben", option)
    assert told


def test_a_first_game_is_begun_in_the_menu_and_played_with_open_hands(sit: Sits) -> None:
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
    sit(person, "--white", "Ana", "--black", "Ben")
    assert seen == [False, False]
