"""Whether a pin table can be wired: every fault of it at once. Source: hardware/PLATFORM.md, "GPIO"."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator
from types import MappingProxyType
from typing import Final

from display.lamps import LAMPS, OUTPUTS
from engine.strict.values import did_you_mean
from firmware.core.errors import EngardeError
from firmware.table.panel.pins import PANEL_BUTTONS, REGISTER_LINES, PinKind, PinMap, Wire, pin_map

_LAST_PIN: Final = 27
_RESERVED: Final = MappingProxyType({0: "the HAT's identity", 1: "the HAT's identity", 3: "waking and shutting down"})
_PULLED_UP_AT_BOOT: Final = 8
PIN_MA: Final = 5.0
"""What one pin or register output may give; a Pi 4's pads stand more, this leaves room for warm days."""
PINS_MA: Final = 50.0
"""What all pins may give together."""
REGISTER_MA: Final = 35.0
"""What one 74HC595 may give together: half of the 70 mA that its makers name as the most it survives."""

_NAMES: Final = MappingProxyType(
    {
        PinKind.LAMP: LAMPS,
        PinKind.REGISTER: REGISTER_LINES,
        PinKind.BUTTON: tuple(button.value for button in PANEL_BUTTONS),
        PinKind.BUZZER: ("buzzer",),
    }
)


class PinError(EngardeError, ValueError):
    """A pin table that cannot be wired. ``faults`` names everything wrong with it."""

    def __init__(self, faults: tuple[str, ...]) -> None:
        super().__init__(f"the pin table in firmware/table/panel/pins.py cannot be wired: {'; '.join(faults)}.")
        self.faults = faults


def check_pins(wires: tuple[Wire, ...]) -> PinMap:
    """The table as the devices use it. Raises PinError with every fault: places, names and currents."""
    faults = pin_faults(wires)
    if faults:
        raise PinError(faults)
    return pin_map(wires)


def pin_faults(wires: tuple[Wire, ...]) -> tuple[str, ...]:
    """One clause for each thing that is wrong; none for a table that can be wired."""
    return (*_place_faults(wires), *_shared(wires), *_name_faults(wires), *_current_faults(wires))


def _place_faults(wires: Iterable[Wire]) -> Iterator[str]:
    for wire in wires:
        pin, output = wire.gpio, wire.output
        if (pin is None) is (output is None):
            yield f"{wire.title} needs a GPIO or a register's output, and not both"
        elif output is not None and (output.register < 1 or output.name not in OUTPUTS):
            yield f"{wire.title} is on {output}: registers count from 1, their outputs are QA to QH"
        elif output is not None and wire.kind is not PinKind.LAMP:
            yield f"{wire.title} is on {output}: only lamps can hang on a register"
        elif pin is not None:
            yield from _gpio_faults(wire, pin)


def _gpio_faults(wire: Wire, pin: int) -> Iterator[str]:
    if not 0 <= pin <= _LAST_PIN:
        yield f"{wire.title} is on GPIO {pin}, there are 0 to {_LAST_PIN}"
    elif pin in _RESERVED:
        yield f"{wire.title} is on GPIO {pin}, which is kept for {_RESERVED[pin]}"
    elif wire.kind in (PinKind.LAMP, PinKind.BUZZER) and pin <= _PULLED_UP_AT_BOOT:
        yield f"{wire.title} is on GPIO {pin}, which is pulled up at boot: take one from {_PULLED_UP_AT_BOOT + 1} up"


def _shared(wires: Iterable[Wire]) -> Iterator[str]:
    users: dict[str, list[str]] = {}
    for wire in wires:
        place = f"GPIO {wire.gpio}" if wire.output is None else str(wire.output)
        users.setdefault(place, []).append(wire.title)
    for place, titles in users.items():
        if len(titles) > 1:
            yield f"{place} is used twice: {' and '.join(titles)}"


def _name_faults(wires: tuple[Wire, ...]) -> Iterator[str]:
    for kind, names in _NAMES.items():
        article = f"the {kind.value} {{}}" if len(names) > 1 else "the {}"
        wired = Counter(wire.name for wire in wires if wire.kind is kind)
        for name, times in wired.items():
            if name not in names:
                yield f"there is no {kind.value} {name}{did_you_mean(name, names)}"
            elif times > 1:
                yield f"{article.format(name)} is wired twice"
        for name in names:
            if name not in wired:
                yield f"{article.format(name)} is wired nowhere"


def _current_faults(wires: tuple[Wire, ...]) -> Iterator[str]:
    pins_ma = 0.0
    registers_ma: dict[int, float] = {}
    for wire in wires:
        if wire.pad_ma > PIN_MA:
            yield (
                f"{wire.title} takes {wire.pad_ma:g} mA, one pin gives {PIN_MA:g}: take a larger resistor than "
                f"{wire.resistor_ohm} ohm, or a ULN2803A"
            )
        if wire.output is None:
            pins_ma += wire.pad_ma
        else:
            register = wire.output.register
            registers_ma[register] = registers_ma.get(register, 0.0) + wire.pad_ma
    if pins_ma > PINS_MA:
        yield f"all pins together give {pins_ma:.1f} mA, {PINS_MA:g} are allowed: move lamps to the registers"
    for register, taken_ma in registers_ma.items():
        if taken_ma > REGISTER_MA:
            yield f"register {register} gives {taken_ma:.1f} mA, {REGISTER_MA:g} are allowed: move lamps to another"
