"""The panel's circuit: the part on each wire of the pin table, the current through it, and the foot it hangs on.

The logic runs on 3.3 V. What needs 5 V or more than a pin may give (the large lamps, white ones, the buzzer) goes
through a ULN2803A. Data, clock and latch each pass a resistor and a small capacitor, which make their edges slow enough
for a long lead. Sources: hardware/PLATFORM.md, "GPIO"; makers' data sheets; Raspberry Pi documentation, "GPIO and the
40-pin header".
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import asdict, dataclass, replace
from types import MappingProxyType
from typing import Final, NamedTuple

from display.lamps import LAMPS, OUTPUTS, LampTone
from engine.rules.track import BySide, Side
from firmware.table.panel import pins
from firmware.table.panel.pins import Output, PinKind, Wire

LOGIC_V: Final = 3.3
SUPPLY_V: Final = 5.0
SATURATION_V: Final = 0.8  # what a ULN2803A keeps for itself at a few milliamperes
DRIVEN_MA: Final = 0.7  # what a pin gives into a ULN2803A: (3.3 V - 1.4 V) / 2.7 kilohm
ENABLE_PULL_UP_OHM: Final = 10_000
LINE_OHM: Final = 330  # before the first register, in data, clock and latch
LINE_PF: Final = 330  # from there to ground, in picofarads
FILTERED_LINES: Final = ("data", "clock", "latch")
RATED_MA: Final = 20.0
"""The current at which makers name how bright a lamp is."""
LAMP_V: Final[Mapping[str, float]] = {"red": 1.9, "amber": 2.0, "yellow": 2.0, "yellow-green": 2.1, "white": 3.1}
"""The voltage a light-emitting diode of each colour drops."""
PIN_MA: Final = 5.0
"""Current limit of one pin or register output; a Pi 4's pads stand more, this leaves room for warm days."""
PINS_MA: Final = 50.0
"""Current limit of all pins together."""
REGISTER_MA: Final = 35.0
"""Current limit of one 74HC595: half of the 70 mA that its makers name as the most it survives."""


@dataclass(frozen=True, slots=True)
class Circuit(Wire):
    """A wire with its part. ``current_ma`` flows through the part while it is on.

    ``driven``: through a ULN2803A from 5 V, else straight from 3.3 V. ``rated_mcd`` is how bright a lamp to buy is at
    ``RATED_MA``, in millicandelas.
    """

    part: str = ""
    resistor_ohm: int | None = None
    current_ma: float = 0.0
    driven: bool = False
    rated_mcd: int | None = None

    @property
    def label(self) -> str:
        """The name in words."""
        return self.name.replace("_", " ")

    @property
    def pad_ma(self) -> float:
        """The current its pin or register output gives."""
        return DRIVEN_MA if self.driven else self.current_ma

    @property
    def shines_mcd(self) -> float:
        """How bright the lamp is on the panel, straight from the front; light goes with current from 0.2 mA up."""
        return (self.rated_mcd or 0) * self.current_ma / RATED_MA


def lamp_ma(colour: str, resistor_ohm: int, *, driven: bool) -> float:
    """The current through a lamp of this colour behind this resistor, in milliamperes, to a tenth."""
    left_v = (SUPPLY_V - SATURATION_V if driven else LOGIC_V) - LAMP_V[colour]
    return round(left_v / resistor_ohm * 1000, 1)


# Brightness at RATED_MA and resistor of each lamp to buy. So chosen that a touch is the brightest for both sides, and
# red and yellow-green of one row are about alike.
_LARGE: Final = {
    LampTone.TOUCH: BySide((200, 150), (200, 150)),
    LampTone.ATTACK: BySide((2000, 1000), (2000, 1000)),
    LampTone.REFUSED: BySide((200, 220), (200, 220)),
}
_SMALL: Final = {
    LampTone.TOUCH: BySide((120, 330), (150, 330)),
    LampTone.PLAIN: BySide((120, 330), (120, 330)),
    LampTone.ALIVE: BySide((2000, 4700), (2000, 4700)),
}
_FEET: Final = {"data": "SER (14)", "clock": "SRCLK (11)", "latch": "RCLK (12)", "enable": "OE (13)"}


def _circuit(wire: Wire) -> Circuit:
    there = Circuit(**{**asdict(wire), "output": wire.output})
    if wire.kind is PinKind.REGISTER:
        pull_up_ohm = ENABLE_PULL_UP_OHM if wire.name == "enable" else None
        return replace(there, part=f"74HC595 {_FEET[wire.name]}", resistor_ohm=pull_up_ohm)
    if wire.kind is PinKind.BUTTON:
        return replace(there, part="push button to ground")
    if wire.kind is PinKind.BUZZER:
        return replace(there, part="active buzzer 5 V", current_ma=30.0, driven=True)
    lamp = LAMPS[wire.name]
    rated_mcd, resistor_ohm = (_LARGE if lamp.large else _SMALL)[lamp.tone][lamp.side or Side.WHITE]
    # Large ones shine by more than a pin or a register may give; white needs more than 3.3 V.
    driven = lamp.large or LAMP_V[wire.colour] > 3.0
    current_ma, part = lamp_ma(wire.colour, resistor_ohm, driven=driven), f"LED {wire.lamp_mm} mm"
    return replace(
        there, part=part, resistor_ohm=resistor_ohm, current_ma=current_ma, driven=driven, rated_mcd=rated_mcd
    )


WIRES: Final = tuple(map(_circuit, pins.WIRES))

REGISTER_FEET: Final = MappingProxyType(
    {
        1: "QB", 2: "QC", 3: "QD", 4: "QE", 5: "QF", 6: "QG", 7: "QH", 8: "GND",
        9: "QH'", 10: "SRCLR", 11: "SRCLK", 12: "RCLK", 13: "OE", 14: "SER", 15: "QA", 16: "VCC",
    }
)  # fmt: skip
"""A 74HC595 in a 16-foot case, by foot. Other makers write Q1 to Q7, Q0, Q7S, MR, SHCP, STCP, OE and DS."""

LINE_FOOT: Final = MappingProxyType({"data": 14, "clock": 11, "latch": 12, "enable": 13})

BUTTON_PULL_UP_OHM: Final = 10_000


class Channel(NamedTuple):
    """A part that the driver, a ULN2803A, switches, and the feet of its channel."""

    wire: Circuit
    input_foot: int
    output_foot: int


def channels(wires: tuple[Circuit, ...] = WIRES) -> tuple[Channel, ...]:
    """Everything the driver drives, from its first channel on."""
    driven = (wire for wire in wires if wire.driven)
    return tuple(Channel(wire, foot, 19 - foot) for foot, wire in enumerate(driven, 1))


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


class Supply(NamedTuple):
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
