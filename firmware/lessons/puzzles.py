"""Puzzles answered on the screen."""

from __future__ import annotations

from display.i18n import words
from display.menu.learning import plays_of, puzzle_of
from display.words.lessons import reply_lines
from engine.puzzles.puzzle import judge_answer
from engine.rules.track import BySide
from firmware.lessons.progress import Progress


def solve(progress: Progress, names: BySide[str], language: str, chosen: str) -> str:
    """What there is to say of the turn chosen, ``PUZZLE:NUMBER`` among ``plays_of``; a right one is kept for both."""
    of, _, number = chosen.partition(":")
    puzzle = puzzle_of(of)
    if puzzle is None:
        return ""
    reply = judge_answer(puzzle, plays_of(puzzle)[int(number)])
    if reply.right:
        progress.solved((names.white, names.black), puzzle.id)
    return " ".join(reply_lines(words(language), puzzle, reply))
