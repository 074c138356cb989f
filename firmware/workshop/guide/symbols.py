"""The signs of a circuit: parts, rails, chips, and flags that name where a wire goes."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from types import MappingProxyType
from typing import Final

from firmware.workshop.guide.header import COLOURS, RAIL_COLOURS
from firmware.workshop.guide.svg import GREY, INK, PALE, Place, Sheet

LAMP_COLOURS: Final = MappingProxyType(
    {"red": "#e23d30", "amber": "#f5a623", "yellow": "#f4d320", "yellow-green": "#9bcf2f", "white": "#ffffff"}
)
"""How the light-emitting diodes are drawn, by the pin table's names."""


def rail(sheet: Sheet, at: Place, name: str, *, up: bool = True) -> None:
    """The end of a wire on a rail: a bar with its name, above or below ``at``; ground has its own sign."""
    x, y = at
    if name == "ground":
        sheet.line([(x, y), (x, y + 2)])
        for step, half in enumerate((2.0, 1.3, 0.6)):
            sheet.line([(x - half, y + 2 + 0.8 * step), (x + half, y + 2 + 0.8 * step)])
        return
    way = -1 if up else 1
    colour = COLOURS[RAIL_COLOURS[name]]
    sheet.line([(x, y), (x, y + 2 * way)], colour, 0.6)
    sheet.line([(x - 2.4, y + 2 * way), (x + 2.4, y + 2 * way)], colour, 0.8)
    sheet.words((x, y + 2 * way + (-1.0 if up else 3.4)), name, size=2.8, anchor="middle", fill=INK)


def resistor(sheet: Sheet, left: Place, text: str, length: float = 9.0) -> Place:
    """A resistor lying from ``left``; its value stands above. Gives its right end."""
    x, y = left
    sheet.rect((x, y - 1.4), (length, 2.8), fill="#ffffff")
    sheet.words((x + length / 2, y - 2.0), text, size=2.5, anchor="middle")
    return x + length, y


def upright_resistor(sheet: Sheet, foot: Place, text: str, height: float = 8.0) -> Place:
    """A resistor standing on ``foot``. Gives its top."""
    x, y = foot
    sheet.rect((x - 1.4, y - height), (2.8, height), fill="#ffffff")
    sheet.words((x + 2.2, y - height / 2 + 1), text, size=2.6)
    return x, y - height


def lamp(sheet: Sheet, left: Place, colour: str, *, forward: bool = True) -> Place:
    """A light-emitting diode lying from ``left``, its long leg (anode) left, or right if not ``forward``."""
    x, y = left
    tip, back = (x + 4.4, x) if forward else (x, x + 4.4)
    sheet.polygon([(back, y - 2.2), (back, y + 2.2), (tip, y)], fill=LAMP_COLOURS[colour])
    sheet.line([(tip, y - 2.2), (tip, y + 2.2)], width=0.6)
    for dx in (0.8, 2.6):
        sheet.line([(x + dx, y - 2.5), (x + dx + 1.5, y - 4.1)], width=0.25)
        sheet.line([(x + dx + 0.8, y - 4.1), (x + dx + 1.5, y - 4.1), (x + dx + 1.5, y - 3.4)], width=0.25)
    return x + 4.4, y


def capacitor(sheet: Sheet, top: Place, text: str) -> Place:
    """A capacitor hanging from ``top``. Gives its lower end."""
    x, y = top
    sheet.line([(x, y), (x, y + 3)])
    sheet.line([(x - 2.4, y + 3), (x + 2.4, y + 3)], width=0.6)
    sheet.line([(x - 2.4, y + 4.2), (x + 2.4, y + 4.2)], width=0.6)
    sheet.line([(x, y + 4.2), (x, y + 7.2)])
    sheet.words((x + 3.2, y + 4.6), text, size=2.6)
    return x, y + 7.2


def switch(sheet: Sheet, left: Place, colour: str) -> Place:
    """A push button lying from ``left``. Gives its right end."""
    x, y = left
    sheet.circle((x + 1, y), 0.8, fill="#ffffff")
    sheet.circle((x + 11, y), 0.8, fill="#ffffff")
    sheet.line([(x + 1, y - 2.6), (x + 11, y - 2.6)], width=0.6)
    sheet.line([(x + 6, y - 2.6), (x + 6, y - 5)], width=0.6)
    sheet.rect((x + 3, y - 7.4), (6, 2.6), fill=colour, rounded=0.8)
    return x + 12, y


def buzzer(sheet: Sheet, left: Place) -> Place:
    """A buzzer from ``left``, its minus foot; the plus foot is on the right. Gives its right end."""
    x, y = left
    sheet.circle((x + 4, y), 4, fill="#3a3a42")
    sheet.circle((x + 4, y), 0.9, fill="#ffffff")
    sheet.words((x - 1.6, y - 1.2), "\N{MINUS SIGN}", size=3.2)
    sheet.words((x + 8.4, y - 1.2), "+", size=3.2)
    return x + 8, y


def flag(
    sheet: Sheet,
    at: Place,
    lines: Sequence[str],
    colour: str,
    *,
    left: bool,
    width: float,
    data: Mapping[str, str] | None = None,
) -> None:
    """A label of one or two lines at the end of a wire, left or right of ``at``, with the wire's colour at its tip."""
    x, y = at
    way = -1 if left else 1
    half = 2.5 if len(lines) == 1 else 3.6
    corner = (x - width, y - half) if left else (x, y - half)
    sheet.rect(corner, (width, 2 * half), fill=PALE, rounded=1, data=data)
    sheet.rect((x - 2.4 if left else x, y - half), (2.4, 2 * half), fill=colour, rounded=1)
    size = 2.7 if len(lines) == 1 else 2.3
    for row, text in enumerate(lines):
        down = 1 + (row - (len(lines) - 1) / 2) * 3.1
        sheet.words((x + way * 3.4, y + down), text, size=size, anchor="end" if left else "start")


def chip(
    sheet: Sheet, corner: Place, width: float, pitch: float, feet: Mapping[int, str], name: str
) -> dict[int, Place]:
    """A chip seen from above, its notch at the top, foot 1 at the top left. Gives every foot's outer end."""
    x, y = corner
    rows = len(feet) // 2
    sheet.rect(corner, (width, rows * pitch), fill="#3a3a42", rounded=1.2)
    sheet.circle((x + width / 2, y), 2, fill="#ffffff", stroke="#3a3a42")
    sheet.circle((x + 2.6, y + 2.2), 0.7, fill="#ffffff", stroke="none")
    ends: dict[int, Place] = {}
    for foot, text in feet.items():
        left = foot <= rows
        row = foot - 1 if left else len(feet) - foot
        end_y = y + (row + 0.5) * pitch
        edge_x = x if left else x + width
        end_x = edge_x + (-3.5 if left else 3.5)
        sheet.rect((min(edge_x, end_x), end_y - 0.8), (3.5, 1.6), fill="#c9c9d0", width=0.2)
        sheet.words(
            (edge_x + (-0.5 if left else 0.5), end_y - 1.3),
            str(foot),
            size=2.2,
            anchor="end" if left else "start",
            fill=GREY,
        )
        sheet.words(
            (edge_x + (1.2 if left else -1.2), end_y + 1),
            text,
            size=2.8,
            anchor="start" if left else "end",
            fill="#ffffff",
        )
        ends[foot] = end_x, end_y
    sheet.words((x + width / 2, y + rows * pitch + 4.4), name, size=3.2, anchor="middle", bold=True)
    return ends
