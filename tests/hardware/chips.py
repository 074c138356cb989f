"""The two chips of the panel: which foot is what, and which lamp hangs on which. Sources: makers' data sheets."""

from __future__ import annotations

from dataclasses import dataclass
from types import MappingProxyType
from typing import Final

from display.lamps import OUTPUTS
from firmware.table.panel.pins import WIRES, Output, PinKind, Wire

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
    wire: Wire

    @property
    def input_foot(self) -> int:
        return self.number

    @property
    def output_foot(self) -> int:
        return 19 - self.number


def channels(wires: tuple[Wire, ...] = WIRES) -> tuple[Channel, ...]:
    """Everything the ULN2803A drives, from its first channel on. Raises ValueError when one chip is not enough."""
    driven = [wire for wire in wires if wire.driven]
    if len(driven) > DRIVER_INPUTS:
        raise ValueError(f"a ULN2803A drives {DRIVER_INPUTS} parts, the pin table wants {len(driven)}; drive fewer")
    return tuple(Channel(number, wire) for number, wire in enumerate(driven, 1))


def direct_lamps(wires: tuple[Wire, ...] = WIRES) -> tuple[Wire, ...]:
    """The lamps that hang on a pin of the header itself."""
    return tuple(wire for wire in wires if wire.kind is PinKind.LAMP and wire.gpio is not None and not wire.driven)


def register_count(wires: tuple[Wire, ...] = WIRES) -> int:
    """How many 74HC595 stand in the row."""
    return max((wire.output.register for wire in wires if wire.output is not None), default=0)


def on_register(register: int, wires: tuple[Wire, ...] = WIRES) -> dict[str, Wire]:
    """What hangs on this register, by the output's name; spare outputs are missing."""
    found = {wire.output.name: wire for wire in wires if wire.output is not None and wire.output.register == register}
    return {name: found[name] for name in OUTPUTS if name in found}


def output_foot(output: Output) -> int:
    """The foot of a register's output."""
    return next(foot for foot, name in REGISTER_FEET.items() if name == output.name)


def ohms(ohm: int) -> str:
    """A resistance as it is written in the guide: ``330 Ω``, ``4.7 kΩ``."""
    return f"{ohm / 1000:g} kΩ" if ohm >= 1000 else f"{ohm} Ω"
