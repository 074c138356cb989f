"""Where a match was played, as the scorebook says it."""

from __future__ import annotations

from typing import Final

PLAY: Final = "play"
"""At a table with a camera; in books of version 3 and before at any table, with or without one, simulated too."""
BY_HAND: Final = "by_hand"
"""At a table without a camera: none was there when it began."""
SIMULATED: Final = "simulated"
"""At the simulated table, by people, whoever sat opposite."""
DEMO: Final = "demo"
"""At the simulated table, by bots, to be watched."""

AT_A_TABLE: Final = (PLAY, BY_HAND)
"""These count for ratings, form and streaks, and go on after a power cut."""
MODES: Final = (DEMO, *AT_A_TABLE, SIMULATED)
