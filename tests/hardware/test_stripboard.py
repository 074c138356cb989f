"""The strip board, followed strip by strip, is the circuit; and the circuit is the pin table's."""

from __future__ import annotations

from collections import Counter
from dataclasses import replace

import pytest

from firmware.panel.pins import LINE_OHM, WIRES, PinKind
from firmware.workshop.guide.bill import bill
from firmware.workshop.guide.chips import DRIVER_INPUTS, channels
from firmware.workshop.guide.circuit import FIVE, GROUND, OWN_THREE, PI_THREE, circuit, nets
from firmware.workshop.guide.header import SUPPLIES, on_header
from firmware.workshop.guide.strip_tables import JOINT_S, strip_tables
from firmware.workshop.guide.stripboard import Stripboard, faults, joints, named, stripboard

PARTS = circuit()
BY_REF = {part.ref: part for part in PARTS}


def _foot(ref: str, foot: str) -> str:
    return BY_REF[ref].feet[foot]


def test_no_net_leads_nowhere_and_no_part_has_a_number_twice() -> None:
    assert [net for net, feet in nets(PARTS).items() if len(feet) < 2] == []
    assert len(BY_REF) == len(PARTS)


def test_the_circuit_is_the_pin_tables() -> None:
    kinds = Counter(part.kind for part in PARTS)
    wanted = Counter(wire.kind for wire in WIRES)
    assert (kinds["lamp"], kinds["button"], kinds["buzzer"]) == (wanted[PinKind.LAMP], wanted[PinKind.BUTTON], 1)
    header = BY_REF["J1"].feet
    assert {int(foot) for foot, net in header.items() if net not in (GROUND, FIVE, PI_THREE)} == set(on_header())
    assert all(_foot(ref, "16") == _foot(ref, "10") == OWN_THREE for ref in ("U1", "U2", "U3"))
    assert all(_foot(ref, "8") == GROUND for ref in ("U1", "U2", "U3"))
    assert len({_foot(ref, "11") for ref in ("U1", "U2", "U3")}) == 1
    assert _foot("U1", "9") == _foot("U2", "14")
    assert _foot("U2", "9") == _foot("U3", "14")
    assert (_foot("U4", "9"), _foot("U4", "10")) == (GROUND, FIVE)
    for each in channels():
        assert {_foot("U4", f"{each.input_foot}"), _foot("U4", f"{each.output_foot}")} <= set(nets(PARTS))
    # The Pi's own 3.3 V feeds the buttons alone, and no part of it sees 5 V.
    assert {ref[0] for ref, _ in nets(PARTS)[PI_THREE]} == {"J", "R"}


def test_every_part_of_the_bill_is_in_the_circuit() -> None:
    values = Counter(part.value for part in PARTS if part.kind in ("resistor", "capacitor"))
    listed = Counter[str]()
    for item in bill():
        if item.part in ("resistor", "capacitor"):
            value = item.value.split(",")[0].removesuffix(" ceramic")
            listed[value.replace("kilohm", "kΩ").replace("ohm", "Ω").replace("uF", "µF")] += item.quantity
    assert values == listed
    assert values[f"{LINE_OHM} Ω"] == 20


def test_the_strip_board_is_the_circuit() -> None:
    assert faults(stripboard(), PARTS) == []


def _spoiled(what: str) -> Stripboard:
    board = stripboard()
    if what == "cut":
        board.cuts.remove((2, 11))
    elif what == "link":
        board.links.pop(0)
    elif what == "foot":
        board.feet["R7", "2"] = (board.feet["R7", "2"][0] + 1, board.feet["R7", "2"][1])
    elif what == "missing":
        del board.feet["C1", "1"]
    elif what == "hole":
        board.cuts.append(board.feet["R7", "1"])
    elif what == "over":
        strip, place = board.ends["D12", "+"]
        board.links.append(((strip - 1, place), (strip + 1, place)))
    return board


@pytest.mark.parametrize(
    ("what", "said"),
    [
        ("cut", "touch"),
        ("link", "GND is in 2 pieces"),
        ("foot", "LAMP_DISTANCE_1_A is in 2 pieces"),
        ("missing", "C1 1 has no hole"),
        ("hole", "is cut away"),
        ("over", "lies over hole 14/22"),
    ],
)
def test_a_board_that_is_not_the_circuit_is_found_out(what: str, said: str) -> None:
    assert any(said in fault for fault in faults(_spoiled(what), PARTS)), faults(_spoiled(what), PARTS)


def test_every_lead_from_the_pi_has_its_hole() -> None:
    leads = {int(foot) for ref, foot in stripboard().ends if ref == "J1"}
    assert leads == set(on_header()) | {each.place for each in SUPPLIES}


def test_a_table_without_room_is_refused() -> None:
    straight = tuple(replace(wire, driven=False) if wire.name == "touch_left" else wire for wire in WIRES)
    with pytest.raises(ValueError, match="no lamp straight on a pin"):
        stripboard(straight)
    five = (*WIRES, replace(next(wire for wire in WIRES if wire.name == "menu"), name="more", gpio=18))
    with pytest.raises(ValueError, match="room for four buttons"):
        stripboard(five)
    assert len(channels()) <= DRIVER_INPUTS


def test_the_tables_name_every_hole_and_the_work_is_counted() -> None:
    board, tables = stripboard(), strip_tables()
    for (ref, _), hole in board.feet.items():
        if not ref.startswith("U"):
            assert named(hole) in tables["strip_parts"]
    assert all(named(hole) in tables["strip_wires"] for (ref, _), hole in board.ends.items() if ref[0] in "JDSB")
    assert tables["strip_links"].count(" to ") - 1 == len(board.links)  # one in the head
    leaving = [ref for ref, _ in board.ends if ref[0] in "JDSB"]
    feet = len(board.feet) + 2 * len(board.links) + len(board.ends) + len(leaving)
    assert joints() == feet
    assert tables["strip_wires"].count("from U") * 2 == len(board.ends) - len(leaving)
    assert f"| {feet} | {feet * JOINT_S[0] / 3600:.1f} to {feet * JOINT_S[1] / 3600:.1f} h |" in tables["strip_work"]
