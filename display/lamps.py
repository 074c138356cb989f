"""The lamps as data, one row each, and which of them shine. The screen's lamps are drawn and the panel's are built
from these rows.

Fencing's colours: red left and green right for a touch, white for an attack, amber for what is refused or cannot be
read, and one uncoloured lamp that shows the machine is alive.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from enum import Enum
from types import MappingProxyType
from typing import Final

from engine.rules.state import Phase, PublicState
from engine.rules.track import BySide, Side

SIDE_NAMES: Final = BySide("left", "right")
"""``left`` is White's side, ``right`` Black's."""


class Tone(Enum):
    """The colour of a lamp by what it stands for."""

    TOUCH = "touch"  # each side's own
    ATTACK = "attack"
    REFUSED = "refused"
    PLAIN = "plain"
    ALIVE = "alive"


@dataclass(frozen=True, slots=True)
class Lamp:
    """One lamp. ``large``: one of the upper row, which fencers look at first; the others are in the lower one.

    ``place`` is where it is on the screen, in shares of its row's width and height, ``size`` its radius, in shares of
    the largest of the row. ``sign`` and ``number`` are what it shows besides its colour, if anything.
    """

    name: str
    tone: Tone
    place: tuple[float, float]
    size: float
    side: Side | None = None
    large: bool = False
    sign: str = ""
    number: int | None = None


def _pair(
    name: str, tone: Tone, left: tuple[float, float], size: float, signs: BySide[str], *, large: bool = False
) -> Iterable[Lamp]:
    """The lamp of each side, Black's as far from the right as White's is from the left."""
    places = BySide(left, (1 - left[0], left[1]))
    return (Lamp(name.format(SIDE_NAMES[side]), tone, places[side], size, side, large, signs[side]) for side in Side)


_UNSIGNED: Final = BySide("", "")
_SCORES: Final = [_pair(f"score_{{}}_{n}", Tone.TOUCH, (0.015 + n * 0.056, 0.68), 1.0, _UNSIGNED) for n in range(1, 6)]

LAMPS: Final[Mapping[str, Lamp]] = MappingProxyType(
    {
        lamp.name: lamp
        for lamp in (
            *_pair("touch_{}", Tone.TOUCH, (0.15, 0.52), 1.0, BySide("burst", "burst"), large=True),
            *_pair("attack_{}", Tone.ATTACK, (0.345, 0.52), 0.62, BySide("sword_right", "sword_left"), large=True),
            Lamp("refused", Tone.REFUSED, (0.5, 0.52), 0.62, large=True, sign="cross"),
            Lamp("alive", Tone.ALIVE, (0.5, 0.7), 0.7),
            *(Lamp(f"distance_{n}", Tone.PLAIN, (0.5 + (n - 3) * 0.072, 0.26), 1.25, number=n) for n in range(1, 6)),
            *(lamp for pair in zip(*_SCORES, strict=True) for lamp in pair),
            *_pair("turn_{}", Tone.PLAIN, (0.183, 0.26), 1.4, BySide("play", "play_left")),
        )
    }
)
"""Every lamp there is, by its name."""


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
