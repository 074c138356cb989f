"""Who sits at the table in the window: the strengths there are, the one that thinks longest by a clock."""

from __future__ import annotations

from functools import partial
from time import monotonic

from engine.players.bots.maestro import Maestro
from engine.players.bots.strengths import STRENGTHS
from firmware.hands.seat import IN_TIME


def test_every_strength_sits_here_and_the_maestro_by_the_clock() -> None:
    assert [*IN_TIME] == [*STRENGTHS]
    for name, strength in IN_TIME.items():
        assert type(strength()) is type(STRENGTHS[name]())
    maestro = IN_TIME["maestro"]
    assert isinstance(maestro, partial)
    assert maestro.func is Maestro
    assert maestro.args == (monotonic,)
