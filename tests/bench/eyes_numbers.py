"""The eyes' numbers: where each stands, and whether anything beside it says where it comes from."""

from __future__ import annotations

import ast
import io
import re
import tokenize
from collections.abc import Iterator
from pathlib import Path
from typing import Final, NamedTuple

ROOT: Final = Path(__file__).parents[2]
NUMBERS: Final = ROOT / "vision" / "NUMBERS.md"
READ: Final = ("agree", "belief", "board", "cells", "change", "marks", "reading", "sights", "why")
"""The rooms whose numbers decide what is read."""

NOTHING: Final = "nothing"
_ROW: Final = re.compile(r"^\| `(\w+)` \| ([^|]+) \| ([^|]+) \| ([^|]+) \|$")


class Number(NamedTuple):
    """A number, or several in a tuple, that stands by itself: ``file`` from `vision/` on.

    ``value`` as it is written; ``said``: a comment on its line or at the head of its block, or words under it.
    """

    file: str
    name: str
    value: str
    line: int
    said: bool


class Row(NamedTuple):
    """A row of `vision/NUMBERS.md`: what noticed first that a number was halved, or doubled."""

    file: str
    name: str
    value: str
    halved: str
    doubled: str


def numbers_of(file: str, source: str) -> Iterator[Number]:
    """All numbers of a file."""
    lines = source.splitlines()
    comments = {
        token.start[0]
        for token in tokenize.generate_tokens(io.StringIO(source).readline)
        if token.type == tokenize.COMMENT
    }
    body = ast.parse(source).body
    for place, node in enumerate(body):
        value = node.value if isinstance(node, ast.Assign | ast.AnnAssign) else None
        if value is None or not is_numeric(value):
            continue
        under = body[place + 1] if place + 1 < len(body) else None
        said = isinstance(under, ast.Expr) and isinstance(under.value, ast.Constant)
        said |= any(line in comments for line in range(node.lineno, (node.end_lineno or node.lineno) + 1))
        said |= (node.lineno > 1 and lines[node.lineno - 2].startswith("#")) or _is_headed(lines, node.lineno)
        for name in names_of(node):
            yield Number(file, name, ast.unparse(value), node.lineno, said)


def _is_headed(lines: list[str], number: int) -> bool:
    """Whether the block in which this line stands, up to the blank line before it, begins with a comment."""
    while number > 1 and lines[number - 2].strip():
        number -= 1
    return lines[number - 1].startswith("#")


def names_of(node: ast.stmt) -> list[str]:
    """The names that a statement gives a value."""
    targets = node.targets if isinstance(node, ast.Assign) else [node.target] if isinstance(node, ast.AnnAssign) else []
    parts = [part for target in targets for part in (target.elts if isinstance(target, ast.Tuple) else [target])]
    return [part.id for part in parts if isinstance(part, ast.Name)]


def is_numeric(node: ast.expr) -> bool:
    """Whether a number is written in it and no other number's name: 4.0, -2, 6.0 / 2304, math.radians(6.0), (1.0, 2.0).

    ``2 * OTHER`` is derived.
    """
    parts = list(ast.walk(node))
    allowed = ast.Constant | ast.UnaryOp | ast.BinOp | ast.Tuple | ast.operator | ast.unaryop | ast.expr_context
    if isinstance(node, ast.Call) and ast.unparse(node.func).startswith("math."):
        return all(map(is_numeric, node.args))
    numbers = [part.value for part in parts if isinstance(part, ast.Constant)]
    return (
        bool(numbers)
        and all(isinstance(part, allowed) for part in parts)
        and all(isinstance(value, int | float) and not isinstance(value, bool) for value in numbers)
    )


def all_numbers() -> list[Number]:
    """Those of all of `vision/`, in the order of its files."""
    folder = ROOT / "vision"
    return [
        number
        for path in sorted(folder.rglob("*.py"))
        for number in numbers_of(path.relative_to(folder).as_posix(), path.read_text(encoding="utf-8"))
    ]


def rows() -> list[Row]:
    """The rows of `vision/NUMBERS.md`."""
    found, file = [], ""
    if not NUMBERS.exists():
        return []
    for line in NUMBERS.read_text(encoding="utf-8").splitlines():
        if line.startswith("### "):
            file = line.removeprefix("### ").strip("`")
        elif row := _ROW.match(line):
            found.append(Row(file, *(part.strip() for part in row.groups())))
    return found
