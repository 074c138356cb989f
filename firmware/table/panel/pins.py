"""The pin table: which GPIO (BCM number) or register output drives or reads what, with the part that hangs on it.

Lamps have theirs from their rows in ``display.lamps``. The firmware drives its pins by this table and checks it at
start, and wiring drawings are held against it.

Four lamps have a pin of their own. The others hang on three 74HC595 shift registers in a row, so that 19 of them cost
four pins. The registers' output enable is pulled up by a resistor: their lamps stay dark until the firmware has cleared
them and pulls it down, and go dark when it lets go. Resistors and currents are in ``hardware/wiring.md``. Source:
hardware/PLATFORM.md, "GPIO".
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from enum import Enum
from types import MappingProxyType
from typing import Final

from display.lamps import LAMPS, OUTPUTS, Lamp, LampTone
from engine.rules.track import BySide, Side
from engine.strict.values import did_you_mean
from engine.table.presses import Button
from firmware.core.errors import EngardeError

PANEL_BUTTONS: Final = (Button.WHITE, Button.BLACK, Button.UNDO, Button.MENU)
REGISTER_LINES: Final = ("data", "clock", "latch", "enable")


class PinKind(Enum):
    """The purpose of a row of the table."""

    LAMP = "lamp"
    REGISTER = "register"
    BUTTON = "button"
    BUZZER = "buzzer"


@dataclass(frozen=True, slots=True)
class Output:
    """One output of the shift registers. ``register`` counts from 1, the one whose data comes from the Pi."""

    register: int
    name: str

    def __str__(self) -> str:
        return f"register {self.register} {self.name}"


@dataclass(frozen=True, slots=True)
class Wire:
    """One row: a part and what drives or reads it, either ``gpio`` (BCM number) or ``output``.

    ``name``: of a lamp as in ``display.lamps.LAMPS``, of a button as in ``Button``, a register's line, or ``buzzer``.
    ``colour`` is a lamp's, empty for all else. ``place_mm`` is the part's middle on the panel's front, from the lower
    left corner, None for what is behind it, ``lamp_mm`` how wide a lamp is.
    """

    kind: PinKind
    name: str
    gpio: int | None
    output: Output | None = None
    colour: str = ""
    place_mm: tuple[float, float] | None = None
    lamp_mm: int | None = None

    @property
    def title(self) -> str:
        """The row in words: ``lamp touch_left``, ``register data``, ``button white``, ``buzzer``."""
        return self.name if self.kind is PinKind.BUZZER else f"{self.kind.value} {self.name}"


_COLOURS: Final[Mapping[LampTone, BySide[str]]] = {
    LampTone.TOUCH: BySide("red", "yellow-green"),
    LampTone.ATTACK: BySide("white", "white"),
    LampTone.REFUSED: BySide("amber", "amber"),
    LampTone.PLAIN: BySide("yellow", "yellow"),
    LampTone.ALIVE: BySide("white", "white"),
}


def _lamp(lamp: Lamp) -> Wire:
    """The wire of a row of ``display.lamps``."""
    gpio, output = (lamp.pin, None) if isinstance(lamp.pin, int) else (None, Output(*lamp.pin))
    colour = _COLOURS[lamp.tone][lamp.side or Side.WHITE]
    return Wire(PinKind.LAMP, lamp.name, gpio, output, colour, lamp.front_mm, 10 if lamp.large else 5)


def _button(button: Button, gpio: int, x_mm: float) -> Wire:
    return Wire(PinKind.BUTTON, button.value, gpio, place_mm=(x_mm, 18.0))


_ON_PINS: Final = [lamp for lamp in LAMPS.values() if isinstance(lamp.pin, int)]
_ON_REGISTERS: Final = sorted((lamp for lamp in LAMPS.values() if lamp not in _ON_PINS), key=lambda lamp: lamp.pin)
WIRES: Final[tuple[Wire, ...]] = (
    *map(_lamp, _ON_PINS),
    *(Wire(PinKind.REGISTER, name, gpio) for name, gpio in zip(REGISTER_LINES, (26, 13, 16, 25), strict=True)),
    *map(_lamp, _ON_REGISTERS),
    _button(Button.WHITE, 5, 26.0),
    _button(Button.BLACK, 6, 164.0),
    _button(Button.UNDO, 4, 70.0),
    _button(Button.MENU, 27, 120.0),
    Wire(PinKind.BUZZER, "buzzer", 12, place_mm=(95.0, 18.0)),
)
"""Every wire of the panel, in the order in which it is built."""


@dataclass(frozen=True, slots=True)
class PinMap:
    """The table as the devices use it: GPIO numbers by name.

    ``register_lamps`` names the lamp on every output of the registers, from the first one's QA on; empty: a spare.
    """

    lamps: Mapping[str, int]
    register_data: int
    register_clock: int
    register_latch: int
    register_enable: int
    register_lamps: tuple[str, ...]
    buttons: Mapping[Button, int]
    buzzer: int


def pin_map(wires: tuple[Wire, ...]) -> PinMap:
    """The table by name. Takes one that ``firmware.table.panel.pins.check_pins`` has let pass."""
    gpio = {(wire.kind, wire.name): wire.gpio for wire in wires if wire.gpio is not None}
    lines = {name: gpio[PinKind.REGISTER, name] for name in REGISTER_LINES}
    on_registers = {wire.output: wire.name for wire in wires if wire.output is not None}
    count = max((output.register for output in on_registers), default=0)
    outputs = (Output(register, name) for register in range(1, count + 1) for name in OUTPUTS)
    return PinMap(
        lamps=MappingProxyType({name: pin for (kind, name), pin in gpio.items() if kind is PinKind.LAMP}),
        register_data=lines["data"],
        register_clock=lines["clock"],
        register_latch=lines["latch"],
        register_enable=lines["enable"],
        register_lamps=tuple(on_registers.get(output, "") for output in outputs),
        buttons=MappingProxyType({button: gpio[PinKind.BUTTON, button.value] for button in PANEL_BUTTONS}),
        buzzer=gpio[PinKind.BUZZER, "buzzer"],
    )


# Whether a pin table can be wired: every fault of it at once. Source: hardware/PLATFORM.md, "GPIO".

_LAST_PIN: Final = 27
_RESERVED: Final = MappingProxyType({0: "the HAT's identity", 1: "the HAT's identity", 3: "waking and shutting down"})
_PULLED_UP_AT_BOOT: Final = 8
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
    """The table as the devices use it. Raises PinError with every fault of places and names."""
    faults = pin_faults(wires)
    if faults:
        raise PinError(faults)
    return pin_map(wires)


def pin_faults(wires: tuple[Wire, ...]) -> tuple[str, ...]:
    """One clause for each thing that is wrong; none for a table that can be wired."""
    return (*_place_faults(wires), *_shared(wires), *_name_faults(wires))


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
