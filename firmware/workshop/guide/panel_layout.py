"""Where lamps, buttons and screws sit on the panel's front, as the screen shows the lamps. Millimetres.

Origin at the front's lower left corner, seen from the front; x right, y up.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import Final

from firmware.panel.pins import WIRES, Kind, Wire

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


def _lamp_places() -> dict[str, tuple[float, float]]:
    places = {
        "touch_left": (26.0, 86.0),
        "touch_right": (164.0, 86.0),
        "attack_left": (64.0, 86.0),
        "attack_right": (126.0, 86.0),
        "refused": (95.0, 86.0),
        "turn_left": (33.0, 62.0),
        "turn_right": (157.0, 62.0),
        "alive": (95.0, 43.0),
    }
    for number in range(1, 6):
        places[f"distance_{number}"] = (95.0 + (number - 3) * 14, 62.0)
        places[f"score_left_{number}"] = (10.0 + number * 12, 43.0)
        places[f"score_right_{number}"] = (180.0 - number * 12, 43.0)
    return places


_BUTTONS: Final = {"white": (26.0, 18.0), "undo": (70.0, 18.0), "menu": (120.0, 18.0), "black": (164.0, 18.0)}
BUZZER_PLACE: Final = (95.0, 18.0)
_SOUND_RING: Final = ((0.0, 0.0), (4.0, 0.0), (-4.0, 0.0), (0.0, 4.0), (0.0, -4.0))


def lamp_size_mm(wire: Wire) -> int:
    """How wide this lamp is, by the pin table's part: 5 or 10 mm. Raises ValueError for a part that tells no size."""
    found = re.fullmatch(r"LED (\d+) mm", wire.part)
    if found is None:
        raise ValueError(
            f"{wire.title}: expected a part such as 'LED 5 mm', found {wire.part!r}; see firmware/panel/pins.py"
        )
    return int(found[1])


def holes(wires: tuple[Wire, ...] = WIRES) -> tuple[Hole, ...]:
    """Every hole of the front, one for each lamp and button of the table. Raises KeyError for one without a place."""
    lamps, found = _lamp_places(), []
    for wire in wires:
        if wire.kind is Kind.LAMP:
            drill_mm = lamp_size_mm(wire) + _PLAY_MM
            found.append(Hole(wire.name, "lamp", *lamps[wire.name], drill_mm, drill_mm + 2.5))
        elif wire.kind is Kind.BUTTON:
            found.append(Hole(wire.name, "button", *_BUTTONS[wire.name], BUTTON_MM, 20.0))
        elif wire.kind is Kind.BUZZER:
            x, y = BUZZER_PLACE
            found += [Hole(wire.name, "sound", x + dx, y + dy, SOUND_MM, SOUND_MM) for dx, dy in _SOUND_RING]
    found += [Hole("screw", "screw", x, y, SCREW_MM, 7.0) for x in (6.0, WIDTH_MM - 6) for y in (6.0, HEIGHT_MM - 6)]
    return tuple(found)
