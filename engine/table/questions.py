"""What the desk waits for an answer to: whether somebody gives up, and whether the table or the record is right."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

from engine.rules.events import TurnEvent
from engine.rules.track import Side
from engine.table.comparison import Difference

TREMBLE_S: Final = 0.5
"""Presses that are closer together than this are one."""


@dataclass(frozen=True, slots=True)
class GiveUpAsked:
    """A press that laid and moved nothing: pressed again with the same table before ``until_s``, the player gives up.

    A player who moved the fencer and forgot the card meant to play, and is not asked. Nor does a trembling hand give a
    round away: ``asked_s`` is when the question came, and a press that follows too soon answers nothing.
    """

    side: Side
    table: TurnEvent
    asked_s: float
    until_s: float

    def is_too_soon(self, t_s: float) -> bool:
        """Whether a press now is still the one that was answered."""
        return t_s - self.asked_s < TREMBLE_S


@dataclass(frozen=True, slots=True)
class Comparing:
    """The table is compared with the record before play goes on: after a restart, and after a correction.

    ``difference`` is None until the eyes agreed. ``insisted_s``: when Black's button said that the record is right;
    None before. ``restarted``: a match was taken up again. ``rebuilding``: a lesson was given at this table, so that
    the record is right whatever lies there: no button says otherwise.
    """

    difference: Difference | None = None
    insisted_s: float | None = None
    restarted: bool = False
    rebuilding: bool = False
