"""The bill of materials: what the pin table wants is counted from it, the rest is listed here.

Prices are estimates of what such parts cost in European shops in small numbers, in euros, rounded; nobody's offer.
Where a price was found in print, it stands beside the estimate, with whose and of when it is: in dollars, before tax.
Makers' numbers are an example of what fits: the value is what counts. Screws and nuts have their standard's number.
For a line without any it was looked for in vain: it says what any part must have.
"""

from __future__ import annotations

import csv
import io
from collections import Counter
from collections.abc import Iterator
from dataclasses import replace
from types import MappingProxyType
from typing import Final

from firmware.panel.pins import ENABLE_PULL_UP_OHM, FILTERED_LINES, LINE_OHM, LINE_PF, WIRES, PinKind, Wire
from firmware.workshop.guide.chips import channels, register_count
from firmware.workshop.guide.header import SUPPLIES
from firmware.workshop.guide.parts import CORE, MAST, BillLine

COLUMNS: Final = (
    *("part", "maker_number", "quantity", "value", "what_for"),
    *("price_each_eur", "priced", "needed", "alternative"),
)
PRICED: Final = "our estimate of 2026-11, no shop's price"

FILAMENT_G_CM3: Final = 1.24  # PLA
PRINTED_CM3: Final = MappingProxyType(
    {
        "panel": {"front": 57.4, "box": 133.5, "fencer_ring": 2.4},
        "mast": {"clamp": 72.6, "elbow": 30.3, "cradle": 14.8, "plate": 5.9, "pi": 41.4, "clip": 2.1},
    }
)
"""What is printed, solid, in cubic centimetres: tests/bench/bench_parts.py measures it."""

LAID_SHARE: Final = 2 / 3
"""Of a part's solid weight, what is laid with walls, floors and 40 % filling, supports with it."""
LAID_MM3_S: Final = 60 * 0.4 * 0.2
"""A common printer: 60 mm a second, a nozzle of 0.4 mm, layers of 0.2 mm. A fast one lays three times that."""

PRINTED_TIMES: Final = MappingProxyType({"fencer_ring": 2, "clip": 4})


_LAMP_EUR: Final = {5: 0.15, 10: 0.4}
_LIGHT: Final = MappingProxyType(
    {
        "red": "615 to 640 nm, 1.8 to 2.3 V",
        "amber": "600 to 610 nm, 1.9 to 2.4 V",
        "yellow": "585 to 595 nm, 1.9 to 2.4 V",
        "yellow-green": "565 to 575 nm, 1.9 to 2.4 V",
        "white": "2.8 to 3.4 V",
    }
)
"""What a lamp of each colour has in its data sheet."""
_NUMBERED_LAMPS: Final = MappingProxyType(
    {
        # Cree's data sheet CLD-CT208: 60 degrees, 2130 to 4000 mcd at 20 mA.
        (5, "white"): ("LC513FWH1-60Q-A0", "the one named is clear, and wide enough"),
        # Adafruit's page: 660 nm, 1.85 to 2.5 V, 250 mcd at 20 mA, diffused, in packs of 25.
        (5, "red"): ("299 (of Adafruit)", "the one named has 660 nm and 250 mcd and wants 680 ohm"),
    }
)
"""Makers' numbers by width in millimetres and colour, with what is to be known of each."""

_MAKERS_NUMBERS: Final = MappingProxyType(
    {
        ("active buzzer", "5 V, up to 30 mA, 12 mm"): "TMB12A05",
        ("capacitor", "100 nF ceramic"): "K104K15X7RF5TL2",
        ("capacitor", "1 uF ceramic"): "K105K20X7RF5TH5",
        ("capacitor", "330 pF ceramic"): "K331K15X7RF5TH5",
        ("chip socket", "DIP-16"): "1-2199298-4",
        ("chip socket", "DIP-18"): "1-2199298-5",
        ("pin header", "40 pins in a row, 2.54 mm"): "PREC040SAAN-RC",
        ("push button", "16 mm, closes while pressed"): "1505 (of Adafruit, black)",
    }
)
"""Of parts that stand in several lines, or where the line above has no room."""


def _numbered(item: BillLine) -> BillLine:
    """The line with a maker's number, where one is known."""
    if item.maker_number:
        return item
    if item.part == "resistor":  # a series of its own, in which the number says the value
        ohm, unit = item.value.split(",")[0].split()
        code = f"{ohm}R" if unit == "ohm" else f"{ohm.partition('.')[0]}K{ohm.partition('.')[2]}"
        return replace(item, maker_number=f"CFR-25JB-52-{code}")
    return replace(item, maker_number=_MAKERS_NUMBERS.get((item.part, item.value), ""))


def bill(wires: tuple[Wire, ...] = WIRES) -> tuple[BillLine, ...]:
    """Every line: the machine, the lamps' board, the registers', the buttons', the panel, the mast."""
    items = (*CORE, *_lamps(wires), *_chips(wires), *_buttons(wires), *_panel(wires), *MAST, *_filament())
    return tuple(_numbered(item) for item in items)


def bill_text(wires: tuple[Wire, ...] = WIRES) -> str:
    """The same as CSV with a header line."""
    out = io.StringIO()
    writer = csv.writer(out, lineterminator="\n")
    writer.writerow(COLUMNS)
    for item in bill(wires):
        price = f"{item.price_each_eur:.2f}"
        row = (item.part, item.maker_number, item.quantity, item.value, item.what_for)
        priced = f"{PRICED}; {item.listed}" if item.listed else PRICED
        writer.writerow((*row, price, priced, item.needed, item.alternative))
    return out.getvalue()


def _lamps(wires: tuple[Wire, ...]) -> Iterator[BillLine]:
    lamps = [wire for wire in wires if wire.kind is PinKind.LAMP]
    by_kind = Counter((wire.lamp_mm or 0, wire.colour, wire.rated_mcd or 0) for wire in lamps)
    for (size_mm, colour, mcd), count in sorted(by_kind.items()):
        kind = [wire for wire in lamps if (wire.lamp_mm, wire.colour, wire.rated_mcd) == (size_mm, colour, mcd)]
        names = ", ".join(wire.label for wire in kind)
        other = f"any of {_LIGHT[colour]}; another brightness with a resistor in proportion, see wiring.md"
        number, known = _NUMBERED_LAMPS.get((size_mm, colour), ("", ""))
        if number:
            other = f"{known}; {other}"
        if colour == "yellow-green" and not kind[0].driven:
            other = f"{other}; not true green (3 V), which stays dark on 3.3 V"
        value = f"{colour}, diffused, 60 degrees or more, about {mcd} mcd at 20 mA"
        yield BillLine(f"LED {size_mm} mm", count, value, names, _LAMP_EUR[size_mm], "lamps", other, number)
    for ohm, count in sorted(Counter(wire.resistor_ohm for wire in lamps if wire.resistor_ohm is not None).items()):
        yield BillLine("resistor", count, _resistor(ohm), "one for each lamp", 0.05, "lamps", "the next larger value")


def _resistor(ohm: int) -> str:
    return f"{ohm / 1000:g} kilohm, 0.25 W" if ohm >= 1000 else f"{ohm} ohm, 0.25 W"


def _chips(wires: tuple[Wire, ...]) -> Iterator[BillLine]:
    registers, lines, larger = register_count(wires), len(FILTERED_LINES), "the next larger value"
    yield BillLine(
        "74HC595", registers, "DIP-16", "shift registers", 0.6, "lamps", "not 74HCT595, which wants 5 V", "SN74HC595N"
    )
    yield BillLine("chip socket", registers, "DIP-16", "shift registers", 0.2, "lamps", "solder the chips in")
    yield BillLine("capacitor", registers, "100 nF ceramic", "one beside each register", 0.1, "lamps", "any of X7R")
    yield BillLine(
        "resistor",
        lines,
        _resistor(LINE_OHM),
        "data, clock, latch: for the long lead",
        0.05,
        "lamps",
        "any of this value, 5 % or better",
    )
    yield BillLine(
        "capacitor",
        lines,
        f"{LINE_PF} pF ceramic",
        "data, clock, latch: for the long lead",
        0.1,
        "lamps",
        "any of C0G or X7R",
    )
    yield BillLine("resistor", 1, _resistor(ENABLE_PULL_UP_OHM), "keeps the registers dark", 0.05, "lamps", larger)
    yield BillLine(
        "voltage regulator",
        1,
        "3.3 V, 150 mA or more, TO-92",
        "the registers' own 3.3 V",
        0.6,
        "lamps",
        "any other; its legs may be in another order",
        "MCP1700-3302E/TO",
    )
    yield BillLine(
        "capacitor", 2, "1 uF ceramic", "before and behind the regulator", 0.15, "lamps", "any of X7R; 2.2 uF"
    )
    driven = len(channels(wires))
    yield BillLine(
        "ULN2803A",
        1 if driven else 0,
        "DIP-18",
        f"drives {driven} parts from 5 V",
        0.9,
        "lamps",
        "a BC547 and 4.7 kilohm for each part, and a 1N4148 across the buzzer",
        "ULN2803A",
    )
    yield BillLine("chip socket", 1 if driven else 0, "DIP-18", "driver", 0.2, "lamps", "solder the chip in")
    buzzers = sum(wire.kind is PinKind.BUZZER for wire in wires)
    yield BillLine(
        "active buzzer", buzzers, "5 V, up to 30 mA, 12 mm", "the tones of the panel", 1.2, "buzzer", "leave it out"
    )


def _buttons(wires: tuple[Wire, ...]) -> Iterator[BillLine]:
    count = sum(wire.kind is PinKind.BUTTON for wire in wires)
    names = ", ".join(wire.name for wire in wires if wire.kind is PinKind.BUTTON)
    yield BillLine(
        "push button",
        count,
        "16 mm, closes while pressed",
        names,
        2.0,
        "buttons",
        "arcade buttons: their lamp stays unwired",
    )
    yield BillLine(
        "resistor", count, "10 kilohm, 0.25 W", "long leads: one a button", 0.05, "buttons", "none up to 20 cm"
    )
    yield BillLine("capacitor", count, "100 nF ceramic", "long leads: one a button", 0.1, "buttons", "none up to 20 cm")


def _panel(wires: tuple[Wire, ...]) -> Iterator[BillLine]:
    cables = sum(wire.gpio is not None for wire in wires) + len(SUPPLIES)
    yield BillLine(
        "jumper wire",
        cables,
        "20 to 30 cm, socket on one end",
        "sockets for the Pi's header",
        0.1,
        "panel",
        "any; longer ones see layout.md",
        "793 (of Adafruit, 40 with sockets on both ends)",
    )
    yield BillLine(
        "pin header",
        2,
        "40 pins in a row, 2.54 mm",
        "leads to lamps and buttons that come off",
        0.5,
        "panel",
        "any of that pitch; none, with the leads soldered to the board",
    )
    yield BillLine(
        "strip board",
        1,
        "100 x 160 mm, 2.54 mm",
        "the three boards",
        5.0,
        "panel",
        "any with strips; the circuit board, see wiring.md",
    )
    yield BillLine(
        "hook-up wire",
        1,
        "0.14 mm2, ten colours of 10 m",
        "the panel's lead, see layout.md; boards to lamps and buttons",
        12.0,
        "panel",
        "any of that cross-section; a 40-way ribbon cable with a socket for the header",
    )
    yield BillLine(
        "heat-shrink tube",
        1,
        "2 mm, 1 m",
        "over every joint in the lead and at the lamps",
        1.5,
        "panel",
        "any",
        "344 (of Adafruit, several widths)",
    )
    yield BillLine(
        "solder",
        1,
        "0.5 to 1 mm with flux, 20 g",
        "the boards",
        4.0,
        "panel",
        "any for electronics, never for pipes",
        "1886 (of Adafruit, 0.5 mm, with lead)",
        "50 g $9.25 (adafruit.com, 2026-10-09)",
    )
    yield BillLine(
        "screw",
        8,
        "M3 x 12, for plastic",
        "panel front to its box, boards to theirs",
        0.1,
        "panel",
        "any that cuts its own thread",
        "ISO 7045 M3 x 12",
    )


def printed_g(block: str) -> float:
    """What the printed parts of a block weigh, solid; with 40 % filling it is less, with supports about as much."""
    parts = PRINTED_CM3[block].items()
    return FILAMENT_G_CM3 * sum(cm3 * PRINTED_TIMES.get(part, 1) for part, cm3 in parts)


def printing_h() -> float:
    """How long a common printer works on all parts."""
    cm3 = sum(printed_g(block) for block in PRINTED_CM3) / FILAMENT_G_CM3
    return cm3 * 1000 * LAID_SHARE / LAID_MM3_S / 3600


def _filament() -> Iterator[BillLine]:
    for block, other in (
        ("panel", "any; plywood of 3 mm, drilled"),
        ("mast", "any; a microphone stand and a gooseneck"),
    ):
        grams = 10 * round(printed_g(block) / 10)
        parts = ", ".join(
            f"{PRINTED_TIMES[part]} of {part}" if part in PRINTED_TIMES else part for part in PRINTED_CM3[block]
        )
        yield BillLine("filament", 1, f"about {grams} g PLA or PETG", f"printed: {parts}", grams / 50, block, other)
