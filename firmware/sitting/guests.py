"""Who was at this table before, by the scorebook and what was learned, so that nobody writes his name twice."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Final

from display.view import NO_NAMES
from engine.players.bots.strengths import OwnLevel
from firmware.companion.opponents import is_a_bot
from firmware.lessons.progress import Progress, progress_path
from firmware.names import person_key
from firmware.scorebook.book import read_scorebook
from firmware.scores.history import levels_in
from firmware.screen.asking import Guests

MOST: Final = 11
"""So many names are shown at most: those who came last."""


def guests_of(path: Path) -> Guests:
    """Those whom this scorebook and the progress beside it name, the last first. Raises ScorebookError."""
    progress = Progress(progress_path(path))
    book = read_scorebook(path)
    names: list[str] = []
    levels: dict[str, OwnLevel] = {}
    if book is not None:
        with book:
            names = [name for match in reversed(book.matches()) for _, name in match.names.items()]
            levels = levels_in(book, dict.fromkeys(names))
    people = {person_key(name): name for name in reversed([*names, *progress.portraits]) if _is_a_person(name)}
    last = tuple(people.values())[::-1][:MOST]
    own = next(((name, levels[name]) for name in last if name in levels), None)
    return Guests(last, progress.portraits, own)


def keep_portraits(path: Path, portraits: Mapping[str, str]) -> None:
    """Keep the pictures that newcomers chose."""
    progress = Progress(progress_path(path))
    for name, face in portraits.items():
        progress.pictured(name, face)


def _is_a_person(name: str) -> bool:
    return not is_a_bot(name) and name not in (NO_NAMES.white, NO_NAMES.black)
