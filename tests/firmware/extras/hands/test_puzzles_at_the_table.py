"""Puzzles at the simulated table, by pointer alone: answered by doing it, a mistake first, and kept as the solver's."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pygame
import pytest

from display.menu.model import Act, Goto, Open
from engine.puzzles.collection import PUZZLES
from engine.puzzles.puzzle import Puzzle, answer, judge_answer
from engine.rules.legal import Play, counts_of, legal_plays, play_event
from engine.rules.state import Phase
from firmware.cli.main import main
from firmware.ui.lessons.progress import FILE, Progress
from firmware.ui.menu.pages.puzzles import A_PAGE, group_of, grouped

Opens = Callable[..., Any]


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
