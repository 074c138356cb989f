"""The puzzles that come with the program, easiest first: endings, the middle of a round, openings and hidden hands, of
the advanced and of the classic game.

How hard each is was measured: ``grades.txt`` shares them out by how often bots of every strength find the answer
(``tests/bench/puzzle_grades.py``).
"""

from __future__ import annotations

from dataclasses import replace
from importlib.resources import files
from typing import Final

from engine.puzzles.puzzle import Puzzle, PuzzleTheme
from engine.rules.cards import CARD_BY_NAME, Card
from engine.rules.track import BySide, Side

# Puzzles as text: three lines each, with an empty line between two. A line that begins with ``;`` is a note.

COUNTS: Final = "counts"
CERTAIN: Final = "certain"


def parse_puzzles(text: str) -> tuple[Puzzle, ...]:
    """The puzzles a text holds, as ``print_puzzles`` writes it. Raises ValueError for anything else.

    Three lines each, with an empty line between two: id, grade, theme, rules and starter, ``counts`` where the
    answer depends on cards that are not seen, and ``certain`` where a turn is wanted that wins at once; the moves of
    the round; the hands of White and of Black, nothing for one that is hidden.
    """
    lines = (line for line in text.split("\n") if not line.startswith(";"))
    return tuple(_puzzle(block.split("\n")) for block in "\n".join(lines).strip("\n").split("\n\n"))


def print_puzzles(puzzles: tuple[Puzzle, ...]) -> str:
    """Puzzles as ``parse_puzzles`` reads them."""
    return "\n".join(_block(puzzle) for puzzle in puzzles)


def _puzzle(lines: list[str]) -> Puzzle:
    if len(lines) != 3:
        raise ValueError(f"a puzzle has three lines, found {len(lines)}: {lines[:4]}")
    name, grade, theme, rules, starter, *marks = lines[0].split()
    if marks != [mark for mark in (COUNTS, CERTAIN) if mark in marks]:
        raise ValueError(f"after the starter come {COUNTS} and {CERTAIN}, or neither, found {marks}")
    white, black = lines[2].split("/")
    hands = BySide(_cards(white), _cards(black))
    return Puzzle(
        name, int(grade), PuzzleTheme(theme), rules, Side(starter), lines[1], hands, COUNTS in marks, CERTAIN in marks
    )


def _cards(text: str) -> tuple[Card, ...]:
    return tuple(CARD_BY_NAME[name] for name in text.split())


def _block(puzzle: Puzzle) -> str:
    head = f"{puzzle.id} {puzzle.grade} {puzzle.theme.value} {puzzle.rules} {puzzle.starter.value}"
    white, black = (" ".join(str(card) for card in hand) for hand in (puzzle.hands.white, puzzle.hands.black))
    head += (f" {COUNTS}" if puzzle.counts else "") + (f" {CERTAIN}" if puzzle.certain else "")
    return f"{head}\n{puzzle.moves}\n{f'{white} / {black}'.strip()}\n"


_FILES: Final = ("data", "more_data", "middle_data", "classic_data", "hidden_data", "hidden_classic_data")


def _text(name: str) -> str:
    return files(__package__).joinpath(f"{name}.txt").read_text(encoding="utf-8")


def _collected() -> tuple[Puzzle, ...]:
    """Every puzzle with its measured grade, in the order of ``grades.txt``."""
    written = {puzzle.id: puzzle for name in _FILES for puzzle in parse_puzzles(_text(name))}
    grades = [line.split(":") for line in _text("grades").splitlines() if not line.startswith(";")]
    return tuple(replace(written[name], grade=int(grade)) for grade, names in grades for name in names.split())


PUZZLES: Final[tuple[Puzzle, ...]] = _collected()


def puzzle_of_the_day(day: int) -> Puzzle:
    """The puzzle of this day, by its number in any calendar: the same for everybody, and none again before all."""
    return PUZZLES[day * _STRIDE % len(PUZZLES)]


_STRIDE: Final = 79
"""How far two days are apart in the collection: the grades change from day to day."""
