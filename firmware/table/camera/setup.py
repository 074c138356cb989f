"""The table file and the calibration that frames are looked at with, or a recording's own."""

from __future__ import annotations

import os
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from types import MappingProxyType
from typing import Annotated, Final, TypeAlias

from engine.companion.backs import DeckBacks
from engine.record.answers import entry_from_json, entry_to_json
from engine.record.course import Course, JournalEntry, follow
from engine.rules.cards import Card
from engine.rules.events import MatchEvent
from engine.strict.values import Converter, Range, read
from engine.table.desk import EndTurn
from engine.table.presses import ENDLESS_S
from firmware.core.config import own_table_path
from firmware.core.errors import EngardeError
from firmware.core.io.files import expect_file
from firmware.table.loop.requests import Names
from vision.board.calibration import Calibration
from vision.printed.table import Table, load_table

TABLE_FILE: Final = Path(__file__).parents[3] / "hardware" / "table.toml"
"""The geometry that comes with the program: Ferti's board as printed."""


Clock: TypeAlias = Annotated[float, Range(-ENDLESS_S, ENDLESS_S)]
"""Seconds on a camera's clock."""
Entry: TypeAlias = Annotated[JournalEntry, Converter(entry_from_json, entry_to_json, "an event or a correction")]


@dataclass(frozen=True, slots=True)
class _Backs:
    deck: str
    tokens: Mapping[str, str]


def _backs(raw: object) -> DeckBacks:
    noted = read(_Backs, raw, others=True)
    return DeckBacks(noted.deck, MappingProxyType({Card.parse(name): token for name, token in noted.tokens.items()}))


def _backs_noted(backs: DeckBacks) -> dict[str, object]:
    return {"deck": backs.deck, "tokens": {str(card): token for card, token in backs.tokens.items()}}


@dataclass(frozen=True, slots=True)
class RecordedMatch:
    """The match a refereed recording began with.

    ``entries`` are those accepted before its first frame, the match event first; more than that one when a match was
    gone on with. ``opened``: whether that match was open at the first frame; else the menu was, to begin one. ``backs``
    are those the companion knew, None where it knew none.
    """

    entries: tuple[Entry, ...]
    names: Names
    end_turn: EndTurn
    settle_s: Clock
    opened: bool
    backs: Annotated[DeckBacks, Converter(_backs, _backs_noted, "the letter and the tokens of a deck")] | None = None

    def __post_init__(self) -> None:
        if not self.entries or not isinstance(self.entries[0], MatchEvent):
            raise ValueError("its entries do not begin with a match")

    @property
    def opening(self) -> MatchEvent:
        """The match event."""
        first = self.entries[0]
        assert isinstance(first, MatchEvent)
        return first

    @property
    def course(self) -> Course | None:
        """How the match stood at the first frame. Raises CorrectionError for entries that cannot be."""
        course: Course | None = None
        for entry in self.entries:
            course, _ = follow(course, entry)
        return course


@dataclass(frozen=True, slots=True)
class Setup:
    """A table's geometry, as text too, and the calibration given, None where none was.

    ``match`` is what was refereed in a recording; None in one that was only watched, and for any other camera.
    """

    table: Table
    table_text: str
    calibration: Calibration | None = None
    match: RecordedMatch | None = None


def table_in_force(given: Path | None) -> Path:
    """The table file in force: as given, else the owner's own where there is one, else the program's.

    A link that leads nowhere is there too: the owner meant a file, and is told that it is missing.
    """
    if given is not None:
        return given
    own = own_table_path()
    return own if os.path.lexists(own) else TABLE_FILE


def table_of(path: Path) -> Table:
    """The table this file describes. Raises EngardeError where there is no such file, TableError for what is in it."""
    try:
        expect_file(path)
        return load_table(path)
    except OSError as error:
        raise EngardeError(
            f"the table file {path}: {error.strerror}; hardware/table.toml shows what it holds."
        ) from error
