"""What flows where when every lamp shines and the buzzer sounds, against what each part may give.

Everything is computed from the pin table. ``worst_ma`` takes a supply 5 % high, a resistor 5 % low and a lamp that
drops 0.2 V less than usual. Sources for the limits: hardware/PLATFORM.md, "GPIO"; makers' data sheets.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

from firmware.panel.pin_check import PIN_MA, PINS_MA, REGISTER_MA
from firmware.panel.pins import ENABLE_PULL_UP_OHM, LAMP_V, LOGIC_V, SATURATION_V, SUPPLY_V, WIRES, PinKind, Wire
from firmware.workshop.guide.chips import channels, register_count
from firmware.workshop.guide.header import gpio_label

BUTTON_PULL_UP_OHM: Final = 10_000
OWN_PULL_UP_OHM: Final = 50_000  # the Pi's own, which stays on

PAD_MA: Final = 2.0
"""What the weakest setting of a Pi 5's pads stands for (2, 4, 8 or 12 mA); a Pi 4's stand at 8 from the start.
Source: the kernel's pinctrl-rp1.c; Raspberry Pi's documentation, "GPIO pads control"."""

OUTPUT_MA: Final = 6.0
"""What an output of a 74HC595 is specified at; 35 mA is the most it survives."""

DRIVER_CHANNEL_MA: Final = 100.0
RAIL_3V3_MA: Final = 50.0
"""What the oldest Pi's 3.3 V pins may give; newer ones give more, but nobody has written down how much."""

REGULATOR_MA: Final = 250.0
RAIL_5V_MA: Final = 500.0
"""What we take of the 5 V pins at most: they are the supply itself, of 3 A and more."""

_HIGH: Final = 1.05
_LOW: Final = 0.95
_LAMP_SPREAD_V: Final = 0.2


@dataclass(frozen=True, slots=True)
class Load:
    """What flows through one part when everything is on, and the most it may be, in milliamperes."""

    where: str
    kind: str
    flows_ma: float
    limit_ma: float
    why: str

    @property
    def fits(self) -> bool:
        return self.flows_ma <= self.limit_ma


def worst_ma(wire: Wire) -> float:
    """The most that can flow through this part, with everything at the edge of its tolerance."""
    if wire.resistor_ohm is None or wire.colour == "":
        return wire.current_ma
    supply_v = (SUPPLY_V * _HIGH - SATURATION_V) if wire.driven else LOGIC_V * _HIGH
    return (supply_v - LAMP_V[wire.colour] + _LAMP_SPREAD_V) / (wire.resistor_ohm * _LOW) * 1000


def loads(wires: tuple[Wire, ...] = WIRES) -> tuple[Load, ...]:
    """Every load: pins, all pins together, registers, driver channels, and the three rails."""
    found = []
    for wire in wires:
        if wire.kind not in (PinKind.LAMP, PinKind.BUZZER):
            continue
        where = gpio_label(wire.gpio) if wire.gpio is not None else str(wire.output)
        found.append(Load(f"{where}, {wire.title}", "pin or output", wire.pad_ma, PIN_MA, "our rule for one pin"))
    pins_ma = sum(wire.pad_ma for wire in wires if wire.gpio is not None)
    found.append(Load("all pins of the header", "together", pins_ma, PINS_MA, "our rule for all pins"))
    registers_ma = 0.0
    for register in range(1, register_count(wires) + 1):
        own = [wire for wire in wires if wire.output is not None and wire.output.register == register]
        taken_ma = sum(wire.pad_ma for wire in own)
        registers_ma += taken_ma
        found.append(Load(f"register {register}", "together", taken_ma, REGISTER_MA, "half of what a 74HC595 survives"))
    found += [
        Load(
            f"driver channel {each.number}, {each.wire.title}",
            "channel",
            each.wire.current_ma,
            DRIVER_CHANNEL_MA,
            "a ULN2803A with all channels on",
        )
        for each in channels(wires)
    ]
    found += _rails(wires, pins_ma, registers_ma)
    return tuple(found)


def _rails(wires: tuple[Wire, ...], pins_ma: float, registers_ma: float) -> tuple[Load, ...]:
    buttons = sum(wire.kind is PinKind.BUTTON for wire in wires)
    pulled_ma = buttons * LOGIC_V * 1000 * (1 / BUTTON_PULL_UP_OHM + 1 / OWN_PULL_UP_OHM)
    regulated_ma = registers_ma + LOGIC_V * 1000 / ENABLE_PULL_UP_OHM
    driven_ma = sum(each.wire.current_ma for each in channels(wires))
    return (
        Load("the Pi's 3.3 V", "rail", pins_ma + pulled_ma, RAIL_3V3_MA, "what even the oldest Pi gives"),
        Load("the registers' own 3.3 V", "rail", regulated_ma, REGULATOR_MA, "a MCP1700"),
        Load(
            "5 V, pins 2 and 4", "rail", driven_ma + regulated_ma, RAIL_5V_MA, "beside what the Pi itself takes of 3 A"
        ),
    )
