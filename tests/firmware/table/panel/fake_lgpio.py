"""A pretended kernel with GPIO chips, and lgpio on top of it.

Read from joan2937/lg v0.2.2 (lgGpio.c and the Python module): a handle has the chip's number in its upper half; a chip
that is missing and one that is forbidden give the same error; a line that another holds is ``GPIO busy``. Chips as
raspberrypi/linux#6144, Adafruit_Blinka#1119 and gpiozero#1216 list them.
"""

from __future__ import annotations

import sys
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from itertools import count
from types import ModuleType
from typing import Any, Final

import pytest

HEADER_LINES: Final = 54
BROADCOM: Final = ("gpio-brcmstb@107d508500", "gpio-brcmstb@107d508520", "gpio-brcmstb@107d517c00")

CHIPS: Final[Mapping[str, Mapping[int, str]]] = {
    "Pi 3": {0: "pinctrl-bcm2835", 1: "raspberrypi-exp-gpio"},
    "Pi 4": {0: "pinctrl-bcm2711", 1: "raspberrypi-exp-gpio"},
    "Pi 5, kernel 6.6.20": {**dict(enumerate(BROADCOM)), 4: "pinctrl-rp1"},
    "Pi 5, kernel 6.6.47": {0: "pinctrl-rp1", **dict(enumerate(BROADCOM, 10))},
    "Pi 5, kernel 6.12.96": {**dict(enumerate(BROADCOM, 11)), 15: "pinctrl-rp1"},
    "Pi 5, header first": {11: "pinctrl-rp1", **dict(enumerate(BROADCOM, 12))},
    "Pi 4 with an expander": {0: "mcp23017", 1: "raspberrypi-exp-gpio", 2: "pinctrl-bcm2711"},
}
"""Labels by the chips' numbers."""


@dataclass
class Line:
    """One line of the header: who else holds it or which of our handles, and what it does."""

    user: str = ""
    handle: int = 0
    output: bool = False
    level: int = 0

    @property
    def ours(self) -> bool:
        return self.handle > 0


@dataclass
class Kernel:
    """Chips by number; ``locked`` ones may not be opened by us; ``scans`` counts how often the first was.

    The header has a pin controller's label.
    """

    chips: dict[int, str]
    locked: set[int] = field(default_factory=set)
    lines: dict[int, Line] = field(default_factory=lambda: {gpio: Line() for gpio in range(HEADER_LINES)})
    handles: list[int] = field(default_factory=list)
    scans: int = 0
    on_level: Callable[[int, int], None] = lambda gpio, level: None

    @property
    def opened(self) -> list[int]:
        """The numbers of the chips that are open."""
        return [handle >> 16 for handle in self.handles]

    def hold(self, gpio: int, user: str) -> None:
        """Somebody else takes a line, as an overlay or another program does."""
        assert not self.lines[gpio].ours
        self.lines[gpio] = Line(user)

    def free(self, gpio: int) -> None:
        if not self.lines[gpio].ours:
            self.lines[gpio] = Line()


class LgpioError(Exception):
    """Its text is in quotes, as lgpio's is."""

    def __str__(self) -> str:
        return repr(self.args[0])


def fake_lgpio(kernel: Kernel) -> ModuleType:
    """The module ``lgpio`` on this kernel."""
    module = ModuleType("lgpio")
    constants = {"BOTH_EDGES": 3, "RISING_EDGE": 1, "FALLING_EDGE": 2, "error": LgpioError}
    constants |= {"SET_PULL_UP": 32, "SET_PULL_DOWN": 64, "SET_PULL_NONE": 128}
    counted = count(1)
    used, is_output, lg_input = 1, 2, 256

    def number(handle: int) -> int:
        if handle not in kernel.handles:
            raise LgpioError("unknown handle")
        return handle >> 16

    def line(handle: int, gpio: int) -> Line:
        if not kernel.chips[number(handle)].startswith("pinctrl"):
            raise AssertionError(f"a line of {kernel.chips[number(handle)]} was touched")
        return kernel.lines[gpio]

    def gpiochip_open(chip: int) -> int:
        if chip not in kernel.chips or chip in kernel.locked:
            raise LgpioError("can not open gpiochip")
        kernel.scans += chip == min(kernel.chips)
        kernel.handles.append(chip << 16 | next(counted))
        return kernel.handles[-1]

    def gpiochip_close(handle: int) -> int:
        number(handle)
        kernel.handles.remove(handle)
        kernel.lines.update({gpio: Line() for gpio, line in kernel.lines.items() if line.handle == handle})
        return 0

    def gpio_get_chip_info(handle: int) -> list[Any]:
        return [0, HEADER_LINES, f"gpiochip{number(handle)}", kernel.chips[number(handle)]]

    def gpio_get_mode(handle: int, gpio: int) -> int:
        has = line(handle, gpio)
        taken, mine = has.user or has.ours, has.handle == handle
        return (used if taken else 0) | (is_output if has.output else 0) | (lg_input if mine else 0)

    def gpio_get_line_info(handle: int, gpio: int) -> list[Any]:
        has = line(handle, gpio)
        return [0, gpio, gpio_get_mode(handle, gpio), f"GPIO{gpio}", "lg" if has.ours else has.user]

    def claim(handle: int, gpio: int, *, output: bool, level: int | None = None) -> int:
        has = line(handle, gpio)
        if has.user or has.handle not in (0, handle):
            raise LgpioError("GPIO busy")
        has.handle, has.output = handle, output
        if level is not None:
            has.level = level
            kernel.on_level(gpio, level)
        return 0

    def gpio_claim_input(handle: int, gpio: int, flags: int = 0) -> int:
        return claim(handle, gpio, output=False, level=1 if flags == 32 else 0)

    def gpio_claim_output(handle: int, gpio: int, level: int = 0, flags: int = 0) -> int:
        return claim(handle, gpio, output=True, level=level)

    def gpio_claim_alert(handle: int, gpio: int, edges: int, flags: int = 0, notify_handle: int = -1) -> int:
        return claim(handle, gpio, output=False)

    def gpio_free(handle: int, gpio: int) -> int:
        if line(handle, gpio).handle == handle:
            kernel.lines[gpio] = Line()
        return 0

    def gpio_read(handle: int, gpio: int) -> int:
        return line(handle, gpio).level

    def gpio_write(handle: int, gpio: int, level: int) -> int:
        assert line(handle, gpio).output
        kernel.lines[gpio].level = int(level)
        kernel.on_level(gpio, int(level))
        return 0

    def gpio_set_debounce_micros(handle: int, gpio: int, debounce_micros: int) -> int:
        return 0

    class Callback:
        """Nothing is ever heard: buttons are pressed on gpiozero's own pretended pins."""

        def __init__(self, handle: int, gpio: int, edge: int = 1, func: Any = None) -> None: ...

        def cancel(self) -> None: ...

    functions: tuple[Callable[..., Any], ...] = (
        *(gpiochip_open, gpiochip_close, gpio_get_chip_info, gpio_get_mode, gpio_get_line_info),
        *(gpio_claim_input, gpio_claim_output, gpio_claim_alert, gpio_set_debounce_micros),
        *(gpio_free, gpio_read, gpio_write),
    )
    for function in functions:
        setattr(module, function.__name__, function)
    for name, value in constants.items():
        setattr(module, name, value)
    module.callback = Callback  # type: ignore[attr-defined]
    return module


def install(kernel: Kernel, patch: pytest.MonkeyPatch) -> None:
    """Let this kernel be what ``import lgpio`` and gpiozero see, on a Pi 5."""
    patch.setitem(sys.modules, "lgpio", fake_lgpio(kernel))
    patch.delitem(sys.modules, "gpiozero.pins.lgpio", raising=False)
    import gpiozero.pins.lgpio as driver

    patch.setattr(driver.LGPIOFactory, "_get_revision", lambda self: 0xD04170)
