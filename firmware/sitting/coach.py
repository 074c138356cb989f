"""The coach as ``engarde play`` begins with him: beside the screen, and with what the command proposes."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from firmware.coach.agreement import Mode
from firmware.coach.coach import Coach
from firmware.loop.moment import People
from firmware.sitting.sitting import Notify, Sitting

OPTIONS: Final = {Mode.HINTS: "--coach", Mode.OPEN: "--open"}
"""The options of the command that propose something; both players still answer with their own buttons."""


def open_coach(
    proposed: Sequence[Mode], sitting: Sitting, people: People, say: Notify, *, at_hand: bool
) -> Coach | None:
    """The coach of these people; None where there is no screen to show his words on, which is said.

    A recording has him as it was made: what both had agreed to then is known, and nobody is asked.
    ``at_hand``: as in ``Coach``.
    """
    if sitting.camera.recorded is not None:
        if proposed:
            say(f"{OPTIONS[proposed[0]]} is left out: a recording is refereed with what both players agreed to then.")
        return Coach(sitting.setup.table.play_area, people)
    if not sitting.shown and proposed:
        say(f"{OPTIONS[proposed[0]]} shows its words on a screen, and there is none: play goes on without it.")
        proposed = ()
    if sitting.window is None:
        return None
    coach = Coach(sitting.setup.table.play_area, people, at_hand=at_hand)
    for mode in proposed[:1]:
        coach.propose(mode)
    if len(proposed) > 1:
        say("--coach and --open are asked one at a time: --coach is asked now, the other can be chosen in the menu.")
    return coach
