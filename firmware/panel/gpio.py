"""The panel's parts on GPIO, through gpiozero. The pin factory is handed in: real pins, or pretended ones in tests."""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Mapping, Sequence
from contextlib import ExitStack
from typing import Any

from gpiozero import LED, DigitalInputDevice, OutputDevice

from engine.table.presses import Button, Press
from firmware.panel.debounce import Contact, Edge, Gesture, GestureKind, debounce
from firmware.panel.pins import PinMap

PinFactory = Any
"""A gpiozero pin factory; the library has no types."""


class GpioLights:
    """Lamps on pins of their own and on a row of 74HC595 shift registers. Pins are touched only when lamps change."""

    def __init__(self, pins: PinMap, pin_factory: PinFactory) -> None:
        with ExitStack() as held:
            self._own = {
                name: held.enter_context(LED(pin, pin_factory=pin_factory)) for name, pin in pins.lamps.items()
            }
            self._enable = held.enter_context(
                OutputDevice(pins.register_enable, active_high=False, initial_value=False, pin_factory=pin_factory)
            )
            self._data = held.enter_context(OutputDevice(pins.register_data, pin_factory=pin_factory))
            self._clock = held.enter_context(OutputDevice(pins.register_clock, pin_factory=pin_factory))
            self._latch = held.enter_context(OutputDevice(pins.register_latch, pin_factory=pin_factory))
            self._shifted = pins.register_lamps
            # A register holds anything at all when the power comes on: cleared first, then let shine.
            self._shift([False] * len(self._shifted))
            self._enable.on()
            self._held = held.pop_all()
        self._lit: frozenset[str] = frozenset()

    def show(self, lamps: Mapping[str, bool]) -> None:
        lit = frozenset(name for name, on in lamps.items() if on)
        for name, led in self._own.items():
            if (name in lit) is not (name in self._lit):
                led.value = name in lit
        shifted = tuple(name in lit for name in self._shifted)
        if shifted != tuple(name in self._lit for name in self._shifted):
            self._shift(shifted)
        self._lit = lit

    def close(self) -> None:
        self._enable.off()
        self.show({})
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


class GpioButtons:
    """Buttons to ground with the pins' own pull-up. Callbacks only post; ``due`` makes presses of what was posted."""

    def __init__(self, pins: PinMap, pin_factory: PinFactory, now_s: Callable[[], float]) -> None:
        """``now_s`` is the clock of the frames: presses carry its time."""
        self._now_s = now_s
        self._posted: deque[tuple[Button, Edge]] = deque()
        self._contacts = dict.fromkeys(pins.buttons, Contact())
        with ExitStack() as held:
            for button, pin in pins.buttons.items():
                device = held.enter_context(DigitalInputDevice(pin, pull_up=True, pin_factory=pin_factory))
                if device.is_active:
                    self._post(button, True)
                device.when_activated = self._poster(button, True)
                device.when_deactivated = self._poster(button, False)
            self._held = held.pop_all()

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

    def close(self) -> None:
        self._held.close()

    def _post(self, button: Button, down: bool) -> None:
        self._posted.append((button, Edge(self._now_s(), down)))

    def _poster(self, button: Button, down: bool) -> Callable[[], None]:
        return lambda: self._post(button, down)


class GpioSounder:
    """An active buzzer: it makes its own tone while its pin is high."""

    def __init__(self, pins: PinMap, pin_factory: PinFactory) -> None:
        self._device = OutputDevice(pins.buzzer, pin_factory=pin_factory)

    def sound(self, on: bool) -> None:
        self._device.value = on

    def close(self) -> None:
        self._device.off()
        self._device.close()
