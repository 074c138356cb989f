"""The lamps as data: their names, and which of them shine. Drawing and pins are made elsewhere.

Fencing's colours: red left and green right for a touch, white for an attack, amber for what is refused or cannot be
read, and one uncoloured lamp that shows the machine is alive.
"""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType
from typing import Final

from engine.rules.state import Phase, PublicState
from engine.rules.track import BySide, Side

SIDE_NAMES: Final = BySide("left", "right")
LAMPS: Final[tuple[str, ...]] = (
    "touch_left",
    "touch_right",
    "attack_left",
    "attack_right",
    "refused",
    "alive",
    *(f"distance_{number}" for number in range(1, 6)),
    *(f"score_left_{number}" for number in range(1, 6)),
    *(f"score_right_{number}" for number in range(1, 6)),
    "turn_left",
    "turn_right",
)
"""Every lamp there is. ``left`` is White's side, ``right`` Black's."""


def lamp_state(state: PublicState | None, *, amber: bool) -> Mapping[str, bool]:
    """Which lamps shine. ``amber``: something is refused or cannot be read now.

    A touch lamp stays on until the next round, for the side that won the point. In a match to more than five points
    the score lamps show the first five.
    """
    lamps = dict.fromkeys(LAMPS, False)
    lamps["alive"] = True
    lamps["refused"] = amber
    if state is None:
        return MappingProxyType(lamps)
    if state.result is not None and state.result.winner is not None:
        lamps[f"touch_{SIDE_NAMES[state.result.winner]}"] = True
    if state.attack is not None:
        lamps[f"attack_{SIDE_NAMES[state.attack.by]}"] = True
    if state.distance <= 5 and state.phase is not Phase.SETUP:
        lamps[f"distance_{state.distance}"] = True
    for side in Side:
        for number in range(1, min(state.score[side], 5) + 1):
            lamps[f"score_{SIDE_NAMES[side]}_{number}"] = True
    if state.to_act is not None:
        lamps[f"turn_{SIDE_NAMES[state.to_act]}"] = True
    return MappingProxyType(lamps)
