"""The turns among what was ruled in a recording, as people number them."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from firmware.errors import EngardeError
from vision.recording.recording import FrameNote

_TURNS: Final = ("turn", "yield", "reveal")
"""The events that are counted: what players do."""


def turns_of(verdicts: Sequence[FrameNote]) -> list[FrameNote]:
    """The verdicts on turns, in order; refused ones count too."""
    return [verdict for verdict in verdicts if verdict["event"]["event"] in _TURNS]


def numbered_turn(verdicts: Sequence[FrameNote], number: int) -> FrameNote:
    """The verdict on turn ``number``, from 1. Raises EngardeError where there is no such turn."""
    turns = turns_of(verdicts)
    if not 1 <= number <= len(turns):
        has = f"turns 1 to {len(turns)}" if turns else "no turns: it was not made by engarde play --record"
        raise EngardeError(f"--turn {number}: this recording has {has}; --turns lists them.")
    return turns[number - 1]
