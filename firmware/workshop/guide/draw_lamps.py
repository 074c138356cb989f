"""The lamps' board: the lamps on pins of their own, and the ULN2803A for what needs 5 V."""

from __future__ import annotations

from typing import Final

from firmware.panel.pins import WIRES, Kind, Wire
from firmware.workshop.guide.chips import DRIVER_FEET, channels, direct_lamps, output_foot
from firmware.workshop.guide.header import BETWEEN_COLOUR, COLOURS, gpio_label, ohms, supply_label, wire_colour
from firmware.workshop.guide.svg import GREY, Sheet
from firmware.workshop.guide.symbols import LAMP_COLOURS, buzzer, chip, flag, lamp, rail, resistor

_PITCH_MM: Final = 11.0
_FLAG_MM: Final = 72.0


def lamps_sheet(wires: tuple[Wire, ...] = WIRES) -> Sheet:
    """One A4 page: direct lamps on top, the driver with its channels below."""
    sheet = Sheet(
        "The lamps' board",
        "Chip seen from above, notch at the top. A lamp's short leg is at its bar, the long one at the other end.",
    )
    y = 32.0
    for wire in direct_lamps(wires):
        _direct(sheet, wire, y, wires)
        y += 13
    _driver(sheet, y + 8, wires)
    return sheet


def _direct(sheet: Sheet, wire: Wire, y: float, wires: tuple[Wire, ...]) -> None:
    colour = wire_colour(wire, wires)
    flag(
        sheet,
        (84, y),
        (f"{gpio_label(wire.gpio or 0)} · {colour} wire",),
        COLOURS[colour],
        left=True,
        width=_FLAG_MM,
        data={"gpio": str(wire.gpio)},
    )
    sheet.line([(84, y), (150, y)], COLOURS[colour], 0.9)
    x, _ = resistor(sheet, (150, y), ohms(wire.resistor_ohm or 0))
    sheet.line([(x, y), (x + 12, y)])
    x, _ = lamp(sheet, (x + 12, y), wire.colour)
    sheet.line([(x, y), (x + 10, y)])
    rail(sheet, (x + 10, y), "ground")
    sheet.words((x + 16, y + 1), f"{_name(wire)} · {wire.colour} · {wire.current_ma:g} mA", size=3.2, bold=True)


def _driver(sheet: Sheet, top: float, wires: tuple[Wire, ...]) -> None:
    ends = chip(sheet, (104, top), 30, _PITCH_MM, DRIVER_FEET, "ULN2803A")
    for channel in channels(wires):
        wire = channel.wire
        x, y = ends[channel.input_foot]
        if wire.gpio is not None:
            colour = wire_colour(wire, wires)
            text, data = f"{gpio_label(wire.gpio)} · {colour} wire", {"gpio": str(wire.gpio)}
        else:
            assert wire.output is not None
            colour = BETWEEN_COLOUR
            text = (
                f"register {wire.output.register}, {wire.output.name} (foot {output_foot(wire.output)}) · {colour} wire"
            )
            data = {"from": str(wire.output)}
        flag(sheet, (84, y), (text,), COLOURS[colour], left=True, width=_FLAG_MM, data=data)
        sheet.line([(84, y), (x, y)], COLOURS[colour], 0.9)
        _load(sheet, wire, ends[channel.output_foot])
    first, last = ends[18], ends[10]
    sheet.line([(212, first[1] - 8), (212, last[1]), last], COLOURS["red"], 0.9)
    rail(sheet, (212, first[1] - 8), "5 V")
    sheet.words((141, last[1] + 4), "COM to 5 V: takes up what a buzzer kicks back", size=2.8, fill=GREY)
    x, y = ends[9]
    sheet.line([(x, y), (92, y)], COLOURS["black"], 0.9)
    rail(sheet, (92, y), "ground")
    flag(sheet, (84, last[1] + 16), (supply_label("lamps", "5 V"),), COLOURS["red"], left=True, width=_FLAG_MM)
    flag(
        sheet,
        (84, last[1] + 24),
        (supply_label("lamps", "ground"),),
        COLOURS["black"],
        left=True,
        width=_FLAG_MM,
    )
    used = len(channels(wires))
    if used < 8:
        x, y = ends[used + 1]
        sheet.words(
            (84, y + 1),
            f"in {used + 1} to in 8 and out {used + 1} to out 8 stay free",
            size=2.8,
            anchor="end",
            fill=GREY,
        )


def _load(sheet: Sheet, wire: Wire, start: tuple[float, float]) -> None:
    """A driven part between the chip's output and the 5 V rail at x = 212."""
    x, y = start
    if wire.kind is Kind.BUZZER:
        sheet.line([(x, y), (178, y)])
        x, _ = buzzer(sheet, (178, y))
    else:
        sheet.line([(x, y), (150, y)])
        x, _ = resistor(sheet, (150, y), ohms(wire.resistor_ohm or 0))
        sheet.line([(x, y), (180, y)])
        x, _ = lamp(sheet, (180, y), wire.colour, forward=False)
    sheet.line([(x, y), (212, y)], COLOURS["red"], 0.9)
    shade = f" · {wire.colour}" if wire.colour in LAMP_COLOURS else ""
    sheet.words((217, y + 1), f"{_name(wire)}{shade} · {wire.current_ma:g} mA", size=3.2, bold=True)


def _name(wire: Wire) -> str:
    return wire.name.replace("_", " ")
