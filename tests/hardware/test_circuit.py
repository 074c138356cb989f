"""The panel's circuit: KiCad's board and schematic and the strip board have one netlist, and it is the pin table's."""

from __future__ import annotations

import csv
import re
from collections import Counter
from collections.abc import Callable
from dataclasses import dataclass, field
from itertools import combinations
from typing import Any, Final

import pytest

from firmware.table.panel.pins import PinKind
from firmware.tools.guide import HARDWARE
from tests.hardware.circuit import (
    BUTTON_PULL_UP_OHM,
    ENABLE_PULL_UP_OHM,
    FILTERED_LINES,
    GROUND_AT,
    LINE_FOOT,
    LINE_OHM,
    LINE_PF,
    POWER_AT,
    SUPPLIES,
    WIRES,
    Circuit,
    channels,
    ohms,
    output_foot,
    place_of,
    register_count,
)
from tests.hardware.test_wiring import BILL, WIRING, rows

BOARD: Final = HARDWARE / "board"
RAILS: Final = {"5 V": "+5V", "3.3 V": "+3V3"}
SCREW_HOLES: Final = 4
Pin = tuple[str, str]
"""A part and the number of its pad."""


@dataclass(frozen=True)
class Part:
    """A part of the board: its value, and the net of every pad that is used."""

    value: str
    nets: dict[str, str]


def _read(name: str) -> Any:
    """A file of KiCad's as nested lists."""
    stack: list[list[Any]] = [[]]
    for token in re.findall(r'"(?:[^"\\]|\\.)*"|[()]|[^\s()]+', (BOARD / name).read_text(encoding="utf-8")):
        if token == "(":
            stack.append([])
        elif token == ")":
            done = stack.pop()
            stack[-1].append(done)
        else:
            stack[-1].append(token[1:-1].replace('\\"', '"') if token.startswith('"') else token)
    return stack[0][0]


def _all(node: Any, name: str) -> list[Any]:
    return [each for each in node if isinstance(each, list) and each[0] == name]


def _property(node: Any, name: str) -> str:
    return str(next(each[2] for each in _all(node, "property") if each[1] == name))


def _at_mm(node: Any) -> tuple[float, float]:
    found = _all(node, "at")[0]
    return round(float(found[1]), 2), round(float(found[2]), 2)


def _parts() -> dict[str, Part]:
    return {
        _property(footprint, "Reference"): Part(
            _property(footprint, "Value"),
            {pad[1]: net[2] for pad in _all(footprint, "pad") for net in _all(pad, "net")},
        )
        for footprint in _all(PCB, "footprint")
        if any(_all(pad, "net") for pad in _all(footprint, "pad"))
    }


PCB: Final = _read("panel.kicad_pcb")
PARTS: Final = _parts()
ON_NET: Final[dict[str, list[Pin]]] = {}
for _ref, _part in PARTS.items():
    for _pad, _net in _part.nets.items():
        ON_NET.setdefault(_net, []).append((_ref, _pad))


def _hung(letter: str, net: str, value: str | None = None) -> list[set[str]]:
    """The nets at the other pads of every part of this letter and value that has a pad on the net."""
    return [
        set(PARTS[ref].nets.values()) - {net}
        for ref, _ in ON_NET[net]
        if re.fullmatch(rf"{letter}\d+", ref) and value in (None, PARTS[ref].value)
    ]


def _gpio_net(wire: Circuit) -> str:
    assert wire.gpio is not None
    return PARTS["J1"].nets[str(place_of(wire.gpio))]


def test_the_header_carries_the_pin_tables_wires_power_and_ground_and_nothing_else() -> None:
    signals = {str(place_of(wire.gpio)) for wire in WIRES if wire.gpio is not None}
    power = {str(place): RAILS[rail] for place, rail in POWER_AT.items()} | {str(place): "GND" for place in GROUND_AT}
    nets = PARTS["J1"].nets
    assert set(nets) == signals | set(power)
    assert {place: nets[place] for place in power} == power
    assert len({nets[place] for place in signals} | set(power.values())) == len(signals) + 3


def test_every_lamp_and_the_buzzer_hang_where_the_pin_table_says() -> None:
    channel = {each.wire: each for each in channels()}
    assert (PARTS["U4"].nets["9"], PARTS["U4"].nets["10"]) == ("GND", "+5V")
    for wire in WIRES:
        if wire.kind not in (PinKind.LAMP, PinKind.BUZZER):
            continue
        net = (
            _gpio_net(wire)
            if wire.output is None
            else PARTS[f"U{wire.output.register}"].nets[str(output_foot(wire.output))]
        )
        if wire.driven:
            assert PARTS["U4"].nets[str(channel[wire].input_foot)] == net, wire
            net = PARTS["U4"].nets[str(channel[wire].output_foot)]
        if wire.kind is PinKind.LAMP:
            ((net,),) = _hung("R", net, ohms(wire.resistor_ohm or 0))
        ends = ("+5V", net) if wire.driven else (net, "GND")
        assert [
            PARTS[ref].value
            for ref, pad in ON_NET[net]
            if ref[0] in "DB" and (PARTS[ref].nets["1"], PARTS[ref].nets["2"]) == ends
        ] == [wire.label]


def test_the_registers_stand_in_a_row_behind_their_filtered_lines() -> None:
    count = register_count()
    registers = [PARTS[f"U{number}"] for number in range(1, count + 1)]
    assert (PARTS["U5"].nets["1"], PARTS["U5"].nets["2"]) == ("GND", "+5V")
    own_rail = PARTS["U5"].nets["3"]
    for each in registers:
        assert (each.value, each.nets["8"], each.nets["16"], each.nets["10"]) == ("74HC595", "GND", own_rail, own_rail)
    assert [each.nets["9"] for each in registers[:-1]] == [each.nets[str(LINE_FOOT["data"])] for each in registers[1:]]
    assert _hung("C", own_rail, "100 nF") == [{"GND"}] * count
    for wire in WIRES:
        if wire.kind is not PinKind.REGISTER:
            continue
        net = _gpio_net(wire)
        if wire.name in FILTERED_LINES:
            ((net,),) = _hung("R", net, ohms(LINE_OHM))
            assert _hung("C", net, f"{LINE_PF} pF") == [{"GND"}]
        else:
            assert _hung("R", net, ohms(ENABLE_PULL_UP_OHM)) == [{own_rail}]
        fed = registers[:1] if wire.name == "data" else registers
        assert {each.nets[str(LINE_FOOT[wire.name])] for each in fed} == {net}


def test_every_button_has_its_pull_up_and_its_capacitor() -> None:
    for wire in WIRES:
        if wire.kind is PinKind.BUTTON:
            net = _gpio_net(wire)
            assert _hung("R", net, ohms(BUTTON_PULL_UP_OHM)) == [{"+3V3"}]
            assert _hung("C", net, "100 nF") == [{"GND"}]
            assert _hung("S", net, f"button {wire.label}") == [{"GND"}]
    # The Pi's own 3.3 V feeds the buttons alone, and no part of it sees 5 V.
    assert {ref[0] for ref, _ in ON_NET["+3V3"]} == {"J", "R"}


def test_no_net_leads_nowhere_and_no_part_is_one_too_many() -> None:
    assert [net for net, pins in ON_NET.items() if len(pins) < 2] == []
    kinds = Counter(re.sub(r"\d", "", ref) for ref in PARTS)
    wanted = Counter(wire.kind for wire in WIRES)
    assert (kinds["D"], kinds["S"], kinds["BZ"]) == (
        wanted[PinKind.LAMP],
        wanted[PinKind.BUTTON],
        wanted[PinKind.BUZZER],
    )
    assert (kinds["U"], kinds["J"]) == (register_count() + 2, 1)


def test_every_part_of_the_bill_is_on_the_board() -> None:
    values = Counter(part.value for ref, part in PARTS.items() if ref[0] in "RC")
    listed = Counter[str]()
    for row in BILL:
        if row["part"] in ("resistor", "capacitor"):
            value = row["value"].split(",")[0].removesuffix(" ceramic")
            listed[value.replace("kilohm", "kΩ").replace("ohm", "Ω").replace("uF", "µF")] += int(row["quantity"])
    assert values == listed


def test_the_schematic_has_the_boards_netlist() -> None:
    sheet = _read("panel.kicad_sch")
    pins: dict[str, dict[str, tuple[float, float]]] = {}
    for symbol in _all(_all(sheet, "lib_symbols")[0], "symbol"):
        pins[symbol[1]] = {
            _all(pin, "number")[0][1]: _at_mm(pin) for unit in _all(symbol, "symbol") for pin in _all(unit, "pin")
        }
    label_at = {_at_mm(label): label[1] for label in _all(sheet, "global_label")}
    found = {}
    for symbol in _all(sheet, "symbol"):
        (x, y), ref = _at_mm(symbol), _property(symbol, "Reference")
        at = {
            number: (round(x + px, 2), round(y - py, 2))
            for number, (px, py) in pins[_all(symbol, "lib_id")[0][1]].items()
        }
        if not ref.startswith("#"):
            nets = {number: label_at[place] for number, place in at.items() if place in label_at}
            found[ref] = Part(_property(symbol, "Value"), nets)
    assert found == PARTS


def test_the_holes_lie_over_the_boxs_stands_and_the_board_house_gets_every_hole() -> None:
    box = (HARDWARE / "printables" / "panel_front.scad").read_text(encoding="utf-8")
    assert "stand_mm = [92, 92];" in box
    screws = [_at_mm(each) for each in _all(PCB, "footprint") if each[1].endswith(":Screw")]
    assert len(screws) == SCREW_HOLES
    for axis in (0, 1):
        assert max(at[axis] for at in screws) - min(at[axis] for at in screws) == 92
    gerbers = {path.name for path in (BOARD / "gerbers").iterdir()}
    for layer in ("F_Cu", "B_Cu", "F_Mask", "B_Mask", "F_SilkS", "B_SilkS", "Edge_Cuts"):
        assert f"panel-{layer}.gbr" in gerbers
    drilled = (BOARD / "gerbers" / "panel.drl").read_text(encoding="utf-8")
    pads = sum(len(_all(each, "pad")) for each in _all(PCB, "footprint"))
    assert len(re.findall(r"^X[-\d.]+Y", drilled, re.MULTILINE)) == pads + len(_all(PCB, "via"))
    placed = csv.DictReader((BOARD / "positions.csv").read_text(encoding="utf-8").splitlines())
    assert {row["Ref"] for row in placed} == set(PARTS)


Hole = tuple[int, int]
"""A strip of the strip board and a place on it, from 1."""
STRIPS: Final = 38
PLACES: Final = 56
SAW_PLACE: Final = 38  # the three boards on it are joined by the Pi's header alone: registers left of this place,
BUTTONS_STRIP: Final = 15  # the lamps' driver right of it and above this strip, the buttons below


@dataclass
class Stripboard:
    """What ``wiring.md`` says: the holes of parts' feet, of wires' ends, the cuts, and links from hole to hole."""

    feet: dict[Pin, Hole] = field(default_factory=dict)
    ends: dict[Pin, Hole] = field(default_factory=dict)
    cuts: list[Hole] = field(default_factory=list)
    links: list[tuple[Hole, Hole]] = field(default_factory=list)

    def holes(self) -> list[Hole]:
        """Every hole that something is soldered into."""
        return [*self.feet.values(), *self.ends.values(), *(hole for link in self.links for hole in link)]


def _holes(text: str) -> list[Hole]:
    return [(int(strip), int(place)) for strip, place in re.findall(r"(\d+)/(\d+)", text)]


def _stripboard() -> Stripboard:
    board = Stripboard()
    for ref, _, said in rows("part | value | holes"):
        holes = _holes(said)
        chip = re.search(r"chip pin (\d+) in \S+$", said)
        if chip is None:
            board.feet |= {(ref, f"{number}"): hole for number, hole in enumerate(holes, 1)}
            continue
        ((strip, left), (_, right)), last = holes, int(chip[1])
        for foot in range(1, last // 2 + 1):
            board.feet[ref, f"{foot}"] = (strip + foot - 1, left)
            board.feet[ref, f"{last + 1 - foot}"] = (strip + foot - 1, right)
    for place, strips in rows("place | strips"):
        for first, last_strip in re.findall(r"(\d+)(?: to (\d+))?", strips):
            board.cuts += [(strip, int(place)) for strip in range(int(first), int(last_strip or first) + 1)]
    for place, spans in rows("place | from strip to strip"):
        for upper, lower in re.findall(r"(\d+) to (\d+)", spans):
            board.links.append(((int(upper), int(place)), (int(lower), int(place))))
    for wire, *ends in rows("wire | hole"):
        if lead := re.match(r"pin (\d+) of the Pi's header", wire):
            pins = [("J1", lead[1])]
        elif chips := re.findall(r"(U\d+), chip pin (\d+)", wire):
            pins = chips
        else:
            pins = [(wire.split(",")[0], number) for number in "12"]
        board.ends |= dict(zip(pins, _holes(" ".join(ends)), strict=True))
    return board


def _faults(board: Stripboard) -> list[str]:
    """Where the layout is not the circuit: open nets, shorts, holes used twice, cut away or covered by a link."""
    used = Counter(board.holes())
    found = [f"hole {hole} is used twice" for hole, count in used.items() if count > 1]
    found += [f"hole {hole} is cut away" for hole in used.keys() & set(board.cuts)]
    found += [f"hole {hole} is off" for hole in used if not (1 <= hole[0] <= STRIPS and 1 <= hole[1] <= PLACES)]
    for one, other in combinations(board.links, 2):
        if one[0][1] == other[0][1] and one[0][0] < other[1][0] and other[0][0] < one[1][0]:
            found.append(f"links {one} and {other} lie on each other")
    for (upper, place), (lower, _) in board.links:
        found += [f"a link lies over hole {hole}" for hole in used if hole[1] == place and upper < hole[0] < lower]
    joined = _joined(board)
    pieces: dict[tuple[str, str], set[Hole]] = {}
    nets: dict[Hole, set[str]] = {}
    for (ref, pad), hole in [*board.feet.items(), *board.ends.items()]:
        net = PARTS[ref].nets.get(pad, f"free foot {ref} {pad}")
        half = "registers" if hole[1] < SAW_PLACE else "lamps" if hole[0] < BUTTONS_STRIP else "buttons"
        pieces.setdefault((half, net), set()).add(joined[_segment(board, hole)])
        nets.setdefault(joined[_segment(board, hole)], set()).add(net)
    found += [f"{net} is in {len(each)} pieces" for (_, net), each in pieces.items() if len(each) > 1]
    found += [f"{sorted(each)} touch" for each in nets.values() if len(each) > 1]
    placed = board.feet.keys() | board.ends.keys()
    wanted = {(ref, pad) for ref, part in PARTS.items() for pad in part.nets if ref != "J1"}
    wanted |= {("J1", f"{place_of(wire.gpio)}") for wire in WIRES if wire.gpio is not None}
    wanted |= {("J1", f"{each.place}") for each in SUPPLIES}
    return found + [f"{pin} has no hole" for pin in wanted - placed]


def _segment(board: Stripboard, hole: Hole) -> Hole:
    """The piece of strip that a hole is on: its strip, and how many cuts are to the left."""
    return hole[0], sum(strip == hole[0] and place < hole[1] for strip, place in board.cuts)


def _joined(board: Stripboard) -> dict[Hole, Hole]:
    """For every piece of strip the one that stands for all that links join it with."""
    stands = {(strip, number): (strip, number) for strip in range(STRIPS + 1) for number in range(PLACES)}

    def of(segment: Hole) -> Hole:
        return segment if stands[segment] == segment else of(stands[segment])

    for one, other in board.links:
        stands[of(_segment(board, one))] = of(_segment(board, other))
    return {segment: of(segment) for segment in stands}


def test_the_strip_board_is_the_circuit() -> None:
    assert _faults(_stripboard()) == []
    assert {ref: value for ref, value, _ in rows("part | value | holes")}.items() <= {
        ref: part.value for ref, part in PARTS.items()
    }.items()


@pytest.mark.parametrize(
    ("spoil", "said"),
    [
        (lambda board: board.cuts.remove((3, 12)), "touch"),
        (lambda board: board.links.pop(0), "GND is in 2 pieces"),
        (lambda board: board.feet.update({("R7", "2"): (5, 6)}), "LAMP_DISTANCE_1_A is in 2 pieces"),
        (lambda board: board.feet.pop(("C1", "1")), "has no hole"),
        (lambda board: board.cuts.append(board.feet["R7", "1"]), "is cut away"),
        (lambda board: board.links.append(((13, 22), (15, 22))), "lies over hole (14, 22)"),
    ],
)
def test_a_strip_board_that_is_not_the_circuit_is_found_out(spoil: Callable[[Stripboard], object], said: str) -> None:
    board = _stripboard()
    spoil(board)
    assert any(said in fault for fault in _faults(board)), _faults(board)


def test_joints_are_counted_and_the_hours_they_take() -> None:
    board = _stripboard()
    # A lead to the Pi has a joint to its socket, one to a lamp, a button or the buzzer one to its leg.
    leaving = sum(not ref.startswith("U") for ref, _ in board.ends)
    joints = len(board.holes()) + leaving
    (work,) = rows("cuts | links")
    hours = [joints * seconds / 3600 for seconds in (40, 60)]
    counted = (len(board.cuts), len(board.links), len(board.feet), (len(board.ends) - leaving) // 2, leaving, joints)
    assert work == [*map(str, counted), f"{hours[0]:.1f} to {hours[1]:.1f} h"]
    # Both legs of whatever hangs on wires; the ribbon to the Pi is pressed onto its plugs.
    pads = sum(len(_all(each, "pad")) for each in _all(PCB, "footprint")) - SCREW_HOLES
    on_board = pads + 2 * sum(ref[0] in "DSB" for ref in PARTS)
    assert f"Some {round(on_board, -1)} joints instead of {round(joints, -1)}, and neither cuts nor links." in WIRING
    guide = (HARDWARE / "README.md").read_text(encoding="utf-8")
    assert f"some {round(joints, -1)} joints, four to six hours" in guide
    assert [round(each) for each in hours] == [4, 6]
