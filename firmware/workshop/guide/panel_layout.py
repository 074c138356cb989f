"""The holes of the panel's front, where the pin table places its parts. Millimetres.

Origin at the front's lower left corner, seen from the front; x right, y up.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

from firmware.panel.pins import WIRES, PinKind, Wire

WIDTH_MM: Final = 190.0
HEIGHT_MM: Final = 110.0
THICK_MM: Final = 3.0
BUTTON_MM: Final = 16.2
SCREW_MM: Final = 3.3
SOUND_MM: Final = 2.0
_PLAY_MM: Final = 0.2  # a lamp's hole is this much wider than the lamp


@dataclass(frozen=True, slots=True)
class Hole:
    """A hole for a part: its middle, its width, and the width of what lies over its edge (a nut, a lamp's collar)."""

    name: str
    kind: str
    x: float
    y: float
    drill_mm: float
    needs_mm: float


_SOUND_RING: Final = ((0.0, 0.0), (4.0, 0.0), (-4.0, 0.0), (0.0, 4.0), (0.0, -4.0))


def holes(wires: tuple[Wire, ...] = WIRES) -> tuple[Hole, ...]:
    """Every hole of the front: for each lamp, button and buzzer of the table, and for the screws."""
    found = []
    for wire in wires:
        if wire.place_mm is None:
            continue
        x, y = wire.place_mm
        if wire.lamp_mm is not None:
            drill_mm = wire.lamp_mm + _PLAY_MM
            found.append(Hole(wire.name, "lamp", x, y, drill_mm, drill_mm + 2.5))
        elif wire.kind is PinKind.BUTTON:
            found.append(Hole(wire.name, "button", x, y, BUTTON_MM, 20.0))
        else:
            found += [Hole(wire.name, "sound", x + dx, y + dy, SOUND_MM, SOUND_MM) for dx, dy in _SOUND_RING]
    found += [Hole("screw", "screw", x, y, SCREW_MM, 7.0) for x in (6.0, WIDTH_MM - 6) for y in (6.0, HEIGHT_MM - 6)]
    return tuple(found)
