"""The ports that this program opens, each for one server."""

from __future__ import annotations

from enum import IntEnum, unique


@unique
class Port(IntEnum):
    """A server's usual port; ``SECURITY.md`` says who may ask there for what."""

    SCOREBOARD = 8765
    SETUP = 8766
    WALL = 8767
