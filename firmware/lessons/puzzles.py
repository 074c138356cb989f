"""Puzzles answered on the screen."""

from __future__ import annotations

from display.i18n import words
from display.menu.learning import plays_of, puzzle_of
from display.words.lessons import reply_lines
from engine.puzzles.puzzle import judge_answer
from engine.rules.track import BySide
from firmware.lessons.progress import Progress


def solve(progress: Progress, names: BySide[str], language: str, of: str, play: int) -> str:
    """What there is to say of this one of ``plays_of`` that puzzle; a right one is kept for both."""
    puzzle = puzzle_of(of)
    if puzzle is None:
        return ""
    reply = judge_answer(puzzle, plays_of(puzzle)[play])
    if reply.right:
        progress.solved((names.white, names.black), puzzle.id)
    return " ".join(reply_lines(words(language), puzzle, reply))
