"""What every part stands on, and where: pads in millimetres from the board's top left corner, y downwards.

Everything lies on a grid of 0.635 mm, a quarter of the usual tenth of an inch: the router walks on it.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Final

from firmware.workshop.guide.chips import REGISTER_FEET
from firmware.workshop.guide.circuit import CircuitPart

SIDE_MM: Final = 100.0
GRID_MM: Final = 0.635
HOLES_MM: Final = ((4.0, 4.0), (96.0, 4.0), (4.0, 96.0), (96.0, 96.0))
"""The screws' holes: the stands of the panel's box."""
HOLE_MM: Final = 3.2

_INCH_10: Final = 2.54
_COLUMN_MM: Final = 3.175
_FIRST_COLUMN_MM: Final = 6.35


@dataclass(frozen=True, slots=True)
class Pad:
    """A pad of a footprint, from its first one."""

    number: str
    x: float
    y: float


@dataclass(frozen=True, slots=True)
class Footprint:
    """Pads with their drills and rings; ``label`` is where its name is printed, ``label_turn`` how it lies.

    ``body`` are its left, top, right and bottom edges; ``printed``: they are on the board's print too.
    """

    name: str
    pads: tuple[Pad, ...]
    drill_mm: float
    ring_mm: float
    body: tuple[float, float, float, float]
    label: tuple[float, float]
    label_turn: int = 0
    printed: bool = True


@dataclass(frozen=True, slots=True)
class PlacedPart:
    """A part with its footprint, its first pad at x, y."""

    part: CircuitPart
    footprint: Footprint
    x: float
    y: float

    def pads(self) -> Iterable[tuple[Pad, float, float]]:
        """Every pad with its place on the board."""
        for pad in self.footprint.pads:
            yield pad, self.x + pad.x, self.y + pad.y


def _dip(feet: int) -> Footprint:
    half = feet // 2
    pads = [Pad(f"{number}", 0.0, _INCH_10 * (number - 1)) for number in range(1, half + 1)]
    pads += [Pad(f"{number}", 7.62, _INCH_10 * (feet - number)) for number in range(half + 1, feet + 1)]
    bottom = _INCH_10 * (half - 1)
    return Footprint(f"DIP-{feet}", tuple(pads), 0.8, 1.6, (1.27, -1.0, 6.35, bottom + 1.0), (3.81, bottom / 2), 90)


_UPRIGHT: Final = (Pad("1", 0.0, 0.0), Pad("2", 0.0, 10.16))
FOOTPRINTS: Final = {
    "DIP-16": _dip(16),
    "DIP-18": _dip(18),
    "Resistor": Footprint("Resistor", _UPRIGHT, 0.8, 1.6, (-1.2, 1.9, 1.2, 8.26), (0.0, 5.08), 90),
    "Resistor_level": Footprint(
        "Resistor_level", (Pad("1", 0.0, 0.0), Pad("2", 10.16, 0.0)), 0.8, 1.6, (1.9, -1.0, 8.26, 1.0), (5.08, 0.0)
    ),
    "Capacitor": Footprint(
        "Capacitor", (Pad("1", 0.0, 0.0), Pad("2", 0.0, 5.08)), 0.8, 1.6, (-1.1, 1.2, 1.1, 3.88), (0.0, 2.54), 90
    ),
    "TO-92": Footprint(
        "TO-92",
        tuple(Pad(f"{number}", _INCH_10 * (number - 1), 0.0) for number in (1, 2, 3)),
        *(0.8, 1.6),
        (-1.0, -3.4, 6.08, -1.2),
        (2.54, -2.3),
    ),
    "Wires": Footprint(
        "Wires",
        (Pad("1", 0.0, 0.0), Pad("2", 0.0, _INCH_10)),
        1.0,
        1.6,
        (-1.2, 3.6, 1.2, 6.2),
        (0.0, 4.9),
        90,
        printed=False,
    ),
    "Header_2x20": Footprint(
        "Header_2x20",
        tuple(
            Pad(f"{number}", _INCH_10 * ((number - 1) // 2), _INCH_10 * ((number - 1) % 2)) for number in range(1, 41)
        ),
        *(1.0, 1.6),
        (-3.6, -1.0, -1.4, 3.5),
        (-2.5, 1.27),
        90,
        printed=False,
    ),
}
"""Every footprint, by its name in the library ``engarde``."""

_REGULATOR_FEET: Final = {"GND": "1", "VIN": "2", "VOUT": "3"}


def pad_of(foot: str) -> str:
    """The pad of a foot of the circuit: plus is 1, minus 2."""
    return {"+": "1", "-": "2", **_REGULATOR_FEET}.get(foot, foot)


def placed(parts: tuple[CircuitPart, ...]) -> tuple[PlacedPart, ...]:
    """Every part on the board. Raises ValueError for a circuit that the board has no room for."""
    columns = _wired(parts)
    if len(columns) > 28:
        raise ValueError(f"the board has room for 28 pairs of wires, the circuit wants {len(columns)}; place them anew")
    at = {part.ref: _FIRST_COLUMN_MM + _COLUMN_MM * number for number, part in enumerate(columns)}
    found = [PlacedPart(part, FOOTPRINTS["Wires"], at[part.ref], 90.17) for part in columns]
    nets = {net: part for part in columns for net in part.feet.values()}
    lines = 0
    upper = iter(((20.32, 11.43), (22.86, 11.43), (25.4, 11.43)))
    supply = iter(((82.55, 11.43), (95.25, 11.43)))
    registers = iter((26.67, 46.99, 67.31))
    for part in parts:
        own = next((nets[net] for net in part.feet.values() if net in nets and net[0] not in "+G"), None)
        if part.kind == "header":
            found.append(PlacedPart(part, FOOTPRINTS["Header_2x20"], 25.4, 5.08))
        elif part.kind == "regulator":
            found.append(PlacedPart(part, FOOTPRINTS["TO-92"], 86.36, 13.97))
        elif part.kind == "chip":
            x = {"U1": 15.24, "U2": 35.56, "U3": 55.88, "U4": 78.74}[part.ref]
            feet = len(REGISTER_FEET) if part.value == "74HC595" else 18
            found.append(PlacedPart(part, FOOTPRINTS[f"DIP-{feet}"], x, 20.32))
        elif part.kind == "resistor" and own is not None:
            found.append(PlacedPart(part, FOOTPRINTS["Resistor"], at[own.ref], 58.42))
        elif part.kind == "resistor":
            found.append(PlacedPart(part, FOOTPRINTS["Resistor_level"], 7.62, 10.16 + _INCH_10 * lines))
            lines += 1
        elif part.kind == "capacitor" and own is not None:
            found.append(PlacedPart(part, FOOTPRINTS["Capacitor"], at[own.ref], 74.93))
        elif part.kind == "capacitor":
            row = supply if part.value == "1 µF" else upper if part.value.endswith("pF") else None
            x, y = next(row) if row is not None else (next(registers), 20.32)
            found.append(PlacedPart(part, FOOTPRINTS["Capacitor"], x, y))
    return tuple(found)


def joints(parts: tuple[PlacedPart, ...]) -> int:
    """How often the board is soldered: every pad, and the far end of every wire to a lamp, a button or the buzzer.

    The ribbon to the Pi is pressed onto its plugs.
    """
    pads = sum(len(part.footprint.pads) for part in parts)
    return pads + sum(len(part.footprint.pads) for part in parts if part.footprint is FOOTPRINTS["Wires"])


def _wired(parts: tuple[CircuitPart, ...]) -> list[CircuitPart]:
    """What hangs on wires, from left to right: by the chip that switches it, then the buttons."""
    order = {"registers": 0, "lamps": 1, "buttons": 2}
    hung = [part for part in parts if part.wired and part.kind != "header"]
    return sorted(hung, key=lambda part: order[part.board])
