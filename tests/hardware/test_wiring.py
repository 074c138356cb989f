"""The guide's tables, drawings and bill against the pin table: wires named and drawn, limits kept, parts counted.

All of them are edited by hand: change them where a test names what they lack.
"""

from __future__ import annotations

import csv
import re
from collections.abc import Iterator
from dataclasses import replace
from itertools import permutations
from pathlib import Path
from typing import Final

import pytest
from gpiozero.pins.pi import PiBoardInfo

from display.lamps import LAMPS
from firmware.table.panel.pins import Output, PinKind
from firmware.tools.guide import HARDWARE, PANEL_HIGH_MM, PANEL_WIDE_MM, holes
from firmware.tools.release import PRINTED_TIMES
from tests.hardware.circuit import (
    ENABLE_PULL_UP_OHM,
    FILTERED_LINES,
    GPIO_AT,
    GROUND_AT,
    LINE_FOOT,
    LINE_OHM,
    LINE_PF,
    LOGIC_V,
    PIN_MA,
    PINS_MA,
    PLACES,
    POWER_AT,
    RAIL_COLOURS,
    RATED_MA,
    REGISTER_MA,
    SUPPLIES,
    WIRES,
    Circuit,
    board_of,
    channels,
    lamp_ma,
    ohms,
    on_header,
    on_register,
    output_foot,
    place_of,
    register_count,
    wire_colour,
)
from tests.hardware.drawings import DRAWINGS, lacking

ON_PI = [wire for wire in WIRES if wire.gpio is not None]
ON_REGISTERS = [wire for wire in WIRES if wire.output is not None]
WIRING: Final = (HARDWARE / "wiring.md").read_text(encoding="utf-8")
BILL: Final = list(csv.DictReader((HARDWARE / "bom.csv").read_text(encoding="utf-8").splitlines()))
PRICED: Final = "our estimate of 2026-11, no shop's price"
PRINTED_CM3: Final = {
    "panel": {"front": 57.4, "box": 133.5, "fencer_ring": 2.4},
    "mast": {"clamp": 72.6, "elbow": 30.3, "cradle": 14.8, "plate": 5.9, "pi": 41.4, "clip": 2.1},
}
"""Printed parts, solid, in cubic centimetres: tests/bench/bench_parts.py measures them."""
FILAMENT_G_CM3: Final = 1.24  # PLA
LAID_SHARE: Final = 2 / 3  # of a part's solid volume, with walls, floors and 40 % filling, supports with it
LAID_MM3_S: Final = 60 * 0.4 * 0.2  # a common printer: 60 mm a second, a nozzle of 0.4 mm, layers of 0.2 mm


def rows(head: str) -> list[list[str]]:
    """The rows of the table in wiring.md whose head begins so."""
    found = re.search(rf"^\| {re.escape(head)}.*\n\| ---.*\n((?:\|.*\n)+)", WIRING, re.MULTILINE)
    assert found is not None, head
    return [[cell.strip() for cell in line.strip("|").split("|")] for line in found[1].splitlines()]


def printed_g(block: str) -> float:
    """What the printed parts of a block weigh, solid."""
    return FILAMENT_G_CM3 * sum(cm3 * PRINTED_TIMES.get(part, 1) for part, cm3 in PRINTED_CM3[block].items())


def start_of(wire: Circuit) -> str:
    """Where a driven part's wire comes from, as the lamps' table says it."""
    if wire.gpio is not None:
        return f"pin {place_of(wire.gpio)}"
    assert wire.output is not None
    return f"{wire.output} (chip pin {output_foot(wire.output)})"


def test_the_page_has_every_wire_of_the_header() -> None:
    wanted = [
        [f"{place}", f"GPIO {wire.gpio}", wire.title.replace("_", " "), board_of(wire), wire_colour(wire)]
        for place, wire in on_header().items()
    ]
    wanted += [[f"{each.place}", each.rail, each.feeds, each.board, RAIL_COLOURS[each.rail]] for each in SUPPLIES]
    assert rows("pin | signal") == sorted(wanted, key=lambda row: int(row[0]))


def test_the_page_has_every_part_of_the_driver() -> None:
    straight = [wire for wire in ON_PI if wire.kind is PinKind.LAMP and not wire.driven]
    assert straight == [], "a lamp straight on a pin wants a row of its own, and a place on the drawings"
    assert len(channels()) <= 8, "a ULN2803A drives eight parts"
    wanted = []
    for each in channels():
        wire = each.wire
        ohm = "none" if wire.resistor_ohm is None else ohms(wire.resistor_ohm)
        part = f"{wire.title.replace('_', ' ')}: {wire.part}{f', {wire.colour}' if wire.colour else ''}"
        feet = f"in on chip pin {each.input_foot}, out on chip pin {each.output_foot}"
        wanted.append([start_of(wire), feet, ohm, part, "5 V", f"{wire.current_ma:g} mA"])
    assert rows("from | driver") == wanted


def test_the_page_has_every_line_and_lamp_of_the_registers() -> None:
    lines = {row[0]: row for row in rows("line | from")}
    wired = {wire.name: wire for wire in WIRES if wire.kind is PinKind.REGISTER}
    assert lines.keys() == wired.keys()
    for name, (_, start, colour, to, _, parts) in lines.items():
        wire = wired[name]
        assert (start, colour) == (f"pin {place_of(wire.gpio or 0)}", wire_colour(wire))
        assert to == f"chip pin {LINE_FOOT[name]} of register 1"
        named = (ohms(LINE_OHM), f"{LINE_PF} pF") if name in FILTERED_LINES else (ohms(wire.resistor_ohm or 0),)
        assert all(part in parts for part in named)
    inputs = {each.wire.name: each.input_foot for each in channels()}
    wanted = []
    for register in range(1, register_count() + 1):
        for name, wire in on_register(register).items():
            through, flows = f"driver, chip pin {inputs.get(wire.name)}", ""
            if not wire.driven:
                through, flows = ohms(wire.resistor_ohm or 0), f"{wire.current_ma:g} mA"
            foot = output_foot(Output(register, name))
            wanted.append([f"{register}", name, f"{foot}", wire.label, wire.colour, through, flows])
    assert rows("register | output") == wanted


def test_the_page_has_every_button() -> None:
    wanted = [
        [wire.name, f"pin {place_of(wire.gpio or 0)}", f"GPIO {wire.gpio}", wire_colour(wire), "ground"]
        for wire in WIRES
        if wire.kind is PinKind.BUTTON
    ]
    assert rows("button | one end") == wanted


def test_the_page_says_how_bright_each_lamp_is() -> None:
    said = {name: row for row in rows("lamp | to buy") for name in _each(row[0])}
    lamps = {wire.label: wire for wire in WIRES if wire.kind is PinKind.LAMP}
    assert said.keys() == lamps.keys()
    for label, wire in lamps.items():
        assert said[label][1:] == [
            f"{wire.part}, {wire.colour}",
            f"{wire.rated_mcd} mcd",
            ohms(wire.resistor_ohm or 0),
            f"{wire.current_ma:g} mA",
            f"{wire.shines_mcd:.0f} mcd",
        ]


def _each(names: str) -> Iterator[str]:
    """``score left 1 to 5`` name by name."""
    for name in names.split(", "):
        numbered = re.fullmatch(r"(.*) (\d) to (\d)", name)
        if numbered is None:
            yield name
        else:
            yield from (f"{numbered[1]} {number}" for number in range(int(numbered[2]), int(numbered[3]) + 1))


def test_everything_on_at_once_stays_within_every_limit_of_the_page() -> None:
    flows = {row[0]: float(row[1].split()[0]) for row in rows("everything on at once")}
    assert all(float(row[1].split()[0]) <= float(row[2].split()[0]) for row in rows("everything on at once"))
    lamps_ma = sum(wire.pad_ma for wire in ON_REGISTERS)
    driven_ma = sum(each.wire.current_ma for each in channels())
    enable_ma = LOGIC_V * 1000 / ENABLE_PULL_UP_OHM
    assert flows["the registers' own 3.3 V"] == pytest.approx(lamps_ma + enable_ma, abs=0.051)
    assert flows["5 V, pins 2 and 4"] == pytest.approx(lamps_ma + enable_ma + driven_ma, abs=0.051)
    assert flows["all pins of the header"] == pytest.approx(sum(wire.pad_ma for wire in ON_PI), abs=0.051)
    assert flows["the most loaded pin or output"] == pytest.approx(max(wire.pad_ma for wire in WIRES), abs=0.051)
    for register in range(1, register_count() + 1):
        own_ma = sum(wire.pad_ma for wire in on_register(register).values())
        assert flows[f"register {register}"] == pytest.approx(own_ma, abs=0.051)
        assert own_ma <= REGISTER_MA
    assert sum(wire.pad_ma for wire in ON_PI) <= PINS_MA
    for wire in WIRES:
        assert wire.pad_ma <= PIN_MA
        if wire.kind is PinKind.LAMP:
            assert wire.current_ma < RATED_MA
        if wire.gpio is not None:
            assert wire.pad_ma < 2.0  # what a Pi 5's pads stand for at their weakest: the kernel's pinctrl-rp1.c


def test_our_header_is_the_one_gpiozero_knows() -> None:
    theirs = {pin.number: pin.name for pin in PiBoardInfo.from_revision(0xD04170).headers["J8"].pins.values()}
    ours = {place: f"GPIO{gpio}" for place, gpio in GPIO_AT.items()}
    ours |= {place: name.replace(" V", "").replace("3.3", "3V3") for place, name in POWER_AT.items()}
    ours |= dict.fromkeys(GROUND_AT, "GND")
    assert len(ours) == PLACES
    assert ours == {place: {"5V": "5"}.get(name, name) for place, name in theirs.items()}


def test_every_wire_lamp_and_button_of_the_pin_table_is_on_the_drawings() -> None:
    """The drawings are kept by hand: change them where this names what they lack."""
    assert lacking(HARDWARE / "drawings") == []


@pytest.mark.parametrize(
    ("name", "changed", "drawings"),
    [
        ("touch_left", {"gpio": 18}, {"header.svg", "lamps.svg"}),
        ("alive", {"driven": False}, {"overview.svg", "lamps.svg", "registers.svg"}),
        ("touch_left", {"resistor_ohm": 470}, {"lamps.svg"}),
        ("turn_left", {"colour": "red"}, {"registers.svg"}),
        ("clock", {"gpio": 18}, {"header.svg", "registers.svg"}),
        ("menu", {"gpio": 18}, {"header.svg", "buttons.svg"}),
    ],
)
def test_a_changed_table_is_found_out(name: str, changed: dict[str, object], drawings: set[str]) -> None:
    wires = tuple(replace(wire, **changed) if wire.name == name else wire for wire in WIRES)  # type: ignore[arg-type]
    assert {Path(said.split(":")[0]).name for said in lacking(HARDWARE / "drawings", wires)} == drawings


def test_what_is_left_out_of_the_table_is_found_on_the_drawings() -> None:
    fewer = tuple(wire for wire in WIRES if wire.name not in ("undo", "score_left_5"))
    said = "\n".join(lacking(HARDWARE / "drawings", fewer))
    undo = next(wire for wire in WIRES if wire.name == "undo")
    for mark in (f"data-gpio {undo.gpio}", "data-hole undo", "data-output register", "data-hole score_left_5"):
        assert mark in said
    assert {name for name in DRAWINGS if name in said} == set(DRAWINGS) - {"lamps.svg"}


def test_wires_of_one_board_differ_in_colour_from_each_other_and_from_the_rails() -> None:
    for board in ("lamps", "registers", "buttons"):
        colours = [wire_colour(wire) for wire in ON_PI if board_of(wire) == board]
        assert len(set(colours)) == len(colours)
        assert not set(colours) & set(RAIL_COLOURS.values())


def test_power_comes_from_places_that_have_it() -> None:
    for supply in SUPPLIES:
        assert supply.place in GROUND_AT if supply.rail == "ground" else POWER_AT[supply.place] == supply.rail
    assert len({supply.place for supply in SUPPLIES} | set(on_header())) == len(SUPPLIES) + len(ON_PI)


def test_the_registers_stay_dark_while_the_pi_starts() -> None:
    """Until the program runs, the enable's pull-up works against the pull-down that a Pi starts this pin with."""
    enable = next(wire for wire in WIRES if wire.name == "enable")
    assert enable.gpio is not None
    assert enable.gpio > 8  # pulled down at start
    pull_down_ohm = 35_000  # the strongest there is; 50 kilohm is usual
    level_v = LOGIC_V * pull_down_ohm / (pull_down_ohm + ENABLE_PULL_UP_OHM)
    assert level_v > 0.7 * LOGIC_V  # what a 74HC595 takes for high


def test_the_parts_list_counts_what_the_pin_table_wants() -> None:
    """Of resistors and capacitors the board has as many (test_circuit.py)."""

    def count(part: str, value: str = "") -> int:
        alike = [row for row in BILL if row["part"].startswith(part) and row["value"].startswith(value)]
        return sum(int(row["quantity"]) for row in alike)

    lamps = [wire for wire in WIRES if wire.kind is PinKind.LAMP]
    for colour in {wire.colour for wire in lamps}:
        assert count("LED", f"{colour},") == sum(wire.colour == colour for wire in lamps)
    assert count("LED 10 mm") == sum(wire.part == "LED 10 mm" for wire in lamps)
    assert count("LED") == len(lamps) == 23
    buttons = sum(wire.kind is PinKind.BUTTON for wire in WIRES)
    assert count("push button") == buttons
    assert count("74HC595") == register_count() == len({wire.output.register for wire in ON_REGISTERS if wire.output})
    assert count("ULN2803A") == 1
    assert count("active buzzer") == 1
    assert count("chip socket", "DIP-16") == register_count()
    assert count("jumper wire") == len(ON_PI) + len(SUPPLIES)
    brightness = {(wire.part, wire.colour, wire.rated_mcd) for wire in lamps}
    assert len([row for row in BILL if row["part"].startswith("LED")]) == len(brightness)
    assert {row["value"].split("about ")[1] for row in BILL if row["part"].startswith("LED")} == {
        f"{mcd} mcd at 20 mA" for _, _, mcd in brightness
    }


def test_the_parts_list_forgets_nothing_that_the_guide_asks_for() -> None:
    said = "\n".join(f"{row['part']} {row['value']} {row['what_for']} {row['alternative']}" for row in BILL)
    for what in ("micro-HDMI", "cooling", "Pi to its holder", "putty", "cable tie", "pin header", "heat-shrink"):
        assert what in said
    for what in ("coin", "1N4148 across the buzzer", "a Pi 5 has no jack", "solder", "box"):
        assert what in said
    # No line looks like a shop's price; a list price has its source and its year.
    assert all(row["priced"].startswith(PRICED) for row in BILL)
    listed = [row["priced"].removeprefix(PRICED) for row in BILL if row["priced"] != PRICED]
    assert listed
    assert all(re.fullmatch(r"; .*\$\d+.* \([a-z.]+, .*20\d\d.*\)", each) for each in listed)
    assert {row["maker_number"] for row in BILL} >= {"SN74HC595N", "ULN2803A", "MCP1700-3302E/TO", "SC0872"}
    for row in BILL:
        if re.search("screw|bolt", row["part"]):  # a standard's number, with the thread and length of the line
            size = re.match(r"M[\d.]+ x \d+", row["value"])
            assert size is not None
            assert re.match(rf"(ISO|DIN) \d+ {re.escape(size[0])}", row["maker_number"]), row
    # Every line says how many, for how much, and what else will do.
    assert [row["part"] for row in BILL if not row["alternative"]] == []
    assert all(None not in row and None not in row.values() for row in BILL)
    assert all(int(row["quantity"]) > 0 and float(row["price_each_eur"]) > 0 for row in BILL)
    # Who finds no number of a maker finds what any other has to have.
    assert [
        row["part"] for row in BILL if not row["maker_number"] and "any" not in row["alternative"].split(";")[0]
    ] == []
    for lamp in (row for row in BILL if row["part"].startswith("LED")):
        assert re.search(r"\d V; ", lamp["alternative"]), lamp
    grams = {row["needed"]: int(row["value"].split()[1]) for row in BILL if row["part"] == "filament"}
    assert grams == {block: pytest.approx(printed_g(block), abs=5) for block in PRINTED_CM3}


def total_eur(needed: str | None = None) -> float:
    """What it all costs, or one block of it."""
    return sum(int(row["quantity"]) * float(row["price_each_eur"]) for row in BILL if needed in (None, row["needed"]))


def test_the_price_is_the_sum_of_its_blocks() -> None:
    blocks = {row["needed"] for row in BILL}
    assert total_eur() == pytest.approx(sum(total_eur(block) for block in blocks))
    assert f"about €{round(total_eur(), -1):g}" in (HARDWARE / "README.md").read_text(encoding="utf-8")
    assert f"about €{round(total_eur('yes'), -1):g}" in (HARDWARE / "README.md").read_text(encoding="utf-8")


def test_printing_takes_as_long_as_the_parts_weigh() -> None:
    mm3 = 1000 * sum(printed_g(block) for block in PRINTED_CM3) / FILAMENT_G_CM3
    hours = mm3 * LAID_SHARE / LAID_MM3_S / 3600
    assert f"(about {hours:.0f} hours of printing)" in (HARDWARE / "README.md").read_text(encoding="utf-8")


def test_holes_fit_their_parts_and_leave_room_for_each_other() -> None:
    found = holes()
    for hole in found:
        reach = hole.needs_mm / 2
        assert reach <= hole.x <= PANEL_WIDE_MM - reach
        assert reach <= hole.y <= PANEL_HIGH_MM - reach
    for place, one in enumerate(found):
        for other in found[place + 1 :]:
            between = ((one.x - other.x) ** 2 + (one.y - other.y) ** 2) ** 0.5
            assert between >= (one.needs_mm + other.needs_mm) / 2, (one, other)
    sizes = {wire.name: wire.lamp_mm for wire in WIRES if wire.lamp_mm is not None}
    assert sorted(sizes) == sorted(LAMPS)
    assert all(sizes[hole.name] < hole.drill_mm < sizes[hole.name] + 0.5 for hole in found if hole.kind == "lamp")


def test_the_panel_has_the_screens_order() -> None:
    """A lamp left of another in its row on the screen is so on the panel, and one above another, too."""
    places = {hole.name: (hole.x, hole.y) for hole in holes() if hole.kind == "lamp"}
    for one, other in permutations(LAMPS.values(), 2):
        (x, y), (other_x, other_y) = places[one.name], places[other.name]
        if one.large and not other.large:
            assert y > other_y, (one, other)
        elif one.large is other.large and abs(one.place[1] - other.place[1]) > 0.05:
            assert (one.place[1] < other.place[1]) is (y > other_y), (one, other)
        elif one.large is other.large:
            assert (one.place[0] < other.place[0]) is (x < other_x), (one, other)


def test_the_currents_are_what_the_resistors_let_through() -> None:
    assert lamp_ma("red", 330, driven=False) == 4.2
    assert lamp_ma("yellow-green", 330, driven=False) == 3.6
    assert lamp_ma("white", 220, driven=True) == 5.0
    assert lamp_ma("red", 150, driven=True) == 15.3
    for wire in WIRES:
        if wire.kind is PinKind.LAMP:
            assert wire.resistor_ohm is not None
            assert wire.current_ma == lamp_ma(wire.colour, wire.resistor_ohm, driven=wire.driven)
            assert wire.pad_ma > 0


def test_a_touch_is_the_brightest_and_alike_on_both_sides() -> None:
    lamps = sorted((wire for wire in WIRES if wire.kind is PinKind.LAMP), key=lambda wire: -wire.shines_mcd)
    assert {wire.name for wire in lamps[:2]} == {"touch_left", "touch_right"}
    assert lamps[1].shines_mcd > 0.85 * lamps[0].shines_mcd
    assert lamps[1].shines_mcd > 1.2 * lamps[2].shines_mcd
    assert all(wire.shines_mcd > 15 for wire in lamps)
    small = {wire.colour: wire.shines_mcd for wire in lamps if wire.lamp_mm == 5 and wire.name != "alive"}
    assert small["yellow-green"] > min(small.values())
    assert max(small.values()) < 1.2 * min(small.values())
