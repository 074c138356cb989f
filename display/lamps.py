"""The lamps as data, one row each, and which of them shine. The screen's lamps are drawn and the panel's are wired
from these rows.

Fencing's colours: red left and green right for a touch, white for an attack, amber for what is refused or cannot be
read, and one uncoloured lamp that shows the machine is alive.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from enum import Enum
from types import MappingProxyType
from typing import Final

from engine.rules.state import Phase, PublicState
from engine.rules.track import BySide, Side

SIDE_NAMES: Final = BySide("left", "right")
"""``left`` is White's side, ``right`` Black's."""


class LampTone(Enum):
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

    ``pin`` drives it: a GPIO (BCM number), or a shift register, from 1, with its output. ``front_mm`` is its middle on
    the panel's front, from the lower left corner.
    """

    name: str
    tone: LampTone
    place: tuple[float, float]
    size: float
    pin: int | tuple[int, str]
    front_mm: tuple[float, float]
    side: Side | None = None
    large: bool = False
    sign: str = ""
    number: int | None = None


FRONT_MM: Final = 190.0
"""How wide the panel's front is."""
OUTPUTS: Final = ("QA", "QB", "QC", "QD", "QE", "QF", "QG", "QH")


def _right(lamp: Lamp, pin: int | tuple[int, str], sign: str = "") -> Lamp:
    """The lamp of Black's side, as far from the right as this one of White's is from the left."""
    name, (x, y), (x_mm, y_mm) = lamp.name.replace("left", "right"), lamp.place, lamp.front_mm
    place, front_mm = (1 - x, y), (FRONT_MM - x_mm, y_mm)
    return replace(lamp, name=name, place=place, pin=pin, front_mm=front_mm, side=Side.BLACK, sign=sign or lamp.sign)


_TOUCH: Final = Lamp("touch_left", LampTone.TOUCH, (0.15, 0.52), 1.0, 17, (26.0, 86.0), Side.WHITE, True, "burst")
_ATTACK: Final = Lamp(
    "attack_left", LampTone.ATTACK, (0.345, 0.52), 0.62, 23, (64.0, 86.0), Side.WHITE, True, "sword_right"
)
_SCORE: Final = [
    Lamp(f"score_left_{n}", LampTone.TOUCH, (0.015 + n * 0.056, 0.68), 1.0, (2, out), (10.0 + n * 12, 43.0), Side.WHITE)
    for n, out in enumerate(OUTPUTS[:5], 1)
]
_DISTANCE: Final = [
    Lamp(f"distance_{n}", LampTone.PLAIN, (0.284 + n * 0.072, 0.26), 1.25, (1, out), (53.0 + n * 14, 62.0), number=n)
    for n, out in enumerate(OUTPUTS[2:7], 1)
]
_TURN: Final = Lamp("turn_left", LampTone.PLAIN, (0.183, 0.26), 1.4, (2, "QF"), (33.0, 62.0), Side.WHITE, sign="play")
_ROWS: Final = (
    *(_TOUCH, _right(_TOUCH, 22)),
    *(_ATTACK, _right(_ATTACK, 24, "sword_left")),
    Lamp("refused", LampTone.REFUSED, (0.5, 0.52), 0.62, (1, "QA"), (95.0, 86.0), large=True, sign="cross"),
    Lamp("alive", LampTone.ALIVE, (0.5, 0.7), 0.7, (1, "QB"), (95.0, 43.0)),
    *_DISTANCE,
    *(*_SCORE, *(_right(lamp, (3, out)) for lamp, out in zip(_SCORE, OUTPUTS, strict=False))),
    *(_TURN, _right(_TURN, (3, "QF"), "play_left")),
)
LAMPS: Final[Mapping[str, Lamp]] = MappingProxyType({lamp.name: lamp for lamp in _ROWS})
"""Every lamp there is, by its name."""


def lamp_state(state: PublicState | None, *, amber: bool, asks: bool = False) -> Mapping[str, bool]:
    """Which lamps shine. ``amber``: something is refused or cannot be read now. ``asks``: the distance is asked for.

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
    if state.distance <= 5 and state.phase is not Phase.SETUP and not asks:
        lamps[f"distance_{state.distance}"] = True
    for side in Side:
        for number in range(1, min(state.score[side], 5) + 1):
            lamps[f"score_{SIDE_NAMES[side]}_{number}"] = True
    if state.to_act is not None:
        lamps[f"turn_{SIDE_NAMES[state.to_act]}"] = True
    return MappingProxyType(lamps)
