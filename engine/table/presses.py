"""The four buttons as values: who pressed what, and when on the camera's clock."""

from __future__ import annotations

from dataclasses import dataclass
from enum import Enum
from typing import Annotated, Final, Protocol

from engine.rules.track import Side
from engine.strict.values import Alias, Range

ENDLESS_S: Final = 1e9
"""Thirty years: no clock of frames shows more."""


class Button(Enum):
    """``act`` is the space bar or a touch on the screen: the button of whoever is to act."""

    WHITE = "white"
    BLACK = "black"
    ACT = "act"
    UNDO = "undo"
    MENU = "menu"

    @property
    def side(self) -> Side | None:
        """Whose own button this is, or None."""
        return {Button.WHITE: Side.WHITE, Button.BLACK: Side.BLACK}.get(self)


@dataclass(frozen=True, slots=True)
class Press:
    """A button went down at ``t_s`` on the clock of the frames; in a file its time is called ``t``."""

    t_s: Annotated[float, Range(-ENDLESS_S, ENDLESS_S), Alias("t")]
    button: Button


class Presses(Protocol):
    """Where presses come from. ``due`` hands out each press once, when its time has come."""

    def due(self, now_s: float) -> tuple[Press, ...]: ...
