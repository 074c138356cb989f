"""The pin table: one that can be wired, and every way in which one cannot."""

from __future__ import annotations

from dataclasses import replace

import pytest

from display.lamps import LAMPS
from firmware.buttons import Button
from firmware.pins import PINS, PinError, PinMap, check_pins


def test_our_table_can_be_wired_and_has_every_lamp_once() -> None:
    assert check_pins(PINS) is PINS
    assert sorted((*PINS.lamps, *PINS.register_lamps)) == sorted(LAMPS)
    assert PINS.registers == 3
    assert len({pin for _, pin in PINS.rows()}) == len(list(PINS.rows())) == 13


def test_ours_leaves_the_buses_alone() -> None:
    """SPI, I2C, I2S and UART stay free for whoever hangs a display or a sound card on the Pi."""
    buses = {2, 3, 7, 8, 9, 10, 11, 14, 15, 18, 19, 20, 21}
    assert {pin for _, pin in PINS.rows()} & buses == set()


def _lamps(**changes: int) -> PinMap:
    return replace(PINS, lamps={**PINS.lamps, **changes})


@pytest.mark.parametrize(
    ("pins", "faults"),
    [
        (_lamps(touch_left=22), ("GPIO 22 is used twice: lamp touch_left and lamp touch_right",)),
        (_lamps(touch_left=28), ("lamp touch_left is on GPIO 28, there are 0 to 27",)),
        (_lamps(touch_left=-1), ("lamp touch_left is on GPIO -1, there are 0 to 27",)),
        (_lamps(touch_left=0), ("lamp touch_left is on GPIO 0, which is kept for the HAT's identity",)),
        (replace(PINS, buzzer=3), ("buzzer is on GPIO 3, which is kept for waking and shutting down",)),
        (_lamps(touch_left=8), ("lamp touch_left is on GPIO 8, which is pulled up at boot: take one from 9 up",)),
        (_lamps(alive=18), ("the lamp alive is wired twice",)),
        (_lamps(touch_lefft=18), ("there is no lamp touch_lefft, did you mean touch_left?",)),
        (
            replace(PINS, register_lamps=PINS.register_lamps[1:], buttons={Button.WHITE: 26}),
            (
                "GPIO 26 is used twice: register data and button white",
                f"the lamp {PINS.register_lamps[0]} is wired nowhere",
                "the button black is wired nowhere",
                "the button undo is wired nowhere",
                "the button menu is wired nowhere",
            ),
        ),
    ],
)
def test_every_fault_is_named(pins: PinMap, faults: tuple[str, ...]) -> None:
    with pytest.raises(PinError) as refused:
        check_pins(pins)
    assert refused.value.faults == faults
    assert str(refused.value) == f"the pin table cannot be wired: {'; '.join(faults)}."
