"""The board as KiCad has it: footprints with their nets, tracks, vias, edge, holes and print."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Final

from firmware.workshop.kicad.expressions import Node, Word, font, text_of, unique
from firmware.workshop.kicad.footprints import (
    FOOTPRINTS,
    HOLE_MM,
    HOLES_MM,
    SIDE_MM,
    Footprint,
    PlacedPart,
    pad_of,
)
from firmware.workshop.kicad.router import TRACK_MM, VIA_DRILL_MM, VIA_MM, Routed
from firmware.workshop.kicad.schematic_file import symbol_uuid

LIBRARY: Final = "engarde"
_AT_MM: Final = 50.0  # the board's corner on KiCad's sheet
_LAYERS: Final = ("F.Cu", "B.Cu")
_VERSION: Final = 20240108
_PLAIN_LAYERS: Final = (
    (0, "F.Cu", "signal"),
    (31, "B.Cu", "signal"),
    (34, "B.Paste", "user"),
    (35, "F.Paste", "user"),
    (36, "B.SilkS", "user"),
    (37, "F.SilkS", "user"),
    (38, "B.Mask", "user"),
    (39, "F.Mask", "user"),
    (44, "Edge.Cuts", "user"),
    (45, "Margin", "user"),
    (46, "B.CrtYd", "user"),
    (47, "F.CrtYd", "user"),
    (48, "B.Fab", "user"),
    (49, "F.Fab", "user"),
)


def board_text(parts: tuple[PlacedPart, ...], routed: Mapping[str, Routed]) -> str:
    """The ``.kicad_pcb`` file."""
    names = {net: number for number, net in enumerate(sorted(_all_nets(parts)), 1)}
    nodes: list[object] = [
        "kicad_pcb",
        ("version", _VERSION),
        ("generator", "engarde"),
        ("generator_version", "1.0"),
        ("general", ("thickness", 1.6)),
        ("paper", "A4"),
        ("title_block", ("title", "En Garde Companion, panel")),
        ("layers", *((number, name, Word(kind)) for number, name, kind in _PLAIN_LAYERS)),
        ("setup", ("pad_to_mask_clearance", 0)),
        ("net", 0, ""),
        *(("net", number, net) for net, number in names.items()),
        *(_footprint(each, names) for each in parts),
        *_holes(),
        *_drawn(),
        *_copper(parts, routed, names),
    ]
    return text_of(tuple(nodes)) + "\n"


def footprint_text(footprint: Footprint) -> str:
    """One ``.kicad_mod`` file of the library."""
    nodes = (
        "footprint",
        footprint.name,
        ("version", _VERSION),
        ("generator", "engarde"),
        ("layer", "F.Cu"),
        *_labels(footprint, "REF**", footprint.name, footprint.name),
        ("attr", Word("through_hole")),
        *_body(footprint, footprint.name),
        *(_pad(footprint, number, (), footprint.name) for number in range(len(footprint.pads))),
    )
    return text_of(nodes) + "\n"


def library_texts() -> dict[str, str]:
    """Every footprint's file by its name."""
    return {f"{name}.kicad_mod": footprint_text(footprint) for name, footprint in FOOTPRINTS.items()}


def _all_nets(parts: tuple[PlacedPart, ...]) -> set[str]:
    return {net for each in parts for net in each.part.feet.values()}


def _footprint(placed: PlacedPart, names: Mapping[str, int]) -> Node:
    part, footprint = placed.part, placed.footprint
    nets = {pad_of(foot): net for foot, net in part.feet.items()}
    pads = []
    for number, pad in enumerate(footprint.pads):
        net = nets.get(pad.number)
        pads.append(_pad(footprint, number, () if net is None else (("net", names[net], net),), part.ref))
    return (
        "footprint",
        f"{LIBRARY}:{footprint.name}",
        ("layer", "F.Cu"),
        unique("footprint", part.ref),
        ("at", _AT_MM + placed.x, _AT_MM + placed.y),
        *_labels(footprint, part.ref, part.value, part.ref),
        ("path", f"/{symbol_uuid(part.ref)}"),
        ("attr", Word("through_hole")),
        *_body(footprint, part.ref),
        *pads,
    )


def _labels(footprint: Footprint, ref: str, value: str, name: str) -> Iterator[Node]:
    place = ("at", *footprint.label, footprint.label_turn)
    yield (
        "property",
        "Reference",
        ref,
        place,
        ("layer", "F.SilkS"),
        ("hide", Word("no")),
        unique("ref", name),
        font(0.9, thick_mm=0.14),
    )
    yield ("property", "Value", value, place, ("layer", "F.Fab"), unique("value", name), font(0.9, thick_mm=0.14))


def _body(footprint: Footprint, name: str) -> Iterator[Node]:
    """The part's outline, drawn on the layer for assembly and, where there is one, printed."""
    left, top, right, bottom = footprint.body
    for layer in ("F.Fab", *(("F.SilkS",) if footprint.printed else ())):
        yield (
            "fp_rect",
            ("start", left, top),
            ("end", right, bottom),
            ("stroke", ("width", 0.15), ("type", Word("default"))),
            ("fill", Word("none")),
            ("layer", layer),
            unique("body", layer, name),
        )


def _pad(footprint: Footprint, number: int, net: tuple[Node, ...], name: str) -> Node:
    pad = footprint.pads[number]
    return (
        "pad",
        pad.number,
        Word("thru_hole"),
        Word("rect" if number == 0 else "circle"),
        ("at", pad.x, pad.y),
        ("size", footprint.ring_mm, footprint.ring_mm),
        ("drill", footprint.drill_mm),
        ("layers", "*.Cu", "*.Mask"),
        ("remove_unused_layers", Word("no")),
        *net,
        unique("pad", name, pad.number),
    )


def _holes() -> Iterator[Node]:
    for number, (x, y) in enumerate(HOLES_MM, 1):
        yield (
            "footprint",
            f"{LIBRARY}:Screw",
            ("layer", "F.Cu"),
            unique("screw", number),
            ("at", _AT_MM + x, _AT_MM + y),
            *_screw(f"H{number}"),
        )


def _screw(ref: str) -> Iterator[Node]:
    for name, value, layer in (("Reference", ref, "F.Fab"), ("Value", "M3", "F.Fab")):
        shown = font(0.9, thick_mm=0.14)
        yield ("property", name, value, ("at", 0, 0, 0), ("layer", layer), unique(name, "screw", ref), shown)
    yield ("attr", Word("board_only"), Word("exclude_from_pos_files"), Word("exclude_from_bom"))
    yield (
        "pad",
        "",
        Word("np_thru_hole"),
        Word("circle"),
        ("at", 0, 0),
        ("size", HOLE_MM, HOLE_MM),
        ("drill", HOLE_MM),
        ("layers", "*.Cu", "*.Mask"),
        unique("screw pad", ref),
    )


def screw_text() -> str:
    """The ``.kicad_mod`` file of a screw's hole."""
    head = ("footprint", "Screw", ("version", _VERSION), ("generator", "engarde"), ("layer", "F.Cu"))
    return text_of((*head, *_screw("REF**"))) + "\n"


def _drawn() -> Iterator[Node]:
    """The board's edge, and what is printed on it."""
    yield (
        "gr_rect",
        ("start", _AT_MM, _AT_MM),
        ("end", _AT_MM + SIDE_MM, _AT_MM + SIDE_MM),
        ("stroke", ("width", 0.1), ("type", Word("default"))),
        ("fill", Word("none")),
        ("layer", "Edge.Cuts"),
        unique("edge"),
    )
    for words, x, y, size in (
        ("En Garde Companion", 50.0, 47.5, 1.6),
        ("upper row: plus (signal of S)   lower row: minus", 50.0, 87.6, 1.0),
        ("1", 25.4, 3.2, 0.9),
    ):
        yield (
            "gr_text",
            words,
            ("at", _AT_MM + x, _AT_MM + y),
            ("layer", "F.SilkS"),
            unique("print", words),
            font(size, thick_mm=0.15 * size),
        )


def _copper(parts: tuple[PlacedPart, ...], routed: Mapping[str, Routed], names: Mapping[str, int]) -> Iterator[Node]:
    pads = {(round(x, 3), round(y, 3)) for each in parts for _, x, y in each.pads()}
    for net, found in sorted(routed.items()):
        for layer, start, end in found.tracks:
            yield (
                "segment",
                ("start", _AT_MM + start[0], _AT_MM + start[1]),
                ("end", _AT_MM + end[0], _AT_MM + end[1]),
                ("width", TRACK_MM),
                ("layer", _LAYERS[layer]),
                ("net", names[net]),
                unique("track", net, layer, start, end),
            )
        for via in found.vias:
            if via not in pads:
                yield (
                    "via",
                    ("at", _AT_MM + via[0], _AT_MM + via[1]),
                    ("size", VIA_MM),
                    ("drill", VIA_DRILL_MM),
                    ("layers", "F.Cu", "B.Cu"),
                    ("net", names[net]),
                    unique("via", net, via),
                )
