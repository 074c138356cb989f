"""Small pictures beside the steps of the first page and the parts of the guide. Not to scale; each fills a box."""

from __future__ import annotations

from functools import cache
from importlib import resources

from vision.printed.table import Table
from vision.sheets.drawn import read_drawing
from vision.sheets.plan import plan
from vision.sheets.shapes import INK, WHITE, Group, Oblong, Pen, Rect, group

_DRAWINGS = resources.files("vision.sheets") / "drawings"


@cache
def drawings() -> frozenset[str]:
    """The names of the pictures that are kept as files."""
    return frozenset(file.name.removesuffix(".svg") for file in _DRAWINGS.iterdir())


def drawing(name: str, box: Rect) -> Group:
    """The picture of this name in the middle of the box."""
    drawn = read_drawing((_DRAWINGS / f"{name}.svg").read_text(encoding="utf-8"))
    x, y = box.middle
    return group(drawn.shapes, (x - drawn.width_mm / 2, y - drawn.height_mm / 2))


def board(table: Table, box: Rect) -> Group:
    """The plan, as small as it gets."""
    return group(plan(table, box, numbers=False))


def mat(table: Table, box: Rect) -> Group:
    """The mat in front of the board, a pile and a few cards on it."""
    x, y = box.middle[0], box.middle[1] + 4.6
    card = Oblong(Rect(-1.6, -2.2, 3.2, 4.4), fill=WHITE, pen=Pen(INK, 0.15), radius_mm=0.3)
    cards = [group([card], (x + shift, y), turn) for shift, turn in ((-6.0, -12.0), (-1.6, 4.0), (3.4, 12.0))]
    return group([board(table, box), *cards])
