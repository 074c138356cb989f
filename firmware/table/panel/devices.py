"""The panel's lamps, buttons and buzzer: on real pins, on pretended ones, or not there.

Which of them are real is decided in one place, ``open_panel``, and said: each lamp and each button works without the
others, one that cannot be used is told with its reason and can be looked for again, and pretended pins are taken only
when they are asked for.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from contextlib import ExitStack
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Final

from engine.table.presses import Button
from firmware.core.config import PanelSettings
from firmware.table.panel.buttons import BOUNCE_S, HOLD_S, GestureKind
from firmware.table.panel.gpio import Buttons, Lights, Sounder, buttons_on, lights_on, sounder_on
from firmware.table.panel.header import Header, MissingParts, missing_parts, real_pins
from firmware.table.panel.pins import WIRES, PinMap, Wire, check_pins

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
    settings: PanelSettings,
    now_s: Callable[[], float],
    wires: tuple[Wire, ...] = WIRES,
    *,
    on_a_pi: bool | None = None,
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
