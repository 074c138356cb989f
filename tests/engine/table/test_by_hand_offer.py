"""A turn the eyes cannot see: proposed at the first press, entered at the second, and never otherwise.

Stories in the words of ``AtTheTable.tell``.
"""

from __future__ import annotations

from dataclasses import replace
from typing import Final

import pytest

from engine.rules.events import MatchEvent
from engine.rules.track import Side
from engine.table.desk import open_match
from engine.table.observation import (
    Why,
)
from engine.table.presses import Button, Press
from engine.table.step import hold
from tests.engine.table.conftest import Partly


@pytest.fixture
def table() -> Partly:
    return Partly()


ASKED: Final = "+8.5", "white+0 > 4a 8-15"


def test_between_rounds_and_while_eyes_see_nothing_is_offered(table: Partly) -> None:
    table.tell("see", "+9")
    assert table.desk.unseen is None
    table.desk, _ = open_match(MatchEvent("ferti-advanced", Side.WHITE, 5))
    table.see(Why.HAND)
    table.wait(9.0)
    assert table.desk.unseen is not None
    assert not table.desk.unseen.due


def test_a_pause_forgets_it(table: Partly) -> None:
    table.tell(*ASKED)
    held = hold(table.desk)
    assert (held.offer, held.unseen, held.waiting) == (None, None, None)
    assert hold(held) is held
    assert replace(table.desk, offer=None, unseen=None, waiting=None) == held
    unseen, offer, press = table.desk.unseen, table.desk.offer, Press(table.t_s, Button.WHITE)
    for alone in (replace(held, offer=offer), replace(held, unseen=unseen), replace(held, waiting=press)):
        assert hold(alone) == held != alone
