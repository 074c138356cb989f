"""The panel on a pretended kernel: which chip is opened, what a busy pin costs, and what is told of it."""

from __future__ import annotations

import os
import sys
from collections.abc import Callable, Mapping
from dataclasses import replace
from pathlib import Path
from types import ModuleType
from typing import Any

import pytest
from hypothesis import settings
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, initialize, invariant, rule

from display.i18n import LANGUAGES, words
from display.lamps import LAMPS
from firmware.cli.doctor.findings import CheckResult
from firmware.cli.doctor.panel import panel_facts, panel_findings
from firmware.core.config import PanelSettings
from firmware.table.panel.devices import Panel, open_panel
from firmware.table.panel.header import HeaderError, PinTrouble, real_pins
from firmware.table.panel.pins import WIRES, Output, PinError, PinKind, Wire, check_pins, pin_faults
from tests.firmware.conftest import SetClock
from tests.firmware.table.panel.fake_lgpio import CHIPS, Kernel, install

PINS = check_pins(WIRES)
ALL = dict.fromkeys(LAMPS, True)
REGISTER = (PINS.register_data, PINS.register_clock, PINS.register_latch, PINS.register_enable)
GPIOS = (*PINS.lamps.values(), *REGISTER, *PINS.buttons.values(), PINS.buzzer)
Panels = Callable[..., Panel]


@pytest.fixture
def clock(monkeypatch: pytest.MonkeyPatch) -> SetClock:
    """The panel's clock and gpiozero's, which is the kernel's."""
    made = SetClock()
    monkeypatch.setattr("gpiozero.pins.local.monotonic", made.now_s)
    return made


@pytest.fixture
def kernel() -> Kernel:
    return Kernel(dict(CHIPS["Pi 5, kernel 6.12.96"]))


@pytest.fixture
def panel_on(monkeypatch: pytest.MonkeyPatch, clock: SetClock) -> Panels:
    def opened(kernel: Kernel) -> Panel:
        install(kernel, monkeypatch)
        return open_panel(PanelSettings(), clock.now_s, on_a_pi=True)

    return opened


@pytest.mark.parametrize("gpio", GPIOS)
def test_a_busy_pin_costs_its_own_part_and_is_told_with_its_holder(panel_on: Panels, kernel: Kernel, gpio: int) -> None:
    kernel.hold(gpio, "spi0 CS1")
    panel = panel_on(kernel)
    (missing,) = panel.missing
    assert (missing.problem.trouble, missing.name) == (PinTrouble.HELD, str(gpio))
    assert f"GPIO {gpio} (" in panel.notice
    assert "spi0 CS1" in panel.notice
    panel.lights.show(ALL)
    assert {pin for pin in PINS.lamps.values() if kernel.lines[pin].level} == {*PINS.lamps.values()} - {gpio}
    assert panel.has_lamps
    assert panel.has_buttons
    assert panel.has_buzzer is (gpio != PINS.buzzer)
    kernel.free(gpio)
    assert missing.look()
    assert panel.missing == ()
    panel.lights.show(ALL)
    assert all(kernel.lines[pin].level for pin in PINS.lamps.values())
    panel.close()


def test_a_pin_that_the_kernel_keeps_for_itself_and_one_without_a_holder(
    panel_on: Panels, kernel: Kernel, monkeypatch: pytest.MonkeyPatch
) -> None:
    panel = panel_on(kernel)
    panel.close()
    claims = sys.modules["lgpio"].gpio_claim_input

    def broken(handle: int, gpio: int, flags: int = 0) -> int:
        if gpio == PINS.buzzer:
            raise OSError("input/output error")
        return int(claims(handle, gpio, flags))

    monkeypatch.setattr(sys.modules["lgpio"], "gpio_claim_input", broken)
    again = open_panel(PanelSettings(), lambda: 0.0, on_a_pi=True)
    (missing,) = again.missing
    assert missing.problem.trouble is PinTrouble.BROKEN
    assert "input/output error" in again.notice
    again.close()


def _trouble(tmp_path: Path) -> PinTrouble:
    with pytest.raises(HeaderError) as failed:
        real_pins(tmp_path)
    return failed.value.problem.trouble


def test_each_failure_has_its_own_name(tmp_path: Path, kernel: Kernel, monkeypatch: pytest.MonkeyPatch) -> None:
    install(kernel, monkeypatch)
    kernel.chips = {}
    assert _trouble(tmp_path) is PinTrouble.NO_CHIP
    kernel.chips = {0: "gpio-brcmstb@107d508500", 1: "mcp23017"}
    assert _trouble(tmp_path) is PinTrouble.NO_HEADER
    assert kernel.opened == []
    kernel.chips, kernel.locked = {0: "pinctrl-rp1"}, {0}
    (tmp_path / "gpiochip0").touch()
    monkeypatch.setattr(os, "access", lambda path, mode: False)
    assert _trouble(tmp_path) is PinTrouble.NO_ACCESS
    empty = ModuleType("lgpio")  # as PyPI has one: it imports, and holds nothing
    empty.__file__ = "/somewhere/lgpio.py"
    for library, trouble in ((empty, PinTrouble.EMPTY_LGPIO), (None, PinTrouble.NO_LGPIO)):
        monkeypatch.setitem(sys.modules, "lgpio", library)
        assert _trouble(tmp_path) is trouble
    panel = open_panel(PanelSettings(), lambda: 0.0, on_a_pi=True)
    assert not panel.wired, "nothing is pretended"
    assert panel.notice.count("lgpio, which cannot be loaded") == 1


def test_a_chip_that_tells_no_label_is_never_taken_for_the_headers(
    tmp_path: Path, kernel: Kernel, monkeypatch: pytest.MonkeyPatch
) -> None:
    install(kernel, monkeypatch)

    def fails(handle: int) -> list[object]:
        raise OSError("no such call")

    monkeypatch.setattr(sys.modules["lgpio"], "gpio_get_chip_info", fails)
    assert _trouble(tmp_path) is PinTrouble.NO_HEADER


def test_a_header_that_comes_late_brings_the_whole_panel(panel_on: Panels, kernel: Kernel) -> None:
    chips, kernel.chips = kernel.chips, {0: "mcp23017"}
    panel = panel_on(kernel)
    assert kernel.scans == 1  # each takes 0.1 s a chip
    (missing,) = panel.missing
    assert (panel.wired, missing.problem.trouble, missing.name) == (False, PinTrouble.NO_HEADER, "")
    assert panel.notice.startswith("The panel cannot be used: lamps and buttons are on the screen.")
    assert not missing.look()
    assert kernel.scans == 2
    kernel.chips = chips
    assert missing.look()
    assert panel.has_lamps
    assert panel.has_buttons
    assert panel.has_buzzer
    panel.close()
    assert not missing.look()  # what was let go of stays so
    assert kernel.opened == []


@pytest.mark.parametrize("language", LANGUAGES)
def test_the_doctor_lists_chips_lines_and_holders(panel_on: Panels, kernel: Kernel, language: str) -> None:
    kernel.hold(17, "spi0 CS1")
    panel = panel_on(kernel)
    facts = panel_facts(panel)
    panel.close()
    assert facts.chips[-1] == "gpiochip15 (pinctrl-rp1, 54)"
    assert facts.holders["spi0 CS1"] == (17,)
    assert {22, 5, 12} <= set(facts.holders["engarde"])
    finding = next(each for each in panel_findings(facts) if each.name == "pins")
    pins = finding.told(words(language).say)
    assert pins.verdict is CheckResult.FAIL
    assert all(said in pins.found for said in ("gpiochip15", "pinctrl-rp1", "spi0 CS1: 17"))
    say = words(language).say  # lgpio is installed, and the group is joined
    assert all(say(f"doctor.pins.{key}_cure") not in pins.cure for key in ("no_lgpio", "empty_lgpio", "no_access"))


class Registers:
    """Three 74HC595 in a row, fed from what the pins do: an output is what was there when the latch last rose."""

    def __init__(self, kernel: Kernel) -> None:
        self._lines, self._row, self._latched = kernel.lines, [0] * 24, [1] * 24
        kernel.on_level = self._changed

    def lit(self) -> set[str]:
        """The lamps that shine, once the outputs are let through; those of spare outputs are called nothing."""
        enable = self._lines[PINS.register_enable]  # a resistor pulls it up where nobody drives it
        shines = enable.ours and not enable.level
        return {name for name, level in zip(PINS.register_lamps, self._latched, strict=True) if level and shines}

    def _changed(self, gpio: int, level: int) -> None:
        if level and gpio == PINS.register_clock:
            self._row = [self._lines[PINS.register_data].level, *self._row[:-1]]
        elif level and gpio == PINS.register_latch:
            self._latched = [*self._row]


class Pins(RuleBasedStateMachine):
    """Others take and free pins, whoever looks again finds them, and lamps shine wherever they can."""

    def __init__(self) -> None:
        super().__init__()
        self.patch = pytest.MonkeyPatch()

    @initialize(chips=st.sampled_from(list(CHIPS.values())), held=st.sets(st.sampled_from(GPIOS), max_size=3))
    def begin(self, chips: Mapping[int, str], held: set[int]) -> None:
        self.kernel = Kernel(dict(chips))
        self.registers = Registers(self.kernel)
        for gpio in held:
            self.kernel.hold(gpio, "early")
        install(self.kernel, self.patch)
        self.panel = open_panel(PanelSettings(), lambda: 0.0, on_a_pi=True)
        self.wanted = dict.fromkeys(LAMPS, False)

    @rule(gpio=st.sampled_from(GPIOS), user=st.sampled_from(["spi0 CS1", "onewire@4", "lg"]))
    def take(self, gpio: int, user: str) -> None:
        if not self.kernel.lines[gpio].ours:
            self.kernel.hold(gpio, user)

    @rule(gpio=st.sampled_from(GPIOS))
    def give(self, gpio: int) -> None:
        self.kernel.free(gpio)

    @rule()
    def look(self) -> None:
        for missing in self.panel.missing:
            free = not any(self.kernel.lines[pin].user for part in missing.parts for pin in part.gpios)
            assert missing.look() is free

    @rule(names=st.sets(st.sampled_from(list(LAMPS))))
    def show(self, names: set[str]) -> None:
        self.wanted = {name: name in names for name in LAMPS}
        self.panel.lights.show(self.wanted)
        self.panel.sounder.sound("refused" in names)

    @invariant()
    def lamps_shine_where_they_can(self) -> None:
        self.panel.lights.show(self.wanted)
        missing = {name for each in self.panel.missing for part in each.parts for name in part.names}
        for name, pin in PINS.lamps.items():
            assert name in missing or self.kernel.lines[pin].level == self.wanted[name]
        on_registers = {name for name in PINS.register_lamps if self.wanted.get(name)}
        # What they held when the power came on is never seen.
        assert self.registers.lit() == (set() if missing & {*PINS.register_lamps} else on_registers)
        for each in self.panel.missing:
            assert each.problem.trouble is PinTrouble.HELD

    def teardown(self) -> None:
        self.panel.close()
        assert self.kernel.opened == []
        assert not any(line.ours for line in self.kernel.lines.values())
        self.patch.undo()


TestPins = pytest.mark.slow(Pins.TestCase)
TestPins.settings = settings(max_examples=30, stateful_step_count=20, deadline=None)


def _changed(name: str, **changes: Any) -> tuple[Wire, ...]:
    return tuple(replace(wire, **changes) if wire.name == name else wire for wire in WIRES)


def _without(*names: str) -> tuple[Wire, ...]:
    return tuple(wire for wire in WIRES if wire.name not in names)


def test_our_table_can_be_wired_and_has_every_part_once() -> None:
    assert pin_faults(WIRES) == ()
    assert sorted((*PINS.lamps, *filter(None, PINS.register_lamps))) == sorted(LAMPS)
    assert [wire.kind for wire in WIRES].count(PinKind.LAMP) == len(LAMPS)
    assert len(PINS.register_lamps) == 24


def test_each_sides_score_and_turn_hang_on_one_register() -> None:
    assert PINS.register_lamps == (
        *("refused", "alive", "distance_1", "distance_2", "distance_3", "distance_4", "distance_5", ""),
        *("score_left_1", "score_left_2", "score_left_3", "score_left_4", "score_left_5", "turn_left", "", ""),
        *("score_right_1", "score_right_2", "score_right_3", "score_right_4", "score_right_5", "turn_right", "", ""),
    )


def test_ours_leaves_the_buses_alone() -> None:
    """SPI, I2C, I2S and UART stay free for whoever hangs a display or a sound card on the Pi."""
    buses = {2, 3, 7, 8, 9, 10, 11, 14, 15, 18, 19, 20, 21}
    used = {wire.gpio for wire in WIRES} - {None}
    assert used & buses == set()
    assert len(used) == 13


@pytest.mark.parametrize(
    ("wires", "faults"),
    [
        (_changed("touch_left", gpio=22), ("GPIO 22 is used twice: lamp touch_left and lamp touch_right",)),
        (_changed("touch_left", gpio=28), ("lamp touch_left is on GPIO 28, there are 0 to 27",)),
        (_changed("touch_left", gpio=-1), ("lamp touch_left is on GPIO -1, there are 0 to 27",)),
        (_changed("touch_left", gpio=0), ("lamp touch_left is on GPIO 0, which is kept for the HAT's identity",)),
        (_changed("buzzer", gpio=3), ("buzzer is on GPIO 3, which is kept for waking and shutting down",)),
        (
            _changed("touch_left", gpio=8),
            ("lamp touch_left is on GPIO 8, which is pulled up at boot: take one from 9 up",),
        ),
        (_changed("alive", gpio=18), ("lamp alive needs a GPIO or a register's output, and not both",)),
        (_changed("undo", gpio=None), ("button undo needs a GPIO or a register's output, and not both",)),
        (
            _changed("alive", output=Output(1, "QI")),
            ("lamp alive is on register 1 QI: registers count from 1, their outputs are QA to QH",),
        ),
        (_changed("alive", output=Output(1, "QA")), ("register 1 QA is used twice: lamp refused and lamp alive",)),
        (
            _changed("buzzer", gpio=None, output=Output(1, "QH")),
            ("buzzer is on register 1 QH: only lamps can hang on a register",),
        ),
        ((*WIRES, replace(WIRES[0], gpio=18)), ("the lamp touch_left is wired twice",)),
        (
            (*WIRES, replace(WIRES[0], gpio=18, name="touch_lefft")),
            ("there is no lamp touch_lefft, did you mean touch_left?",),
        ),
        (
            _without("alive", "black", "menu", "enable", "buzzer"),
            (
                "the lamp alive is wired nowhere",
                "the register enable is wired nowhere",
                "the button black is wired nowhere",
                "the button menu is wired nowhere",
                "the buzzer is wired nowhere",
            ),
        ),
    ],
)
def test_every_fault_is_named(wires: tuple[Wire, ...], faults: tuple[str, ...]) -> None:
    with pytest.raises(PinError) as refused:
        open_panel(PanelSettings("off"), lambda: 0.0, wires)
    assert refused.value.faults == faults
    assert str(refused.value) == f"the pin table in firmware/table/panel/pins.py cannot be wired: {'; '.join(faults)}."
