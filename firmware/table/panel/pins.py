"""The pin table: which GPIO (BCM number) or register output drives or reads what, with the part that hangs on it.

Lamps have theirs from their rows in ``display.lamps``. The firmware drives its pins by this table and checks it at
start, and wiring drawings are held against it.

Four lamps have a pin of their own. The others hang on three 74HC595 shift registers in a row, run on 3.3 V, so that
19 of them cost four pins. What needs 5 V or more than a pin may give (the large lamps, white ones, the buzzer) goes
through a ULN2803A. The registers' output enable is pulled up to 3.3 V by a resistor: their lamps stay dark until the
firmware has cleared them and pulls it down, and go dark when it lets go. Their other three lines each pass a resistor
and a small capacitor, which make their edges slow enough for a long lead. Source: hardware/PLATFORM.md, "GPIO".
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

LAMP_V: Final[Mapping[str, float]] = MappingProxyType(
    {"red": 1.9, "amber": 2.0, "yellow": 2.0, "yellow-green": 2.1, "white": 3.1}
)
"""The voltage a light-emitting diode of each colour drops."""


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
    ``current_ma`` flows through the part while it is on. ``driven``: through a ULN2803A from 5 V, else straight from
    3.3 V. ``colour`` is empty and ``resistor_ohm`` None where the part has none. ``place_mm`` is its middle on the
    panel's front, from the lower left corner, None for what is behind it, ``lamp_mm`` how wide a lamp is.
    ``rated_mcd`` is how bright a lamp to buy is at ``RATED_MA``, in millicandelas.
    """

    kind: PinKind
    name: str
    gpio: int | None
    output: Output | None
    part: str
    colour: str = ""
    resistor_ohm: int | None = None
    current_ma: float = 0.0
    driven: bool = False
    place_mm: tuple[float, float] | None = None
    lamp_mm: int | None = None
    rated_mcd: int | None = None

    @property
    def title(self) -> str:
        """The row in words: ``lamp touch_left``, ``register data``, ``button white``, ``buzzer``."""
        return self.name if self.kind is PinKind.BUZZER else f"{self.kind.value} {self.name}"

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


@dataclass(frozen=True, slots=True)
class _Diode:
    """A lamp to buy: its colour, how bright it is at ``RATED_MA``, and the resistor it gets here."""

    colour: str
    rated_mcd: int
    resistor_ohm: int


# So chosen that a touch is the brightest for both sides, and red and yellow-green of one row are about alike.
_LARGE: Final[Mapping[LampTone, BySide[_Diode]]] = {
    LampTone.TOUCH: BySide(_Diode("red", 200, 150), _Diode("yellow-green", 200, 150)),
    LampTone.ATTACK: BySide(_Diode("white", 2000, 1000), _Diode("white", 2000, 1000)),
    LampTone.REFUSED: BySide(_Diode("amber", 200, 220), _Diode("amber", 200, 220)),
}
_SMALL: Final[Mapping[LampTone, BySide[_Diode]]] = {
    LampTone.TOUCH: BySide(_Diode("red", 120, 330), _Diode("yellow-green", 150, 330)),
    LampTone.PLAIN: BySide(_Diode("yellow", 120, 330), _Diode("yellow", 120, 330)),
    LampTone.ALIVE: BySide(_Diode("white", 2000, 4700), _Diode("white", 2000, 4700)),
}


def _lamp(lamp: Lamp) -> Wire:
    """The wire of a row of ``display.lamps``."""
    diode, lamp_mm = (_LARGE if lamp.large else _SMALL)[lamp.tone][lamp.side or Side.WHITE], 10 if lamp.large else 5
    # Large ones shine by more than a pin or a register may give; white needs more than 3.3 V.
    driven = lamp.large or LAMP_V[diode.colour] > 3.0
    gpio, output = (lamp.pin, None) if isinstance(lamp.pin, int) else (None, Output(*lamp.pin))
    return Wire(
        kind=PinKind.LAMP,
        name=lamp.name,
        gpio=gpio,
        output=output,
        part=f"LED {lamp_mm} mm",
        colour=diode.colour,
        resistor_ohm=diode.resistor_ohm,
        current_ma=lamp_ma(diode.colour, diode.resistor_ohm, driven=driven),
        driven=driven,
        place_mm=lamp.front_mm,
        lamp_mm=lamp_mm,
        rated_mcd=diode.rated_mcd,
    )


def _line(name: str, gpio: int, resistor_ohm: int | None = None) -> Wire:
    feet = {"data": "SER (14)", "clock": "SRCLK (11)", "latch": "RCLK (12)", "enable": "OE (13)"}
    return Wire(PinKind.REGISTER, name, gpio, None, f"74HC595 {feet[name]}", resistor_ohm=resistor_ohm)


def _button(button: Button, gpio: int, x_mm: float) -> Wire:
    return Wire(PinKind.BUTTON, button.value, gpio, None, "push button to ground", place_mm=(x_mm, 18.0))


_ON_PINS: Final = [lamp for lamp in LAMPS.values() if isinstance(lamp.pin, int)]
_ON_REGISTERS: Final = sorted((lamp for lamp in LAMPS.values() if lamp not in _ON_PINS), key=lambda lamp: lamp.pin)
WIRES: Final[tuple[Wire, ...]] = (
    *map(_lamp, _ON_PINS),
    _line("data", 26),
    _line("clock", 13),
    _line("latch", 16),
    _line("enable", 25, ENABLE_PULL_UP_OHM),
    *map(_lamp, _ON_REGISTERS),
    _button(Button.WHITE, 5, 26.0),
    _button(Button.BLACK, 6, 164.0),
    _button(Button.UNDO, 4, 70.0),
    _button(Button.MENU, 27, 120.0),
    Wire(PinKind.BUZZER, "buzzer", 12, None, "active buzzer 5 V", current_ma=30.0, driven=True, place_mm=(95.0, 18.0)),
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
PIN_MA: Final = 5.0
"""Current limit of one pin or register output; a Pi 4's pads stand more, this leaves room for warm days."""
PINS_MA: Final = 50.0
"""Current limit of all pins together."""
REGISTER_MA: Final = 35.0
"""Current limit of one 74HC595: half of the 70 mA that its makers name as the most it survives."""

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
