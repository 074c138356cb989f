"""How the machine is, in players' words."""

from __future__ import annotations

import pytest

from display.i18n import LANGUAGES, words
from firmware.cli.doctor.machine import MachineFacts, machine_lines

WELL = MachineFacts("Raspberry Pi 5 Model B", 0, 51.2, 9000, memory_mb=(4000, 2900), card_errors=0)


def test_a_sound_machine_says_so() -> None:
    assert machine_lines(WELL, words("en").say) == (
        "Power: all right",
        "Temperature: 51 °C, all right",
        "Memory: 2900 MB free",
        "Memory card: 9000 MB free, all right",
    )


@pytest.mark.parametrize("language", LANGUAGES)
def test_what_is_not_right_is_told(language: str) -> None:
    say = words(language).say
    sick = MachineFacts("Raspberry Pi 5", 1, 85.0, 9000, forgets=True, memory_mb=(4000, 2900), card_errors=3)
    lines = machine_lines(sick, say)
    assert [say("menu.machine_bad") in line for line in lines] == [True, True, False, True, False]
    assert lines[-1] == say("menu.machine_forgets")


def test_what_a_machine_does_not_tell_is_left_out() -> None:
    assert machine_lines(MachineFacts(None, None, None, None), words("en").say) == ()
