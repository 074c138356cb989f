"""The panel's parts behind small protocols: lamps, buttons, sounder; on GPIO, recorded, or not there.

Which of them are real is decided in one place, ``open_panel``, and said: each part works without the others, one that
cannot be used is left out with a sentence about it, and pretended pins are taken only when they are asked for.
"""

from __future__ import annotations

import os
import tempfile
from collections.abc import Callable, Mapping
from contextlib import ExitStack
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final, Protocol, TypeVar

from engine.table.presses import Button, Press
from firmware.config import PanelSettings
from firmware.panel.debounce import Gesture
from firmware.panel.pin_check import check_pins
from firmware.panel.pins import WIRES, PinMap, Wire

_Part = TypeVar("_Part")

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
    """Buttons on the panel. A ``engine.table.presses.Presses`` that can be closed."""

    def due(self, now_s: float) -> tuple[Press, ...]:
        """The presses that have become certain by ``now_s``, each handed out once."""
        ...

    def gestures(self, now_s: float) -> tuple[tuple[Button, Gesture], ...]:
        """The same with holds; what is handed out here is not handed out by ``due``."""
        ...

    def close(self) -> None: ...


class Sounder(Protocol):
    """Something that makes itself heard: one tone, on or off."""

    def sound(self, on: bool) -> None: ...

    def close(self) -> None: ...


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

    def gestures(self, now_s: float) -> tuple[tuple[Button, Gesture], ...]:
        """Nor holds it."""
        return ()

    def close(self) -> None:
        """Nothing to let go of."""


class NoSounder:
    """No buzzer is wired."""

    def sound(self, on: bool) -> None:
        """Silence."""

    def close(self) -> None:
        """Nothing to let go of."""


@dataclass(frozen=True, slots=True)
class Panel:
    """The panel's parts. ``notice`` says which they are, and why one is missing; in whole sentences."""

    lights: Lights
    buttons: Buttons
    sounder: Sounder
    notice: str

    @property
    def wired(self) -> bool:
        """Whether any part of it is there, on real pins or pretended ones."""
        return not (
            isinstance(self.lights, NoLights)
            and isinstance(self.buttons, NoButtons)
            and isinstance(self.sounder, NoSounder)
        )

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
    settings: PanelSettings,
    now_s: Callable[[], float],
    wires: tuple[Wire, ...] = WIRES,
    *,
    on_a_pi: bool | None = None,
) -> Panel:
    """The panel as the settings have it: no pins, pretended ones, or, with ``auto``, real ones on a Pi and else none.

    A part that fails is left out and said; the others work. Raises PinError for a pin table that cannot be wired.
    """
    pins = check_pins(wires)
    if settings.pins == "off":
        return no_panel("The panel is switched off: lamps and buttons are on the screen.")
    if settings.pins == "mock":
        from gpiozero.pins.mock import MockFactory

        return _panel(settings, pins, MockFactory(), now_s, "The panel's pins are pretended, as was asked for.")
    if not (is_a_pi() if on_a_pi is None else on_a_pi):
        return no_panel("This is no Raspberry Pi: lamps and buttons are on the screen.")
    try:
        factory = real_pins()
    except Exception as error:  # gpiozero and lgpio raise whatever their layers do, none of it ours to tell apart
        return no_panel(
            f"The panel's pins cannot be used ({type(error).__name__}: {error}): lamps and buttons are on the screen. "
            "Install python3-lgpio and join the group gpio."
        )
    return _panel(settings, pins, factory, now_s, "The panel is in use.")


def real_pins() -> Any:
    """The pin factory of a Raspberry Pi. Raises whatever gpiozero and lgpio do where there are no pins."""
    # lgpio makes a file where it stands unless it is told otherwise, and fails where it cannot.
    os.environ.setdefault("LG_WD", tempfile.gettempdir())
    import lgpio

    if not hasattr(lgpio, "gpiochip_open"):
        raise ImportError(f"{lgpio.__file__} is an empty package; apt's python3-lgpio is the real one")
    from gpiozero.pins.lgpio import LGPIOFactory

    return LGPIOFactory()


def no_panel(notice: str) -> Panel:
    """A panel of which nothing is there, for this reason."""
    return Panel(NoLights(), NoButtons(), NoSounder(), notice)


def _panel(settings: PanelSettings, pins: PinMap, pin_factory: Any, now_s: Callable[[], float], notice: str) -> Panel:
    """Every part that is wanted and answers. One that fails is said in the notice, and is on the screen instead."""
    from firmware.panel.gpio import GpioButtons, GpioLights, GpioSounder

    notices = [notice]

    def part(name: str, wanted: bool, make: Callable[[], _Part], without: _Part, instead: str) -> _Part:
        if not wanted:
            notices.append(f"It has no {name}: {instead}.")
            return without
        try:
            return make()
        except Exception as error:  # whatever the layers below raise: this part is missing, the others are not
            notices.append(f"Its {name} cannot be used ({type(error).__name__}: {error}): {instead}.")
            return without

    no_lights: Lights = NoLights()
    no_buttons: Buttons = NoButtons()
    no_sounder: Sounder = NoSounder()
    return Panel(
        part("lamps", settings.lamps, lambda: GpioLights(pins, pin_factory), no_lights, "they are on the screen"),
        part(
            "buttons",
            settings.buttons,
            lambda: GpioButtons(pins, pin_factory, now_s),
            no_buttons,
            "the keyboard has them",
        ),
        part("buzzer", settings.buzzer, lambda: GpioSounder(pins, pin_factory), no_sounder, "it stays silent"),
        " ".join(notices),
    )
