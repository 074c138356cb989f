"""Puzzles at the window, by pointer and keys: found, found with help, told, and the next one."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pygame
import pytest

from display.menu.model import Act, Goto
from engine.puzzles.collection import PUZZLES
from engine.puzzles.puzzle import Puzzle, answer, solutions
from engine.rules.legal import Play
from engine.rules.track import Side
from engine.table.possible_turns import named_by
from firmware.ui.menu.pages.puzzles import A_PAGE, choices_in, group_of, grouped

if TYPE_CHECKING:
    from tests.firmware.ui.menu.conftest import ByWindow

pytestmark = pytest.mark.slow


@pytest.fixture
def game(by_window: ByWindow) -> ByWindow:
    """Where the puzzles are listed."""
    by_window.wait(0.2)
    by_window.button("menu")
    by_window.tap(Goto.LEARN, Goto.PUZZLES)
    return by_window


def lay(game: ByWindow, puzzle: Puzzle, play: Play) -> None:
    """Tap the cards of this turn in the hand, choose it where it is one of several, and give it for the answer."""
    hand = [card.value for card in puzzle.hand(puzzle.side)]
    for value in named_by(puzzle.public, play)[:1]:
        game.tap(Act("lay", value, hand.index(value)))
    assert game.menu.menu is not None
    found, chosen = choices_in(game.menu.menu, puzzle)
    if chosen != play:
        game.tap(Act("way", found.index(play)))
    game.tap(Act("answer", puzzle.id))


def choose(game: ByWindow, puzzle: Puzzle) -> None:
    """Find it in its group, from the page that lists the groups."""
    group = group_of(puzzle)
    game.tap(Goto.THEME.of(group.value))
    for part in range(grouped()[group].index(puzzle) // A_PAGE):
        game.tap(Goto.THEME.of(group.value, part + 1))
    game.tap(Goto.PUZZLE.of(puzzle.id))


def test_five_puzzles_and_what_is_kept_of_them(game: ByWindow) -> None:
    assert game.page.lines == (f"Ana: 0 of {len(PUZZLES)} solved, rating 1500",)
    game.tap(Goto.PUZZLE.of(PUZZLES[0].id))
    # The first is found, the second too, each in at most four taps.
    for puzzle in PUZZLES[:2]:
        game.taps = 0
        lay(game, puzzle, answer(puzzle))
        assert game.taps <= 3
        board = game.board
        assert board.ask == "Solved!"
        assert board.told.startswith("Right: ")
        game.tap(Act("next_puzzle", puzzle.id))
    # The third is found at the second try.
    third = PUZZLES[2]
    lay(game, third, solutions(third)[-1].play)
    board = game.board
    assert board.told.startswith("Not the best turn: ")
    assert board.told.endswith("Once more: there is something better.")
    assert "The best turn" not in board.told
    lay(game, third, answer(third))
    assert game.board.ask == "Found, with help"
    game.tap(Act("next_puzzle", third.id))
    # The fourth is told after two hints.
    fourth = PUZZLES[3]
    game.tap(Act("lay", fourth.hand(fourth.side)[0].value, 0))
    game.tap(Act("hint", fourth.id))  # a hint is seen though a card was chosen
    assert game.board.told.startswith("It is about “")
    game.tap(Act("hint", fourth.id), Act("hint", fourth.id))
    assert game.board.ask == "The solution"
    game.tap(Act("next_puzzle", fourth.id))
    # The fifth is missed twice.
    fifth = PUZZLES[4]
    for wrong in solutions(fifth)[1:3]:
        lay(game, fifth, wrong.play)
    board = game.board
    assert board.ask == "The solution"
    assert "The best turn: " in board.told
    # Each counts for whoever plays its side.
    solved = {side: {each.id for each in PUZZLES[:2] if each.side is side} for side in Side}
    assert {side: game.progress.of(name).puzzles for side, name in game.people.names.items()} == solved
    for side, name in game.people.names.items():
        missed = any(each.side is side for each in (third, fourth, fifth))
        solving = game.progress.of(name).solving
        assert (solving.streak, solving.longest) == (0 if missed else len(solved[side]), len(solved[side]))
    game.key(pygame.K_ESCAPE)
    assert game.page.lines[0].startswith(f"Ana: {len(solved[Side.WHITE])} of {len(PUZZLES)} solved, rating ")
    assert game.page.items[1].key == Goto.PUZZLE.of(third.id)


def test_by_keys_and_a_card_is_taken_back(game: ByWindow) -> None:
    puzzle = next(each for each in PUZZLES if each.public.attack is None)
    choose(game, puzzle)
    game.key(pygame.K_ESCAPE)
    number = next(place for place, item in enumerate(game.page.items) if item.key == Goto.PUZZLE.of(puzzle.id))
    while game.menu.menu is not None and game.menu.menu.here.at != number:
        game.key(pygame.K_RIGHT)
    game.key(pygame.K_RETURN)
    hand = [card.value for card in puzzle.hand(puzzle.side)]
    value = game.board.usable[0]
    game.key(str(value))
    assert game.board.named == (value,)
    game.key(pygame.K_BACKSPACE)
    assert game.board.named == ()
    game.tap(Act("lay", value, hand.index(value)), Act("lay", value, hand.index(value)))
    assert game.board.named == ()


def test_the_cards_of_a_parry_lie_there_and_a_tap_that_fits_nothing_begins_anew(game: ByWindow) -> None:
    puzzle = next(each for each in PUZZLES if answer(each).parry and each.public.attack is not None)
    attack = puzzle.public.attack
    assert attack is not None
    choose(game, puzzle)
    assert game.board.owed == (attack.value,) * attack.count
    hand = [card.value for card in puzzle.hand(puzzle.side)]
    usable = game.board.usable
    for value in usable:
        game.tap(Act("lay", value, len(hand) - 1 - hand[::-1].index(value)))
        assert game.board.named[-1:] == (value,)


def test_leaving_a_puzzle_does_not_make_it_fresh(game: ByWindow) -> None:
    puzzle = PUZZLES[5]
    choose(game, puzzle)
    game.tap(Act("hint", puzzle.id))
    game.key(pygame.K_ESCAPE)
    game.tap(Goto.PUZZLE.of(puzzle.id))
    assert game.board.told.startswith("It is about “")
    lay(game, puzzle, answer(puzzle))
    assert puzzle.id not in game.progress.of("Ana").puzzles
    game.key(pygame.K_ESCAPE)
    game.tap(Goto.PUZZLE.of(puzzle.id))
    assert Act("hint", puzzle.id) in game.keys, "once it was over it is asked anew"
