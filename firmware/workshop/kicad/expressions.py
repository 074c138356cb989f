"""KiCad's files are nested lists in brackets: written here from tuples. Format: KiCad's developer documentation, files
of version 8, which 9 reads as well."""

from __future__ import annotations

import uuid
from typing import Final, TypeAlias

Node: TypeAlias = "tuple[object, ...]"
_SPACE: Final = uuid.UUID("6c8cc4b5-3b5b-4a2e-9d5e-0e4f5b1d7a11")


class Word(str):
    """Written as it is, without quotes."""


def unique(*names: object) -> Node:
    """The identifier of what has this name, the same every time."""
    return ("uuid", f"{uuid.uuid5(_SPACE, '/'.join(str(name) for name in names))}")


def text_of(node: Node, depth: int = 0) -> str:
    """A node as text: short ones on one line."""
    inside = [text_of(each, depth + 1) if isinstance(each, tuple) else _atom(each) for each in node[1:]]
    flat = f"({node[0]}{''.join(f' {each}' for each in inside)})"
    if len(flat) + 2 * depth <= 110 and "\n" not in flat:
        return flat
    indent = "\n" + "  " * (depth + 1)
    head = str(node[0])
    rest = list(inside)
    while rest and not rest[0].startswith("("):
        head += f" {rest.pop(0)}"
    return f"({head}{''.join(indent + each for each in rest)}{indent[:-2]})"


def _atom(value: object) -> str:
    if isinstance(value, Word):
        return str(value)
    if isinstance(value, bool):
        return "yes" if value else "no"
    if isinstance(value, int | float):
        return f"{round(value, 4):g}"
    escaped = str(value).replace("\\", "\\\\").replace('"', '\\"')
    return f'"{escaped}"'


def font(size_mm: float = 1.0, *, thick_mm: float | None = None, hidden: bool = False, justify: str = "") -> Node:
    """How a text looks."""
    look: list[object] = ["effects", ("font", ("size", size_mm, size_mm), ("thickness", thick_mm or size_mm * 0.15))]
    if justify:
        look.append(("justify", *(Word(word) for word in justify.split())))
    if hidden:
        look.append(("hide", Word("yes")))
    return tuple(look)
