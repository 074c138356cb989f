"""The panel's parts behind small protocols: lamps, buttons, sounder; on GPIO, recorded, or not there.

Which of them are real is decided in one place, ``open_panel``, and said: pretended pins are taken only when they are
asked for, and never chosen because real ones fail.
"""

from __future__ import annotations

import os
import tempfile
from collections.abc import Callable, Mapping
from contextlib import ExitStack
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final, Protocol

from display.lamps import LAMPS
from firmware.buttons import Press
from firmware.errors import EngardeError
from firmware.pin_check import check_pins
from firmware.pins import WIRES, PinMap, Wire

CPUINFO: Final = Path("/proc/cpuinfo")


class Lights(Protocol):
    """Lamps, by the names of ``display.lamps.LAMPS``."""

    def show(self, lamps: Mapping[str, bool]) -> None:
        """Let exactly these shine; every name of ``LAMPS`` is there."""
        ...

    def close(self) -> None:
        """All off, and let go of the pins."""
        ...


class Buttons(Protocol):
    """Buttons on the panel. A ``firmware.buttons.Presses`` that can be closed."""

    def due(self, now_s: float) -> tuple[Press, ...]:
        """The presses that have become certain by ``now_s``, each handed out once."""
        ...

    def close(self) -> None: ...


class Sounder(Protocol):
    """Something that makes itself heard: one tone, on or off."""

    def sound(self, on: bool) -> None: ...

    def close(self) -> None: ...


class DeviceError(EngardeError):
    """A part of the panel cannot be used."""


class NoLights:
    """No lamps are wired: the screen shows them."""

    def show(self, lamps: Mapping[str, bool]) -> None:
        """Nothing shines."""

    def close(self) -> None:
        """Nothing to let go of."""


class NoButtons:
    """No buttons are wired: the keyboard or the screen has them."""

    def due(self, now_s: float) -> tuple[Press, ...]:
        """Nobody presses anything."""
        return ()

    def close(self) -> None:
        """Nothing to let go of."""


class NoSounder:
    """No buzzer is wired."""

    def sound(self, on: bool) -> None:
        """Silence."""

    def close(self) -> None:
        """Nothing to let go of."""


class LampRecord:
    """Keeps what was shown, as text: one entry for every change, the names of the lamps that shine."""

    def __init__(self) -> None:
        self.shown: list[str] = []

    def show(self, lamps: Mapping[str, bool]) -> None:
        text = " ".join(name for name in LAMPS if lamps[name])
        if not self.shown or self.shown[-1] != text:
            self.shown.append(text)

    def close(self) -> None:
        self.show(dict.fromkeys(LAMPS, False))


@dataclass(frozen=True, slots=True)
class Panel:
    """The panel's parts. ``notice`` says in one sentence which they are."""

    lights: Lights
    buttons: Buttons
    sounder: Sounder
    notice: str

    def close(self) -> None:
        """Everything off, every pin let go of, whatever happens on the way."""
        with ExitStack() as closing:
            closing.callback(self.sounder.close)
            closing.callback(self.buttons.close)
            closing.callback(self.lights.close)


def is_a_pi(cpuinfo: Path = CPUINFO) -> bool:
    """Whether this machine is a Raspberry Pi, by what its kernel says."""
    try:
        return "Raspberry Pi" in cpuinfo.read_text(encoding="utf-8", errors="replace")
    except OSError:
        return False


def open_panel(
    setting: str, now_s: Callable[[], float], wires: tuple[Wire, ...] = WIRES, *, on_a_pi: bool | None = None
) -> Panel:
    """The panel as ``panel.pins`` says: ``off``, ``mock`` (pretended pins), or ``auto``: real ones on a Pi, else none.

    Raises DeviceError when this is a Pi whose pins cannot be used, PinError for a pin table that cannot be wired.
    """
    pins = check_pins(wires)
    if setting == "off":
        return Panel(
            NoLights(), NoButtons(), NoSounder(), "The panel is switched off: lamps and buttons are on the screen."
        )
    if setting == "mock":
        from gpiozero.pins.mock import MockFactory

        return _panel(pins, MockFactory(), now_s, "The panel's pins are pretended, as was asked for.")
    if not (is_a_pi() if on_a_pi is None else on_a_pi):
        return Panel(
            NoLights(), NoButtons(), NoSounder(), "This is no Raspberry Pi: lamps and buttons are on the screen."
        )
    # lgpio makes a file where it stands unless it is told otherwise, and fails where it cannot.
    os.environ.setdefault("LG_WD", tempfile.gettempdir())
    try:
        from gpiozero.pins.lgpio import LGPIOFactory

        return _panel(pins, LGPIOFactory(), now_s, "Lamps and buttons are on the panel.")
    except Exception as error:  # gpiozero and lgpio raise whatever their layers do, none of it ours to tell apart
        raise DeviceError(
            f"the panel's pins cannot be used ({type(error).__name__}: {error}): is python3-lgpio installed and are "
            'you in the group gpio? To play without lamps and buttons, write pins = "off" under [panel].'
        ) from error


def _panel(pins: PinMap, pin_factory: Any, now_s: Callable[[], float], notice: str) -> Panel:
    from firmware.gpio import GpioButtons, GpioLights, GpioSounder

    with ExitStack() as held:
        lights = GpioLights(pins, pin_factory)
        held.callback(lights.close)
        buttons = GpioButtons(pins, pin_factory, now_s)
        held.callback(buttons.close)
        sounder = GpioSounder(pins, pin_factory)
        held.pop_all()
    return Panel(lights, buttons, sounder, notice)
