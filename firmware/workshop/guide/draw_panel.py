"""The panel's front with the measures of every hole: to drill from, and to see where each lamp goes."""

from __future__ import annotations

from typing import Final

from firmware.panel.pins import WIRES, Kind, Wire
from firmware.workshop.guide.panel_layout import HEIGHT_MM, WIDTH_MM, Hole, holes
from firmware.workshop.guide.svg import GREY, Sheet, number
from firmware.workshop.guide.symbols import LAMP_COLOURS

_X0_MM: Final = 53.5
_Y0_MM: Final = 150.0
_BUTTON_COLOURS: Final = {"white": "#ffffff", "black": "#3a3a42", "undo": "#f2d21b", "menu": "#2b62c9"}


def panel_sheet(wires: tuple[Wire, ...] = WIRES) -> Sheet:
    """One A4 page, true to size when printed at 100 %."""
    sheet = Sheet(
        "The panel's front, true to size",
        f"Print at 100 %: the outline is {WIDTH_MM:g} by {HEIGHT_MM:g} mm. Small numbers: "
        "middle of the hole, x / y in mm from the lower left corner.",
    )
    sheet.rect((_X0_MM, _Y0_MM - HEIGHT_MM), (WIDTH_MM, HEIGHT_MM), fill="#fbfaf6", width=0.5, rounded=4)
    colours = {wire.name: LAMP_COLOURS[wire.colour] for wire in wires if wire.kind is Kind.LAMP}
    for hole in holes(wires):
        _hole(sheet, hole, colours)
    sheet.words((_X0_MM, _Y0_MM + 8), "White's side is left, Black's right, as they sit before the board.", size=3.4)
    sizes: dict[str, set[float]] = {hole.kind: set() for hole in holes(wires)}
    for hole in holes(wires):
        sizes[hole.kind].add(hole.drill_mm)
    y = _Y0_MM + 15
    for kind, widths in sizes.items():
        count = sum(hole.kind == kind for hole in holes(wires))
        text = f"{kind}: {count} holes of {' or '.join(number(width) for width in sorted(widths))} mm"
        sheet.words((_X0_MM, y), text, size=3.2)
        y += 5
    sheet.words((_X0_MM, y + 2), "Check of scale: this line is 100 mm long.", size=3.2, fill=GREY)
    sheet.line([(_X0_MM, y + 5), (_X0_MM + 100, y + 5)], width=0.5)
    for x in (0, 100):
        sheet.line([(_X0_MM + x, y + 3.5), (_X0_MM + x, y + 6.5)], width=0.5)
    return sheet


def _hole(sheet: Sheet, hole: Hole, colours: dict[str, str]) -> None:
    x, y = _X0_MM + hole.x, _Y0_MM - hole.y
    data = {"hole": hole.name} if hole.kind in ("lamp", "button") else {}
    fill = colours.get(hole.name, _BUTTON_COLOURS.get(hole.name, "#ffffff"))
    if hole.kind == "sound":
        fill = "#3a3a42"
    sheet.circle((x, y), hole.drill_mm / 2, fill=fill, data=data)
    cross = hole.drill_mm / 2 + 1
    if hole.kind in ("lamp", "screw"):
        for dx, dy in ((cross, 0.0), (0.0, cross)):
            sheet.line([(x - dx, y - dy), (x + dx, y + dy)], GREY, 0.12)
    if hole.kind == "sound":
        return
    below = hole.needs_mm / 2 + 2.6
    if hole.kind == "screw":
        return
    sheet.words((x, y + below), _short(hole.name), size=2.4, anchor="middle", bold=True)
    sheet.words((x, y + below + 2.6), f"{number(hole.x)} / {number(hole.y)}", size=2.1, anchor="middle", fill=GREY)


def _short(name: str) -> str:
    """A label narrow enough for its place: the number of a score or distance lamp, else its name."""
    last = name.rsplit("_", 1)[-1]
    return last if last.isdigit() else name.replace("_", " ")
