"""Reads the sheets' drawings, which are SVG files, as shapes: only the elements that they are made of."""

from __future__ import annotations

from typing import Final, NamedTuple
from xml.etree import ElementTree

from vision.sheets.lettering import CAPITAL
from vision.sheets.shapes import Disc, Oblong, Path, Pen, PrintColour, Rect, Shape, Text

_NAMESPACE: Final = "{http://www.w3.org/2000/svg}"
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
            size_mm = float(given["font-size"]) * CAPITAL
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
