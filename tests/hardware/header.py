"""The Raspberry Pi's 40-pin header: which place has which GPIO, and what the panel's wires to it look like."""

from __future__ import annotations

from dataclasses import dataclass
from types import MappingProxyType
from typing import Final

from firmware.table.panel.pins import WIRES, PinKind, Wire

PLACES: Final = 40

GPIO_AT: Final = MappingProxyType(
    {
        3: 2, 5: 3, 7: 4, 8: 14, 10: 15, 11: 17, 12: 18, 13: 27, 15: 22, 16: 23, 18: 24, 19: 10, 21: 9, 22: 25,
        23: 11, 24: 8, 26: 7, 27: 0, 28: 1, 29: 5, 31: 6, 32: 12, 33: 13, 35: 19, 36: 16, 37: 26, 38: 20, 40: 21,
    }
)  # fmt: skip
"""GPIO (BCM number) by place on the header. Source: Raspberry Pi documentation, "GPIO and the 40-pin header"."""

POWER_AT: Final = MappingProxyType({1: "3.3 V", 17: "3.3 V", 2: "5 V", 4: "5 V"})
GROUND_AT: Final = (6, 9, 14, 20, 25, 30, 34, 39)
_PLACE_OF: Final = MappingProxyType({gpio: place for place, gpio in GPIO_AT.items()})

RAIL_COLOURS: Final = MappingProxyType({"5 V": "red", "3.3 V": "orange", "ground": "black"})
_SIGNAL_COLOURS: Final = ("green", "blue", "yellow", "violet", "white", "grey", "brown")


@dataclass(frozen=True, slots=True)
class Supply:
    """A wire from the header that carries power: its place, which rail, to which board, and what it feeds there."""

    place: int
    rail: str
    board: str
    feeds: str


SUPPLIES: Final = (
    Supply(2, "5 V", "lamps", "rail of the driver's lamps and of the buzzer"),
    Supply(6, "ground", "lamps", "ground of the lamps and the driver"),
    Supply(4, "5 V", "registers", "into the registers' own 3.3 V regulator"),
    Supply(20, "ground", "registers", "ground of the registers"),
    Supply(1, "3.3 V", "buttons", "pull-ups of the buttons"),
    Supply(39, "ground", "buttons", "ground of the buttons"),
)
"""The power wires, two for each board, so that each board works without the others."""


def place_of(gpio: int) -> int:
    """Where on the header this GPIO is. Raises KeyError for one that the header lacks."""
    return _PLACE_OF[gpio]


def on_header(wires: tuple[Wire, ...] = WIRES) -> dict[int, Wire]:
    """The table's wires by place on the header, in its order."""
    return dict(sorted((place_of(wire.gpio), wire) for wire in wires if wire.gpio is not None))


def wire_colour(wire: Wire, wires: tuple[Wire, ...] = WIRES) -> str:
    """The colour of its wire from the header: no two of one board have the same, and none has a rail's."""
    board = board_of(wire)
    place = [each for each in wires if each.gpio is not None and board_of(each) == board].index(wire)
    return _SIGNAL_COLOURS[place % len(_SIGNAL_COLOURS)]


def board_of(wire: Wire) -> str:
    """Which of the three boards a wire from the header goes to: ``lamps``, ``registers`` or ``buttons``."""
    if wire.kind is PinKind.REGISTER:
        return "registers"
    return "buttons" if wire.kind is PinKind.BUTTON else "lamps"


def gpio_label(gpio: int) -> str:
    """How the guide names a pin: ``GPIO 17 (pin 11)``."""
    return f"GPIO {gpio} (pin {place_of(gpio)})"
