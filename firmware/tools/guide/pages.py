"""Tables in the guide's pages: everything between ``<!-- table: NAME -->`` and ``<!-- end -->`` is made anew."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from typing import Final

_BLOCK: Final = re.compile(r"(<!-- table: (\w+) -->\n).*?(<!-- end -->)", re.DOTALL)


def filled(page: str, tables: Mapping[str, str]) -> str:
    """The page with its tables. Raises ValueError when it asks for one that is not there, or has no place for one."""
    asked = [name for _, name, _ in _BLOCK.findall(page)]
    for name in asked:
        if name not in tables:
            raise ValueError(f"the page asks for a table {name!r}; there are {', '.join(tables)}")
    missing = sorted(set(tables) - set(asked))
    if missing:
        raise ValueError(
            f"the page has no place for the tables {', '.join(missing)}; write <!-- table: {missing[0]} -->"
        )
    return _BLOCK.sub(lambda found: f"{found[1]}{tables[found[2]]}{found[3]}", page)


def table(head: Sequence[str], rows: Iterable[Sequence[object]]) -> str:
    """A Markdown table, one line a row."""
    lines = [_line(head), _line(["---"] * len(head)), *(_line(row) for row in rows)]
    return "\n".join(lines) + "\n"


def _line(cells: Sequence[object]) -> str:
    return "| " + " | ".join(str(cell) for cell in cells) + " |"
