"""What a club needs is an extra: who has one table does not have it, and nothing that he runs asks for it."""

from __future__ import annotations

import ast
import tomllib
from collections.abc import Iterator
from pathlib import Path
from typing import Final

ROOT: Final = Path(__file__).parents[4]
CLUB: Final = ROOT / "firmware" / "extras" / "club"
EXTRA: Final = {"paho", "cryptography"}
FOR_CLUBS: Final = {*EXTRA, "segno", "reportlab"}


def imported(node: ast.AST) -> set[str]:
    names = [alias.name for alias in node.names] if isinstance(node, ast.Import) else []
    if isinstance(node, ast.ImportFrom) and node.module:
        names.append(node.module)
    return {name.split(".")[0] for name in names}


def files() -> Iterator[tuple[Path, ast.Module]]:
    """Every file that has the name of one of them in it."""
    for package in ("engine", "display", "firmware"):
        for path in sorted((ROOT / package).rglob("*.py")):
            text = path.read_text(encoding="utf-8")
            if any(name in text for name in FOR_CLUBS):  # few: taking all apart takes a second
                yield path, ast.parse(text)


def test_only_the_club_imports_it_and_only_when_it_is_used() -> None:
    for path, tree in files():
        if CLUB not in path.parents:
            assert not any(FOR_CLUBS & imported(node) for node in ast.walk(tree)), path
        assert not any(EXTRA & imported(node) for node in tree.body), path


def test_it_is_an_extra_by_itself() -> None:
    told = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    extra = {name.partition(">")[0] for name in told["optional-dependencies"]["club"]}
    assert extra == {"paho-mqtt", "cryptography"}
    assert not any(name.startswith(tuple(extra)) for name in told["dependencies"])
