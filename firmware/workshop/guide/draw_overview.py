"""What is connected to what: the Pi, its camera and screen, and the three boards of the panel."""

from __future__ import annotations

from typing import Final

from firmware.panel.pins import WIRES, Kind, Wire
from firmware.workshop.guide.chips import channels, direct_lamps, register_count
from firmware.workshop.guide.header import BETWEEN_COLOUR, COLOURS, RAIL_COLOURS, SUPPLIES, board_of, wire_colour
from firmware.workshop.guide.svg import GREY, PALE, Sheet

_BOARDS: Final = ("lamps", "registers", "buttons")
_TOP_MM: Final = {"lamps": 40.0, "registers": 92.0, "buttons": 152.0}


def overview_sheet(wires: tuple[Wire, ...] = WIRES) -> Sheet:
    """One A4 page: boxes and cables, with how many wires each cable has."""
    sheet = Sheet(
        "What goes where", "Every box but the Raspberry Pi may be left out: what is missing moves to the screen."
    )
    sheet.rect((84, 34), (52, 160), fill="#e3f0e2", rounded=3, width=0.6)
    sheet.words((110, 44), "Raspberry Pi", size=5, anchor="middle", bold=True)
    sheet.words((110, 50), "4 or 5", size=3.4, anchor="middle", fill=GREY)
    for y, name, text in (
        (58.0, "Camera", "above the table, ribbon cable"),
        (104.0, "Screen", "HDMI or DSI, 800 by 480 up"),
        (150.0, "Loudspeaker", "if the screen has none"),
    ):
        _box(sheet, (10, y - 10), (52, 20), name, (text,))
        sheet.line([(62, y), (84, y)], GREY, 1.4)
    for board in _BOARDS:
        y = _TOP_MM[board]
        lines = _contents(board, wires)
        height = 12 + 5 * len(lines)
        _box(sheet, (196, y), (92, height), f"{board.capitalize()} board", lines)
        cable = [wire_colour(wire, wires) for wire in wires if wire.gpio is not None and board_of(wire) == board]
        rails = [RAIL_COLOURS[each.rail] for each in SUPPLIES if each.board == board]
        first = y + height / 2 - 1.1 * (len(cable) + len(rails) - 1)
        for place, colour in enumerate(cable + rails):
            sheet.line([(136, first + 2.2 * place), (196, first + 2.2 * place)], COLOURS[colour], 0.8)
        sheet.words(
            (166, first - 2.4), f"{len(cable)} signals, {len(rails)} power", size=2.9, anchor="middle", fill=GREY
        )
    between = [each for each in channels(wires) if each.wire.output is not None]
    if between:
        sheet.line(
            [(242, 92), (242, _TOP_MM["lamps"] + 12 + 5 * len(_contents("lamps", wires)))], COLOURS[BETWEEN_COLOUR], 0.9
        )
        sheet.words(
            (238, 84),
            f"{', '.join(each.wire.name for each in between)}: one wire between the boards",
            size=2.7,
            anchor="end",
            fill=GREY,
        )
    return sheet


def _contents(board: str, wires: tuple[Wire, ...]) -> tuple[str, ...]:
    if board == "lamps":
        driven = ", ".join(each.wire.name.replace("_", " ") for each in channels(wires))
        return (
            f"straight: {', '.join(wire.name.replace('_', ' ') for wire in direct_lamps(wires))}",
            "through one ULN2803A:",
            driven,
        )
    if board == "registers":
        lit = [wire for wire in wires if wire.output is not None]
        return (
            f"{register_count(wires)} of 74HC595, {len(lit)} lamps",
            "distance, score, turn, refused, alive",
            "own 3.3 V from a MCP1700",
        )
    names = [wire.name for wire in wires if wire.kind is Kind.BUTTON]
    return (", ".join(names),)


def _box(
    sheet: Sheet, corner: tuple[float, float], size: tuple[float, float], name: str, lines: tuple[str, ...]
) -> None:
    sheet.rect(corner, size, fill=PALE, rounded=2, width=0.5)
    sheet.words((corner[0] + 4, corner[1] + 7), name, size=4, bold=True)
    for row, text in enumerate(lines):
        sheet.words((corner[0] + 4, corner[1] + 12.5 + 5 * row), text, size=2.9)
