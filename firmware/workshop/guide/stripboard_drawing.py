"""The strip board drawn: from the parts' side with everything on it, and from the strips' side with the cuts."""

from __future__ import annotations

from typing import Final

from firmware.panel.pins import WIRES, Wire
from firmware.workshop.guide.circuit import CircuitPart, circuit
from firmware.workshop.guide.header import RAIL_COLOURS, SUPPLIES, on_header, wire_colour
from firmware.workshop.guide.sheet import CHIP, COPPER, GREY, INK, PAPER, WIRE_INK, GuideSheet, Point
from firmware.workshop.guide.stripboard import PLACES, STRIPS, BoardHole, Stripboard, stripboard

_PITCH: Final = 4.4
_LEFT: Final = 22.0
_TOP: Final = 31.0
_STRIP_INK: Final = "#efdcc4"
_RESISTOR: Final = "#e9d6a8"
_CAPACITOR: Final = "#bcd3ee"
_CUT: Final = "#d8342b"
_LINK: Final = "#55555f"


def stripboard_drawing(wires: tuple[Wire, ...] = WIRES) -> str:
    """From the side the parts are on; strips run from left to right below it."""
    board = stripboard(wires)
    sheet = GuideSheet(
        "The strip board, parts' side",
        "Grey lines: links of insulated wire. Rings: wires that leave, a number is a pin of the header, D a lamp. "
        "Cuts below parts: other sheet.",
    )
    _strips(sheet, board, mirrored=False)
    for one, other in board.links:
        sheet.line(_at(one), _at(other), ink=_LINK, wide=0.9)
        for hole in (one, other):
            sheet.dot(*_at(hole), 0.8, fill=_LINK, ink="none")
    for part in circuit(wires):
        feet = {foot: hole for (ref, foot), hole in board.feet.items() if ref == part.ref}
        if feet:
            _part(sheet, part, feet)
    _ends(sheet, board, wires)
    return sheet.svg()


def cuts_drawing(wires: tuple[Wire, ...] = WIRES) -> str:
    """From the strips' side, left and right changed over: what is cut before anything is soldered."""
    board = stripboard(wires)
    sheet = GuideSheet(
        f"The strip board, strips' side: {len(board.cuts)} cuts",
        "Seen from below: places count from right to left. Turn a drill of 4 mm in each marked hole until no copper is "
        "left across it.",
    )
    _strips(sheet, board, mirrored=True)
    return sheet.svg()


def _at(hole: BoardHole, *, mirrored: bool = False) -> Point:
    place = PLACES - 1 - hole[1] if mirrored else hole[1]
    return _LEFT + _PITCH * place, _TOP + _PITCH * hole[0]


def _strips(sheet: GuideSheet, board: Stripboard, *, mirrored: bool) -> None:
    wide = _PITCH * (PLACES - 1)
    for strip in range(STRIPS):
        x, y = _at((strip, PLACES - 1 if mirrored else 0), mirrored=mirrored)
        sheet.box(x - 1.6, y - 1.5, wide + 3.2, 3.0, fill=COPPER if mirrored else _STRIP_INK, ink="none")
        sheet.text(_LEFT - 4, y + 0.8, f"{strip + 1}", size=2.2, ink=GREY, anchor="end")
        sheet.text(_LEFT + wide + 4, y + 0.8, f"{strip + 1}", size=2.2, ink=GREY)
        for place in range(PLACES):
            x, _ = _at((strip, place), mirrored=mirrored)
            sheet.dot(x, y, 0.4, ink="none")
    for place in range(PLACES):
        if place == 0 or (place + 1) % 5 == 0:
            x, y = _at((0, place), mirrored=mirrored)
            sheet.text(x, y - 3.4, f"{place + 1}", size=2.2, ink=GREY, anchor="middle")
    for cut in board.cuts:
        x, y = _at(cut, mirrored=mirrored)
        sheet.box(x - 1.5, y - 1.6, 3.0, 3.2, ink="none")
        sheet.line((x - 1.1, y - 1.1), (x + 1.1, y + 1.1), ink=_CUT, wide=0.5)
        sheet.line((x - 1.1, y + 1.1), (x + 1.1, y - 1.1), ink=_CUT, wide=0.5)


def _part(sheet: GuideSheet, part: CircuitPart, feet: dict[str, BoardHole]) -> None:
    points = [_at(hole) for hole in feet.values()]
    (x0, x1), (y0, y1) = ((min(way), max(way)) for way in zip(*points, strict=True))
    if part.kind == "chip":
        sheet.box(x0 + 1.2, y0 - 1.8, x1 - x0 - 2.4, y1 - y0 + 3.6, fill=CHIP, corner=1)
        sheet.dot((x0 + x1) / 2, y0 - 1.8, 1.1, ink=CHIP)
        for x, y in points:
            sheet.dot(x, y, 0.8, fill=GREY, ink="none")
        sheet.text((x0 + x1) / 2, (y0 + y1) / 2, part.ref, size=3, ink=PAPER, anchor="middle", bold=True)
        sheet.text((x0 + x1) / 2, (y0 + y1) / 2 + 3.4, part.value, size=1.9, ink=PAPER, anchor="middle")
        return
    fill = {"resistor": _RESISTOR, "capacitor": _CAPACITOR, "regulator": CHIP}[part.kind]
    sheet.line((x0, y0), (x1, y1), wide=0.5)
    level = y0 == y1
    if level:
        sheet.box(x0 + 2.6, y0 - 1.4, x1 - x0 - 5.2, 2.8, fill=fill)
        sheet.text((x0 + x1) / 2, y0 - 0.05, part.ref, size=1.7, anchor="middle", bold=True)
        sheet.text((x0 + x1) / 2, y0 + 1.25, part.value, size=1.3, anchor="middle")
    else:
        sheet.box(x0 - 1.3, y0 + 0.9, 2.6, y1 - y0 - 1.8, fill=fill)
        sheet.text(x0 + 1.8, (y0 + y1) / 2, part.ref, size=1.7, bold=True)
        if part.kind != "regulator":
            sheet.text(x0 + 1.8, (y0 + y1) / 2 + 1.6, part.value, size=1.4)
    if part.kind == "regulator":
        for foot, hole in feet.items():
            x, y = _at(hole)
            sheet.text(x - 1.8, y + 0.6, foot, size=1.6, anchor="end")
    for x, y in points:
        sheet.dot(x, y, 0.8, fill=INK, ink="none")


def _ends(sheet: GuideSheet, board: Stripboard, wires: tuple[Wire, ...]) -> None:
    colours = {f"{place}": wire_colour(wire, wires) for place, wire in on_header(wires).items()}
    colours |= {f"{each.place}": RAIL_COLOURS[each.rail] for each in SUPPLIES}
    for (ref, foot), hole in board.ends.items():
        x, y = _at(hole)
        if ref == "J1":
            colour, words = colours[foot], foot
        elif ref.startswith("U"):
            colour, words = "grey", f"{ref} {foot}"
        else:
            colour, words = "white", f"{ref}{foot.replace('-', chr(0x2212)) if foot in '+-' else ''}"
        sheet.dot(x, y, 1.2, fill=WIRE_INK[colour])
        sheet.text(x, y - 1.5, words, size=1.6 if len(words) < 4 else 1.3, anchor="middle", bold=True)
