"""The bill of materials: what the pin table wants is counted from it, the rest is listed here. Prices are guesses.

Prices are what such parts cost in European shops in small numbers, in euros, rounded; nobody's offer.
"""

from __future__ import annotations

import csv
import io
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Final

from firmware.panel.pins import ENABLE_PULL_UP_OHM, WIRES, Kind, Wire
from firmware.workshop.guide.chips import channels, register_count
from firmware.workshop.guide.header import SUPPLIES

COLUMNS: Final = ("part", "quantity", "value", "what_for", "price_each_eur", "needed", "alternative")
NEEDED: Final = "yes"


@dataclass(frozen=True, slots=True)
class Item:
    """One line. ``needed``: ``yes``, or the block it belongs to, which may be left out as a whole."""

    part: str
    quantity: int
    value: str
    what_for: str
    price_each_eur: float
    needed: str
    alternative: str = ""


_CORE: Final = (
    Item(
        "Raspberry Pi", 1, "4 with 2 GB or 5", "the machine", 50.0, NEEDED, "a laptop with a USB camera, without panel"
    ),
    Item("power supply", 1, "5.1 V 3 A USB-C; Pi 5: 5 A", "the Pi and the panel", 12.0, NEEDED),
    Item("microSD card", 1, "32 GB, class A1", "system and scorebook", 9.0, NEEDED),
    Item("Camera Module 3", 1, "66 degrees", "sees the table", 28.0, NEEDED, "see camera.md"),
    Item("camera cable", 1, "1 m, 15 to 15 way; Pi 5: 15 to 22 way", "camera to Pi", 7.0, NEEDED),
    Item(
        "matte paper or label sheets",
        10,
        "A4, 120 to 160 g",
        "the print sheets",
        0.3,
        NEEDED,
        "any matte paper, never glossy",
    ),
    Item("card sleeves", 25, "clear, matte, size of your cards", "hold the labels on the cards", 0.1, NEEDED),
    Item(
        "screen",
        1,
        "HDMI or DSI, 800 x 480 or more",
        "shows every verdict",
        60.0,
        "screen",
        "a television; lamps alone",
    ),
    Item("loudspeaker", 1, "USB or jack", "tones and speech", 12.0, "sound", "the screen's own"),
)

_MAST: Final = (
    Item("aluminium tube", 1, "16 mm outside, 1000 mm", "mast: upright", 8.0, "mast", "a broomstick planed to 16 mm"),
    Item("aluminium tube", 1, "16 mm outside, 500 mm", "mast: arm", 5.0, "mast"),
    Item("thumb screw with nut", 1, "M6 x 60", "mast: clamps the table", 1.0, "mast"),
    Item("bolt with nut", 8, "M4 x 16", "mast: clamps the tubes", 0.2, "mast"),
    Item("bolt with wing nut", 1, "M4 x 30", "mast: tilt of the camera", 0.5, "mast"),
    Item("screw with nut", 4, "M2 x 12 (HQ and Global Shutter: M2.5 x 12)", "camera to cradle", 0.1, "mast"),
    Item("filament", 1, "about 180 g PLA or PETG", "printed parts", 4.0, "mast", "a microphone stand and a gooseneck"),
)

_LAMP_EUR: Final = {5: 0.15, 10: 0.4}


def bill(wires: tuple[Wire, ...] = WIRES) -> tuple[Item, ...]:
    """Every line: the machine, the lamps' board, the registers', the buttons', the panel, the mast."""
    return (*_CORE, *_lamps(wires), *_chips(wires), *_buttons(wires), *_panel(wires), *_MAST)


def bill_text(wires: tuple[Wire, ...] = WIRES) -> str:
    """The same as CSV with a header line."""
    out = io.StringIO()
    writer = csv.writer(out, lineterminator="\n")
    writer.writerow(COLUMNS)
    for item in bill(wires):
        price = f"{item.price_each_eur:.2f}"
        writer.writerow((item.part, item.quantity, item.value, item.what_for, price, item.needed, item.alternative))
    return out.getvalue()


def total_eur(needed: str | None = None, wires: tuple[Wire, ...] = WIRES) -> float:
    """What it all costs, or one block of it."""
    return sum(item.quantity * item.price_each_eur for item in bill(wires) if needed in (None, item.needed))


def _lamps(wires: tuple[Wire, ...]) -> Iterator[Item]:
    lamps = [wire for wire in wires if wire.kind is Kind.LAMP]
    by_kind = Counter((wire.lamp_mm or 0, wire.colour) for wire in lamps)
    for (size_mm, colour), count in sorted(by_kind.items()):
        names = ", ".join(wire.label for wire in lamps if (wire.lamp_mm, wire.colour) == (size_mm, colour))
        other = "any colour of 2 V" if colour != "white" else "blue; not on 3.3 V"
        if colour == "yellow-green":
            other = "not true green (3 V), which stays dark on 3.3 V"
        yield Item(f"LED {size_mm} mm", count, colour, names, _LAMP_EUR[size_mm], "lamps", other)
    for ohm, count in sorted(Counter(wire.resistor_ohm for wire in lamps if wire.resistor_ohm is not None).items()):
        yield Item("resistor", count, f"{ohm} ohm, 0.25 W", "one for each lamp", 0.05, "lamps", "the next larger value")


def _chips(wires: tuple[Wire, ...]) -> Iterator[Item]:
    registers = register_count(wires)
    yield Item("74HC595", registers, "DIP-16", "shift registers", 0.6, "lamps", "not 74HCT595, which wants 5 V")
    yield Item("chip socket", registers, "DIP-16", "shift registers", 0.2, "lamps", "solder the chips in")
    yield Item("capacitor", registers, "100 nF ceramic", "one beside each register", 0.1, "lamps")
    yield Item("resistor", 1, f"{ENABLE_PULL_UP_OHM // 1000} kilohm, 0.25 W", "keeps the registers dark", 0.05, "lamps")
    yield Item(
        "MCP1700-3302E", 1, "3.3 V, TO-92", "the registers' own 3.3 V", 0.6, "lamps", "any 3.3 V regulator of 150 mA"
    )
    yield Item("capacitor", 2, "1 uF ceramic", "before and behind the regulator", 0.15, "lamps")
    driven = len(channels(wires))
    yield Item(
        "ULN2803A",
        1 if driven else 0,
        "DIP-18",
        f"drives {driven} parts from 5 V",
        0.9,
        "lamps",
        "a BC547 and 4.7 kilohm for each",
    )
    yield Item("chip socket", 1 if driven else 0, "DIP-18", "driver", 0.2, "lamps", "solder the chip in")
    buzzers = sum(wire.kind is Kind.BUZZER for wire in wires)
    yield Item(
        "active buzzer", buzzers, "5 V, up to 30 mA, 12 mm", "the tones of the panel", 1.2, "buzzer", "leave it out"
    )


def _buttons(wires: tuple[Wire, ...]) -> Iterator[Item]:
    count = sum(wire.kind is Kind.BUTTON for wire in wires)
    names = ", ".join(wire.name for wire in wires if wire.kind is Kind.BUTTON)
    yield Item(
        "push button",
        count,
        "16 mm, closes while pressed",
        names,
        2.0,
        "buttons",
        "arcade buttons: their lamp stays unwired",
    )
    yield Item("resistor", count, "10 kilohm, 0.25 W", "long leads: one a button", 0.05, "buttons", "none up to 20 cm")
    yield Item("capacitor", count, "100 nF ceramic", "long leads: one a button", 0.1, "buttons", "none up to 20 cm")


def _panel(wires: tuple[Wire, ...]) -> Iterator[Item]:
    cables = sum(wire.gpio is not None for wire in wires) + len(SUPPLIES)
    yield Item("jumper wire", cables, "20 to 30 cm, socket on one end", "header to the boards", 0.1, "panel")
    yield Item("strip board", 3, "50 x 100 mm, 2.54 mm", "the three boards", 1.5, "panel", "one large one")
    yield Item("hook-up wire", 1, "0.14 mm2, ten colours of 2 m", "boards to lamps and buttons", 6.0, "panel")
    yield Item("screw with nut", 4, "M3 x 12", "panel front to its box", 0.1, "panel")
    yield Item("filament", 1, "about 120 g PLA", "panel front, fencer rings", 3.0, "panel", "plywood of 3 mm, drilled")
