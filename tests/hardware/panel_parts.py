"""The panel's chips and the Raspberry Pi's 40-pin header: which foot and which place is what, and what hangs there.

Sources: makers' data sheets; Raspberry Pi documentation, "GPIO and the 40-pin header".
"""

from __future__ import annotations

from dataclasses import dataclass
from types import MappingProxyType
from typing import Final

from display.lamps import OUTPUTS
from firmware.table.panel.pins import Output, PinKind
from tests.hardware.circuit import WIRES, Circuit

REGISTER_FEET: Final = MappingProxyType(
    {
        1: "QB", 2: "QC", 3: "QD", 4: "QE", 5: "QF", 6: "QG", 7: "QH", 8: "GND",
        9: "QH'", 10: "SRCLR", 11: "SRCLK", 12: "RCLK", 13: "OE", 14: "SER", 15: "QA", 16: "VCC",
    }
)  # fmt: skip
"""A 74HC595 in a 16-foot case, by foot. Other makers write Q1 to Q7, Q0, Q7S, MR, SHCP, STCP, OE and DS."""

LINE_FOOT: Final = MappingProxyType({"data": 14, "clock": 11, "latch": 12, "enable": 13})

DRIVER_INPUTS: Final = 8
BUTTON_PULL_UP_OHM: Final = 10_000


@dataclass(frozen=True, slots=True)
class Channel:
    """One channel of the driver and the part it switches."""

    number: int
    wire: Circuit

    @property
    def input_foot(self) -> int:
        return self.number

    @property
    def output_foot(self) -> int:
        return 19 - self.number


def channels(wires: tuple[Circuit, ...] = WIRES) -> tuple[Channel, ...]:
    """Everything the ULN2803A drives, from its first channel on. Raises ValueError when one chip is not enough."""
    driven = [wire for wire in wires if wire.driven]
    if len(driven) > DRIVER_INPUTS:
        raise ValueError(f"a ULN2803A drives {DRIVER_INPUTS} parts, the pin table wants {len(driven)}; drive fewer")
    return tuple(Channel(number, wire) for number, wire in enumerate(driven, 1))


def direct_lamps(wires: tuple[Circuit, ...] = WIRES) -> tuple[Circuit, ...]:
    """The lamps that hang on a pin of the header itself."""
    return tuple(wire for wire in wires if wire.kind is PinKind.LAMP and wire.gpio is not None and not wire.driven)


def register_count(wires: tuple[Circuit, ...] = WIRES) -> int:
    """How many 74HC595 stand in the row."""
    return max((wire.output.register for wire in wires if wire.output is not None), default=0)


def on_register(register: int, wires: tuple[Circuit, ...] = WIRES) -> dict[str, Circuit]:
    """What hangs on this register, by the output's name; spare outputs are missing."""
    found = {wire.output.name: wire for wire in wires if wire.output is not None and wire.output.register == register}
    return {name: found[name] for name in OUTPUTS if name in found}


def output_foot(output: Output) -> int:
    """The foot of a register's output."""
    return next(foot for foot, name in REGISTER_FEET.items() if name == output.name)


def ohms(ohm: int) -> str:
    """A resistance as it is written in the guide: ``330 Ω``, ``4.7 kΩ``."""
    return f"{ohm / 1000:g} kΩ" if ohm >= 1000 else f"{ohm} Ω"


PLACES: Final = 40

GPIO_AT: Final = MappingProxyType(
    {
        3: 2, 5: 3, 7: 4, 8: 14, 10: 15, 11: 17, 12: 18, 13: 27, 15: 22, 16: 23, 18: 24, 19: 10, 21: 9, 22: 25,
        23: 11, 24: 8, 26: 7, 27: 0, 28: 1, 29: 5, 31: 6, 32: 12, 33: 13, 35: 19, 36: 16, 37: 26, 38: 20, 40: 21,
    }
)  # fmt: skip
"""GPIO (BCM number) by place on the header."""

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


def on_header(wires: tuple[Circuit, ...] = WIRES) -> dict[int, Circuit]:
    """The table's wires by place on the header, in its order."""
    return dict(sorted((place_of(wire.gpio), wire) for wire in wires if wire.gpio is not None))


def wire_colour(wire: Circuit, wires: tuple[Circuit, ...] = WIRES) -> str:
    """The colour of its wire from the header: no two of one board have the same, and none has a rail's."""
    board = board_of(wire)
    place = [each for each in wires if each.gpio is not None and board_of(each) == board].index(wire)
    return _SIGNAL_COLOURS[place % len(_SIGNAL_COLOURS)]


def board_of(wire: Circuit) -> str:
    """Which of the three boards a wire from the header goes to: ``lamps``, ``registers`` or ``buttons``."""
    if wire.kind is PinKind.REGISTER:
        return "registers"
    return "buttons" if wire.kind is PinKind.BUTTON else "lamps"


def gpio_label(gpio: int) -> str:
    """How the guide names a pin: ``GPIO 17 (pin 11)``."""
    return f"GPIO {gpio} (pin {place_of(gpio)})"
