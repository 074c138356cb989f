"""The drawing of the lamps' board: the driver, and everything that it switches from 5 V."""

from __future__ import annotations

from typing import Final

from firmware.panel.pins import WIRES, PinKind, Wire
from firmware.workshop.guide.chips import DRIVER_INPUTS, Channel, channels, direct_lamps, output_foot
from firmware.workshop.guide.header import RAIL_COLOURS, SUPPLIES, gpio_label, wire_colour
from firmware.workshop.guide.sheet import CHIP, GREY, LAMP_INK, METAL, PALE, PAPER, WIRE_INK, GuideSheet

_CHIP_X: Final = (104.0, 134.0)
_TOP: Final = 38.0  # of the chip, without lamps that hang straight on a pin
_STRAIGHT_MM: Final = 13.0
_PITCH: Final = 11.0
_RAIL_X: Final = 212.0
_TAG_MM: Final = 72.0
BETWEEN: Final = "grey"
"""The colour of the wires from the registers' board."""


def lamps_drawing(wires: tuple[Wire, ...] = WIRES) -> str:
    """The SVG."""
    sheet = GuideSheet(
        "The lamps' board",
        "Chip seen from above, notch at the top. A lamp's short leg is at its bar, the long one at the other end.",
    )
    straight, driven = direct_lamps(wires), channels(wires)
    for row, wire in enumerate(straight):
        _straight(sheet, wire, 32.0 + _STRAIGHT_MM * row, wires)
    top = _TOP + _STRAIGHT_MM * len(straight)
    _chip(sheet, top)
    for each in driven:
        _driven(sheet, each, _row_y(top, each.number), wires)
    _rails(sheet, top, len(driven))
    for y, rail in ((top + 110, "5 V"), (top + 118, "ground")):
        place = next(each.place for each in SUPPLIES if each.board == "lamps" and each.rail == rail)
        _tag(sheet, y, f"{rail}: pin {place} · {RAIL_COLOURS[rail]} wire", RAIL_COLOURS[rail], ())
    return sheet.svg()


def _row_y(top: float, foot: int) -> float:
    return top + 5.5 + _PITCH * (foot - 1)


def _tag(sheet: GuideSheet, y: float, words: str, colour: str, marks: tuple[tuple[str, str], ...]) -> None:
    """Where a wire comes from, with its end in its colour."""
    sheet.box(12, y - 2.5, _TAG_MM, 5, fill=PALE, corner=1, marks=marks)
    sheet.box(12 + _TAG_MM - 2.4, y - 2.5, 2.4, 5, fill=WIRE_INK[colour], corner=1)
    sheet.text(12 + _TAG_MM - 3.4, y + 1, words, size=2.7, anchor="end")


def _wire(sheet: GuideSheet, y: float, to_x: float, colour: str) -> None:
    if colour == "white":
        sheet.line((12 + _TAG_MM, y), (to_x, y), wide=1.2)
    sheet.line((12 + _TAG_MM, y), (to_x, y), ink=WIRE_INK[colour], wide=0.9)


def _resistor(sheet: GuideSheet, y: float, ohm: int) -> None:
    sheet.box(150, y - 1.4, 9, 2.8)
    sheet.text(154.5, y - 2, ohms(ohm), size=2.5, anchor="middle")


def ohms(ohm: int) -> str:
    """A resistance as it is written on drawings: ``330 Ω``, ``4.7 kΩ``."""
    return f"{ohm / 1000:g} kΩ" if ohm >= 1000 else f"{ohm} Ω"


def _lamp(sheet: GuideSheet, x: float, y: float, colour: str, way: int) -> None:
    """A lamp whose short leg is at x; ``way`` 1: its long leg is to the right."""
    sheet.area((x + way * 4.4, y - 2.2), (x + way * 4.4, y + 2.2), (x, y), fill=LAMP_INK[colour])
    sheet.line((x, y - 2.2), (x, y + 2.2), wide=0.6)
    left = min(x, x + way * 4.4)
    for start in (left + 0.8, left + 2.6):
        sheet.line((start, y - 2.5), (start + 1.5, y - 4.1), wide=0.25)
        sheet.line((start + 0.8, y - 4.1), (start + 1.5, y - 4.1), (start + 1.5, y - 3.4), wide=0.25)


def _straight(sheet: GuideSheet, wire: Wire, y: float, wires: tuple[Wire, ...]) -> None:
    colour = wire_colour(wire, wires)
    marks = (("data-gpio", f"{wire.gpio}"),)
    _tag(sheet, y, f"{gpio_label(wire.gpio or 0)} · {colour} wire", colour, marks)
    _wire(sheet, y, 150, colour)
    _resistor(sheet, y, wire.resistor_ohm or 0)
    sheet.line((159, y), (170.6, y))
    _lamp(sheet, 175, y, wire.colour, -1)
    sheet.line((175, y), (186, y))
    sheet.ground(186, y)
    sheet.text(191.4, y + 1, _said(wire), size=3.2, bold=True)


def _said(wire: Wire) -> str:
    colour = f" · {wire.colour}" if wire.colour else ""
    return f"{wire.label}{colour} · {wire.current_ma:g} mA"


def _chip(sheet: GuideSheet, top: float) -> None:
    left, right = _CHIP_X
    sheet.box(left, top, right - left, _PITCH * (DRIVER_INPUTS + 1), fill=CHIP, corner=1.2)
    sheet.dot((left + right) / 2, top, 2, ink=CHIP)
    sheet.dot(left + 2.6, top + 2.2, 0.7, ink="none")
    for foot in range(1, DRIVER_INPUTS + 2):
        y, last = _row_y(top, foot), foot > DRIVER_INPUTS
        sheet.box(left - 3.5, y - 0.8, 3.5, 1.6, fill=METAL, wide=0.2)
        sheet.text(left - 0.5, y - 1.3, f"{foot}", size=2.2, ink=GREY, anchor="end")
        sheet.text(left + 1.2, y + 1, "GND" if last else f"in {foot}", ink=PAPER)
        sheet.box(right, y - 0.8, 3.5, 1.6, fill=METAL, wide=0.2)
        sheet.text(right + 0.5, y - 1.3, f"{19 - foot}", size=2.2, ink=GREY)
        sheet.text(right - 1.2, y + 1, "COM" if last else f"out {foot}", ink=PAPER, anchor="end")
    sheet.text(
        (left + right) / 2, top + _PITCH * (DRIVER_INPUTS + 1) + 4.4, "ULN2803A", size=3.2, anchor="middle", bold=True
    )


def _driven(sheet: GuideSheet, each: Channel, y: float, wires: tuple[Wire, ...]) -> None:
    wire = each.wire
    if wire.gpio is not None:
        colour, said = wire_colour(wire, wires), gpio_label(wire.gpio)
        marks = (("data-gpio", f"{wire.gpio}"),)
    else:
        assert wire.output is not None
        foot = output_foot(wire.output)
        colour, said = BETWEEN, f"register {wire.output.register}, {wire.output.name} (chip pin {foot})"
        marks = (("data-from", f"{wire.output}"),)
    _tag(sheet, y, f"{said} · {colour} wire", colour, marks)
    _wire(sheet, y, _CHIP_X[0] - 3.5, colour)
    if wire.kind is PinKind.BUZZER:
        sheet.line((_CHIP_X[1] + 3.5, y), (178, y))
        sheet.dot(182, y, 4, fill=CHIP)
        sheet.dot(182, y, 0.9)
        sheet.text(176.4, y - 1.2, "\N{MINUS SIGN}", size=3.2)
        sheet.text(186.4, y - 1.2, "+", size=3.2)
        sheet.line((186, y), (_RAIL_X, y), ink=WIRE_INK["red"], wide=0.9)
    else:
        sheet.line((_CHIP_X[1] + 3.5, y), (150, y))
        _resistor(sheet, y, wire.resistor_ohm or 0)
        sheet.line((159, y), (180, y))
        _lamp(sheet, 180, y, wire.colour, 1)
        sheet.line((184.4, y), (_RAIL_X, y), ink=WIRE_INK["red"], wide=0.9)
    sheet.text(_RAIL_X + 5, y + 1, _said(wire), size=3.2, bold=True)


def _rails(sheet: GuideSheet, top: float, used: int) -> None:
    red, y = WIRE_INK["red"], _row_y(top, DRIVER_INPUTS + 1)
    sheet.line((_RAIL_X, top - 2.5), (_RAIL_X, y), (_CHIP_X[1] + 3.5, y), ink=red, wide=0.9)
    sheet.line((_RAIL_X - 2.4, top - 4.5), (_RAIL_X + 2.4, top - 4.5), ink=red, wide=0.8)
    sheet.line((_RAIL_X, top - 2.5), (_RAIL_X, top - 4.5), ink=red, wide=0.6)
    sheet.text(_RAIL_X, top - 5.5, "5 V", anchor="middle")
    sheet.text(141, y + 4, "COM to 5 V: takes up what a buzzer kicks back", ink=GREY)
    sheet.line((_CHIP_X[0] - 3.5, y), (92, y), ink=WIRE_INK["black"], wide=0.9)
    sheet.ground(92, y)
    free = range(used + 1, DRIVER_INPUTS + 1)
    if free:
        feet = " and ".join(dict.fromkeys((f"in {free[0]}", f"in {free[-1]}")))
        sheet.text(84, _row_y(top, free[0]) + 1, f"{feet}, and what is opposite, stay free", ink=GREY, anchor="end")
