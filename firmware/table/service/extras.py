"""Extras: what a table at home never needs. Each is known by its row here alone, and loaded where it is asked for."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from contextlib import ExitStack
from dataclasses import dataclass
from importlib import import_module
from pathlib import Path
from typing import Any, Final

from firmware.core.config import Config
from firmware.table.loop.moment import Audience, Helper, People
from firmware.table.service.retry import Watch


@dataclass(frozen=True, slots=True)
class ExtraMatch:
    """A match as extras see it. ``card``: the club's; ``is_named``: with the command.

    ``make_room`` closes the menu, ``held`` closes what the extra opens.
    """

    people: People
    settings: Config
    held: ExitStack
    say: Callable[[str], None]
    watch: Watch
    make_room: Callable[[], None]
    card: Path | None
    is_named: bool


Joined = tuple[tuple[Helper, ...], tuple[Audience, ...]]
EXTRAS: Final[Mapping[str, Callable[[ExtraMatch], bool]]] = {
    "firmware.extras.club.at_table": lambda match: match.card is not None,
    "firmware.extras.club.hooks": lambda match: bool(match.settings.events.wanted),
    "firmware.extras.club.home": lambda match: bool(match.settings.home.broker),
}
"""Modules whose ``join`` takes part in a match, and which matches ask for them; helpers hear presses in this order."""


def join_extras(match: ExtraMatch) -> Joined:
    """The helpers and the audience that extras bring. Raises EngardeError and OSError for a card that was named."""
    joined: list[Joined] = [import_module(name).join(match) for name, asks in EXTRAS.items() if asks(match)]
    return tuple(each for helpers, _ in joined for each in helpers), tuple(one for _, those in joined for one in those)


def extra(module: str) -> Any:
    """A module of an extra, such as ``film``: the simulated table alone is a tenth of the start."""
    return import_module(f"firmware.extras.{module}")
