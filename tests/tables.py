"""The table of the table file, and the same table under a camera of fewer pixels."""

from __future__ import annotations

from pathlib import Path
from typing import Final

from vision.printed.table import Table, load_table, read_table

TABLE_FILE: Final = Path(__file__).parents[1] / "hardware" / "table.toml"
TABLE: Final[Table] = load_table(TABLE_FILE)
SMALL_TABLE_TEXT: Final = (
    TABLE_FILE.read_text(encoding="utf-8")
    .replace("width = 2304", "width = 1792")
    .replace("height = 1296", "height = 1008")
)
"""The table under a camera whose pictures are rendered and read in half the time, and read as well."""
SMALL_TABLE: Final[Table] = read_table(SMALL_TABLE_TEXT)
