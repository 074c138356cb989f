"""The panel's lamps, buttons and buzzer: on real pins, on pretended ones, or not there.

Which of them are real is decided in one place, ``open_panel``, and said: each lamp and each button works without the
others, one that cannot be used is told with its reason and can be looked for again, and pretended pins are taken only
when they are asked for. gpiozero is loaded with the first part that is opened: a panel without parts does without it.
"""

from __future__ import annotations

import re
from collections import defaultdict, deque
from collections.abc import Callable, Mapping, Sequence
from contextlib import ExitStack
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any, Final

from engine.table.presses import Button, Press
from firmware.core.config import PanelSettings
from firmware.table.panel.buttons import BOUNCE_S, HOLD_S, Contact, Edge, Gesture, GestureKind, debounce
from firmware.table.panel.header import Header, MissingParts, PinFactory, PinPart, PinParts, missing_parts, real_pins
from firmware.table.panel.pins import WIRES, PinMap, Wire, check_pins


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


_LOOK_S: Final = 0.02


@dataclass(frozen=True, slots=True)
class Panel:
    """The panel's parts. ``said`` is what it is, or why it is none, in whole sentences; ``header`` has its pins."""

    lights: Lights
    buttons: Buttons
    sounder: Sounder
    said: str
    header: Header | None = None

    @property
    def missing(self) -> tuple[MissingParts, ...]:
        """Wanted parts that cannot be used now; each can be looked for again, with its ``look``."""
        return missing_parts(self.lights, self.buttons, self.sounder)

    @property
    def notice(self) -> str:
        """The panel, and what of it is missing and why, in whole English sentences."""
        return " ".join((self.said, *(str(each.problem) for each in self.missing))).strip()

    @property
    def wired(self) -> bool:
        """Whether any part of it is there, on real pins or pretended ones."""
        return self.has_lamps or self.has_buttons or self.has_buzzer

    @property
    def has_lamps(self) -> bool:
        """Whether at least one lamp can be used."""
        return bool(self.lights.devices)

    @property
    def has_buttons(self) -> bool:
        """Whether at least one button can be used."""
        return bool(self.buttons.devices)

    @property
    def has_buzzer(self) -> bool:
        """Whether the buzzer can be used."""
        return bool(self.sounder.devices)

    def close(self) -> None:
        """Everything off, every pin let go of, whatever happens on the way."""
        with ExitStack() as closing:
            if self.header is not None:
                closing.callback(self.header.close)
            closing.callback(self.sounder.close)
            closing.callback(self.buttons.close)
            closing.callback(self.lights.close)


def pi_model(root: Path = Path("/")) -> str:
    """The model as the kernel tells it, ``Raspberry Pi 5 Model B Rev 1.0``; empty where it tells none.

    From the device tree, or, where a container hides that, from /proc/cpuinfo. ``root`` stands before them in tests.
    """

    def text(place: str) -> str:
        try:
            return (root / place).read_text(encoding="utf-8", errors="replace").strip("\0\n ")
        except OSError:
            return ""

    listed = re.search(r"^Model\s*: (.+)", text("proc/cpuinfo"), re.MULTILINE)
    return text("proc/device-tree/model") or (listed[1] if listed else "")


def is_a_pi(root: Path = Path("/")) -> bool:
    """Whether this machine is a Raspberry Pi, by what its kernel says."""
    return "Raspberry Pi" in pi_model(root)


def open_panel(
    settings: PanelSettings, now_s: Callable[[], float], wires: tuple[Wire, ...] = WIRES, *, on_a_pi: bool | None = None
) -> Panel:
    """The panel as the settings have it: no pins, pretended ones, or, with ``auto``, real ones on a Pi and else none.

    A lamp or button that fails is left out and said; the others work. Raises PinError for a pin table that cannot be
    wired.
    """
    pins = check_pins(wires)
    if settings.pins == "off":
        return no_panel("The panel is switched off: lamps and buttons are on the screen.")
    if settings.pins == "mock":
        from gpiozero.pins.mock import MockFactory

        return _panel(settings, pins, Header(MockFactory), now_s, "The panel's pins are pretended, as was asked for.")
    if not (is_a_pi() if on_a_pi is None else on_a_pi):
        return no_panel("This is no Raspberry Pi: lamps and buttons are on the screen.")
    return _panel(settings, pins, Header(real_pins), now_s, "The panel is in use.")


def no_panel(said: str) -> Panel:
    """A panel of which nothing is there, for this reason."""
    return Panel(Lights(), Buttons(), Sounder(), said)


def _panel(settings: PanelSettings, pins: PinMap, header: Header, now_s: Callable[[], float], said: str) -> Panel:
    """Every part that is wanted; each is opened for itself."""
    unwanted = {
        "It has no lamps: they are on the screen.": not settings.lamps,
        "It has no buttons: the keyboard has them.": not settings.buttons,
        "It has no buzzer: it stays silent.": not settings.buzzer,
    }
    panel = Panel(
        lights_on(pins, header) if settings.lamps else Lights(),
        buttons_on(pins, header, now_s) if settings.buttons else Buttons(),
        sounder_on(pins, header) if settings.buzzer else Sounder(),
        "",
        header,
    )
    if panel.missing and not panel.wired:
        said = "The panel cannot be used: lamps and buttons are on the screen."
    return replace(panel, said=" ".join((said, *(sentence for sentence, is_so in unwanted.items() if is_so))))


def menu_is_held(buttons: Buttons, now_s: Callable[[], float], sleep: Callable[[float], None]) -> bool:
    """Whether somebody holds the menu button at the start. Without a press this takes no longer than a bounce."""
    until_s = now_s() + 2 * BOUNCE_S
    while now_s() <= until_s:
        for button, gesture in buttons.gestures(now_s()):
            if button is not Button.MENU:
                continue
            if gesture.kind is GestureKind.HOLD:
                return True
            until_s = gesture.t_s + HOLD_S + BOUNCE_S
        sleep(_LOOK_S)
    return False
