"""The table of the table file, the same table under a camera of fewer pixels, and pictures of either."""

from __future__ import annotations

from functools import cache
from pathlib import Path
from typing import Final

from engine.rules.cards import Card
from vision.printed.card_shape import LabelPose, Place
from vision.printed.table import Table, load_table, read_table
from vision.sights.observe import CardSight, LabelPlace
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


def seen_card(
    card: Card,
    x_mm: float,
    y_mm: float,
    turn_deg: float,
    places: tuple[Place, ...],
    *,
    clear: bool = True,
    cut: tuple[Place, ...] = (),
) -> CardSight:
    """A card whose labels are read at these places: each one's top points to the end of the card that is nearer."""
    lies = LabelPose((x_mm, y_mm), turn_deg)
    poses = [LabelPose(place, turn_deg if lies.to(place)[1] <= 0.0 else turn_deg + 180.0) for place in places]
    labels = tuple(LabelPlace(card, pose, pose.place in cut) for pose in poses)
    return CardSight(card, x_mm, y_mm, turn_deg, labels, clear)
