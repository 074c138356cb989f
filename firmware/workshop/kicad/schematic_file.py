"""The circuit as a KiCad schematic: every part a symbol on one sheet, every foot a label with the name of its net."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from types import MappingProxyType
from typing import Final

from firmware.workshop.guide.chips import REGISTER_FEET
from firmware.workshop.guide.circuit import FIVE, GROUND, PI_THREE, CircuitPart
from firmware.workshop.kicad.expressions import Node, Word, font, text_of, unique
from firmware.workshop.kicad.footprints import FOOTPRINTS, PlacedPart, pad_of

LIBRARY: Final = "engarde"
PROJECT: Final = "panel"
_VERSION: Final = 20231120
_PITCH: Final = 2.54

_DRIVER: Final = MappingProxyType(
    {
        **{foot: f"I{foot}" for foot in range(1, 9)},
        9: "GND",
        10: "COM",
        **{foot: f"O{19 - foot}" for foot in range(11, 19)},
    }
)
_PAIR: Final = MappingProxyType({1: "", 2: ""})

SYMBOLS: Final[Mapping[str, Mapping[int, str]]] = MappingProxyType(
    {
        "74HC595": REGISTER_FEET,
        "ULN2803A": _DRIVER,
        "MCP1700": MappingProxyType({1: "GND", 2: "VIN", 3: "VOUT"}),
        "Header": MappingProxyType(dict.fromkeys(range(1, 41), "")),
        "Resistor": _PAIR,
        "Capacitor": _PAIR,
        "Wires": _PAIR,
    }
)
"""The feet of every symbol of the library with their names."""


def symbol_of(part: CircuitPart) -> str:
    """The symbol of a part."""
    if part.kind == "chip":
        return part.value
    kinds = {"resistor": "Resistor", "capacitor": "Capacitor", "regulator": "MCP1700", "header": "Header"}
    return kinds.get(part.kind, "Wires")


def symbol_uuid(ref: str) -> str:
    """The identifier of a part's symbol on the sheet."""
    return str(unique("symbol", ref)[1])


def schematic_text(parts: tuple[PlacedPart, ...]) -> str:
    """The ``.kicad_sch`` file."""
    nodes: list[object] = [
        "kicad_sch",
        ("version", _VERSION),
        ("generator", "engarde"),
        ("generator_version", "1.0"),
        unique("sheet"),
        ("paper", "A2"),
        ("title_block", ("title", "En Garde Companion, panel")),
        ("lib_symbols", *(_symbol(name, f"{LIBRARY}:{name}") for name in SYMBOLS), _flag(f"{LIBRARY}:Flag")),
    ]
    for placed, x, y in _places(parts):
        nodes += _instance(placed, x, y)
    for number, net in enumerate((GROUND, FIVE, PI_THREE), 1):
        nodes += _flag_instance(number, net, 500.38 + 20.32 * number, 30.48)
    nodes.append(("sheet_instances", ("path", "/", ("page", "1"))))
    return text_of(tuple(nodes)) + "\n"


def symbols_text() -> str:
    """The ``.kicad_sym`` library."""
    head = ("kicad_symbol_lib", ("version", _VERSION), ("generator", "engarde"), ("generator_version", "1.0"))
    return text_of((*head, *(_symbol(name, name) for name in SYMBOLS), _flag("Flag"))) + "\n"


def _places(parts: tuple[PlacedPart, ...]) -> Iterator[tuple[PlacedPart, float, float]]:
    """Columns from the top left: the large symbols first."""
    x, y = 50.8, 30.48
    order = sorted(parts, key=lambda each: (-len(SYMBOLS[symbol_of(each.part)]), each.part.kind, _numbered(each)))
    for each in order:
        high = _PITCH * (len(SYMBOLS[symbol_of(each.part)]) // 2 + 3)
        if y + high > 400.0:
            x, y = x + 71.12, 30.48
        yield each, x, y
        y += high


def _numbered(placed: PlacedPart) -> tuple[str, int]:
    ref = placed.part.ref
    return ref.rstrip("0123456789"), int(ref.lstrip("ABCDEFGHIJKLMNOPQRSTUVWXYZ"))


def _sides(symbol: str) -> Iterator[tuple[int, float, float, int]]:
    """Every foot with where its end is, from the symbol's first one, y upwards, and which way it points."""
    feet = SYMBOLS[symbol]
    half = (len(feet) + 1) // 2
    for number in feet:
        if symbol == "Header":
            left, row = number % 2 == 1, (number - 1) // 2
        else:
            left = number <= half
            row = number - 1 if left else len(feet) - number
        yield number, (0.0 if left else 25.4), -_PITCH * row, (0 if left else 180)


def _kind(symbol: str, number: int, name: str) -> str:
    if name in ("GND", "VCC", "VIN"):
        return "power_in"
    if name == "VOUT":
        return "power_out"
    if symbol == "74HC595":
        return "output" if name.startswith("Q") else "input"
    if symbol == "ULN2803A" and number != 10:
        return "input" if number < 9 else "open_collector"
    return "passive"


def _symbol(symbol: str, name: str) -> Node:
    plain, rows = name.split(":")[-1], (len(SYMBOLS[symbol]) + 1) // 2
    pins = [
        (
            "pin",
            Word(_kind(symbol, number, SYMBOLS[symbol][number])),
            Word("line"),
            ("at", x, y, turn),
            ("length", _PITCH),
            ("name", SYMBOLS[symbol][number] or "~", font(1.27)),
            ("number", f"{number}", font(1.27)),
        )
        for number, x, y, turn in _sides(symbol)
    ]
    box = (
        "rectangle",
        ("start", _PITCH, _PITCH),
        ("end", 25.4 - _PITCH, -_PITCH * rows),
        ("stroke", ("width", 0.2), ("type", Word("default"))),
        ("fill", ("type", Word("background"))),
    )
    return (
        "symbol",
        name,
        ("exclude_from_sim", Word("no")),
        ("in_bom", Word("yes")),
        ("on_board", Word("yes")),
        ("property", "Reference", "U", ("at", 12.7, 3.81, 0), font(1.27)),
        ("property", "Value", symbol, ("at", 12.7, 0, 0), font(1.27)),
        ("property", "Footprint", "", ("at", 0, 0, 0), font(1.27, hidden=True)),
        ("property", "Datasheet", "", ("at", 0, 0, 0), font(1.27, hidden=True)),
        ("property", "Description", "", ("at", 0, 0, 0), font(1.27, hidden=True)),
        ("symbol", f"{plain}_0_1", box),
        ("symbol", f"{plain}_1_1", *pins),
    )


def _flag(name: str) -> Node:
    """Says that a net has power from outside: it comes over the header, whose feet are passive."""
    plain = name.split(":")[-1]
    pin = ("pin", Word("power_out"), Word("line"), ("at", 0, 0, 90), ("length", 0))
    return (
        "symbol",
        name,
        ("power",),
        ("exclude_from_sim", Word("no")),
        ("in_bom", Word("yes")),
        ("on_board", Word("yes")),
        ("property", "Reference", "#FLG", ("at", 0, 1.9, 0), font(1.27, hidden=True)),
        ("property", "Value", "Flag", ("at", 0, 3.8, 0), font(1.27)),
        ("property", "Footprint", "", ("at", 0, 0, 0), font(1.27, hidden=True)),
        ("property", "Datasheet", "", ("at", 0, 0, 0), font(1.27, hidden=True)),
        ("property", "Description", "", ("at", 0, 0, 0), font(1.27, hidden=True)),
        ("symbol", f"{plain}_0_0", (*pin, ("name", "~", font(1.27)), ("number", "1", font(1.27)))),
    )


def _instance(placed: PlacedPart, x: float, y: float) -> Iterator[Node]:
    part, symbol = placed.part, symbol_of(placed.part)
    footprint = f"{LIBRARY}:{placed.footprint.name}"
    assert placed.footprint.name in FOOTPRINTS
    yield _placed_symbol(part.ref, part.value, symbol, footprint, x, y)
    nets = {pad_of(foot): net for foot, net in part.feet.items()}
    for number, dx, dy, turn in _sides(symbol):
        here = (x + dx, y - dy)
        net = nets.get(f"{number}")
        if net is None:
            yield ("no_connect", ("at", *here), unique("free", part.ref, number))
        else:
            yield _label(net, here, 180 if turn == 0 else 0, f"{part.ref} {number}")


def _label(net: str, here: tuple[float, float], turn: int, name: str) -> Node:
    side = "right" if turn == 180 else "left"
    return (
        "global_label",
        net,
        ("shape", Word("passive")),
        ("at", *here, turn),
        font(1.0, justify=side),
        unique("label", name),
    )


def _flag_instance(number: int, net: str, x: float, y: float) -> Iterator[Node]:
    yield _placed_symbol(f"#FLG0{number}", "Flag", "Flag", "", x, y)
    yield _label(net, (x, y), 0, f"flag {number}")


def _placed_symbol(ref: str, value: str, symbol: str, footprint: str, x: float, y: float) -> Node:
    hidden = ref.startswith("#")
    pins = ("1",) if hidden else tuple(f"{number}" for number in SYMBOLS[symbol])
    return (
        "symbol",
        ("lib_id", f"{LIBRARY}:{symbol}"),
        ("at", x, y, 0),
        ("unit", 1),
        ("exclude_from_sim", Word("no")),
        ("in_bom", not hidden),
        ("on_board", not hidden),
        ("dnp", Word("no")),
        unique("symbol", ref),
        ("property", "Reference", ref, ("at", x + 12.7, y - 3.81, 0), font(1.27, hidden=hidden)),
        ("property", "Value", value, ("at", x + 12.7, y, 0), font(1.27)),
        ("property", "Footprint", footprint, ("at", x, y, 0), font(1.27, hidden=True)),
        ("property", "Datasheet", "", ("at", x, y, 0), font(1.27, hidden=True)),
        ("property", "Description", "", ("at", x, y, 0), font(1.27, hidden=True)),
        *(("pin", pin, unique("pin of symbol", ref, pin)) for pin in pins),
        (
            "instances",
            ("project", PROJECT, ("path", f"/{unique('sheet')[1]}", ("reference", ref), ("unit", 1))),
        ),
    )
