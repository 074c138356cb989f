"""The circuit board: the project is the circuit, every net is joined and touches no other, and KiCad agrees."""

from __future__ import annotations

import csv
import re
import shutil
from pathlib import Path
from typing import Any

import pytest

from firmware.workshop.guide.circuit import circuit, nets
from firmware.workshop.guide.files import HARDWARE
from firmware.workshop.kicad.__main__ import drawn_files, rule_faults
from firmware.workshop.kicad.expressions import Word, text_of
from firmware.workshop.kicad.footprints import GRID_MM, HOLES_MM, SIDE_MM, pad_of, placed
from firmware.workshop.kicad.router import CLEARANCE_MM, TRACK_MM, VIA_MM

BOARD = HARDWARE / "board"
PARTS = placed(circuit())
OFF_MM = 50.0
Spot = tuple[int, int]
"""A place on the router's grid."""


def _read(text: str) -> Any:
    """A file of KiCad's as nested lists."""
    stack: list[list[Any]] = [[]]
    for token in re.findall(r'"(?:[^"\\]|\\.)*"|[()]|[^\s()]+', text):
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


def _place_mm(node: Any, name: str) -> tuple[float, float]:
    found = _all(node, name)[0]
    return round(float(found[1]) - OFF_MM, 3), round(float(found[2]) - OFF_MM, 3)


def _spot(x_mm: float, y_mm: float) -> Spot:
    x, y = round(x_mm / GRID_MM), round(y_mm / GRID_MM)
    assert abs(x * GRID_MM - x_mm) + abs(y * GRID_MM - y_mm) < 0.01
    return x, y


def _place(node: Any, name: str) -> Spot:
    return _spot(*_place_mm(node, name))


@pytest.fixture(scope="module")
def board() -> Any:
    return _read((BOARD / "panel.kicad_pcb").read_text(encoding="utf-8"))


def test_the_project_is_what_would_be_drawn_now() -> None:
    """After a change of the circuit: python -m firmware.workshop.kicad."""
    stale = [name for name, text in drawn_files().items() if (BOARD / name).read_text(encoding="utf-8") != text]
    assert stale == []


def test_every_pad_of_the_board_is_on_the_net_of_the_circuit(board: Any) -> None:
    wanted = {(each.part.ref, pad_of(foot)): net for each in PARTS for foot, net in each.part.feet.items()}
    found = {}
    for footprint in _all(board, "footprint"):
        ref = next(each[2] for each in _all(footprint, "property") if each[1] == "Reference")
        for pad in _all(footprint, "pad"):
            for net in _all(pad, "net"):
                found[ref, pad[1]] = net[2]
    assert found == wanted


def _copper(board: Any) -> dict[str, tuple[list[tuple[str, Spot, Spot]], list[Spot]]]:
    names = {net[1]: net[2] for net in _all(board, "net")}
    found: dict[str, tuple[list[tuple[str, Spot, Spot]], list[Spot]]] = {}
    for track in _all(board, "segment"):
        own = found.setdefault(names[_all(track, "net")[0][1]], ([], []))
        own[0].append((_all(track, "layer")[0][1], _place(track, "start"), _place(track, "end")))
    for via in _all(board, "via"):
        found.setdefault(names[_all(via, "net")[0][1]], ([], []))[1].append(_place(via, "at"))
    return found


def _spots(start: Spot, end: Spot) -> list[Spot]:
    """Every place of a track, which runs along the grid."""
    assert start[0] == end[0] or start[1] == end[1]
    xs, ys = ([min(start[axis], end[axis]), max(start[axis], end[axis])] for axis in (0, 1))
    return [(x, y) for x in range(xs[0], xs[1] + 1) for y in range(ys[0], ys[1] + 1)]


def test_every_net_is_in_one_piece_and_nets_keep_apart(board: Any) -> None:
    copper = _copper(board)
    pads: dict[str, set[Spot]] = {}
    for each in PARTS:
        of = {pad_of(foot): net for foot, net in each.part.feet.items()}
        for pad, x, y in each.pads():
            if pad.number in of:
                pads.setdefault(of[pad.number], set()).add(_spot(x, y))
    assert set(pads) == set(nets(circuit()))
    taken: dict[tuple[str, Spot], str] = {}
    for net, (tracks, vias) in copper.items():
        joined = _pieces(tracks, pads[net] | set(vias))
        assert len({joined["F.Cu", spot] for spot in pads[net]}) == 1, net
        for layer, start, end in tracks:
            for spot in _spots(start, end):
                assert taken.setdefault((layer, spot), net) == net, (net, taken[layer, spot], spot)
    # Neighbours on the grid are far enough from each other.
    assert GRID_MM - TRACK_MM >= CLEARANCE_MM
    assert VIA_MM / 2 + TRACK_MM / 2 + CLEARANCE_MM < 2 * GRID_MM
    assert set(copper) == set(pads)


def _pieces(tracks: list[tuple[str, Spot, Spot]], through: set[Spot]) -> dict[tuple[str, Spot], tuple[str, Spot]]:
    stands: dict[tuple[str, Spot], tuple[str, Spot]] = {}

    def of(place: tuple[str, Spot]) -> tuple[str, Spot]:
        stands.setdefault(place, place)
        while stands[place] != place:
            place = stands[place]
        return place

    for spot in through:
        stands[of(("F.Cu", spot))] = of(("B.Cu", spot))
    for layer, start, end in tracks:
        spots = _spots(start, end)
        for spot in spots:
            stands[of((layer, spot))] = of((layer, spots[0]))
    return {place: of(place) for place in list(stands)}


def test_it_is_100_mm_square_with_its_holes_over_the_boxs_stands(board: Any) -> None:
    (edge,) = _all(board, "gr_rect")
    assert (_place_mm(edge, "start"), _place_mm(edge, "end")) == ((0.0, 0.0), (SIDE_MM, SIDE_MM))
    box = (HARDWARE / "printables" / "panel_front.scad").read_text(encoding="utf-8")
    assert "stand_mm = [92, 92];" in box
    xs, ys = {x for x, _ in HOLES_MM}, {y for _, y in HOLES_MM}
    assert max(xs) - min(xs) == max(ys) - min(ys) == 92


def test_what_the_board_house_gets_is_there(board: Any) -> None:
    gerbers = {path.name for path in (BOARD / "gerbers").iterdir()}
    for layer in ("F_Cu", "B_Cu", "F_Mask", "B_Mask", "F_SilkS", "B_SilkS", "Edge_Cuts"):
        assert f"panel-{layer}.gbr" in gerbers
    drilled = (BOARD / "gerbers" / "panel.drl").read_text(encoding="utf-8")
    pads = sum(len(each.footprint.pads) for each in PARTS)
    assert len(re.findall(r"^X[-\d.]+Y", drilled, re.MULTILINE)) == pads + len(_all(board, "via")) + len(HOLES_MM)
    rows = list(csv.DictReader((BOARD / "positions.csv").read_text(encoding="utf-8").splitlines()))
    assert {row["Ref"] for row in rows} == {each.part.ref for each in PARTS}


@pytest.mark.skipif(shutil.which("kicad-cli") is None, reason="KiCad is not installed")
def test_kicad_finds_no_rule_broken(tmp_path: Path) -> None:
    copy = tmp_path / "board"
    shutil.copytree(BOARD, copy)
    assert rule_faults(copy) == []
    text = (copy / "panel.kicad_pcb").read_text(encoding="utf-8")
    number = re.search(r'\(net (\d+) "LAMP_ALIVE"\)', text)
    assert number is not None
    tracks = [
        track for track in re.findall(r"\(segment\b.*?\n  (?=\()", text, re.DOTALL) if f"(net {number[1]})" in track
    ]
    assert tracks
    for track in tracks:
        text = text.replace(track, "", 1)
    (copy / "panel.kicad_pcb").write_text(text, encoding="utf-8")
    assert any("unconnected_items" in fault and "LAMP_ALIVE" in fault for fault in rule_faults(copy))


def test_expressions_are_written_as_kicad_reads_them() -> None:
    node = ("a", "b c", 1.5, True, Word("plain"), ("d", 'say "so"'))
    assert text_of(node) == '(a "b c" 1.5 yes plain (d "say \\"so\\""))'
    assert _read(text_of(node)) == ["a", "b c", "1.5", "yes", "plain", ["d", 'say "so"']]
