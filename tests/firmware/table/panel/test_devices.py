"""The panel on pretended pins: what every pin did, as whole lists."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from gpiozero.pins.mock import MockFactory, MockPin

from display.lamps import LAMPS
from engine.table.presses import Button, Press
from firmware.core.config import PanelSettings
from firmware.table.panel import lights_out
from firmware.table.panel.devices import Buttons, buttons_on, is_a_pi, menu_is_held, open_panel
from firmware.table.panel.header import Header
from firmware.table.panel.pins import WIRES, check_pins
from tests.firmware.conftest import SetClock

PINS = check_pins(WIRES)


@pytest.fixture
def factory() -> Iterator[Any]:
    made = MockFactory()
    yield made
    made.reset()


@pytest.fixture
def clock(monkeypatch: pytest.MonkeyPatch) -> SetClock:
    """The panel's clock and the pretended pins'."""
    made = SetClock()
    monkeypatch.setattr("gpiozero.pins.mock.monotonic", made.now_s)
    return made


@pytest.fixture
def buttons(factory: Any, clock: SetClock) -> Iterator[Buttons]:
    made = buttons_on(PINS, Header(lambda: factory), clock.now_s)
    yield made
    made.close()


def _at(clock: SetClock, factory: Any, t_s: float, button: Button, *, down: bool) -> None:
    clock.now = t_s
    pin = factory.pin(PINS.buttons[button])
    (pin.drive_low if down else pin.drive_high)()


def test_a_bouncing_press_is_one_press(factory: Any, clock: SetClock, buttons: Buttons) -> None:
    for t_s, down in ((1.0, True), (1.002, False), (1.004, True), (1.2, False), (1.203, True), (1.205, False)):
        _at(clock, factory, t_s, Button.WHITE, down=down)
    assert buttons.due(1.5) == (Press(1.004, Button.WHITE),)
    assert buttons.due(2.5) == ()


class GroundedPin(MockPin):  # type: ignore[misc]
    """A pin held to ground from the start: its pull-up changes nothing."""

    def _set_pull(self, value: str) -> None:
        self._pull = value


@pytest.mark.parametrize(("factory_class", "held"), [(GroundedPin, True), (MockPin, False)])
def test_the_menu_button_is_felt_when_it_is_held_while_the_game_starts(
    clock: SetClock, factory_class: type, held: bool
) -> None:
    def sleep(for_s: float) -> None:
        clock.now += for_s

    header = Header(lambda: MockFactory(pin_class=factory_class))
    made = buttons_on(replace(PINS, buttons={Button.MENU: 27}), header, clock.now_s)
    assert menu_is_held(made, clock.now_s, sleep) is held
    made.close()


AUTO, OFF, MOCK = PanelSettings(), PanelSettings("off"), PanelSettings("mock")


def test_the_panel_is_what_was_asked_for_and_says_so(clock: SetClock) -> None:
    off = open_panel(OFF, clock.now_s, on_a_pi=True)
    assert (*off.lights.parts, *off.buttons.parts, *off.sounder.parts) == ()
    assert "switched off" in off.notice
    elsewhere = open_panel(AUTO, clock.now_s, on_a_pi=False)
    assert elsewhere.lights.parts == ()
    assert "no Raspberry Pi" in elsewhere.notice
    mock = open_panel(MOCK, clock.now_s, on_a_pi=False)
    assert mock.lights.devices
    assert mock.buttons.devices
    assert mock.sounder.devices
    assert mock.notice == "The panel's pins are pretended, as was asked for."
    assert [panel.wired for panel in (off, elsewhere, mock)] == [False, False, True]
    for panel in (off, elsewhere, mock):
        assert panel.buttons.gestures(1.0) == ()
        assert panel.buttons.due(1.0) == ()
        panel.close()


@pytest.mark.parametrize("kept", ["lamps", "buttons", "buzzer"])
def test_each_part_works_without_the_others(clock: SetClock, kept: str) -> None:
    none = {"lamps": False, "buttons": False, "buzzer": False}
    panel = open_panel(PanelSettings("mock", **{**none, kept: True}), clock.now_s, on_a_pi=False)
    there = {
        "lamps": bool(panel.lights.devices),
        "buttons": bool(panel.buttons.devices),
        "buzzer": bool(panel.sounder.devices),
    }
    assert there == {**none, kept: True}
    assert panel.wired
    for name in none:
        assert (f"It has no {name}: " in panel.notice) is (name != kept)
    panel.lights.show(dict.fromkeys(LAMPS, True))
    panel.sounder.sound(True)
    panel.close()


@pytest.mark.parametrize(
    ("place", "text", "pi"),
    [
        ("device-tree/model", "Raspberry Pi 5 Model B Rev 1.0\0", True),
        ("device-tree/model", "Pine64 RockPro64\0", False),
        ("cpuinfo", "Revision\t: d04170\nModel\t\t: Raspberry Pi 4 Model B Rev 1.4\n", True),
        ("cpuinfo", "model name\t: Some CPU\n", False),
    ],
)
def test_a_pi_is_known_by_its_kernel(tmp_path: Path, place: str, text: str, pi: bool) -> None:
    path = tmp_path / "proc" / place
    path.parent.mkdir(parents=True)
    path.write_text(text)
    assert is_a_pi(tmp_path) is pi
    assert not is_a_pi(tmp_path / "none")


def test_where_there_is_no_panel_nothing_happens(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setenv("XDG_CONFIG_HOME", str(tmp_path))
    lights_out.main()
    assert capsys.readouterr() == ("", "")
