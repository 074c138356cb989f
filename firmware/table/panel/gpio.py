"""The panel's parts on GPIO, through gpiozero. The header's pins are handed in: real or pretended ones.

gpiozero is loaded with the first part that is opened: a panel without parts does without it.
"""

from __future__ import annotations

from collections import defaultdict, deque
from collections.abc import Callable, Mapping, Sequence
from contextlib import ExitStack
from typing import Any

from engine.table.presses import Button, Press
from firmware.table.panel.buttons import Contact, Edge, Gesture, GestureKind, debounce
from firmware.table.panel.header import Header, PinFactory, PinPart, PinParts
from firmware.table.panel.pins import PinMap


class _Output:
    """One lamp, or an active buzzer, which makes its own tone: on while its pin is high."""

    def __init__(self, name: str, pin: int, pin_factory: PinFactory) -> None:
        from gpiozero import OutputDevice

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
        from gpiozero import OutputDevice

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


class Lights(PinParts[_Output | _Registers]):
    """Lamps, by the names of ``display.lamps.LAMPS``: on pins of their own and on shift registers."""

    def show(self, lamps: Mapping[str, bool]) -> None:
        """Let exactly these shine, of those whose pins can be used; every name of ``LAMPS`` is there."""
        lit = frozenset(name for name, on in lamps.items() if on)
        for device in self.devices:
            device.show(lit)


def lights_on(pins: PinMap, header: Header) -> Lights:
    """The lamps of these pins."""
    lines = (pins.register_data, pins.register_clock, pins.register_latch, pins.register_enable)
    return Lights(
        *(_output(f"lamp {name}", name, pin, header) for name, pin in pins.lamps.items()),
        PinPart("registers", pins.register_lamps, lines, header, lambda factory: _Registers(pins, factory)),
    )


class Sounder(PinParts[_Output | _Registers]):
    """An active buzzer: one tone, on or off."""

    def sound(self, on: bool) -> None:
        for device in self.devices:
            device.show(frozenset({"buzzer"} if on else ()))


def sounder_on(pins: PinMap, header: Header) -> Sounder:
    """The buzzer of these pins."""
    return Sounder(_output("buzzer", "buzzer", pins.buzzer, header))


def _output(title: str, name: str, pin: int, header: Header) -> PinPart[_Output | _Registers]:
    return PinPart(title, (name,), (pin,), header, lambda factory: _Output(name, pin, factory))


class _Contact:
    """One button to ground, with the pin's own pull-up."""

    def __init__(self, pin: int, post: Callable[[bool, float], None], pin_factory: PinFactory) -> None:
        """``post`` is told of each edge: whether the button went down, and how many seconds ago."""
        from gpiozero import DigitalInputDevice

        device = self._device = DigitalInputDevice(pin, pull_up=True, pin_factory=pin_factory)
        if device.is_active:
            post(True, 0.0)
        # gpiozero knows how long ago the edge was by the kernel's own time stamp, whoever was busy meanwhile.
        device.when_activated = lambda: post(True, device.active_time)
        device.when_deactivated = lambda: post(False, device.inactive_time)

    def close(self) -> None:
        self._device.close()


class Buttons(PinParts[_Contact]):
    """Buttons to ground. Their contacts only post edges; ``due`` makes presses of what was posted."""

    def __init__(self) -> None:
        super().__init__()
        self.posted: deque[tuple[Button, Edge]] = deque()
        self._contacts: defaultdict[Button, Contact] = defaultdict(Contact)

    def due(self, now_s: float) -> tuple[Press, ...]:
        """The presses that have become certain by ``now_s``, each handed out once."""
        return tuple(
            Press(gesture.t_s, button) for button, gesture in self.gestures(now_s) if gesture.kind is GestureKind.PRESS
        )

    def gestures(self, now_s: float) -> tuple[tuple[Button, Gesture], ...]:
        """The same with holds, in the order of their times; what is handed out here is not handed out by ``due``."""
        edges: dict[Button, list[Edge]] = {button: [] for button in self._contacts}
        while self.posted:
            button, edge = self.posted.popleft()
            edges.setdefault(button, []).append(edge)
        found: list[tuple[Button, Gesture]] = []
        for button, new in edges.items():
            self._contacts[button], gestures = debounce(self._contacts[button], new, now_s)
            found += [(button, gesture) for gesture in gestures]
        return tuple(sorted(found, key=lambda each: each[1].t_s))


def buttons_on(pins: PinMap, header: Header, now_s: Callable[[], float]) -> Buttons:
    """The buttons of these pins. ``now_s`` is the panel's clock: presses carry its time."""
    buttons = Buttons()

    def part(button: Button, pin: int) -> PinPart[_Contact]:
        def post(down: bool, age_s: float) -> None:
            # An edge of the future has its stamp from another clock (kernels before 5.7): it counts from now.
            buttons.posted.append((button, Edge(now_s() - max(0.0, age_s), down)))

        title, name = f"button {button.value}", (button.value,)
        return PinPart(title, name, (pin,), header, lambda factory: _Contact(pin, post, factory))

    buttons.parts = tuple(part(button, pin) for button, pin in pins.buttons.items())
    return buttons
