"""Small pictures beside the steps of the first page and the parts of the guide. Not to scale; each fills a box."""

from __future__ import annotations

from functools import cache
from importlib import resources
from typing import Final, NamedTuple
from xml.etree import ElementTree

from vision.printed.table import Table
from vision.sheets.plan import plan
from vision.sheets.shapes import INK, WHITE, Disc, Group, Oblong, Path, Pen, PrintColour, Rect, Shape, Text, group

_NAMESPACE: Final = "{http://www.w3.org/2000/svg}"
_CAPITAL: Final = 0.729  # of the size of DejaVu Sans, in which they are drawn
_ANCHORS: Final = {"start": "left", "middle": "middle", "end": "right"}


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
