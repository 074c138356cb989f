"""The panel: the pin table, the pins, and what only eyes, fingers and ears can tell."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Final

from display.lamps import LAMPS
from engine.table.presses import Button
from firmware.cli.doctor.findings import ENGLISH, CheckResult, Finding, Say, failed, passed, warned
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
    """What this panel tells of itself, before anybody is asked."""
    missing = tuple(each.problem for each in panel.missing)
    facts = PanelFacts(faults, panel.said, panel.wired, is_a_pi(), missing=missing)
    header = panel.header
    if header is None or not (chips := header.chips()):
        return facts
    gpios = sorted(wire.gpio for wire in WIRES if wire.gpio is not None)
    held = {gpio: header.holder(gpio) for gpio in gpios}
    holders = {holder: tuple(gpio for gpio in gpios if held[gpio] == holder) for holder in dict.fromkeys(held.values())}
    return replace(facts, chips=tuple(map(str, chips)), holders=holders)


def panel_findings(facts: PanelFacts, say: Say = ENGLISH) -> Iterator[Finding]:
    """The table and the pins; then the lamps, buttons and buzzer that somebody was asked about."""
    wired_once = say("doctor.pin_table.expected")
    if facts.faults:
        faults = say("doctor.said", said="; ".join(facts.faults))
        yield failed("pin table", faults, wired_once, say("doctor.pin_table.mend"), "firmware/table/panel/pins.py")
        return
    yield passed("pin table", say("doctor.pin_table.wires", wires=len(WIRES)), wired_once)
    notice, expected = say("doctor.said", said=facts.notice), say("doctor.pins.expected")
    if facts.missing:
        found = " ".join(problem.found(say) for problem in facts.missing)
        cures = " ".join(dict.fromkeys(problem.cure(say) for problem in facts.missing))
        by = "; ".join(dict.fromkeys(problem.by for problem in facts.missing if problem.by))
        yield failed("pins", _with_lines(facts, say("doctor.said", said=found), say), expected, cures, by)
    elif facts.wired:
        yield passed("pins", _with_lines(facts, notice, say), expected)
    else:
        yield warned("pins", notice, expected, say("doctor.pins.nothing"))
    yield from _asked("lamps seen", facts.dark, "lamps", "dark", say)
    yield from _asked("buttons pressed", facts.dead, "buttons", "dead", say)
    if facts.silent is not None:
        yield from _asked("buzzer heard", ("buzzer",) if facts.silent else (), "buzzer", "silent", say)


def _with_lines(facts: PanelFacts, found: str, say: Say) -> str:
    """What was found, with the chips and who holds the panel's pins."""
    if not facts.chips:
        return found
    lines = "; ".join(
        f"{holder or say('doctor.pins.nobody')}: {', '.join(map(str, gpios))}"
        for holder, gpios in facts.holders.items()
    )
    return say("doctor.pins.lines", found=found, chips=", ".join(facts.chips), lines=lines)


def _asked(name: str, wrong: tuple[str, ...] | None, kind: str, word: str, say: Say) -> Iterator[Finding]:
    if wrong is None:
        return
    expected = say(f"doctor.panel.{kind}")
    if wrong:
        places = [f"{wire.title} ({_place(wire)})" for wire in WIRES if wire.name in wrong]
        yield failed(name, say(f"doctor.panel.{word}", parts=", ".join(places)), expected, say("doctor.panel.wire"))
    else:
        yield passed(name, say("doctor.panel.all"), expected)


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
    dark: tuple[str, ...] | None = None
    dead: tuple[str, ...] | None = None
    silent: bool | None = None
    absent = {name for each in panel.missing for part in each.parts for name in part.names}
    if panel.has_lamps:
        colours = {wire.name: wire.colour for wire in WIRES if wire.kind is PinKind.LAMP}
        unseen = []
        for lamp in (name for name in LAMPS if name not in absent):
            panel.lights.show({name: name == lamp for name in LAMPS})
            if not ask(say("doctor.ask.lamp", lamp=lamp, colour=colours[lamp])):
                unseen.append(lamp)
        panel.lights.show(dict.fromkeys(LAMPS, False))
        dark = tuple(unseen)
    if panel.has_buttons:
        unfelt = []
        for button in (button for button in PANEL_BUTTONS if button.value not in absent):
            tell(say("doctor.ask.button", button=button.value))
            if _pressed(panel, now_s, sleep) is not button:
                unfelt.append(button.value)
        dead = tuple(unfelt)
    if panel.has_buzzer:
        panel.sounder.sound(True)
        sleep(BUZZ_S)
        panel.sounder.sound(False)
        silent = not ask(say("doctor.ask.buzzer"))
    return replace(facts, dark=dark, dead=dead, silent=silent)


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
_LOOK_S: Final = 0.02


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
        sleep(_LOOK_S)
    panel.lights.show(dict.fromkeys(LAMPS, False))
