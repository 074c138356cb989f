"""Drawings, currents and the parts list against the pin table: each wire drawn, each limit kept, each part counted."""

from __future__ import annotations

import csv
import re
from collections import Counter
from dataclasses import replace
from itertools import permutations
from pathlib import Path

import pytest
from gpiozero.pins.pi import PiBoardInfo

from display.lamps import LAMPS
from firmware.panel.pins import (
    ENABLE_PULL_UP_OHM,
    FILTERED_LINES,
    LINE_OHM,
    LINE_PF,
    LOGIC_V,
    RATED_MA,
    REGISTER_OUTPUTS,
    WIRES,
    Output,
    PinKind,
)
from firmware.workshop.guide.bill import PRICED, PRINTED_CM3, bill, bill_text, printed_g
from firmware.workshop.guide.chips import (
    REGISTER_FEET,
    channels,
    direct_lamps,
    on_register,
    output_foot,
    register_count,
)
from firmware.workshop.guide.currents import OUTPUT_MA, PAD_MA, loads, worst_ma
from firmware.workshop.guide.drawings import DRAWINGS, lacking
from firmware.workshop.guide.files import HARDWARE
from firmware.workshop.guide.header import (
    GPIO_AT,
    GROUND_AT,
    PLACES,
    POWER_AT,
    RAIL_COLOURS,
    SUPPLIES,
    board_of,
    on_header,
    place_of,
    wire_colour,
)
from firmware.workshop.guide.lead import LONGEST_LEAD_M, QUIET_V, SLOPE_NS_PER_V, lead
from firmware.workshop.guide.panel_layout import HEIGHT_MM, WIDTH_MM, holes

ON_PI = [wire for wire in WIRES if wire.gpio is not None]
ON_REGISTERS = [wire for wire in WIRES if wire.output is not None]
DRIVER_FEET = {  # of a ULN2803A in an 18-foot case, as its data sheet has them
    **{foot: f"in {foot}" for foot in range(1, 9)},
    9: "GND",
    10: "COM",
    **{foot: f"out {19 - foot}" for foot in range(11, 19)},
}


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


def test_a_drawing_that_says_something_else_is_found_out(tmp_path: Path) -> None:
    for name in DRAWINGS:
        text = (HARDWARE / "drawings" / name).read_text(encoding="utf-8")
        (tmp_path / name).write_text(text.replace('data-hole="alive"', 'data-hole="dead"'), encoding="utf-8")
    assert [said.split("'")[1].split(" at ")[0] for said in lacking(tmp_path)] == ["data-hole alive", "data-hole dead"]


def test_wires_of_one_board_differ_in_colour_from_each_other_and_from_the_rails() -> None:
    for board in ("lamps", "registers", "buttons"):
        colours = [wire_colour(wire) for wire in ON_PI if board_of(wire) == board]
        assert len(set(colours)) == len(colours)
        assert not set(colours) & set(RAIL_COLOURS.values())


def test_power_comes_from_places_that_have_it() -> None:
    for supply in SUPPLIES:
        assert supply.place in GROUND_AT if supply.rail == "ground" else POWER_AT[supply.place] == supply.rail
    assert len({supply.place for supply in SUPPLIES} | set(on_header())) == len(SUPPLIES) + len(ON_PI)


def test_the_chips_have_every_foot_and_every_part_one_of_them() -> None:
    assert sorted(REGISTER_FEET) == list(range(1, 17))
    assert sorted(DRIVER_FEET) == list(range(1, 19))
    assert {REGISTER_FEET[output_foot(Output(1, name))] for name in REGISTER_OUTPUTS} == set(REGISTER_OUTPUTS)
    assert [each.wire for each in channels()] == [wire for wire in WIRES if wire.driven]
    for each in channels():
        assert DRIVER_FEET[each.input_foot] == f"in {each.number}"
        assert DRIVER_FEET[each.output_foot] == f"out {each.number}"
    lamps = [wire for wire in WIRES if wire.kind is PinKind.LAMP]
    placed = [*direct_lamps(), *(each.wire for each in channels() if each.wire.kind is PinKind.LAMP)]
    placed += [wire for number in range(1, 4) for wire in on_register(number).values() if not wire.driven]
    assert Counter(wire.name for wire in placed) == Counter(wire.name for wire in lamps)


def test_a_second_driver_would_be_needed_for_nine_parts() -> None:
    driven = tuple(replace(WIRES[2], name=f"lamp {number}") for number in range(9))
    with pytest.raises(ValueError, match="drives 8 parts, the pin table wants 9"):
        channels(driven)


def test_everything_on_at_once_stays_within_every_limit() -> None:
    found = loads()
    assert [load for load in found if not load.fits] == []
    rails = {load.where: load.flows_ma for load in found if load.kind == "rail"}
    lamps_ma = sum(wire.pad_ma for wire in ON_REGISTERS)
    assert rails["the registers' own 3.3 V"] == pytest.approx(lamps_ma + 0.33)
    assert rails["5 V, pins 2 and 4"] == pytest.approx(lamps_ma + 0.33 + 15.3 + 14.0 + 2 * 1.1 + 10.0 + 0.2 + 30.0)
    assert rails["the Pi's 3.3 V"] == pytest.approx(5 * 0.7 + 4 * (0.33 + 0.066))


def test_parts_at_the_edge_of_their_tolerance_stay_within_what_the_makers_allow() -> None:
    for wire in WIRES:
        if wire.kind is PinKind.LAMP:
            assert wire.current_ma < worst_ma(wire) < (RATED_MA if wire.driven else OUTPUT_MA)
        if wire.gpio is not None:
            assert wire.pad_ma < PAD_MA  # of a Pi 5 at its weakest


def test_the_lines_stand_the_longest_lead_and_would_not_without_their_two_parts() -> None:
    seen = lead(LONGEST_LEAD_M)
    assert seen.slope_ns_per_v < 0.7 * SLOPE_NS_PER_V
    assert max(seen.ringing_v, seen.crosstalk_v) < 0.4 * QUIET_V
    assert seen.bare_v > QUIET_V
    assert seen.least_pulse_ns < 320  # the least that gpiozero took for a call on a desktop, with pretended pins
    assert lead(0.3).crosstalk_v < seen.crosstalk_v


def test_the_registers_stay_dark_while_the_pi_starts() -> None:
    """Until the program runs, the enable's pull-up works against the pull-down that a Pi starts this pin with."""
    enable = next(wire for wire in WIRES if wire.name == "enable")
    assert enable.gpio is not None
    assert enable.gpio > 8  # pulled down at start
    pull_down_ohm = 35_000  # the strongest there is; 50 kilohm is usual
    level_v = LOGIC_V * pull_down_ohm / (pull_down_ohm + ENABLE_PULL_UP_OHM)
    assert level_v > 0.7 * LOGIC_V  # what a 74HC595 takes for high


def test_too_small_a_resistor_is_found() -> None:
    touch = next(wire for wire in WIRES if wire.name == "touch_left")
    hot = replace(touch, driven=False)
    assert [load.where for load in loads((hot,)) if not load.fits] == ["GPIO 17 (pin 11), lamp touch_left"]


def test_the_parts_list_counts_what_the_pin_table_wants() -> None:
    rows = list(csv.DictReader((HARDWARE / "bom.csv").read_text(encoding="utf-8").splitlines()))

    def count(part: str, value: str = "") -> int:
        alike = [row for row in rows if row["part"].startswith(part) and row["value"].startswith(value)]
        return sum(int(row["quantity"]) for row in alike)

    lamps = [wire for wire in WIRES if wire.kind is PinKind.LAMP]
    for colour in {wire.colour for wire in lamps}:
        alike = [row for row in rows if row["part"].startswith("LED") and row["value"].startswith(f"{colour},")]
        found = sum(int(row["quantity"]) for row in alike)
        assert found == sum(wire.colour == colour for wire in lamps)
    assert count("LED 10 mm") == sum(wire.part == "LED 10 mm" for wire in lamps)
    assert count("LED") == len(lamps) == 23
    resistors = Counter(wire.resistor_ohm for wire in lamps) + Counter({LINE_OHM: len(FILTERED_LINES)})
    for ohm, wanted in resistors.items():
        assert ohm is not None
        assert count("resistor", f"{ohm} ohm" if ohm < 1000 else f"{ohm / 1000:g} kilohm") == wanted
    buttons = sum(wire.kind is PinKind.BUTTON for wire in WIRES)
    assert count("push button") == buttons
    assert count("resistor", "10 kilohm") == buttons + 1
    assert count("74HC595") == register_count() == len({wire.output.register for wire in ON_REGISTERS if wire.output})
    assert count("ULN2803A") == 1
    assert count("active buzzer") == 1
    assert count("capacitor", f"{LINE_PF} pF") == len(FILTERED_LINES)
    assert count("capacitor", "100 nF") == register_count() + buttons
    assert count("chip socket", "DIP-16") == register_count()
    assert count("jumper wire") == len(ON_PI) + len(SUPPLIES)
    assert bill_text().count("\n") == len(bill()) + 1
    brightness = {(wire.part, wire.colour, wire.rated_mcd) for wire in lamps}
    assert len([row for row in rows if row["part"].startswith("LED")]) == len(brightness)
    assert all(f"about {mcd} mcd" in bill_text() for _, _, mcd in brightness)


def test_the_parts_list_forgets_nothing_that_the_guide_asks_for() -> None:
    rows = list(csv.DictReader((HARDWARE / "bom.csv").read_text(encoding="utf-8").splitlines()))
    said = "\n".join(f"{row['part']} {row['value']} {row['what_for']} {row['alternative']}" for row in rows)
    for what in ("micro-HDMI", "cooling", "Pi to its holder", "putty", "cable tie", "pin header", "heat-shrink"):
        assert what in said
    for what in ("coin", "1N4148 across the buzzer", "a Pi 5 has no jack", "solder", "box"):
        assert what in said
    # No line looks like a shop's price; a list price has its source and its year.
    assert all(row["priced"].startswith(PRICED) for row in rows)
    listed = [row["priced"].removeprefix(PRICED) for row in rows if row["priced"] != PRICED]
    assert listed
    assert all(re.fullmatch(r"; .*\$\d+.* \([a-z.]+, .*20\d\d.*\)", each) for each in listed)
    assert {row["maker_number"] for row in rows} >= {"SN74HC595N", "ULN2803A", "MCP1700-3302E/TO", "SC0872"}
    for row in rows:
        if re.search("screw|bolt", row["part"]):  # a standard's number, with the thread and length of the line
            size = re.match(r"M[\d.]+ x \d+", row["value"])
            assert size is not None
            assert re.match(rf"(ISO|DIN) \d+ {re.escape(size[0])}", row["maker_number"]), row
    # Every line says how many, for how much, and what else will do.
    assert [row["part"] for row in rows if not row["alternative"]] == []
    assert all(int(row["quantity"]) > 0 and float(row["price_each_eur"]) > 0 for row in rows)
    # Who finds no number of a maker finds what any other has to have.
    assert [
        row["part"] for row in rows if not row["maker_number"] and "any" not in row["alternative"].split(";")[0]
    ] == []
    for lamp in (row for row in rows if row["part"].startswith("LED")):
        assert re.search(r"\d V; ", lamp["alternative"]), lamp
    resistors = {row["value"]: row["maker_number"] for row in rows if row["part"] == "resistor"}
    assert resistors["330 ohm, 0.25 W"] == "CFR-25JB-52-330R"
    assert resistors["4.7 kilohm, 0.25 W"] == "CFR-25JB-52-4K7"
    assert resistors["10 kilohm, 0.25 W"] == "CFR-25JB-52-10K"
    grams = {row["needed"]: int(row["value"].split()[1]) for row in rows if row["part"] == "filament"}
    assert grams == {block: pytest.approx(printed_g(block), abs=5) for block in PRINTED_CM3}


def total_eur(needed: str | None = None) -> float:
    """What it all costs, or one block of it."""
    return sum(item.quantity * item.price_each_eur for item in bill() if needed in (None, item.needed))


def test_the_price_is_the_sum_of_its_blocks() -> None:
    blocks = {item.needed for item in bill()}
    assert total_eur() == pytest.approx(sum(total_eur(block) for block in blocks))
    assert f"about €{round(total_eur(), -1):g}" in (HARDWARE / "README.md").read_text(encoding="utf-8")
    assert f"about €{round(total_eur('yes'), -1):g}" in (HARDWARE / "README.md").read_text(encoding="utf-8")


def test_holes_fit_their_parts_and_leave_room_for_each_other() -> None:
    found = holes()
    for hole in found:
        reach = hole.needs_mm / 2
        assert reach <= hole.x <= WIDTH_MM - reach
        assert reach <= hole.y <= HEIGHT_MM - reach
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


def test_every_pin_is_named_with_its_place() -> None:
    assert [place_of(gpio) for gpio in (17, 25, 12)] == [11, 22, 32]
