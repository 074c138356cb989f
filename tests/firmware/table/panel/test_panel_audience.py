"""The panel as the loop's audience: when the lamp test runs."""

from __future__ import annotations

from types import SimpleNamespace
from typing import cast

import pytest

from display.lamps import LAMPS
from display.view import Situation
from display.words.present import present
from firmware.table.loop.moment import Moment
from firmware.table.panel.devices import NoPart
from firmware.table.panel.patterns import LAMP_TEST_S, TEST_STEP_S, PanelAudience
from tests.firmware.conftest import LampRecord


def _shown_from(first_s: float) -> list[str]:
    record = LampRecord()
    audience = PanelAudience(record, NoPart())
    for step in range(round(LAMP_TEST_S / TEST_STEP_S)):
        t_s = first_s + (step + 0.5) * TEST_STEP_S if step else first_s
        frame = SimpleNamespace(t_s=t_s)
        audience.attend(cast(Moment, SimpleNamespace(frame=frame, match=present(Situation(None)))))
    return record.shown


@pytest.mark.parametrize("first_s", [0.0, 2.5, 40.0])
def test_the_lamp_test_begins_with_the_first_picture_however_late_it_comes(first_s: float) -> None:
    assert _shown_from(first_s) == [*LAMPS, " ".join(LAMPS)]
