"""Small pictures that fill a box: drawings kept as SVG files, and the table from above, drawn to scale."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator
from functools import cache
from importlib import resources
from typing import Final, NamedTuple
from xml.etree import ElementTree

from vision.printed.table import Corner, Table
from vision.sheets.shapes import (
    GREY,
    INK,
    PALE,
    WHITE,
    Disc,
    Group,
    Oblong,
    Path,
    Pen,
    Place,
    PrintColour,
    Rect,
    Shape,
    Text,
    group,
    square,
)

_NAMESPACE: Final = "{http://www.w3.org/2000/svg}"
_CAPITAL: Final = 0.729  # of the size of DejaVu Sans, in which they are drawn
_ANCHORS: Final = {"start": "left", "middle": "middle", "end": "right"}
_DRAWINGS: Final = resources.files("vision.sheets") / "drawings"


class Drawing(NamedTuple):
    """A drawing's size in millimetres, and what is on it."""

    width_mm: float
    height_mm: float
    shapes: tuple[Shape, ...]


def read_drawing(text: str) -> Drawing:
    """The drawing in this SVG text, one unit a millimetre. Raises ValueError for an element it does not know."""
    root = ElementTree.fromstring(text)
    _, _, width, height = map(float, root.attrib["viewBox"].split())
    return Drawing(width, height, tuple(_shape(each.tag.removeprefix(_NAMESPACE), each) for each in root))


def _shape(name: str, element: ElementTree.Element) -> Shape:
    given = element.attrib
    fill, pen = _colour(given.get("fill", "#000000")), _pen(element)
    match name:
        case "rect":
            rect = Rect(*(float(given[key]) for key in ("x", "y", "width", "height")))
            return Oblong(rect, fill=fill, pen=pen, radius_mm=float(given.get("rx", 0)))
        case "circle":
            return Disc((float(given["cx"]), float(given["cy"])), float(given["r"]), fill=fill, pen=pen)
        case "polyline" | "polygon":
            points = tuple((float(x), float(y)) for x, y in (pair.split(",") for pair in given["points"].split()))
            return Path(points, fill=fill, pen=pen, closed=name == "polygon")
        case "text":
            at = float(given["x"]), float(given["y"])
            size_mm = float(given["font-size"]) * _CAPITAL
            anchor = _ANCHORS[given.get("text-anchor", "start")]
            bold = given.get("font-weight") == "bold"
            return Text(at, element.text or "", size_mm, fill or (0, 0, 0), bold=bold, anchor=anchor)  # type: ignore[arg-type]
    raise ValueError(f"a drawing: expected rect, circle, polyline, polygon or text, found {name}; draw it with those")


def _pen(element: ElementTree.Element) -> Pen | None:
    colour = _colour(element.attrib.get("stroke", "none"))
    if colour is None:
        return None
    dashes = element.attrib.get("stroke-dasharray", "").replace(",", " ").split()
    return Pen(colour, float(element.attrib.get("stroke-width", 1)), tuple(float(dash) for dash in dashes))


def _colour(said: str) -> PrintColour | None:
    if said == "none":
        return None
    red, green, blue = (int(said[at : at + 2], 16) / 255 for at in (1, 3, 5))
    return red, green, blue


@cache
def drawings() -> frozenset[str]:
    """The names of the pictures that are kept as files."""
    return frozenset(file.name.removesuffix(".svg") for file in _DRAWINGS.iterdir())


def drawing(name: str, box: Rect) -> Group:
    """The picture of this name in the middle of the box."""
    drawn = read_drawing((_DRAWINGS / f"{name}.svg").read_text(encoding="utf-8"))
    x, y = box.middle
    return group(drawn.shapes, (x - drawn.width_mm / 2, y - drawn.height_mm / 2))


def board_small(table: Table, box: Rect) -> Group:
    """The plan, as small as it gets."""
    return group(plan(table, box, numbers=False))


def mat_small(table: Table, box: Rect) -> Group:
    """The mat in front of the board, a few cards on it."""
    x, y = box.middle[0], box.middle[1] + 4.6
    card = Oblong(Rect(-1.6, -2.2, 3.2, 4.4), fill=WHITE, pen=Pen(INK, 0.15), radius_mm=0.3)
    cards = [group([card], (x + shift, y), turn) for shift, turn in ((-6.0, -12.0), (-1.6, 4.0), (3.4, 12.0))]
    return group([board_small(table, box), *cards])


def plan(table: Table, box: Rect, *, numbers: bool = True) -> Iterator[Shape]:
    """The plan to fill a box, as players see the table; ``numbers`` writes ids, spaces and distances into it."""
    reach = table.board_size_mm
    area = table.play_area
    xs = [*(corner.x for corner in table.corners), *(space.x for space in table.spaces_mm), area.x0, area.x1]
    ys = [*(corner.y for corner in table.corners), *(space.y for space in table.spaces_mm), area.y0, area.y1]
    left, right, low, high = min(xs) - reach, max(xs) + reach, min(ys) - reach, max(ys) + reach
    scale = min(box.width / (right - left), box.height / (high - low))
    origin = (box.middle[0] - scale * (left + right) / 2, box.middle[1] + scale * (low + high) / 2)

    def at(x: float, y: float) -> Place:
        return origin[0] + scale * x, origin[1] - scale * y

    corner = at(area.x0, area.y1)
    yield Oblong(
        Rect(*corner, scale * (area.x1 - area.x0), scale * (area.y1 - area.y0)),
        fill=(0.93, 0.96, 0.92),
        pen=Pen(GREY, 0.2),
    )
    for number, space in enumerate(table.spaces_mm, start=1):
        fill = (0.87, 0.87, 0.84) if number % 2 else PALE
        yield Disc(at(space.x, space.y), scale * 12.0, fill=fill, pen=Pen(GREY, 0.1))
        if numbers and number in (1, 12, 23):
            x, y = at(space.x, space.y)
            yield Text((x, y - scale * 12.0 - 0.8), str(number), 1.5, GREY, anchor="middle")
    for one in table.corners:
        x, y = at(one.x, one.y)
        yield Oblong(square((x, y), max(scale * table.board_size_mm, 5.0 if numbers else 2.6)), fill=INK)
        if numbers:
            yield Text((x, y + 1.0), str(one.id), 2.0, (1.0, 1.0, 1.0), bold=True, anchor="middle")
    if numbers:
        yield from _distances(table, at)


def _distances(table: Table, at: Callable[[float, float], Place]) -> Iterator[Shape]:
    corners = _around(table)
    pairs = list(zip(corners, (*corners[1:], corners[0]), strict=True))
    for one, other in pairs[: len(corners) if len(corners) > 2 else 1]:
        apart = math.dist((one.x, one.y), (other.x, other.y))
        x, y = at((one.x + other.x) / 2, (one.y + other.y) / 2)
        yield Text((x, y + 0.7), f"{round(apart, 1):g} mm", 1.9, INK, bold=True, anchor="middle")


def _around(table: Table) -> list[Corner]:
    """The markers in the order in which one walks around the table, from the file's first one."""
    x = sum(corner.x for corner in table.corners) / len(table.corners)
    y = sum(corner.y for corner in table.corners) / len(table.corners)
    first = table.corners[0]
    begin = math.atan2(first.y - y, first.x - x)
    return sorted(table.corners, key=lambda corner: (begin - math.atan2(corner.y - y, corner.x - x)) % math.tau)
