"""The panel: the pin table, the pins, and what only eyes, fingers and ears can tell."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Final

from display.lamps import LAMPS
from engine.table.presses import Button
from firmware.doctor.findings import Finding, failed, passed, warned
from firmware.panel.devices import NoButtons, NoLights, NoSounder, Panel
from firmware.panel.pins import PANEL_BUTTONS, WIRES, Kind, Wire

PRESS_WITHIN_S: Final = 15.0
LOOK_S: Final = 0.02
BUZZ_S: Final = 0.5


@dataclass(frozen=True, slots=True)
class PanelFacts:
    """``faults`` of the pin table; ``notice``: what the panel says of itself; ``wired``: any of it is in use.

    ``dark``, ``silent`` and ``dead``: lamps not seen, the buzzer not heard, buttons not felt; None where nobody
    was asked.
    """

    faults: tuple[str, ...]
    notice: str
    wired: bool
    on_a_pi: bool
    dark: tuple[str, ...] | None = None
    dead: tuple[str, ...] | None = None
    silent: bool | None = None


def panel_findings(facts: PanelFacts) -> Iterator[Finding]:
    """The table and the pins; then the lamps, buttons and buzzer that somebody was asked about."""
    wired_once = "every part once, on a pin that is free, with a current it stands"
    if facts.faults:
        cure = "Put it right in firmware/panel/pins.py."
        yield failed("pin table", "; ".join(facts.faults), wired_once, cure)
        return
    yield passed("pin table", f"{len(WIRES)} wires", wired_once)
    expected = "a panel on the pins of a Raspberry Pi"
    if facts.wired and "cannot be used" not in facts.notice:
        yield passed("pins", facts.notice, expected)
    elif facts.on_a_pi and "cannot be used" in facts.notice:
        cure = "Run sh firmware/install.sh; end other programs that use the pins, the game itself too."
        yield failed("pins", facts.notice, expected, cure)
    else:
        cure = "Nothing, if you play without a panel: the screen has lamps and buttons."
        yield warned("pins", facts.notice, expected, cure)
    yield from _asked("lamps seen", facts.dark, "every lamp, one by one", "dark")
    yield from _asked("buttons pressed", facts.dead, "every button, one by one", "not felt")
    if facts.silent is not None:
        yield from _asked("buzzer heard", ("buzzer",) if facts.silent else (), "half a second of it", "silent")


def _asked(name: str, wrong: tuple[str, ...] | None, expected: str, word: str) -> Iterator[Finding]:
    if wrong is None:
        return
    if wrong:
        places = [f"{wire.title} ({_place(wire)})" for wire in WIRES if wire.name in wrong]
        cure = "Check its wire, which way round it is, and its resistor, in hardware/wiring.md."
        yield failed(name, f"{word}: {', '.join(places)}", expected, cure)
    else:
        yield passed(name, "all of them", expected)


def _place(wire: Wire) -> str:
    return f"GPIO {wire.gpio}" if wire.output is None else str(wire.output)


def ask_about(
    panel: Panel,
    facts: PanelFacts,
    ask: Callable[[str], bool],
    tell: Callable[[str], None],
    now_s: Callable[[], float],
    sleep: Callable[[float], None],
) -> PanelFacts:
    """The facts with what the person before the panel sees, presses and hears; only about parts that are there.

    ``ask`` puts a question and gives the answer, yes or no; ``tell`` says what to do.
    """
    dark: tuple[str, ...] | None = None
    dead: tuple[str, ...] | None = None
    silent: bool | None = None
    if not isinstance(panel.lights, NoLights):
        colours = {wire.name: wire.colour for wire in WIRES if wire.kind is Kind.LAMP}
        unseen = []
        for lamp in LAMPS:
            panel.lights.show({name: name == lamp for name in LAMPS})
            if not ask(f"Does the lamp {lamp} ({colours[lamp]}) shine, and no other?"):
                unseen.append(lamp)
        panel.lights.show(dict.fromkeys(LAMPS, False))
        dark = tuple(unseen)
    if not isinstance(panel.buttons, NoButtons):
        unfelt = []
        for button in PANEL_BUTTONS:
            tell(f"Press the button {button.value} now.")
            if _pressed(panel, now_s, sleep) is not button:
                unfelt.append(button.value)
        dead = tuple(unfelt)
    if not isinstance(panel.sounder, NoSounder):
        panel.sounder.sound(True)
        sleep(BUZZ_S)
        panel.sounder.sound(False)
        silent = not ask("Did the buzzer sound?")
    return PanelFacts(facts.faults, facts.notice, facts.wired, facts.on_a_pi, dark, dead, silent)


def _pressed(panel: Panel, now_s: Callable[[], float], sleep: Callable[[float], None]) -> Button | None:
    """The first button pressed from now on; None when nobody presses one in time."""
    panel.buttons.due(now_s())
    until_s = now_s() + PRESS_WITHIN_S
    while now_s() < until_s:
        for press in panel.buttons.due(now_s()):
            return press.button
        sleep(LOOK_S)
    return None
