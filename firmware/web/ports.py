"""The ports of this program's servers."""

from __future__ import annotations

from enum import IntEnum, unique
from typing import Final

from firmware.core.errors import EngardeError

LOOPBACK: Final = "127.0.0.1"


class WebError(EngardeError, OSError):
    """A page cannot be served at this address."""


@unique
class Port(IntEnum):
    """A server's usual port; ``SECURITY.md`` says who may ask there for what."""

    SCOREBOARD = 8765
    SETUP = 8766
    WALL = 8767
