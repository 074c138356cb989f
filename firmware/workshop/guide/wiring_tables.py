"""The tables of ``hardware/wiring.md``: every wire of the panel in the order in which it is soldered."""

from __future__ import annotations

from firmware.panel.pins import FILTERED_LINES, LINE_OHM, LINE_PF, WIRES, PinKind, Wire
from firmware.workshop.guide.chips import LINE_FOOT, channels, direct_lamps, on_register, output_foot, register_count
from firmware.workshop.guide.currents import PAD_MA, loads, worst_ma
from firmware.workshop.guide.header import RAIL_COLOURS, SUPPLIES, board_of, on_header, place_of, wire_colour
from firmware.workshop.guide.lamps_drawing import ohms
from firmware.workshop.guide.lead import LONGEST_LEAD_M, QUIET_V, SLOPE_NS_PER_V, lead
from firmware.workshop.guide.pages import table


def wiring_tables(wires: tuple[Wire, ...] = WIRES) -> dict[str, str]:
    """Every table by its name."""
    return {
        "header": _header(wires),
        "lamps": _lamps(wires),
        "lines": _lines(wires),
        "registers": _registers(wires),
        "buttons": _buttons(wires),
        "light": _light(wires),
        "lead": _lead(wires),
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
            ohms(wire.resistor_ohm or 0),
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
            start = f"{wire.output} (chip pin {output_foot(wire.output)})"
        ohm = "none" if wire.resistor_ohm is None else ohms(wire.resistor_ohm)
        feet = f"in on chip pin {each.input_foot}, out on chip pin {each.output_foot}"
        rows.append((start, feet, ohm, _part(wire), "5 V", f"{wire.current_ma:g} mA"))
    return table(("from", "driver", "resistor", "part", "other end", "current"), rows)


def _part(wire: Wire) -> str:
    return f"{wire.title.replace('_', ' ')}: {wire.part}{f', {wire.colour}' if wire.colour else ''}"


def _lines(wires: tuple[Wire, ...]) -> str:
    rows = []
    for wire in wires:
        if wire.kind is not PinKind.REGISTER:
            continue
        foot = LINE_FOOT[wire.name]
        others = f"chip pin {foot} of the others too"
        if wire.name == "data":
            others = "QH' (9) of each to SER (14) of the next"
        parts = f"{ohms(LINE_OHM)} in the line, then {LINE_PF} pF to ground" if wire.name in FILTERED_LINES else ""
        if wire.resistor_ohm:
            parts = f"{ohms(wire.resistor_ohm)} to the registers' 3.3 V"
        rows.append(
            (
                wire.name,
                f"pin {place_of(wire.gpio or 0)}",
                wire_colour(wire, wires),
                f"chip pin {foot} of register 1",
                others,
                parts,
            )
        )
    return table(("line", "from", "wire", "to", "then", "parts at register 1"), rows)


def _registers(wires: tuple[Wire, ...]) -> str:
    rows = []
    for register in range(1, register_count(wires) + 1):
        for name, wire in on_register(register, wires).items():
            assert wire.output is not None
            foot = output_foot(wire.output)
            if wire.driven:
                number = next(each.input_foot for each in channels(wires) if each.wire is wire)
                rows.append((register, name, foot, wire.label, wire.colour, f"driver, chip pin {number}", ""))
            else:
                rows.append(
                    (
                        register,
                        name,
                        foot,
                        wire.label,
                        wire.colour,
                        ohms(wire.resistor_ohm or 0),
                        f"{wire.current_ma:g} mA",
                    )
                )
    return table(("register", "output", "chip pin", "lamp", "colour", "through", "current"), rows)


def _buttons(wires: tuple[Wire, ...]) -> str:
    rows = [
        (wire.name, f"pin {place_of(wire.gpio or 0)}", f"GPIO {wire.gpio}", wire_colour(wire, wires), "ground")
        for wire in wires
        if wire.kind is PinKind.BUTTON
    ]
    return table(("button", "one end", "which is", "wire", "other end"), rows)


def _light(wires: tuple[Wire, ...]) -> str:
    """Every kind of lamp, the brightest first."""
    alike: dict[tuple[str, str, int | None, int | None, float, float], list[str]] = {}
    for wire in wires:
        if wire.kind is PinKind.LAMP:
            kind = (wire.part, wire.colour, wire.rated_mcd, wire.resistor_ohm, wire.current_ma, wire.shines_mcd)
            alike.setdefault(kind, []).append(wire.label)
    return table(
        ("lamp", "to buy", "bright at 20 mA", "resistor", "current", "shines here"),
        [
            (_shortly(names), f"{part}, {colour}", f"{mcd} mcd", ohms(ohm or 0), f"{ma:g} mA", f"{shines:.0f} mcd")
            for (part, colour, mcd, ohm, ma, shines), names in sorted(alike.items(), key=lambda each: -each[0][-1])
        ],
    )


def _shortly(names: list[str]) -> str:
    """Names with a number at the end, in a row, as one: ``score left 1 to 5``."""
    found: dict[str, list[str]] = {}
    for name in names:
        stem, _, last = name.rpartition(" ")
        found.setdefault(stem if last.isdigit() else name, []).append(last)
    return ", ".join(f"{stem} {ends[0]} to {ends[-1]}" if len(ends) > 1 else stem for stem, ends in found.items())


def _lead(wires: tuple[Wire, ...]) -> str:
    rows = []
    for length_m in (0.3, 0.6, 1.5, LONGEST_LEAD_M):
        seen = lead(length_m, wires)
        rows.append(
            (
                f"{100 * length_m:g} cm",
                f"{seen.slope_ns_per_v:.0f} ns a volt",
                f"{seen.ringing_v:.2f} V",
                f"{seen.crosstalk_v:.2f} V",
                f"{seen.bare_v:.2f} V",
                f"{seen.least_pulse_ns / 1000:.2f} µs",
            )
        )
    rows.append(
        ("allowed", f"{SLOPE_NS_PER_V:.0f} ns a volt", f"{QUIET_V:.2f} V", f"{QUIET_V:.2f} V", f"{QUIET_V:.2f} V", "")
    )
    return table(("lead", "edge", "ringing", "crosstalk", "without the two parts", "shortest pulse"), rows)


def _currents(wires: tuple[Wire, ...]) -> str:
    highest = max((each for each in loads(wires) if each.kind == "pin or output"), key=lambda each: each.flows_ma)
    worst = max(worst_ma(wire) for wire in wires if wire.kind is PinKind.LAMP and wire.output and not wire.driven)
    header = max(wire.pad_ma for wire in wires if wire.gpio is not None)
    rows = [
        ("the most loaded pin or output", f"{highest.flows_ma:.1f} mA", f"{highest.limit_ma:g} mA", highest.why),
        (
            "the same, all parts at the edge of their tolerance",
            f"{worst:.1f} mA",
            "6 mA",
            "what a 74HC595 is made for",
        ),
        (
            "the most loaded pin of the header",
            f"{header:.1f} mA",
            f"{PAD_MA:g} mA",
            "what a Pi 5's pin stands for at its weakest setting; a Pi 4's stands for 8",
        ),
    ]
    rows += [
        (each.where.replace("_", " "), f"{each.flows_ma:.1f} mA", f"{each.limit_ma:g} mA", each.why)
        for each in loads(wires)
        if each.kind != "pin or output"
    ]
    return table(("everything on at once", "flows", "may flow", "because"), rows)
