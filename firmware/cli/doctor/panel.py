"""The panel: the pin table, the pins, and what only eyes, fingers and ears can tell."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Final

from display.lamps import LAMPS
from engine.table.presses import Button
from firmware.cli.doctor.findings import ENGLISH, Check, CheckResult, Finding, Say, Text, joined, quoted
from firmware.table.panel.devices import Panel, is_a_pi
from firmware.table.panel.header import PinProblem
from firmware.table.panel.pins import PANEL_BUTTONS, WIRES, PinKind, Wire

PRESS_WITHIN_S: Final = 15.0
LOOK_S: Final = 0.02
BUZZ_S: Final = 0.5


@dataclass(frozen=True, slots=True)
class PanelFacts:
    """``faults`` of the pin table; ``notice``: what the panel says of itself; ``wired``: any of it is in use.

    ``missing``: why parts of it cannot be used. ``chips``: the GPIO chips, with label and lines. ``holders``: who holds
    the panel's pins, with each one's pins; empty for nobody.
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
    missing: tuple[PinProblem, ...] = ()
    chips: tuple[str, ...] = ()
    holders: Mapping[str, tuple[int, ...]] = field(default_factory=dict)


def panel_facts(panel: Panel, faults: tuple[str, ...] = ()) -> PanelFacts:
    """The facts of this panel that need no questions."""
    missing = tuple(each.problem for each in panel.missing)
    facts = PanelFacts(faults, panel.said, panel.wired, is_a_pi(), missing=missing)
    header = panel.header
    if header is None or not (chips := header.chips()):
        return facts
    gpios = sorted(wire.gpio for wire in WIRES if wire.gpio is not None)
    held = {gpio: header.holder(gpio) for gpio in gpios}
    holders = {holder: tuple(gpio for gpio in gpios if held[gpio] == holder) for holder in dict.fromkeys(held.values())}
    return replace(facts, chips=tuple(map(str, chips)), holders=holders)


def panel_findings(facts: PanelFacts) -> Iterator[Finding]:
    """The table and the pins; then the lamps, buttons and buzzer that somebody was asked about."""
    table = Check("pin table")
    if facts.faults:
        yield table.failed(quoted("; ".join(facts.faults)), table("mend"), "firmware/table/panel/pins.py")
        return
    yield table.passed(table("wires", wires=len(WIRES)))
    pins = Check("pins")

    def with_lines(found: Text) -> Text:
        """The finding with the chips and the holders of the panel's pins."""
        if not facts.chips:
            return found
        held = facts.holders.items()
        lines = (joined(": ", who or pins("nobody"), ", ".join(map(str, gpios))) for who, gpios in held)
        return pins("lines", found=found, chips=", ".join(facts.chips), lines=joined("; ", *lines))

    if facts.missing:
        found = quoted(joined(" ", *(problem.found for problem in facts.missing)))
        cures = joined(" ", *({problem.trouble: problem.cure for problem in facts.missing}.values()))
        by = "; ".join(dict.fromkeys(problem.by for problem in facts.missing if problem.by))
        yield pins.failed(with_lines(found), cures, by)
    elif facts.wired:
        yield pins.passed(with_lines(quoted(facts.notice)))
    else:
        yield pins.warned(quoted(facts.notice), pins("nothing"))
    buzzer = None if facts.silent is None else ("buzzer",) if facts.silent else ()
    asked = (
        ("lamps seen", facts.dark, "lamps", "dark"),
        ("buttons pressed", facts.dead, "buttons", "dead"),
        ("buzzer heard", buzzer, "buzzer", "silent"),
    )
    for name, wrong, expected, key in asked:
        if wrong is None:
            continue
        told = Check(name, "panel", expected=expected)
        places = ", ".join(f"{wire.title} ({_place(wire)})" for wire in WIRES if wire.name in wrong)
        yield told.failed(told(key, parts=places), told("wire")) if wrong else told.passed(told("all"))


def _place(wire: Wire) -> str:
    return f"GPIO {wire.gpio}" if wire.output is None else str(wire.output)


def ask_about(
    panel: Panel,
    facts: PanelFacts,
    ask: Callable[[str], bool],
    tell: Callable[[str], None],
    now_s: Callable[[], float],
    sleep: Callable[[float], None],
    say: Say = ENGLISH,
) -> PanelFacts:
    """The facts with what the person before the panel sees, presses and hears; only about parts that are there.

    ``ask`` puts a question and gives the answer, yes or no; ``tell`` says what to do; both in the words of ``say``.
    """
    absent = {name for each in panel.missing for part in each.parts for name in part.names}
    if panel.has_lamps:
        colours = {wire.name: wire.colour for wire in WIRES if wire.kind is PinKind.LAMP}
        dark = []
        for lamp in (name for name in LAMPS if name not in absent):
            panel.lights.show({name: name == lamp for name in LAMPS})
            if not ask(say("doctor.ask.lamp", lamp=lamp, colour=colours[lamp])):
                dark.append(lamp)
        panel.lights.show(dict.fromkeys(LAMPS, False))
        facts = replace(facts, dark=tuple(dark))
    if panel.has_buttons:
        dead = []
        for button in (button for button in PANEL_BUTTONS if button.value not in absent):
            tell(say("doctor.ask.button", button=button.value))
            if _pressed(panel, now_s, sleep) is not button:
                dead.append(button.value)
        facts = replace(facts, dead=tuple(dead))
    if panel.has_buzzer:
        panel.sounder.sound(True)
        sleep(BUZZ_S)
        panel.sounder.sound(False)
        facts = replace(facts, silent=not ask(say("doctor.ask.buzzer")))
    return facts


def _pressed(panel: Panel, now_s: Callable[[], float], sleep: Callable[[float], None]) -> Button | None:
    """The first button pressed from now on; None when nobody presses one in time."""
    panel.buttons.due(now_s())
    until_s = now_s() + PRESS_WITHIN_S
    while now_s() < until_s:
        for press in panel.buttons.due(now_s()):
            return press.button
        sleep(LOOK_S)
    return None


PAGE_S: Final = 4.0
GAP_S: Final = 0.5  # dark between two pages, so that the same number twice is two
TIMES: Final = 2


def readout_lamps(findings: Sequence[Finding], t_s: float) -> dict[str, bool] | None:
    """Every lamp, on or off, ``t_s`` after the readout began; None when all was shown ``TIMES`` times."""
    pages = [finding for finding in findings if finding.verdict is not CheckResult.PASS]
    page = int(t_s / PAGE_S)
    if page >= TIMES * max(1, len(pages)):
        return None
    lit = {"alive"}
    if t_s % PAGE_S < PAGE_S - GAP_S:
        lit |= _page(pages[page % len(pages)]) if pages else {"touch_right"}
    return {name: name in lit for name in LAMPS}


def _page(finding: Finding) -> set[str]:
    group, place = (int(digit) for digit in finding.number.split("-"))
    lit = {f"score_left_{number}" for number in range(1, group + 1)}
    lit |= {f"score_right_{number}" for number in range(1, place + 1)}
    return lit | {"touch_left" if finding.verdict is CheckResult.FAIL else "refused"}


def read_out(
    panel: Panel, findings: Sequence[Finding], now_s: Callable[[], float], sleep: Callable[[float], None]
) -> None:
    """Show the findings on the lamps to the end, or until a button is pressed."""
    began_s = now_s()
    panel.buttons.due(began_s)
    while (lamps := readout_lamps(findings, now_s() - began_s)) is not None:
        panel.lights.show(lamps)
        if panel.buttons.due(now_s()):
            break
        sleep(LOOK_S)
    panel.lights.show(dict.fromkeys(LAMPS, False))
