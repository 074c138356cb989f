"""The companion's player names, one for each strength.

They are names like any other: a resumed match, the scorebook and the ratings need nothing more.
"""

from __future__ import annotations

from display.view import NO_NAMES
from engine.companion.companion import NAMES
from engine.players.bots.strengths import RIVALS
from engine.rules.track import BySide, Side
from firmware.core.names import person_key

_BY_KEY = {person_key(name): strength for name, strength in NAMES.items()}


def strength_of(name: str) -> str | None:
    """The strength under this name; None for a person."""
    return _BY_KEY.get(person_key(name))


def is_a_bot(name: str) -> bool:
    """True for the companion and for a bot with a hand of its own."""
    return name in RIVALS or strength_of(name) is not None


def is_a_person(name: str) -> bool:
    """True for a person's name: no bot, and no side that is called by its colour."""
    return not is_a_bot(name) and name not in (NO_NAMES.white, NO_NAMES.black)


def companion_in(names: BySide[str]) -> tuple[Side, str] | None:
    """The companion's side and strength, Black's if both are; None if two people play."""
    for side in (Side.BLACK, Side.WHITE):
        strength = strength_of(names[side])
        if strength is not None:
            return side, strength
    return None
