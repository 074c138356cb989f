"""The first start of all at a real table: language, play or learn, who plays, and the camera turned the right way."""

from __future__ import annotations

import time
from collections.abc import Mapping
from typing import Final

from display.menu.model import Key
from display.menu.settings import LANGUAGE
from engine.table.presses import Button
from firmware.config import is_set, saved_path
from firmware.lessons.progress import Progress
from firmware.menu.saved import save
from firmware.menu.table_menu import KEYS
from firmware.screen.asking import Choice, Guests, ask_what
from firmware.sitting.sitting import Sitting

_PANEL: Final[Mapping[Button, Key]] = KEYS


def is_the_first(sitting: Sitting, guests: Guests, given: Mapping[str, str | bool]) -> bool:
    """Whether nobody was ever at this real table: none is known by name, and no language was chosen."""
    somebody_looks = sitting.window is not None and sitting.seat is None
    return somebody_looks and not guests.names and "language" not in given and not is_set(LANGUAGE)


def ask_first(sitting: Sitting, language: str, progress: Progress) -> Choice | None:
    """What those who are there want, asked with keys, fingers or the panel's buttons; kept for every later start.

    None where they left that, or closed the window.
    """
    window, watchdog = sitting.window, sitting.watchdog
    assert window is not None
    begun_s = time.monotonic()

    def keys() -> tuple[Key, ...]:
        watchdog.wait()
        return tuple(_PANEL[press.button] for press in sitting.presses.due(time.monotonic() - begun_s))

    choice = ask_what(window, language, Guests(), at_table=True, keys=keys)
    if choice is None:
        return None
    save(saved_path(), LANGUAGE.heading, LANGUAGE.key, choice.language)
    for name, face in choice.portraits.items():
        progress.pictured(name, face)
    return choice
