"""The panel's circuit: the part on each wire of the pin table, its resistor, and the current through it.

The logic runs on 3.3 V. What needs 5 V or more than a pin may give (the large lamps, white ones, the buzzer) goes
through a ULN2803A. Data, clock and latch each pass a resistor and a small capacitor, which make their edges slow enough
for a long lead. Source: hardware/PLATFORM.md, "GPIO".
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import asdict, dataclass, replace
from typing import Final

from display.lamps import LAMPS, LampTone
from engine.rules.track import BySide, Side
from firmware.table.panel import pins
from firmware.table.panel.pins import PinKind, Wire

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


def current_faults(wires: Iterable[Circuit]) -> Iterator[str]:
    """A clause for each pin or register that would have to give more than it may."""
    pins_ma, registers_ma = 0.0, Counter[int]()
    for wire in wires:
        if wire.pad_ma > PIN_MA:
            yield f"{wire.title} takes {wire.pad_ma:g} mA behind {wire.resistor_ohm} ohm, one pin gives {PIN_MA:g}"
        if wire.output is None:
            pins_ma += wire.pad_ma
        else:
            registers_ma[wire.output.register] += wire.pad_ma  # type: ignore[assignment]
    if pins_ma > PINS_MA:
        yield f"all pins together give {pins_ma:.1f} mA, {PINS_MA:g} are allowed"
    for register, taken_ma in registers_ma.items():
        if taken_ma > REGISTER_MA:
            yield f"register {register} gives {taken_ma:.1f} mA, {REGISTER_MA:g} are allowed"
