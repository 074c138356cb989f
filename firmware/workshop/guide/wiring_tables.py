"""The tables of ``hardware/wiring.md``: every wire of the panel in the order in which it is soldered."""

from __future__ import annotations

from firmware.panel.pins import WIRES, Kind, Wire
from firmware.workshop.guide.chips import LINE_FOOT, channels, direct_lamps, on_register, output_foot, register_count
from firmware.workshop.guide.currents import loads, worst_ma
from firmware.workshop.guide.header import RAIL_COLOURS, SUPPLIES, board_of, on_header, place_of, wire_colour
from firmware.workshop.guide.pages import table


def wiring_tables(wires: tuple[Wire, ...] = WIRES) -> dict[str, str]:
    """Every table by its name."""
    return {
        "header": _header(wires),
        "lamps": _lamps(wires),
        "lines": _lines(wires),
        "registers": _registers(wires),
        "buttons": _buttons(wires),
        "currents": _currents(wires),
    }


def _shown(wire: Wire) -> str:
    return wire.title.replace("_", " ")


def _header(wires: tuple[Wire, ...]) -> str:
    rows: list[tuple[int, str, str, str, str]] = [
        (place, f"GPIO {wire.gpio}", _shown(wire), board_of(wire), wire_colour(wire, wires))
        for place, wire in on_header(wires).items()
    ]
    rows += [(each.place, each.rail, each.feeds, each.board, RAIL_COLOURS[each.rail]) for each in SUPPLIES]
    rows.sort()
    return table(("pin", "signal", "for", "board", "wire"), rows)


def _lamps(wires: tuple[Wire, ...]) -> str:
    rows: list[tuple[object, ...]] = [
        (
            f"pin {place_of(wire.gpio or 0)}",
            "straight",
            f"{wire.resistor_ohm} Ω",
            _part(wire),
            "ground",
            f"{wire.current_ma:g} mA",
        )
        for wire in direct_lamps(wires)
    ]
    for each in channels(wires):
        wire = each.wire
        if wire.gpio is not None:
            start = f"pin {place_of(wire.gpio)}"
        else:
            assert wire.output is not None
            start = f"{wire.output} (foot {output_foot(wire.output)})"
        ohm = "none" if wire.resistor_ohm is None else f"{wire.resistor_ohm} Ω"
        feet = f"in on foot {each.input_foot}, out on foot {each.output_foot}"
        rows.append((start, feet, ohm, _part(wire), "5 V", f"{wire.current_ma:g} mA"))
    return table(("from", "driver", "resistor", "part", "other end", "current"), rows)


def _part(wire: Wire) -> str:
    return f"{wire.title.replace('_', ' ')}: {wire.part}{f', {wire.colour}' if wire.colour else ''}"


def _lines(wires: tuple[Wire, ...]) -> str:
    rows = []
    for wire in wires:
        if wire.kind is not Kind.REGISTER:
            continue
        foot = LINE_FOOT[wire.name]
        others = "QH' (9) of each to SER (14) of the next" if wire.name == "data" else f"foot {foot} of the others too"
        pull = f"{wire.resistor_ohm // 1000} kΩ to the registers' 3.3 V" if wire.resistor_ohm else ""
        rows.append(
            (
                wire.name,
                f"pin {place_of(wire.gpio or 0)}",
                wire_colour(wire, wires),
                f"foot {foot} of register 1",
                others,
                pull,
            )
        )
    return table(("line", "from", "wire", "to", "then", "pull-up"), rows)


def _registers(wires: tuple[Wire, ...]) -> str:
    rows = []
    for register in range(1, register_count(wires) + 1):
        for name, wire in on_register(register, wires).items():
            assert wire.output is not None
            foot = output_foot(wire.output)
            if wire.driven:
                number = next(each.input_foot for each in channels(wires) if each.wire is wire)
                rows.append((register, name, foot, wire.label, wire.colour, f"driver, foot {number}", ""))
            else:
                rows.append(
                    (
                        register,
                        name,
                        foot,
                        wire.label,
                        wire.colour,
                        f"{wire.resistor_ohm} Ω",
                        f"{wire.current_ma:g} mA",
                    )
                )
    return table(("register", "output", "foot", "lamp", "colour", "through", "current"), rows)


def _buttons(wires: tuple[Wire, ...]) -> str:
    rows = [
        (wire.name, f"pin {place_of(wire.gpio or 0)}", f"GPIO {wire.gpio}", wire_colour(wire, wires), "ground")
        for wire in wires
        if wire.kind is Kind.BUTTON
    ]
    return table(("button", "one end", "which is", "wire", "other end"), rows)


def _currents(wires: tuple[Wire, ...]) -> str:
    highest = max((each for each in loads(wires) if each.kind == "pin or output"), key=lambda each: each.flows_ma)
    worst = max(worst_ma(wire) for wire in wires if wire.kind is Kind.LAMP and not wire.driven)
    rows = [
        ("the most loaded pin or output", f"{highest.flows_ma:.1f} mA", f"{highest.limit_ma:g} mA", highest.why),
        (
            "the same, all parts at the edge of their tolerance",
            f"{worst:.1f} mA",
            "6 mA",
            "what a 74HC595 is made for; a pin of a Pi 4 gives 8",
        ),
    ]
    rows += [
        (each.where.replace("_", " "), f"{each.flows_ma:.1f} mA", f"{each.limit_ma:g} mA", each.why)
        for each in loads(wires)
        if each.kind != "pin or output"
    ]
    return table(("everything on at once", "flows", "may flow", "because"), rows)
