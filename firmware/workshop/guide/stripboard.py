"""The panel on one strip board: where every foot, cut, link and wire goes, and whether that is the circuit.

A hole is a strip and a place on it, both counted from 0 here and from 1 on paper; strips run along the board. Three
parts of it work without each other: registers on the left, lamps' driver and buttons on the right.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from itertools import combinations, pairwise
from typing import Final

from firmware.panel.pins import REGISTER_OUTPUTS, WIRES, PinKind, Wire
from firmware.workshop.guide.chips import DRIVER_INPUTS, channels, on_register, output_foot, register_count
from firmware.workshop.guide.circuit import CircuitPart, circuit
from firmware.workshop.guide.header import SUPPLIES, board_of, on_header

BoardHole = tuple[int, int]

STRIPS: Final = 38
PLACES: Final = 56
_BLOCK: Final = 10  # strips for one register: ground, its 3.3 V, and eight for its feet
_LEFT: Final = 10  # the column of a register's feet 1 to 8
_SAW: Final = 37  # every strip is cut here
_RIGHT: Final = 39  # where the right part begins
_BUTTONS: Final = 14  # the first strip of the buttons


@dataclass
class Stripboard:
    """A layout. ``feet``: the hole of every part's foot; ``ends``: of every wire that leaves the board
    or goes across it."""

    feet: dict[tuple[str, str], BoardHole] = field(default_factory=dict)
    ends: dict[tuple[str, str], BoardHole] = field(default_factory=dict)
    cuts: list[BoardHole] = field(default_factory=list)
    links: list[tuple[BoardHole, BoardHole]] = field(default_factory=list)

    def holes(self) -> Iterator[BoardHole]:
        """Every hole that something is soldered into."""
        yield from self.feet.values()
        yield from self.ends.values()
        for link in self.links:
            yield from link


def stripboard(wires: tuple[Wire, ...] = WIRES) -> Stripboard:
    """The whole layout. Raises ValueError for a pin table that it has no room for."""
    count = register_count(wires)
    if count > 3 or any(wire.kind is PinKind.LAMP and wire.gpio is not None and not wire.driven for wire in wires):
        raise ValueError("the strip board has room for three registers, and for no lamp straight on a pin; lay it out")
    parts = circuit(wires)
    board = Stripboard(cuts=[(strip, _SAW) for strip in range(STRIPS)])
    finder = _Finder(parts)
    for register in range(1, count + 1):
        _register(board, finder, register, wires)
    _between(board, count)
    _lines(board, finder, wires)
    _driver(board, finder, wires)
    _buttons(board, finder, wires)
    for place, rail in ((each.place, each) for each in SUPPLIES):
        board.ends["J1", f"{place}"] = {
            ("registers", "5 V"): (35, 2),
            ("registers", "ground"): (34, 2),
            ("lamps", "5 V"): (0, _RIGHT + 2),
            ("lamps", "ground"): (9, _RIGHT + 2),
            ("buttons", "3.3 V"): (_BUTTONS, _RIGHT + 1),
            ("buttons", "ground"): (_BUTTONS + 2, _RIGHT + 1),
        }[rail.board, rail.rail]
    return board


class _Finder:
    """Parts by the net of a foot."""

    def __init__(self, parts: Iterable[CircuitPart]) -> None:
        self.parts = tuple(parts)

    def at(self, kind: str, foot: str, net: str) -> CircuitPart:
        """The part of this kind with this foot on this net."""
        return next(part for part in self.parts if part.kind == kind and part.feet.get(foot) == net)

    def all(self, kind: str, value: str) -> list[CircuitPart]:
        """Every part of a kind with a value, in their order."""
        return [part for part in self.parts if part.kind == kind and part.value == value]


def _register(board: Stripboard, finder: _Finder, register: int, wires: tuple[Wire, ...]) -> None:
    top, chip = _BLOCK * (register - 1), f"U{register}"
    for foot in range(1, 9):
        board.feet[chip, f"{foot}"] = (top + 1 + foot, _LEFT)
        board.feet[chip, f"{17 - foot}"] = (top + 1 + foot, _LEFT + 3)
        board.cuts.append((top + 1 + foot, _LEFT + 1))
    board.links += [
        ((top + 9, _LEFT - 1), (top, _LEFT - 1)),  # foot 8 to ground
        ((top + 2, _LEFT + 4), (top + 1, _LEFT + 4)),  # foot 16 to 3.3 V
        ((top + 8, _LEFT + 5), (top + 1, _LEFT + 5)),  # foot 10 to 3.3 V
    ]
    small = finder.all("capacitor", "100 nF")[register - 1].ref
    board.feet[small, "1"], board.feet[small, "2"] = (top + 2, _LEFT + 7), (top, _LEFT + 7)
    grounded = 0
    for name, wire in on_register(register, wires).items():
        assert wire.output is not None
        foot = output_foot(wire.output)
        right = name == REGISTER_OUTPUTS[0]
        strip = top + (3 if right else 1 + foot)
        way, start = (1, _LEFT + 6) if right else (-1, _LEFT - 2)
        net = f"LAMP_{wire.name}".upper()
        if wire.driven:
            board.ends[chip, f"{foot}"] = (strip, start + 5 * way)
            continue
        resistor, lamp = finder.at("resistor", "1", net), finder.at("lamp", "+", f"{net}_A")
        board.feet[resistor.ref, "1"] = (strip, start)
        board.feet[resistor.ref, "2"] = (strip, start + 4 * way)
        board.cuts.append((strip, start + 2 * way))
        board.ends[lamp.ref, "+"] = (strip, start + (5 if right else 6) * way)
        board.ends[lamp.ref, "-"] = (top, grounded)
        grounded += 1


def _between(board: Stripboard, count: int) -> None:
    """Links from register to register, and from the last one to its part's lower strips."""
    for strip, below, place in ((0, 34, 31), (1, 36, 33), (5, 37, 22), (6, 33, 24), (7, 32, 26)):
        rows = [strip + _BLOCK * number for number in range(count)] + [below]
        for number, (upper, lower) in enumerate(pairwise(rows)):
            board.links.append(((upper, place + number % 2), (lower, place + number % 2)))
    board.links += [
        ((9 + _BLOCK * number, 29 + number), (4 + _BLOCK * (number + 1), 29 + number)) for number in range(count - 1)
    ]
    board.links += [((30, 28), (4, 28)), ((31, 20), (34, 20))]


def _lines(board: Stripboard, finder: _Finder, wires: tuple[Wire, ...]) -> None:
    """What stands before the registers: resistors and capacitors of the lines, the pull-up, the regulator."""
    places = {wire.name: place for place, wire in on_header(wires).items() if wire.kind is PinKind.REGISTER}
    for name, strip, ground, place in (("data", 30, 31, 10), ("clock", 32, 31, 12), ("latch", 33, 34, 12)):
        net = f"REGISTER_{name}".upper()
        resistor, small = finder.at("resistor", "1", f"{net}_IN"), finder.at("capacitor", "1", net)
        board.ends["J1", f"{places[name]}"] = (strip, 2)
        board.feet[resistor.ref, "1"], board.feet[resistor.ref, "2"] = (strip, 4), (strip, 8)
        board.cuts.append((strip, 6))
        board.feet[small.ref, "1"], board.feet[small.ref, "2"] = (strip, place), (ground, place)
    board.ends["J1", f"{places['enable']}"] = (37, 2)
    pull_up = finder.at("resistor", "2", "REGISTER_ENABLE").ref
    board.feet[pull_up, "1"], board.feet[pull_up, "2"] = (36, 6), (37, 6)
    for foot, strip in (("GND", 34), ("VIN", 35), ("VOUT", 36)):
        board.feet["U5", foot] = (strip, 16)
    before, behind = (part.ref for part in finder.all("capacitor", "1 µF"))
    board.feet[before, "1"], board.feet[before, "2"] = (35, 14), (34, 14)
    board.feet[behind, "1"], board.feet[behind, "2"] = (36, 19), (34, 19)


def _driver(board: Stripboard, finder: _Finder, wires: tuple[Wire, ...]) -> None:
    left = _RIGHT + 4
    places = {wire.name: place for place, wire in on_header(wires).items() if board_of(wire) == "lamps"}
    for foot in range(1, DRIVER_INPUTS + 2):
        board.feet["U4", f"{foot}"] = (foot, left)
        board.feet["U4", f"{19 - foot}"] = (foot, left + 3)
        board.cuts.append((foot, left + 1))
    board.links.append(((9, left + 4), (0, left + 4)))  # foot 10 to 5 V
    for each in channels(wires):
        net = f"{each.wire.kind.value}_{each.wire.name}".upper()
        source = ("J1", f"{places[each.wire.name]}") if each.wire.gpio is not None else ("U4", f"{each.input_foot}")
        board.ends[source] = (each.number, left - 2)
        plus = (0, left + 4 + each.number)
        if each.wire.kind is PinKind.BUZZER:
            buzzer = finder.at("buzzer", "-", f"{net}_OUT").ref
            board.ends[buzzer, "-"], board.ends[buzzer, "+"] = (each.number, left + 5), plus
            continue
        resistor, lamp = finder.at("resistor", "1", f"{net}_OUT"), finder.at("lamp", "-", f"{net}_K")
        board.feet[resistor.ref, "1"] = (each.number, left + 5)
        board.feet[resistor.ref, "2"] = (each.number, left + 9)
        board.cuts.append((each.number, left + 7))
        board.ends[lamp.ref, "-"], board.ends[lamp.ref, "+"] = (each.number, left + 11), plus


def _buttons(board: Stripboard, finder: _Finder, wires: tuple[Wire, ...]) -> None:
    """Every second strip is a button's, with the pull-ups' 3.3 V and ground by turns between them."""
    buttons = [wire for wire in wires if wire.kind is PinKind.BUTTON]
    places = {wire.name: place for place, wire in on_header(wires).items() if wire.kind is PinKind.BUTTON}
    if len(buttons) > 4:
        raise ValueError(f"the strip board has room for four buttons, the pin table wants {len(buttons)}; lay it out")
    for number, wire in enumerate(buttons):
        net, strip = f"BUTTON_{wire.name}".upper(), _BUTTONS + 1 + 2 * number
        three, ground = (strip - 1, strip + 1) if number % 2 == 0 else (strip + 1, strip - 1)
        button, small = finder.at("button", "1", net).ref, finder.at("capacitor", "1", net).ref
        pull_up = finder.at("resistor", "2", net).ref
        board.ends["J1", f"{places[wire.name]}"] = (strip, _RIGHT + 1)
        board.ends[button, "1"], board.ends[button, "2"] = (strip, _RIGHT + 3), (ground, _RIGHT + 3 + number % 2)
        # Two share a rail: one place further for every second.
        at, beside = _RIGHT + 6 + number % 2, _RIGHT + 9 + 4 * (number % 2)
        board.feet[pull_up, "1"], board.feet[pull_up, "2"] = (three, at), (strip, at)
        board.feet[small, "1"], board.feet[small, "2"] = (strip, beside), (ground, beside)
    for number in range(1, len(buttons), 2):
        upper = _BUTTONS + 2 * (number - 1)
        board.links.append(((upper, _RIGHT + 15 + number // 2), (upper + 4, _RIGHT + 15 + number // 2)))
        if number + 1 < len(buttons):
            board.links.append(((upper + 2, _RIGHT + 11), (upper + 6, _RIGHT + 11)))


def faults(board: Stripboard, parts: tuple[CircuitPart, ...]) -> list[str]:
    """What of this layout is not the circuit, one sentence each: open nets, shorts, holes used twice or cut away."""
    found, used = [], list(board.holes())
    taken = {hole for hole in used if used.count(hole) > 1}
    found += [f"hole {named(hole)} is used twice" for hole in sorted(taken)]
    found += [f"hole {named(hole)} is cut away" for hole in sorted(set(used) & set(board.cuts))]
    found += [
        f"hole {named(hole)} is not on the board"
        for hole in sorted(set(used))
        if not (0 <= hole[0] < STRIPS and 0 <= hole[1] < PLACES)
    ]
    found += [
        f"the links at place {one[0][1] + 1} lie on each other"
        for one, other in combinations(board.links, 2)
        if one[0][1] == other[0][1] and _span(one)[0] < _span(other)[1] and _span(other)[0] < _span(one)[1]
    ]
    found += [
        f"the link at place {place + 1} lies over hole {named((strip, place))}"
        for (upper, place), (lower, _) in board.links
        for strip, at in sorted(set(used))
        if at == place and min(upper, lower) < strip < max(upper, lower)
    ]
    piece = _pieces(board)
    of_net: dict[tuple[str, str], set[BoardHole]] = {}
    on_piece: dict[BoardHole, set[str]] = {}
    nets = {(part.ref, foot): net for part in parts for foot, net in part.feet.items()}
    for foot, hole in [*board.feet.items(), *board.ends.items()]:
        here = piece[_segment(board, hole)]
        net = nets.get(foot)
        if net is None:
            net = f"free foot {foot[0]} {foot[1]}"
        of_net.setdefault((_half(hole), net), set()).add(here)
        on_piece.setdefault(here, set()).add(net)
    found += [f"{net} is in {len(pieces)} pieces" for (_, net), pieces in sorted(of_net.items()) if len(pieces) > 1]
    found += [f"{' and '.join(sorted(shorted))} touch" for shorted in on_piece.values() if len(shorted) > 1]
    placed = {*board.feet, *board.ends}
    missing = [
        f"{part.ref} {foot} has no hole"
        for part in parts
        if part.kind != "header"
        for foot in part.feet
        if (part.ref, foot) not in placed
    ]
    return found + missing


def _span(link: tuple[BoardHole, BoardHole]) -> tuple[int, int]:
    return min(link[0][0], link[1][0]), max(link[0][0], link[1][0])


def _half(hole: BoardHole) -> str:
    """Which of the three parts a hole belongs to: they are joined by the Pi's header alone."""
    if hole[1] < _SAW:
        return "registers"
    return "lamps" if hole[0] < _BUTTONS else "buttons"


def _segment(board: Stripboard, hole: BoardHole) -> BoardHole:
    """The piece of strip that a hole is on: its strip, and how many cuts are to the left."""
    return hole[0], sum(strip == hole[0] and place < hole[1] for strip, place in board.cuts)


def _pieces(board: Stripboard) -> Mapping[BoardHole, BoardHole]:
    """For every piece of strip the one that stands for all that links join it with."""
    stands = {(strip, number): (strip, number) for strip in range(STRIPS) for number in range(PLACES)}

    def of(segment: BoardHole) -> BoardHole:
        while stands[segment] != segment:
            segment = stands[segment]
        return segment

    for one, other in board.links:
        stands[of(_segment(board, one))] = of(_segment(board, other))
    return {segment: of(segment) for segment in stands}


def named(hole: BoardHole) -> str:
    """A hole as it is written on paper: strip and place, from 1."""
    return f"{hole[0] + 1}/{hole[1] + 1}"


def joints(wires: tuple[Wire, ...] = WIRES) -> int:
    """How often the whole panel is soldered: every hole, and the far end of every wire that leaves the board.

    A lead to the Pi has a joint to its socket, one to a lamp, a button or the buzzer one to its leg.
    """
    board = stripboard(wires)
    return len(list(board.holes())) + len(board.ends) - 2 * across(board)


def across(board: Stripboard) -> int:
    """How many wires go from a register to the driver: both their ends are on the board."""
    return sum(ref.startswith("U") for ref, _ in board.ends) // 2
