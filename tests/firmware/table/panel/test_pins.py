"""The pin table: one that can be wired, and every way in which one cannot."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest

from display.lamps import LAMPS
from engine.table.presses import Button
from firmware.table.panel.pins import (
    PIN_MA,
    PINS_MA,
    WIRES,
    Output,
    PinError,
    PinKind,
    Wire,
    check_pins,
    lamp_ma,
    pin_faults,
)

PINS = check_pins(WIRES)


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


def test_fencings_colours() -> None:
    colours = {wire.name: wire.colour for wire in WIRES if wire.kind is PinKind.LAMP}
    assert (colours["touch_left"], colours["touch_right"]) == ("red", "yellow-green")
    assert {colours["attack_left"], colours["attack_right"], colours["alive"]} == {"white"}
    assert colours["refused"] == "amber"


def test_the_currents_are_what_the_resistors_let_through() -> None:
    assert lamp_ma("red", 330, driven=False) == 4.2
    assert lamp_ma("yellow-green", 330, driven=False) == 3.6
    assert lamp_ma("white", 220, driven=True) == 5.0
    assert lamp_ma("red", 150, driven=True) == 15.3
    for wire in WIRES:
        if wire.kind is PinKind.LAMP:
            assert wire.resistor_ohm is not None
            assert wire.current_ma == lamp_ma(wire.colour, wire.resistor_ohm, driven=wire.driven)
            assert 0 < wire.pad_ma <= PIN_MA
    assert sum(wire.pad_ma for wire in WIRES if wire.output is None) < PINS_MA


def test_a_touch_is_the_brightest_and_alike_on_both_sides() -> None:
    lamps = sorted((wire for wire in WIRES if wire.kind is PinKind.LAMP), key=lambda wire: -wire.shines_mcd)
    assert {wire.name for wire in lamps[:2]} == {"touch_left", "touch_right"}
    assert lamps[1].shines_mcd > 0.85 * lamps[0].shines_mcd
    assert lamps[1].shines_mcd > 1.2 * lamps[2].shines_mcd
    assert all(wire.shines_mcd > 15 for wire in lamps)
    small = {wire.colour: wire.shines_mcd for wire in lamps if wire.lamp_mm == 5 and wire.name != "alive"}
    assert small["yellow-green"] > min(small.values())
    assert max(small.values()) < 1.2 * min(small.values())


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
        (
            _changed("alive", output=Output(1, "QA")),
            ("register 1 QA is used twice: lamp refused and lamp alive",),
        ),
        (
            _changed("buzzer", gpio=None, output=Output(1, "QH")),
            ("buzzer is on register 1 QH: only lamps can hang on a register",),
        ),
        (
            (*WIRES, replace(WIRES[0], gpio=18)),
            ("the lamp touch_left is wired twice",),
        ),
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
        (
            _changed("score_left_1", resistor_ohm=220, current_ma=6.4),
            ("lamp score_left_1 takes 6.4 mA, one pin gives 5: take a larger resistor than 220 ohm, or a ULN2803A",),
        ),
    ],
)
def test_every_fault_is_named(wires: tuple[Wire, ...], faults: tuple[str, ...]) -> None:
    with pytest.raises(PinError) as refused:
        check_pins(wires)
    assert refused.value.faults == faults
    assert str(refused.value) == f"the pin table in firmware/table/panel/pins.py cannot be wired: {'; '.join(faults)}."


def test_too_much_altogether_is_a_fault_too() -> None:
    hungry = tuple(replace(wire, current_ma=5.0, driven=False) if wire.output is None else wire for wire in WIRES)
    assert pin_faults(hungry) == ("all pins together give 65.0 mA, 50 are allowed: move lamps to the registers",)
    lamp = next(wire for wire in WIRES if wire.name == "score_left_1")
    spare = tuple(replace(lamp, name=f"spare_{name}", output=Output(2, name)) for name in ("QG", "QH"))
    crowded = (*(replace(wire, current_ma=5.0) if wire.output else wire for wire in WIRES), *spare)
    assert "register 2 gives 38.4 mA, 35 are allowed: move lamps to another" in pin_faults(crowded)


def test_the_buttons_are_found_by_what_they_are() -> None:
    assert dict(PINS.buttons) == {Button.WHITE: 5, Button.BLACK: 6, Button.UNDO: 4, Button.MENU: 27}
