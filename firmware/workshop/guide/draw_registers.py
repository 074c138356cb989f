"""The registers' board: the 74HC595 in a row, with the lamp on each of their outputs."""

from __future__ import annotations

from typing import Final

from firmware.panel.pins import ENABLE_PULL_UP_OHM, WIRES, Kind, Output, Wire
from firmware.workshop.guide.chips import LINE_FOOT, REGISTER_FEET, channels, on_register, output_foot, register_count
from firmware.workshop.guide.header import (
    BETWEEN_COLOUR,
    COLOURS,
    RAIL_COLOURS,
    ohms,
    place_of,
    supply_label,
    wire_colour,
)
from firmware.workshop.guide.svg import GREY, Sheet
from firmware.workshop.guide.symbols import capacitor, chip, flag, lamp, rail, resistor, upright_resistor

_TOP_MM: Final = 40.0
_PITCH_MM: Final = 11.2
_CHIP_MM: Final = 19.0
_CELL_MM: Final = 94.0
_BUS_MM: Final = 5.0  # the ground wire of a register's lamps, from the left edge of its cell


def registers_sheet(wires: tuple[Wire, ...] = WIRES) -> Sheet:
    """One A4 page: a cell for each register, the supply below. Lines shared by all are drawn once, at the first."""
    sheet = Sheet(
        "The registers' board",
        "Chips seen from above, notch at the top. Every lamp: output, resistor, long leg; short leg to ground.",
    )
    for register in range(1, register_count(wires) + 1):
        _register(sheet, register, 8 + (register - 1) * _CELL_MM, wires)
    _regulator(sheet)
    return sheet


def _register(sheet: Sheet, register: int, x0: float, wires: tuple[Wire, ...]) -> None:
    chip_x = x0 + 43
    ends = chip(sheet, (chip_x, _TOP_MM), _CHIP_MM, _PITCH_MM, REGISTER_FEET, f"register {register} · 74HC595")
    for name in (f"Q{letter}" for letter in "ABCDEFGH"):
        output = Output(register, name)
        wire = on_register(register, wires).get(name)
        end = ends[output_foot(output)]
        if wire is None:
            left = end[0] < chip_x
            sheet.words(
                (end[0] + (-1 if left else 1), end[1] + 1),
                "free",
                size=2.6,
                anchor="end" if left else "start",
                fill=GREY,
            )
        elif wire.driven:
            number = next(each.input_foot for each in channels(wires) if each.wire is wire)
            _to_driver(sheet, end, wire, number, output)
        elif end[0] < chip_x:
            _lamp_left(sheet, end, x0 + _BUS_MM, wire, output)
        else:
            _lamp_right(sheet, end, wire, output)
    rows = [ends[foot][1] for foot in range(1, 9)]
    lamps = on_register(register, wires).values()
    first = min(ends[output_foot(wire.output)][1] for wire in lamps if wire.output is not None and not wire.driven)
    sheet.line([(x0 + _BUS_MM, first), (x0 + _BUS_MM, rows[7] + 4)], COLOURS["black"], 0.7)
    sheet.line([ends[8], (x0 + _BUS_MM, rows[7])], COLOURS["black"], 0.7)
    rail(sheet, (x0 + _BUS_MM, rows[7] + 4), "ground")
    _right_side(sheet, register, ends, wires)


def _lamp_left(sheet: Sheet, end: tuple[float, float], bus_x: float, wire: Wire, output: Output) -> None:
    x, y = end
    sheet.line([(x, y), (bus_x + 22, y)])
    resistor(sheet, (bus_x + 13, y), ohms(wire.resistor_ohm or 0))
    sheet.line([(bus_x + 13, y), (bus_x + 9, y)])
    lamp(sheet, (bus_x + 4.6, y), wire.colour, forward=False)
    sheet.line([(bus_x + 4.6, y), (bus_x, y)])
    _lamp_words(sheet, (bus_x + 1.5, y + 4.2), wire, output)


def _lamp_right(sheet: Sheet, end: tuple[float, float], wire: Wire, output: Output) -> None:
    x, y = end
    sheet.line([(x, y), (x + 2, y)])
    right, _ = resistor(sheet, (x + 2, y), ohms(wire.resistor_ohm or 0), 8)
    sheet.line([(right, y), (right + 2, y)])
    right, _ = lamp(sheet, (right + 2, y), wire.colour)
    sheet.line([(right, y), (right + 6, y)])
    rail(sheet, (right + 6, y), "ground")
    _lamp_words(sheet, (x, y + 4.2), wire, output, below=True)


def _lamp_words(sheet: Sheet, at: tuple[float, float], wire: Wire, output: Output, *, below: bool = False) -> None:
    """The lamp's name and colour, side by side or one ``below`` the other."""
    name = wire.name.replace("_", " ")
    sheet.words(at, name, size=2.3, bold=True, data={"output": str(output)})
    there = (at[0], at[1] + 2.6) if below else (at[0] + 1.55 * len(name) + 0.6, at[1])
    sheet.words(there, wire.colour, size=2.1, fill=GREY)


def _to_driver(sheet: Sheet, end: tuple[float, float], wire: Wire, foot: int, output: Output) -> None:
    x, y = end
    sheet.line([(x, y), (x - 4, y)], COLOURS[BETWEEN_COLOUR], 0.9)
    lines = (f"{wire.name}: driver,", f"foot {foot}, {BETWEEN_COLOUR} wire")
    flag(sheet, (x - 4, y), lines, COLOURS[BETWEEN_COLOUR], left=True, width=29, data={"output": str(output)})


def _right_side(sheet: Sheet, register: int, ends: dict[int, tuple[float, float]], wires: tuple[Wire, ...]) -> None:
    first, count = register == 1, register_count(wires)
    lines = {wire.name: wire for wire in wires if wire.kind is Kind.REGISTER}
    labels: dict[int, tuple[tuple[str, ...], str, dict[str, str]]] = {
        16: (("3.3 V, and", "100 nF to foot 8"), RAIL_COLOURS["3.3 V"], {}),
        10: (("3.3 V",), RAIL_COLOURS["3.3 V"], {}),
    }
    for name, foot in LINE_FOOT.items():
        wire = lines[name]
        colour = wire_colour(wire, wires)
        if name == "data" and not first:
            labels[foot] = (("from QH' (9)", f"of register {register - 1}"), "brown", {})
        elif first:
            labels[foot] = (
                (f"{name}: GPIO {wire.gpio}", f"pin {place_of(wire.gpio or 0)}, {colour}"),
                colour,
                {"gpio": str(wire.gpio)},
            )
        else:
            labels[foot] = ((f"{name}: foot {foot}", "of register 1"), colour, {})
    if register < count:
        labels[9] = (("to SER (14)", f"of register {register + 1}"), "brown", {})
    else:
        x, y = ends[9]
        sheet.words((x + 1, y + 1), "free", size=2.6, fill=GREY)
    for foot, (text, colour, data) in labels.items():
        x, y = ends[foot]
        sheet.line([(x, y), (x + 2, y)], COLOURS[colour], 0.9)
        flag(sheet, (x + 2, y), text, COLOURS[colour], left=False, width=26, data=data)


def _regulator(sheet: Sheet) -> None:
    """The board's own 3.3 V, and the pull-up that keeps the lamps dark until the firmware lets them shine."""
    y = 164.0
    sheet.words(
        (10, y - 14), "The board's own 3.3 V, so that the lamps take nothing from the Pi's", size=3.4, bold=True
    )
    flag(sheet, (50, y), (supply_label("registers", "5 V"),), COLOURS["red"], left=True, width=40)
    sheet.line([(50, y), (76, y)], COLOURS["red"], 0.9)
    capacitor(sheet, (62, y), "1 µF")
    rail(sheet, (62, y + 7.2), "ground")
    sheet.rect((76, y - 6), (26, 12), fill="#3a3a42", rounded=1)
    sheet.words((89, y - 1.6), "MCP1700-3302E", size=2.7, anchor="middle", fill="#ffffff")
    for text, at, anchor in (
        ("VIN", (77.2, y + 2.2), "start"),
        ("VOUT", (100.8, y + 2.2), "end"),
        ("GND", (89, y + 4.9), "middle"),
    ):
        sheet.words(at, text, size=2.5, anchor=anchor, fill="#ffffff")
    sheet.line([(89, y + 6), (89, y + 7.2)])
    rail(sheet, (89, y + 7.2), "ground")
    sheet.line([(102, y), (152, y)], COLOURS["orange"], 0.9)
    capacitor(sheet, (116, y), "1 µF")
    rail(sheet, (116, y + 7.2), "ground")
    flag(sheet, (152, y), ("3.3 V: feet 16 and 10 of every register",), COLOURS["orange"], left=False, width=60)
    sheet.words(
        (10, y + 24),
        "Flat side towards you, feet down, from the left: GND, VIN, VOUT. Makers differ: read your part's data sheet.",
        size=2.8,
        fill=GREY,
    )
    x, foot_y = 262.0, y + 10
    upright_resistor(sheet, (x, foot_y), ohms(ENABLE_PULL_UP_OHM))
    rail(sheet, (x, foot_y - 8), "3.3 V")
    sheet.line([(x, foot_y), (x, foot_y + 3)])
    sheet.words((x, foot_y + 7), "enable: foot 13 of every register", size=2.8, anchor="middle")
    sheet.words((x, foot_y + 11), "keeps the lamps dark while the Pi starts", size=2.6, anchor="middle", fill=GREY)
    flag(sheet, (86, y + 32), (supply_label("registers", "ground"),), COLOURS["black"], left=True, width=76)
