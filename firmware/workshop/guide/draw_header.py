"""The 40-pin header with every wire of the panel on it, as one looks down on the Pi."""

from __future__ import annotations

from typing import Final

from firmware.panel.pins import WIRES, Wire
from firmware.workshop.guide.header import (
    COLOURS,
    GPIO_AT,
    PLACES,
    POWER_AT,
    RAIL_COLOURS,
    SUPPLIES,
    board_of,
    on_header,
    wire_colour,
)
from firmware.workshop.guide.svg import GREY, INK, Sheet

_TOP_MM: Final = 36.0
_STEP_MM: Final = 8.1
_LEFT_MM: Final = 141.0
_RIGHT_MM: Final = 156.0


def header_sheet(wires: tuple[Wire, ...] = WIRES) -> Sheet:
    """One A4 page: places 1 to 40, used ones with their wire, free ones in grey."""
    sheet = Sheet(
        "The 40-pin header",
        "Seen from above, USB sockets towards you. Pin 1 has the square solder pad, at the end away from the sockets.",
    )
    sheet.rect((_LEFT_MM - 6, _TOP_MM - 6), (27, 20 * _STEP_MM + 4), fill="#2c2c33", rounded=2)
    used = on_header(wires)
    supplies = {supply.place: supply for supply in SUPPLIES}
    for place in range(1, PLACES + 1):
        left = place % 2 == 1
        x = _LEFT_MM if left else _RIGHT_MM
        y = _TOP_MM + (place - 1) // 2 * _STEP_MM
        if place in used:
            wire = used[place]
            colour = wire_colour(wire, wires)
            text = f"GPIO {wire.gpio} · {wire.title.replace('_', ' ')} · {colour} wire to the {board_of(wire)}"
            _wire(sheet, x, y, left, colour, text, {"gpio": str(wire.gpio)})
        elif place in supplies:
            supply = supplies[place]
            colour = RAIL_COLOURS[supply.rail]
            _wire(sheet, x, y, left, colour, f"{supply.rail} · {supply.feeds} · {colour} wire", {"rail": supply.rail})
        else:
            sheet.circle((x, y), 2.6, fill="#55555e", stroke="#9a9aa5")
            sheet.words(
                (x + (-11 if left else 11), y + 1), _free(place), size=2.9, anchor="end" if left else "start", fill=GREY
            )
        sheet.words((x, y + 0.9), str(place), size=2.6, anchor="middle", fill="#ffffff", bold=True)
    sheet.words(
        (10, 204), "Coloured: what the panel needs. Grey: free, for other things. Wire with the Pi unplugged.", size=3.2
    )
    return sheet


def _wire(sheet: Sheet, x: float, y: float, left: bool, colour: str, text: str, data: dict[str, str]) -> None:
    way = -1 if left else 1
    sheet.line([(x, y), (x + 18 * way, y)], COLOURS[colour], 1.6)
    dark = colour in ("yellow", "white")
    sheet.circle((x, y), 2.7, fill=COLOURS[colour], stroke="#ffffff", data=data)
    if dark:
        sheet.circle((x, y), 2.0, fill=INK, stroke="none")
    sheet.words((x + 20 * way, y + 1), text, size=3.1, anchor="end" if left else "start")


def _free(place: int) -> str:
    if place in GPIO_AT:
        return f"GPIO {GPIO_AT[place]}"
    return POWER_AT.get(place, "ground")
