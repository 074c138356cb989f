"""The pin table: which GPIO (BCM number) drives or reads what. The one place; wiring drawings are made from it.

Lamps that fencers look at first have a pin of their own. The others hang on three 74HC595 shift registers in a row, so
that 18 of them cost three pins. Source: PI.md, "GPIO".
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from types import MappingProxyType
from typing import Final

from display.lamps import LAMPS
from firmware.buttons import Button
from firmware.errors import EngardeError, did_you_mean

PANEL_BUTTONS: Final = (Button.WHITE, Button.BLACK, Button.UNDO, Button.MENU)
REGISTER_OUTPUTS: Final = 8

_LAST_PIN: Final = 27
_RESERVED: Final = MappingProxyType({0: "the HAT's identity", 1: "the HAT's identity", 3: "waking and shutting down"})
_PULLED_UP_AT_BOOT: Final = 8


@dataclass(frozen=True, slots=True)
class PinMap:
    """GPIO numbers by name. ``register_lamps`` hang on the shift registers, from the first register's QA on."""

    lamps: Mapping[str, int]
    register_data: int
    register_clock: int
    register_latch: int
    register_lamps: tuple[str, ...]
    buttons: Mapping[Button, int]
    buzzer: int

    @property
    def registers(self) -> int:
        """How many 74HC595 that takes."""
        return -(-len(self.register_lamps) // REGISTER_OUTPUTS)

    def rows(self) -> Iterator[tuple[str, int]]:
        """Every pin with what it is for, in the order of the table."""
        for lamp, pin in self.lamps.items():
            yield f"lamp {lamp}", pin
        yield "register data", self.register_data
        yield "register clock", self.register_clock
        yield "register latch", self.register_latch
        for button, pin in self.buttons.items():
            yield f"button {button.value}", pin
        yield "buzzer", self.buzzer


_OWN_PIN: Final = {"touch_left": 17, "touch_right": 22, "attack_left": 23, "attack_right": 24, "refused": 25}

PINS: Final = PinMap(
    lamps=MappingProxyType(_OWN_PIN),
    register_data=26,
    register_clock=13,
    register_latch=16,
    register_lamps=tuple(lamp for lamp in LAMPS if lamp not in _OWN_PIN),
    buttons=MappingProxyType({Button.WHITE: 5, Button.BLACK: 6, Button.UNDO: 4, Button.MENU: 27}),
    buzzer=12,
)


class PinError(EngardeError, ValueError):
    """A pin table that cannot be wired. ``faults`` names everything wrong with it."""

    def __init__(self, faults: tuple[str, ...]) -> None:
        super().__init__(f"the pin table cannot be wired: {'; '.join(faults)}.")
        self.faults = faults


def check_pins(pins: PinMap) -> PinMap:
    """The same table. Raises PinError with every fault: pins used twice, reserved or not there; lamps missing."""
    faults = tuple(_faults(pins))
    if faults:
        raise PinError(faults)
    return pins


def _faults(pins: PinMap) -> Iterator[str]:
    users: dict[int, list[str]] = {}
    for name, pin in pins.rows():
        users.setdefault(pin, []).append(name)
        if not 0 <= pin <= _LAST_PIN:
            yield f"{name} is on GPIO {pin}, there are 0 to {_LAST_PIN}"
        elif pin in _RESERVED:
            yield f"{name} is on GPIO {pin}, which is kept for {_RESERVED[pin]}"
        elif name.startswith(("lamp", "buzzer")) and pin <= _PULLED_UP_AT_BOOT:
            yield f"{name} is on GPIO {pin}, which is pulled up at boot: take one from {_PULLED_UP_AT_BOOT + 1} up"
    for pin, names in users.items():
        if len(names) > 1:
            yield f"GPIO {pin} is used twice: {' and '.join(names)}"
    wired = Counter((*pins.lamps, *pins.register_lamps))
    for lamp, times in wired.items():
        if lamp not in LAMPS:
            yield f"there is no lamp {lamp}{did_you_mean(lamp, LAMPS)}"
        elif times > 1:
            yield f"the lamp {lamp} is wired twice"
    for lamp in LAMPS:
        if lamp not in wired:
            yield f"the lamp {lamp} is wired nowhere"
    for button in PANEL_BUTTONS:
        if button not in pins.buttons:
            yield f"the button {button.value} is wired nowhere"
