"""Who was at this table before, by the scorebook and what was learned, so that nobody writes his name twice."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Final

from display.view import NO_NAMES
from firmware.companion.opponents import is_a_bot
from firmware.lessons.progress import Progress, progress_path
from firmware.names import person_key
from firmware.scorebook.book import read_scorebook
from firmware.scores.against_bots import level_of
from firmware.scores.history import Summary, summarise
from firmware.screen.asking import Guests

MOST: Final = 11
"""So many names are shown at most: those who came last."""
_LATELY: Final = 60
"""So many matches, the last ones, say what strength suits somebody now."""


def guests_of(path: Path) -> Guests:
    """Those whom this scorebook and the progress beside it name, the last first. Raises ScorebookError."""
    progress = Progress(progress_path(path))
    book = read_scorebook(path)
    names: list[str] = []
    summaries: tuple[Summary, ...] = ()
    if book is not None:
        with book:
            names = [name for match in reversed(book.matches()) for _, name in match.names.items()]
            summaries = tuple(filter(None, map(summarise, book.replay_all(last=_LATELY))))
    people = {person_key(name): name for name in reversed([*names, *progress.portraits]) if _is_a_person(name)}
    last = tuple(people.values())[::-1][:MOST]
    levels = ((name, level_of(name, summaries)) for name in last)
    own = next(((name, level) for name, level in levels if level is not None), None)
    return Guests(last, progress.portraits, own)


def keep_portraits(path: Path, portraits: Mapping[str, str]) -> None:
    """Keep the pictures that newcomers chose."""
    progress = Progress(progress_path(path))
    for name, face in portraits.items():
        progress.pictured(name, face)


def _is_a_person(name: str) -> bool:
    return not is_a_bot(name) and name not in (NO_NAMES.white, NO_NAMES.black)
