"""Options that several commands share, and what becomes of them."""

from __future__ import annotations

from pathlib import Path
from typing import Final

from engine.track import BySide
from firmware.errors import EngardeError
from firmware.names import BadNameError, clean_name, person_key
from vision.table import Table, load_table

TABLE_FILE: Final = Path(__file__).parent.parent / "hardware" / "table.toml"
"""The geometry that comes with the program: Ferti's board as printed."""


def table_of(path: Path) -> Table:
    """The table this file describes. Raises EngardeError where there is no such file, TableError for what is in it."""
    try:
        return load_table(path)
    except OSError as error:
        raise EngardeError(f"--table {path}: {error.strerror}; hardware/table.toml shows what it holds.") from error


def names_of(white: str | None, black: str | None, otherwise: BySide[str] | None = None) -> BySide[str]:
    """The players' names: as given, else as in the settings, else their colours.

    Raises BadNameError for what cannot be a name, and where both would be one person's.
    """
    fallback = BySide("White", "Black") if otherwise is None else otherwise
    names = BySide(clean_name(white or fallback.white), clean_name(black or fallback.black))
    if person_key(names.white) == person_key(names.black):
        raise BadNameError(f"White and Black are both called {names.white}: give each a name with --white and --black.")
    return names
