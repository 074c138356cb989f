"""The strip board's tables in ``hardware/wiring.md``: every part, cut, link and wire by its holes."""

from __future__ import annotations

from firmware.panel.pins import WIRES, Wire
from firmware.workshop.guide.circuit import CircuitPart, circuit
from firmware.workshop.guide.pages import table
from firmware.workshop.guide.stripboard import Stripboard, across, joints, named, stripboard

JOINT_S = (40, 60)
"""How long a joint takes, practised and not: our estimate, wire stripped and laid in."""


def strip_tables(wires: tuple[Wire, ...] = WIRES) -> dict[str, str]:
    """Every table by its name."""
    board, parts = stripboard(wires), circuit(wires)
    return {
        "strip_parts": _parts(board, parts),
        "strip_cuts": _cuts(board),
        "strip_links": _links(board),
        "strip_wires": _wires(board, parts),
        "strip_work": _work(board, wires),
    }


def _parts(board: Stripboard, parts: tuple[CircuitPart, ...]) -> str:
    rows = []
    for part in parts:
        feet = {foot: named(hole) for (ref, foot), hole in board.feet.items() if ref == part.ref}
        if not feet:
            continue
        if part.kind == "chip":
            last = max(feet, key=int)
            said = f"chip pin 1 in {feet['1']}, chip pin {last} in {feet[last]}"
        elif part.kind == "regulator":
            said = ", ".join(f"{foot} in {hole}" for foot, hole in feet.items())
        else:
            said = " and ".join(feet.values())
        rows.append((part.ref, part.value, said))
    return table(("part", "value", "holes"), rows)


def _cuts(board: Stripboard) -> str:
    """Cuts that follow each other at one place are one line."""
    of_place: dict[int, list[int]] = {}
    for strip, place in sorted(board.cuts):
        of_place.setdefault(place, []).append(strip)
    rows = [(place + 1, _ranges([strip + 1 for strip in strips])) for place, strips in sorted(of_place.items())]
    return table(("place", "strips"), rows)


def _ranges(numbers: list[int]) -> str:
    found: list[list[int]] = []
    for number in numbers:
        if found and found[-1][-1] == number - 1:
            found[-1].append(number)
        else:
            found.append([number])
    return ", ".join(f"{run[0]} to {run[-1]}" if len(run) > 1 else f"{run[0]}" for run in found)


def _links(board: Stripboard) -> str:
    of_place: dict[int, list[str]] = {}
    for one, other in sorted(board.links, key=lambda link: (link[0][1], link[0][0])):
        upper, lower = sorted((one, other))
        of_place.setdefault(one[1] + 1, []).append(f"{upper[0] + 1} to {lower[0] + 1}")
    return table(("place", "from strip to strip"), [(place, ", ".join(said)) for place, said in of_place.items()])


def _wires(board: Stripboard, parts: tuple[CircuitPart, ...]) -> str:
    values = {part.ref: part.value for part in parts}
    leads = sorted((int(foot), hole) for (ref, foot), hole in board.ends.items() if ref == "J1")
    rows: list[tuple[str, ...]] = [(f"pin {place} of the Pi's header", named(hole), "") for place, hole in leads]
    chips = {foot: hole for foot, hole in board.ends.items() if foot[0].startswith("U")}
    nets = {(part.ref, foot): net for part in parts for foot, net in part.feet.items()}
    for (ref, foot), hole in chips.items():
        if ref == "U4":
            far = next(other for other in chips if other[0] != "U4" and nets[other] == nets[ref, foot])
            said = f"from {far[0]}, chip pin {far[1]}, to {ref}, chip pin {foot}"
            rows.append((said, named(chips[far]), named(hole)))
    for ref in dict.fromkeys(ref for ref, _ in board.ends if ref[0] in "DSB"):
        ends = {foot: named(hole) for (of, foot), hole in board.ends.items() if of == ref}
        rows.append((f"{ref}, {values[ref]}", *(ends[foot] for foot in sorted(ends))))
    return table(("wire", "hole (long leg, plus)", "hole (short leg, minus)"), rows)


def _work(board: Stripboard, wires: tuple[Wire, ...]) -> str:
    count = joints(wires)
    hours = " to ".join(f"{count * seconds / 3600:.1f}" for seconds in JOINT_S)
    return table(
        ("cuts", "links", "legs", "wires across", "wires that leave", "joints in all", "at 40 to 60 s each"),
        [
            (
                *(len(board.cuts), len(board.links), len(board.feet)),
                *(across(board), len(board.ends) - 2 * across(board), count, f"{hours} h"),
            )
        ],
    )
