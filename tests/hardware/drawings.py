"""The drawings in ``hardware/drawings``, most of them kept by hand: what the pin table has is to be found on each.

Marks are attributes: ``data-gpio`` on the end of a pin's wire, ``data-output`` on a register's, ``data-from`` where a
register's wire comes in, ``data-hole`` on a circle of the panel. Texts are those of the shapes.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from pathlib import Path
from typing import Final
from xml.etree import ElementTree

from firmware.table.panel.pins import PinKind
from firmware.tools.guide import PANEL_HIGH_MM, PANEL_WIDE_MM, holes, number
from tests.hardware.circuit import (
    BUTTON_PULL_UP_OHM,
    ENABLE_PULL_UP_OHM,
    FILTERED_LINES,
    LINE_FOOT,
    LINE_OHM,
    LINE_PF,
    RAIL_COLOURS,
    SUPPLIES,
    WIRES,
    Circuit,
    board_of,
    channels,
    gpio_label,
    ohms,
    on_header,
    output_foot,
    place_of,
    register_count,
    wire_colour,
)

DRAWINGS: Final = ("overview.svg", "header.svg", "lamps.svg", "registers.svg", "buttons.svg", "panel.svg")
CORNER_MM: Final = (53.5, 150.0)
"""Where the lower left corner of the panel's front lies on its sheet, from the sheet's top left one."""
_IN_A_LINE: Final = 4  # labels of driven parts, on the overview
_BETWEEN: Final = "grey wire"  # from the registers' board to the lamps'


def lacking(folder: Path, wires: tuple[Circuit, ...] = WIRES) -> list[str]:
    """What the drawings in this folder lack of these wires, or have too much of: one sentence each, empty for nothing.

    Raises OSError when a drawing is missing, ParseError when one is no XML.
    """
    found = []
    for name, wanted in _wanted(wires).items():
        there = Counter(_found(folder / name))
        marks = {each for each in there if each.startswith("data-")}
        for each in sorted(wanted.keys() | marks):
            if there[each] != wanted[each]:
                times = f"expected {wanted[each]} times, found {there[each]} times"
                found.append(f"{folder / name}: {each!r}: {times}; draw it by hand")
    return found


def _found(drawing: Path) -> Iterable[str]:
    """All marks and texts of a drawing, a hole by its place on the front and its width."""
    for shape in ElementTree.parse(drawing).getroot():
        for key, value in shape.attrib.items():
            if key == "data-hole":
                x, y, radius = (float(shape.attrib[of]) for of in ("cx", "cy", "r"))
                yield _hole(value, x - CORNER_MM[0], CORNER_MM[1] - y, 2 * radius)
            elif key.startswith("data-"):
                yield f"{key} {value}"
        if shape.text and shape.text.strip():
            yield shape.text


def _hole(name: str, x_mm: float, y_mm: float, wide_mm: float) -> str:
    return f"data-hole {name} at {number(x_mm)} / {number(y_mm)}, {number(wide_mm)} wide"


def _wanted(wires: tuple[Circuit, ...]) -> dict[str, Counter[str]]:
    made = (_overview, _header, _lamps, _registers, _buttons, _panel)
    return {name: Counter(of(wires)) for name, of in zip(DRAWINGS, made, strict=True)}


def _overview(wires: tuple[Circuit, ...]) -> Iterable[str]:
    counts = Counter(board_of(wire) for wire in wires if wire.gpio is not None)
    yield from (
        f"{counts[board]} signals, {sum(each.board == board for each in SUPPLIES)} power" for board in sorted(counts)
    )
    labels = [each.wire.label for each in channels(wires)]
    yield f"{', '.join(labels[:_IN_A_LINE])}," if len(labels) > _IN_A_LINE else ", ".join(labels)
    if len(labels) > _IN_A_LINE:
        yield ", ".join(labels[_IN_A_LINE:])
    yield f"{register_count(wires)} of 74HC595, {sum(wire.output is not None for wire in wires)} lamps"
    yield ", ".join(wire.name for wire in wires if wire.kind is PinKind.BUTTON)


def _header(wires: tuple[Circuit, ...]) -> Iterable[str]:
    for wire in on_header(wires).values():
        title, colour = wire.title.replace("_", " "), wire_colour(wire, wires)
        yield from (_gpio(wire), f"GPIO {wire.gpio} · {title} · {colour} wire to the {board_of(wire)}")
    for each in SUPPLIES:
        yield from (f"data-rail {each.rail}", f"{each.rail} · {each.feeds} · {RAIL_COLOURS[each.rail]} wire")


def _lamps(wires: tuple[Circuit, ...]) -> Iterable[str]:
    for wire in (each.wire for each in channels(wires)):
        if wire.gpio is not None:
            yield from (_gpio(wire), f"{gpio_label(wire.gpio)} · {wire_colour(wire, wires)} wire")
        elif wire.output is not None:
            foot = output_foot(wire.output)
            yield from (
                f"data-from {wire.output}",
                f"register {wire.output.register}, {wire.output.name} (chip pin {foot}) · {_BETWEEN}",
            )
        if wire.kind is PinKind.LAMP:
            yield from (ohms(wire.resistor_ohm or 0), f"{wire.label} · {wire.colour} · {wire.current_ma:g} mA")
        else:
            yield f"{wire.label} · {wire.current_ma:g} mA"
    yield from (_supply("lamps", rail) for rail in ("5 V", "ground"))


def _registers(wires: tuple[Circuit, ...]) -> Iterable[str]:
    inputs = {each.wire.name: each.input_foot for each in channels(wires)}
    for wire in wires:
        if wire.kind is PinKind.REGISTER and wire.gpio is not None:
            yield from (_gpio(wire), f"{wire.name}: GPIO {wire.gpio}")
            yield f"pin {place_of(wire.gpio)}, {wire_colour(wire, wires)}"
            if wire.name != "data":
                yield from [f"{wire.name}: chip pin {LINE_FOOT[wire.name]}"] * (register_count(wires) - 1)
        if wire.output is None:
            continue
        yield f"data-output {wire.output}"
        if wire.driven:
            yield from (f"{wire.name}: driver,", f"chip pin {inputs[wire.name]}, {_BETWEEN}")
        else:
            yield from (wire.label, wire.colour, ohms(wire.resistor_ohm or 0))
    yield from (ohms(ENABLE_PULL_UP_OHM), ohms(LINE_OHM), f"{LINE_PF} pF")
    yield f"{', '.join(FILTERED_LINES[:-1])} and {FILTERED_LINES[-1]}, each"
    yield from (_supply("registers", rail) for rail in ("5 V", "ground"))
    yield from (f"register {register} · 74HC595" for register in range(1, register_count(wires) + 1))


def _buttons(wires: tuple[Circuit, ...]) -> Iterable[str]:
    for wire in wires:
        if wire.kind is PinKind.BUTTON and wire.gpio is not None:
            yield from (_gpio(wire), f"{gpio_label(wire.gpio)} · {wire_colour(wire, wires)} wire")
            yield from (f"button {wire.name}", ohms(BUTTON_PULL_UP_OHM))
    rails = ". ".join(_supply("buttons", rail) for rail in ("3.3 V", "ground"))
    yield f"{rails}. Never 5 V here: it destroys the Pi."


def _panel(wires: tuple[Circuit, ...]) -> Iterable[str]:
    for hole in holes(wires):
        if hole.kind in ("lamp", "button"):
            yield _hole(hole.name, hole.x, hole.y, hole.drill_mm)
            yield f"{number(hole.x)} / {number(hole.y)}"
    for kind in ("lamp", "button", "sound", "screw"):
        widths = sorted({number(hole.drill_mm) for hole in holes(wires) if hole.kind == kind}, key=float)
        count = sum(hole.kind == kind for hole in holes(wires))
        yield f"{kind}: {count} holes of {' or '.join(widths)} mm"
    yield (
        f"Print at 100 %: the outline is {PANEL_WIDE_MM:g} by {PANEL_HIGH_MM:g} mm. Small numbers: "
        "middle of the hole, x / y in mm from the lower left corner."
    )


def _gpio(wire: Circuit) -> str:
    return f"data-gpio {wire.gpio}"


def _supply(board: str, rail: str) -> str:
    place = next(each.place for each in SUPPLIES if each.board == board and each.rail == rail)
    return f"{rail}: pin {place} · {RAIL_COLOURS[rail]} wire"
