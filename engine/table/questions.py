"""What the desk waits for an answer to: whether somebody gives up, and whether the table or the record is right."""

from __future__ import annotations

from dataclasses import dataclass

from engine.rules.events import TurnEvent
from engine.rules.track import Side
from engine.table.comparison import Difference


@dataclass(frozen=True, slots=True)
class GiveUp:
    """A press that laid and moved nothing: pressed again with the same table before ``until_s``, the player gives up.

    Whoever moved his fencer and forgot the card is not asked: he meant to play.
    """

    side: Side
    table: TurnEvent
    until_s: float


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
