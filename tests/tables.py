"""The table of the table file, the same table under a camera of fewer pixels, and pictures of either."""

from __future__ import annotations

from functools import cache
from pathlib import Path
from typing import Final

from vision.printed.table import Table, load_table, read_table
from vision.synthetic import PRESETS, Renderer

TABLE_FILE: Final = Path(__file__).parents[1] / "hardware" / "table.toml"
TABLE: Final[Table] = load_table(TABLE_FILE)
SMALL_TABLE_TEXT: Final = (
    TABLE_FILE.read_text(encoding="utf-8")
    .replace("width = 2304", "width = 1792")
    .replace("height = 1296", "height = 1008")
)
"""The table under a camera whose pictures are rendered and read in half the time, and read as well."""
SMALL_TABLE: Final[Table] = read_table(SMALL_TABLE_TEXT)


@cache
def renderer_of(table: Table, strength: str = "typical", seed: int = 1) -> Renderer:
    """The usual camera's renderer, made once for all tests: it gives the same frames whatever it rendered before."""
    return Renderer(table, None, PRESETS[strength], seed)
