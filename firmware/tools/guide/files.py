"""Every file of the guide that is made, wholly or in part, with what it holds."""

from __future__ import annotations

from pathlib import Path
from typing import Final

from firmware.table.camera.setup import TABLE_FILE
from firmware.tools.guide.camera_table import camera_tables
from firmware.tools.guide.layout import layout_tables
from firmware.tools.guide.measures import load_mast, measures_text
from firmware.tools.guide.pages import filled
from vision.printed.table import load_table

HARDWARE: Final = TABLE_FILE.parent


def guide_files(hardware: Path = HARDWARE) -> dict[Path, str]:
    """The text each file has to have. Pages are read first: only their tables are made, the words are written by hand.

    Raises OSError when a page or the table file is missing, ValueError when a page has no place for a table.
    """
    table = load_table(hardware / "table.toml")
    made = {hardware / "printables" / "measures.scad": measures_text(table)}
    mast = load_mast(hardware / "printables" / "mast.scad")
    pages = (
        ("camera.md", camera_tables(table)),
        ("layout.md", layout_tables(table, mast)),
    )
    for name, tables in pages:
        path = hardware / name
        made[path] = filled(path.read_text(encoding="utf-8"), tables)
    return made
