"""A sheet of paper to draw on: A4 landscape in millimetres, as SVG text. The same calls give the same text."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Final
from xml.sax.saxutils import escape, quoteattr

WIDTH_MM: Final = 297
HEIGHT_MM: Final = 210
INK: Final = "#1d1d24"
GREY: Final = "#6c6c78"
PALE: Final = "#f1f0ec"
FONT: Final = "DejaVu Sans, Verdana, Arial, sans-serif"

Place = tuple[float, float]


def number(value: float) -> str:
    """A length as short as it goes: two decimals at most."""
    return f"{round(value, 2):g}"


class Sheet:
    """Collects shapes; ``text()`` gives the whole file. Origin top left, x right, y down, millimetres."""

    def __init__(self, title: str, note: str = "") -> None:
        """``title`` and ``note`` stand at the top of the paper."""
        self._title = title
        self._lines: list[str] = []
        self.rect((0, 0), (WIDTH_MM, HEIGHT_MM), fill="#ffffff", stroke="none")
        self.words((10, 13), title, size=6, bold=True)
        if note:
            self.words((10, 19.5), note, size=3.3, fill=GREY)

    def line(self, points: Iterable[Place], stroke: str = INK, width: float = 0.4, dash: str = "") -> None:
        """A wire through these points. A pale one is edged, so that it shows on white paper."""
        joined = " ".join(f"{number(x)},{number(y)}" for x, y in points)
        more = {"stroke-dasharray": dash} if dash else {}
        shape = {"points": joined, "fill": "none", "stroke-linejoin": "round", "stroke-linecap": "round", **more}
        if is_pale(stroke):
            self._add("polyline", {**shape, "stroke": INK, "stroke-width": number(width + 0.3)})
        self._add("polyline", {**shape, "stroke": stroke, "stroke-width": number(width)})

    def rect(
        self,
        corner: Place,
        size: Place,
        *,
        fill: str = "none",
        stroke: str = INK,
        width: float = 0.35,
        rounded: float = 0.0,
        data: Mapping[str, str] | None = None,
    ) -> None:
        """A rectangle from its top left corner. ``data`` becomes ``data-`` attributes."""
        shape = {"x": number(corner[0]), "y": number(corner[1]), "width": number(size[0]), "height": number(size[1])}
        if rounded:
            shape["rx"] = number(rounded)
        self._add("rect", {**shape, "fill": fill, "stroke": stroke, "stroke-width": number(width)}, data)

    def circle(
        self,
        middle: Place,
        radius: float,
        *,
        fill: str = "none",
        stroke: str = INK,
        width: float = 0.35,
        data: Mapping[str, str] | None = None,
    ) -> None:
        """A circle. ``data`` becomes ``data-`` attributes."""
        shape = {"cx": number(middle[0]), "cy": number(middle[1]), "r": number(radius)}
        self._add("circle", {**shape, "fill": fill, "stroke": stroke, "stroke-width": number(width)}, data)

    def polygon(self, points: Iterable[Place], *, fill: str = INK, stroke: str = INK, width: float = 0.35) -> None:
        """A filled outline."""
        joined = " ".join(f"{number(x)},{number(y)}" for x, y in points)
        self._add("polygon", {"points": joined, "fill": fill, "stroke": stroke, "stroke-width": number(width)})

    def words(
        self,
        at: Place,
        text: str,
        *,
        size: float = 3.0,
        anchor: str = "start",
        fill: str = INK,
        bold: bool = False,
        data: Mapping[str, str] | None = None,
    ) -> None:
        """One line of text; ``at`` is its baseline's start, middle or end, as ``anchor`` says."""
        shape = {"x": number(at[0]), "y": number(at[1]), "font-size": number(size), "fill": fill}
        if anchor != "start":
            shape["text-anchor"] = anchor
        if bold:
            shape["font-weight"] = "bold"
        shape.update({f"data-{name}": value for name, value in (data or {}).items()})
        attributes = "".join(f" {name}={quoteattr(value)}" for name, value in shape.items())
        self._lines.append(f"  <text{attributes}>{escape(text)}</text>")

    def text(self) -> str:
        """The whole file."""
        head = (
            f'<svg xmlns="http://www.w3.org/2000/svg" width="{WIDTH_MM}mm" height="{HEIGHT_MM}mm" '
            f'viewBox="0 0 {WIDTH_MM} {HEIGHT_MM}" font-family="{FONT}">\n'
            f"  <title>{escape(self._title)}</title>\n"
        )
        return head + "\n".join(self._lines) + "\n</svg>\n"

    def _add(self, kind: str, shape: Mapping[str, str], data: Mapping[str, str] | None = None) -> None:
        marked = {**shape, **{f"data-{name}": value for name, value in (data or {}).items()}}
        attributes = "".join(f" {name}={quoteattr(value)}" for name, value in marked.items())
        self._lines.append(f"  <{kind}{attributes}/>")


def is_pale(colour: str) -> bool:
    """Whether a ``#rrggbb`` colour would vanish on white paper."""
    red, green, blue = (int(colour[place : place + 2], 16) for place in (1, 3, 5))
    return 0.3 * red + 0.59 * green + 0.11 * blue > 200
