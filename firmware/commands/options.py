"""Options that several commands share, and what becomes of them."""

from __future__ import annotations

import argparse
import os
from pathlib import Path
from typing import Final

from engine.rules.track import BySide
from firmware.config import own_table_path
from firmware.errors import EngardeError
from firmware.names import BadNameError, clean_name, person_key
from vision.table import Table, load_table

TABLE_FILE: Final = Path(__file__).parents[2] / "hardware" / "table.toml"
"""The geometry that comes with the program: Ferti's board as printed."""


def add_table_option(parser: argparse.ArgumentParser) -> None:
    """``--table`` of a command at the owner's table: ``table_in_force`` says which file that makes it."""
    own = "table.toml beside your settings if it is there, else hardware/table.toml"
    parser.add_argument("--table", type=Path, metavar="FILE", help=f"another table's geometry (default: {own})")


def table_in_force(given: Path | None) -> Path:
    """The table file in force: as given, else the owner's own where there is one, else the program's.

    A link that leads nowhere is there too: the owner meant a file of his, so that he is told and not passed over.
    """
    if given is not None:
        return given
    own = own_table_path()
    return own if os.path.lexists(own) else TABLE_FILE


def table_of(path: Path) -> Table:
    """The table this file describes. Raises EngardeError where there is no such file, TableError for what is in it."""
    try:
        return load_table(path)
    except OSError as error:
        raise EngardeError(
            f"the table file {path}: {error.strerror}; hardware/table.toml shows what it holds."
        ) from error


def names_of(white: str | None, black: str | None, otherwise: BySide[str] | None = None) -> BySide[str]:
    """The players' names: as given, else as in the settings, else their colours.

    Raises BadNameError for what cannot be a name, and where both would be one person's.
    """
    fallback = BySide("White", "Black") if otherwise is None else otherwise
    names = BySide(clean_name(white or fallback.white), clean_name(black or fallback.black))
    if person_key(names.white) == person_key(names.black):
        raise BadNameError(f"White and Black are both called {names.white}: give each a name with --white and --black.")
    return names


def chance(text: str) -> float:
    """A chance as the command line has it. Raises ArgumentTypeError."""
    try:
        given = float(text)
    except ValueError:
        given = -1.0
    if not 0.0 <= given <= 1.0:
        raise argparse.ArgumentTypeError(f"a chance from 0 to 1 is expected, not {text!r}")
    return given


def points(text: str) -> int:
    """The points that win a match, as the command line has them. Raises ArgumentTypeError."""
    if not text.isdecimal() or not 1 <= int(text) <= 99:
        raise argparse.ArgumentTypeError(f"points from 1 to 99 are expected, not {text!r}")
    return int(text)
