"""The first questions at a real table (language, play or learn, names), and the people known at it."""

from __future__ import annotations

import time
from collections.abc import Mapping
from pathlib import Path
from typing import Final

from display.menu.model import Key
from display.view import NO_NAMES
from engine.players.bots.strengths import OwnLevel
from engine.rules.track import BySide
from firmware.book.scorebook.book import read_scorebook
from firmware.book.scores.history import levels_in
from firmware.cli.sitting.sitting import Sitting
from firmware.core.config import Config, is_set, save, saved_path
from firmware.core.names import person_key
from firmware.ui.companion.opponents import is_a_person
from firmware.ui.lessons.progress import Progress, progress_path
from firmware.ui.menu.table_menu import KEYS
from firmware.ui.screen.asking import Choice, Guests, ask_what


def is_the_first(sitting: Sitting, guests: Guests, given: Mapping[str, str | bool]) -> bool:
    """Whether a real table is used for the first time: no name is known, and no language was given."""
    somebody_looks = sitting.shown and sitting.seat is None
    return somebody_looks and not guests.names and "language" not in given


def ask_first(sitting: Sitting, settings: Config, progress: Progress) -> Choice | None:
    """Ask the players, who answer with keys, fingers or the panel's buttons; kept for every later start.

    Language and names that the settings have are not asked again. None where the questions were left.
    """
    window, watchdog = sitting.window, sitting.watchdog
    assert window is not None
    begun_s = time.monotonic()

    def keys() -> tuple[Key, ...]:
        watchdog.wait()
        return tuple(KEYS[press.button] for press in sitting.presses.due(time.monotonic() - begun_s))

    spoken = is_set("players.language")
    # A name that is its colour's is nobody's.
    settled = BySide(*(None if name == NO_NAMES[side] else name for side, name in settings.names.items()))
    choice = ask_what(window, settings.language, Guests(), spoken=spoken, at_table=True, settled=settled, keys=keys)
    if choice is None:
        return None
    save(saved_path(), "players.language", choice.language)
    for name, face in choice.portraits.items():
        progress.pictured(name, face)
    return choice


MOST: Final = 11
"""The most names that are shown, the latest players' first."""


def guests_of(path: Path) -> Guests:
    """The people in this scorebook and the progress beside it, the latest first. Raises ScorebookError."""
    progress = Progress(progress_path(path))
    book = read_scorebook(path)
    names: list[str] = []
    levels: dict[str, OwnLevel] = {}
    if book is not None:
        with book:
            names = [name for match in reversed(book.matches()) for _, name in match.names.items()]
            levels = levels_in(book, dict.fromkeys(names))
    people = {person_key(name): name for name in reversed([*names, *progress.portraits]) if is_a_person(name)}
    last = tuple(people.values())[::-1][:MOST]
    own = next(((name, levels[name]) for name in last if name in levels), None)
    return Guests(last, progress.portraits, own)


def keep_portraits(path: Path, portraits: Mapping[str, str]) -> None:
    """Keep the pictures that newcomers chose."""
    progress = Progress(progress_path(path))
    for name, face in portraits.items():
        progress.pictured(name, face)
