"""The tree of our own exceptions: what ``firmware.core.errors`` draws is what there is."""

from __future__ import annotations

import builtins
import re
from pathlib import Path
from typing import Final

from firmware.core import errors

ROOT: Final = Path(__file__).parents[2]
PACKAGES: Final = ("engine", "vision", "display", "firmware")
CLASS: Final = re.compile(r"^ *class (\w+)(?:\(([^)]*)\))?:", re.MULTILINE)


def drawn() -> dict[str, str]:
    """Each name in the tree that is drawn, with the one it stands below (nothing: the margin)."""
    above: list[tuple[int, str]] = []
    found: dict[str, str] = {}
    for line in (errors.__doc__ or "").splitlines():
        indent = len(line) - len(line.lstrip())
        if indent < 4:
            continue
        name = line.split()[0]
        while above and above[-1][0] >= indent:
            above.pop()
        assert name not in found, f"{name} is drawn twice"
        found[name] = above[-1][1] if above else ""
        above.append((indent, name))
    return found


def raised() -> dict[str, str]:
    """Each exception of ours that others may meet, with the first class it is made from."""
    bases = {
        name: [base.strip() for base in of.split(",")]
        for package in PACKAGES
        for path in (ROOT / package).rglob("*.py")
        for name, of in CLASS.findall(path.read_text(encoding="utf-8"))
    }

    def is_an_error(name: str) -> bool:
        known = getattr(builtins, name, None)
        if isinstance(known, type):
            return issubclass(known, BaseException)
        return any(is_an_error(base) for base in bases.get(name, ()))

    return {name: of[0] for name, of in bases.items() if not name.startswith("_") and is_an_error(name)}


def test_the_tree_is_drawn_as_it_is() -> None:
    ours, tree = {**raised(), "EngardeError": ""}, drawn()
    assert {name: above for name, above in tree.items() if name in ours} == ours
    assert set(tree) - set(ours) == {above for above in ours.values() if hasattr(builtins, above)}
    assert len(ours) >= 20


def test_each_line_says_what_it_means_and_the_names_stand_in_order() -> None:
    lines = [line for line in (errors.__doc__ or "").splitlines() if line.startswith("        ")]
    assert [line for line in lines if len(line.split()) < 4] == []
    tree = drawn()
    for above in set(tree.values()) - {""}:
        names = [name for name, of in tree.items() if of == above]
        assert names == sorted(names)
