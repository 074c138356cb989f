"""A drawing's sheet, A4 lying: shapes are put on it in millimetres from its top left corner, and it becomes an SVG."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Final
from xml.sax.saxutils import escape

WIDTH_MM: Final = 297.0
HEIGHT_MM: Final = 210.0
INK: Final = "#1d1d24"
GREY: Final = "#6c6c78"
PAPER: Final = "#ffffff"
CHIP: Final = "#3a3a42"
METAL: Final = "#c9c9d0"

Point = tuple[float, float]


@dataclass
class GuideSheet:
    """A page with a title and a line below it that says how to read it."""

    title: str
    note: str
    _shapes: list[str] = field(default_factory=list)

    def line(self, *points: Point, ink: str = INK, wide: float = 0.4, dash: str = "") -> None:
        """A line from point to point."""
        dashed = f' stroke-dasharray="{dash}"' if dash else ""
        self._shapes.append(
            f'<polyline points="{_points(points)}" fill="none" stroke-linejoin="round" stroke-linecap="round" '
            f'stroke="{ink}" stroke-width="{wide:g}"{dashed}/>'
        )

    def area(self, *points: Point, fill: str = PAPER, ink: str = INK, wide: float = 0.35) -> None:
        """A filled shape with these corners."""
        self._shapes.append(
            f'<polygon points="{_points(points)}" fill="{fill}" stroke="{ink}" stroke-width="{wide:g}"/>'
        )

    def box(
        self,
        x: float,
        y: float,
        width: float,
        height: float,
        *,
        fill: str = PAPER,
        ink: str = INK,
        wide: float = 0.35,
        corner: float = 0.0,
    ) -> None:
        """A rectangle from its top left corner."""
        rounded = f' rx="{_number(corner)}"' if corner else ""
        self._shapes.append(
            f'<rect x="{_number(x)}" y="{_number(y)}" width="{_number(width)}" height="{_number(height)}"{rounded} '
            f'fill="{fill}" stroke="{ink}" stroke-width="{wide:g}"/>'
        )

    def dot(self, x: float, y: float, radius: float, *, fill: str = PAPER, ink: str = INK, wide: float = 0.35) -> None:
        """A circle."""
        self._shapes.append(
            f'<circle cx="{_number(x)}" cy="{_number(y)}" r="{_number(radius)}" fill="{fill}" stroke="{ink}" '
            f'stroke-width="{wide:g}"/>'
        )

    def text(
        self,
        x: float,
        y: float,
        words: str,
        *,
        size: float = 2.8,
        ink: str = INK,
        anchor: str = "start",
        bold: bool = False,
    ) -> None:
        """Words on their base line; ``anchor``: start, middle or end."""
        placed = f' text-anchor="{anchor}"' if anchor != "start" else ""
        weight = ' font-weight="bold"' if bold else ""
        self._shapes.append(
            f'<text x="{_number(x)}" y="{_number(y)}" font-size="{size:g}" fill="{ink}"{placed}{weight}>'
            f"{escape(words)}</text>"
        )

    def svg(self) -> str:
        """The whole file."""
        head = (
            f'<svg xmlns="http://www.w3.org/2000/svg" width="{WIDTH_MM:g}mm" height="{HEIGHT_MM:g}mm" '
            f'viewBox="0 0 {WIDTH_MM:g} {HEIGHT_MM:g}" font-family="DejaVu Sans, Verdana, Arial, sans-serif">'
        )
        top = GuideSheet(self.title, self.note)
        top.box(0, 0, WIDTH_MM, HEIGHT_MM, ink="none")
        top.text(10, 13, self.title, size=6, bold=True)
        top.text(10, 19.5, self.note, size=3.3, ink=GREY)
        shapes = [f"<title>{escape(self.title)}</title>", *top._shapes, *self._shapes]
        return "\n".join([head, *(f"  {shape}" for shape in shapes), "</svg>"]) + "\n"


def _points(points: Sequence[Point]) -> str:
    return " ".join(f"{_number(x)},{_number(y)}" for x, y in points)


def _number(value: float) -> str:
    return f"{round(value, 2):g}"
