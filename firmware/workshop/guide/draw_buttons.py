"""The buttons' board: each pulls its pin to ground; resistor and capacitor swallow what long leads catch."""

from __future__ import annotations

from typing import Final

from firmware.panel.pins import WIRES, Kind, Wire
from firmware.workshop.guide.currents import BUTTON_PULL_UP_OHM
from firmware.workshop.guide.header import COLOURS, gpio_label, ohms, supply_label, wire_colour
from firmware.workshop.guide.svg import GREY, Sheet
from firmware.workshop.guide.symbols import capacitor, flag, rail, switch, upright_resistor

_CAPS: Final = {"white": "#ffffff", "black": "#2a2a30", "undo": "#f2d21b", "menu": "#2b62c9"}


def buttons_sheet(wires: tuple[Wire, ...] = WIRES) -> Sheet:
    """One A4 page: one row for each button."""
    sheet = Sheet(
        "The buttons' board",
        "With leads under 20 cm a button needs only its two wires: the Pi's own pull-up does the rest. "
        "Longer ones want resistor and capacitor.",
    )
    y = 54.0
    for wire in (wire for wire in wires if wire.kind is Kind.BUTTON):
        _button(sheet, wire, y, wires)
        y += 40
    rails = ". ".join(supply_label("buttons", name) for name in ("3.3 V", "ground"))
    sheet.words((10, 202), f"{rails}. Never 5 V here: it destroys the Pi.", size=3.4, bold=True)
    return sheet


def _button(sheet: Sheet, wire: Wire, y: float, wires: tuple[Wire, ...]) -> None:
    colour = wire_colour(wire, wires)
    flag(
        sheet,
        (72, y),
        (f"{gpio_label(wire.gpio or 0)} · {colour} wire",),
        COLOURS[colour],
        left=True,
        width=60,
        data={"gpio": str(wire.gpio)},
    )
    sheet.line([(72, y), (170, y)], COLOURS[colour], 0.9)
    sheet.circle((100, y), 0.9, fill="#1d1d24")
    top = upright_resistor(sheet, (100, y - 4), ohms(BUTTON_PULL_UP_OHM))
    sheet.line([(100, y), (100, y - 4)])
    rail(sheet, top, "3.3 V")
    sheet.circle((130, y), 0.9, fill="#1d1d24")
    rail(sheet, capacitor(sheet, (130, y), "100 nF"), "ground")
    x, _ = switch(sheet, (170, y), _CAPS[wire.name])
    sheet.line([(x, y), (206, y)], COLOURS["black"], 0.9)
    rail(sheet, (206, y), "ground")
    sheet.words((216, y + 1), f"button {wire.name}", size=3.6, bold=True)
    sheet.words((216, y + 6), "short leads: leave both out", size=2.8, fill=GREY)
