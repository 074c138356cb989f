"""The panel's parts on GPIO, through gpiozero. The header's pins are handed in: real or pretended ones."""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Mapping, Sequence
from contextlib import ExitStack
from typing import Any

from gpiozero import DigitalInputDevice, OutputDevice

from engine.table.presses import Button, Press
from firmware.table.panel.buttons import Contact, Edge, Gesture, GestureKind, debounce
from firmware.table.panel.header import Header, PinFactory, PinPart, PinParts
from firmware.table.panel.pins import PinMap


class _Output:
    """One lamp, or an active buzzer, which makes its own tone: on while its pin is high."""

    def __init__(self, name: str, pin: int, pin_factory: PinFactory) -> None:
        self._name, self._on = name, False
        self._device = OutputDevice(pin, pin_factory=pin_factory)

    def show(self, lit: frozenset[str]) -> None:
        """On where its name is among these. The pin is touched only when that changes."""
        if (self._name in lit) is not self._on:
            self._on = not self._on
            self._device.value = self._on

    def close(self) -> None:
        self._device.off()
        self._device.close()


class _Registers:
    """The lamps on a row of 74HC595 shift registers. Pins are touched only when one of these lamps changes."""

    def __init__(self, pins: PinMap, pin_factory: PinFactory) -> None:
        self._names = pins.register_lamps
        self._levels = (False,) * len(self._names)
        with ExitStack() as held:
            self._enable = held.enter_context(
                OutputDevice(pins.register_enable, active_high=False, initial_value=False, pin_factory=pin_factory)
            )
            self._data = held.enter_context(OutputDevice(pins.register_data, pin_factory=pin_factory))
            self._clock = held.enter_context(OutputDevice(pins.register_clock, pin_factory=pin_factory))
            self._latch = held.enter_context(OutputDevice(pins.register_latch, pin_factory=pin_factory))
            # A register holds anything at all when the power comes on: cleared first, then let shine.
            self._shift(self._levels)
            self._enable.on()
            self._held = held.pop_all()

    def show(self, lit: frozenset[str]) -> None:
        levels = tuple(name in lit for name in self._names)
        if levels != self._levels:
            self._shift(levels)
            self._levels = levels

    def close(self) -> None:
        self._enable.off()
        self.show(frozenset())
        self._held.close()

    def _shift(self, levels: Sequence[bool]) -> None:
        """Send one level for every output, the first register's QA first in the row: the last goes out first."""
        for level in reversed(levels):
            self._data.value = level
            self._pulse(self._clock)
        self._pulse(self._latch)

    @staticmethod
    def _pulse(device: Any) -> None:
        device.on()
        device.off()


class GpioLights(PinParts[_Output | _Registers]):
    """Lamps on pins of their own and on shift registers; those shine whose pins can be used."""

    def __init__(self, pins: PinMap, header: Header) -> None:
        lines = (pins.register_data, pins.register_clock, pins.register_latch, pins.register_enable)
        super().__init__(
            *(_output(f"lamp {name}", name, pin, header) for name, pin in pins.lamps.items()),
            PinPart("registers", pins.register_lamps, lines, header, lambda factory: _Registers(pins, factory)),
        )

    def show(self, lamps: Mapping[str, bool]) -> None:
        lit = frozenset(name for name, on in lamps.items() if on)
        for device in self.devices:
            device.show(lit)


class GpioSounder(PinParts[_Output | _Registers]):
    """An active buzzer."""

    def __init__(self, pins: PinMap, header: Header) -> None:
        super().__init__(_output("buzzer", "buzzer", pins.buzzer, header))

    def sound(self, on: bool) -> None:
        for device in self.devices:
            device.show(frozenset({"buzzer"} if on else ()))


def _output(title: str, name: str, pin: int, header: Header) -> PinPart[_Output | _Registers]:
    return PinPart(title, (name,), (pin,), header, lambda factory: _Output(name, pin, factory))


class _Contact:
    """One button to ground, with the pin's own pull-up."""

    def __init__(self, pin: int, post: Callable[[bool, float], None], pin_factory: PinFactory) -> None:
        """``post`` is told of each edge: whether the button went down, and how many seconds ago."""
        device = self._device = DigitalInputDevice(pin, pull_up=True, pin_factory=pin_factory)
        if device.is_active:
            post(True, 0.0)
        # gpiozero knows how long ago the edge was by the kernel's own time stamp, whoever was busy meanwhile.
        device.when_activated = lambda: post(True, device.active_time)
        device.when_deactivated = lambda: post(False, device.inactive_time)

    def close(self) -> None:
        self._device.close()


class GpioButtons(PinParts[_Contact]):
    """Buttons to ground. Callbacks only post; ``due`` makes presses of what was posted."""

    def __init__(self, pins: PinMap, header: Header, now_s: Callable[[], float]) -> None:
        """``now_s`` is the panel's clock: presses carry its time."""
        self._now_s = now_s
        self._posted: deque[tuple[Button, Edge]] = deque()
        self._contacts = dict.fromkeys(pins.buttons, Contact())
        super().__init__(*(self._part(button, pin, header) for button, pin in pins.buttons.items()))

    def due(self, now_s: float) -> tuple[Press, ...]:
        return tuple(
            Press(gesture.t_s, button) for button, gesture in self.gestures(now_s) if gesture.kind is GestureKind.PRESS
        )

    def gestures(self, now_s: float) -> tuple[tuple[Button, Gesture], ...]:
        """Presses and holds that have become certain by ``now_s``, in the order of their times, each once."""
        posted: dict[Button, list[Edge]] = {button: [] for button in self._contacts}
        while self._posted:
            button, edge = self._posted.popleft()
            posted[button].append(edge)
        found: list[tuple[Button, Gesture]] = []
        for button, edges in posted.items():
            self._contacts[button], gestures = debounce(self._contacts[button], edges, now_s)
            found += [(button, gesture) for gesture in gestures]
        return tuple(sorted(found, key=lambda each: each[1].t_s))

    def _part(self, button: Button, pin: int, header: Header) -> PinPart[_Contact]:
        def post(down: bool, age_s: float) -> None:
            # An edge of the future has its stamp from another clock (kernels before 5.7): it counts from now.
            self._posted.append((button, Edge(self._now_s() - max(0.0, age_s), down)))

        title, name = f"button {button.value}", (button.value,)
        return PinPart(title, name, (pin,), header, lambda factory: _Contact(pin, post, factory))
