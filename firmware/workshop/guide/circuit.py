"""The panel's circuit as parts whose feet are on nets: boards are laid out from it, and held against it.

Lamps, buttons, buzzer and the Pi's header are parts too; they hang on wires. Sources: the pin table for what hangs
where; the makers' data sheets for the feet of the chips and the regulator.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from types import MappingProxyType
from typing import Final

from firmware.panel.pins import ENABLE_PULL_UP_OHM, FILTERED_LINES, LINE_OHM, LINE_PF, WIRES, PinKind, Wire
from firmware.workshop.guide.chips import (
    DRIVER_INPUTS,
    LINE_FOOT,
    REGISTER_FEET,
    channels,
    on_register,
    output_foot,
    register_count,
)
from firmware.workshop.guide.currents import BUTTON_PULL_UP_OHM
from firmware.workshop.guide.header import GROUND_AT, PLACES, POWER_AT, place_of
from firmware.workshop.guide.lamps_drawing import ohms

GROUND: Final = "GND"
FIVE: Final = "+5V"
PI_THREE: Final = "+3V3"
OWN_THREE: Final = "+3V3R"
_RAIL_NETS: Final = MappingProxyType({"5 V": FIVE, "3.3 V": PI_THREE})


@dataclass(frozen=True, slots=True)
class CircuitPart:
    """One part. ``feet`` gives the net of every foot that is used; ``wired``: it hangs on wires, off the board.

    ``kind``: ``chip``, ``resistor``, ``capacitor``, ``regulator``, ``header``, ``lamp``, ``button`` or ``buzzer``.
    """

    ref: str
    kind: str
    value: str
    board: str
    feet: Mapping[str, str]
    wired: bool = False


def circuit(wires: tuple[Wire, ...] = WIRES) -> tuple[CircuitPart, ...]:
    """Every part of the panel. Nets that lead to one foot alone are left out."""
    numbers = _Numbers()
    parts = [
        *_header(wires),
        *_registers(wires),
        _driver(wires),
        CircuitPart("U5", "regulator", "MCP1700-3302E", "registers", {"GND": GROUND, "VIN": FIVE, "VOUT": OWN_THREE}),
        *_lamps(wires, numbers),
        *_lines(wires, numbers),
        *_buttons(wires, numbers),
    ]
    return tuple(parts)


def nets(parts: tuple[CircuitPart, ...]) -> dict[str, list[tuple[str, str]]]:
    """Every net with the feet on it, as part and foot."""
    found: dict[str, list[tuple[str, str]]] = {}
    for part in parts:
        for foot, net in part.feet.items():
            found.setdefault(net, []).append((part.ref, foot))
    return found


class _Numbers:
    """Gives parts of one letter their numbers, in the order in which they are asked for."""

    def __init__(self) -> None:
        self._last: dict[str, int] = {}

    def next(self, letter: str) -> str:
        self._last[letter] = self._last.get(letter, 0) + 1
        return f"{letter}{self._last[letter]}"


def _net(wire: Wire) -> str:
    return f"{wire.kind.value}_{wire.name}".upper()


def _header(wires: tuple[Wire, ...]) -> Iterator[CircuitPart]:
    feet: dict[str, str] = {}
    for place in range(1, PLACES + 1):
        if place in GROUND_AT:
            feet[f"{place}"] = GROUND
        elif POWER_AT.get(place) in _RAIL_NETS:
            feet[f"{place}"] = _RAIL_NETS[POWER_AT[place]]
    for wire in wires:
        if wire.gpio is not None:
            filtered = wire.kind is PinKind.REGISTER and wire.name in FILTERED_LINES
            feet[f"{place_of(wire.gpio)}"] = f"{_net(wire)}_IN" if filtered else _net(wire)
    yield CircuitPart(
        "J1", "header", "to the Pi, pin for pin", "", dict(sorted(feet.items(), key=_by_place)), wired=True
    )


def _by_place(foot: tuple[str, str]) -> int:
    return int(foot[0])


def _registers(wires: tuple[Wire, ...]) -> Iterator[CircuitPart]:
    count = register_count(wires)
    line = {
        name: next(wire for wire in wires if wire.kind is PinKind.REGISTER and wire.name == name) for name in LINE_FOOT
    }
    for number in range(1, count + 1):
        feet = {8: GROUND, 16: OWN_THREE, 10: OWN_THREE}
        for name, foot in LINE_FOOT.items():
            if name != "data":
                feet[foot] = _net(line[name])
        feet[LINE_FOOT["data"]] = _net(line["data"]) if number == 1 else f"ROW_{number - 1}"
        if number < count:
            feet[9] = f"ROW_{number}"
        for wire in on_register(number, wires).values():
            assert wire.output is not None
            feet[output_foot(wire.output)] = _net(wire)
        yield CircuitPart(
            f"U{number}", "chip", "74HC595", "registers", {f"{foot}": feet[foot] for foot in sorted(feet)}
        )
    assert len(REGISTER_FEET) == 16


def _driver(wires: tuple[Wire, ...]) -> CircuitPart:
    feet = {DRIVER_INPUTS + 1: GROUND, DRIVER_INPUTS + 2: FIVE}
    for each in channels(wires):
        feet[each.input_foot] = _net(each.wire)
        feet[each.output_foot] = f"{_net(each.wire)}_OUT"
    return CircuitPart("U4", "chip", "ULN2803A", "lamps", {f"{foot}": feet[foot] for foot in sorted(feet)})


def _lamps(wires: tuple[Wire, ...], numbers: _Numbers) -> Iterator[CircuitPart]:
    """Each lamp with its resistor, and the buzzer."""
    for wire in wires:
        if wire.kind is PinKind.LAMP:
            board = "lamps" if wire.driven or wire.gpio is not None else "registers"
            before, after = (f"{_net(wire)}_OUT", f"{_net(wire)}_K") if wire.driven else (_net(wire), f"{_net(wire)}_A")
            yield CircuitPart(
                numbers.next("R"), "resistor", ohms(wire.resistor_ohm or 0), board, {"1": before, "2": after}
            )
            plus, minus = (FIVE, after) if wire.driven else (after, GROUND)
            yield CircuitPart(numbers.next("D"), "lamp", wire.label, board, {"+": plus, "-": minus}, wired=True)
        elif wire.kind is PinKind.BUZZER:
            feet = {"+": FIVE, "-": f"{_net(wire)}_OUT"}
            yield CircuitPart(numbers.next("BZ"), "buzzer", wire.label, "lamps", feet, wired=True)


def _lines(wires: tuple[Wire, ...], numbers: _Numbers) -> Iterator[CircuitPart]:
    for _ in range(register_count(wires)):
        feet = {"1": OWN_THREE, "2": GROUND}
        yield CircuitPart(numbers.next("C"), "capacitor", "100 nF", "registers", feet)
    for wire in wires:
        if wire.kind is not PinKind.REGISTER:
            continue
        if wire.name in FILTERED_LINES:
            feet = {"1": f"{_net(wire)}_IN", "2": _net(wire)}
            yield CircuitPart(numbers.next("R"), "resistor", ohms(LINE_OHM), "registers", feet)
            feet = {"1": _net(wire), "2": GROUND}
            yield CircuitPart(numbers.next("C"), "capacitor", f"{LINE_PF} pF", "registers", feet)
        else:
            feet = {"1": OWN_THREE, "2": _net(wire)}
            yield CircuitPart(numbers.next("R"), "resistor", ohms(ENABLE_PULL_UP_OHM), "registers", feet)
    for rail in (FIVE, OWN_THREE):
        yield CircuitPart(numbers.next("C"), "capacitor", "1 µF", "registers", {"1": rail, "2": GROUND})


def _buttons(wires: tuple[Wire, ...], numbers: _Numbers) -> Iterator[CircuitPart]:
    for wire in wires:
        if wire.kind is PinKind.BUTTON:
            feet = {"1": PI_THREE, "2": _net(wire)}
            yield CircuitPart(numbers.next("R"), "resistor", ohms(BUTTON_PULL_UP_OHM), "buttons", feet)
            yield CircuitPart(numbers.next("C"), "capacitor", "100 nF", "buttons", {"1": _net(wire), "2": GROUND})
            feet = {"1": _net(wire), "2": GROUND}
            yield CircuitPart(numbers.next("S"), "button", f"button {wire.label}", "buttons", feet, wired=True)
