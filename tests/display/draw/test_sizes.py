"""Every text asks for one of the five sizes: what the code says, not what one screen happens to draw."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from pathlib import Path

import display
from display.draw.canvas import BODY, LEAD, NOTE, SCORE, TITLE

SCALE = {"NOTE": NOTE, "BODY": BODY, "LEAD": LEAD, "TITLE": TITLE, "SCORE": SCORE}
FIGURES = {
    ("screens/duel.py", "_stacks"): "the value of a stack without cards, as tall as those on the cards beside it",
    ("screens/panel.py", "_small_card"): "the value on a small card",
    ("screens/piste.py", "draw_piste"): "the numbers of the spaces, which are as wide as the piste makes them",
    ("tabletop/drawing.py", "_numbers"): "the same at the played table",
}
"""Figures that are part of a picture are as large as that is."""
FITTED = {"size", "leaf"}
"""Names of a size that was fitted from one of the five on: they come as an argument, or out of ``fit``."""


def texts() -> Iterator[tuple[str, str, ast.FunctionDef, ast.expr]]:
    """Every call of ``Canvas.text``: its file, its function, and the size it asks for."""
    root = Path(display.__file__).parent
    for path in sorted(root.rglob("*.py")):
        for function in ast.walk(ast.parse(path.read_text())):
            calls = ast.walk(function) if isinstance(function, ast.FunctionDef) else ()
            for call in calls:
                drawn = isinstance(call, ast.Call) and isinstance(call.func, ast.Attribute) and call.func.attr == "text"
                if drawn and isinstance(call, ast.Call) and len(call.args) >= 4:
                    assert isinstance(function, ast.FunctionDef)
                    yield path.relative_to(root).as_posix(), function.name, function, call.args[2]


def asked(size: ast.AST, function: ast.FunctionDef) -> set[str]:
    """All names in the size, those of what its names were set to in this function among them, and ``.height``.

    What only decides between two sizes is none of it.
    """
    names: set[str] = set()
    waiting: list[ast.AST] = [size]
    while waiting:
        node = waiting.pop()
        waiting += (node.body, node.orelse) if isinstance(node, ast.IfExp) else ast.iter_child_nodes(node)
        if isinstance(node, ast.Attribute) and node.attr in ("height", "width"):
            names.add(f".{node.attr}")
        if not isinstance(node, ast.Name) or node.id in names:
            continue
        names.add(node.id)
        for line in ast.walk(function):
            if isinstance(line, ast.Assign) and any(node.id in _set(target) for target in line.targets):
                waiting.append(line.value)
    return names


def _set(target: ast.expr) -> set[str]:
    """The names that an assignment to this sets, those of a tuple among them."""
    each = target.elts if isinstance(target, ast.Tuple) else (target,)
    return {name.id for name in each if isinstance(name, ast.Name)}


def test_every_text_asks_for_one_of_the_five_sizes() -> None:
    found = list(texts())
    assert len(found) > 60
    other = {
        (file, name): ast.unparse(size)
        for file, name, function, size in found
        if (file, name) not in FIGURES and not asked(size, function) & (SCALE.keys() | FITTED)
    }
    assert other == {}


def test_no_text_asks_for_a_share_of_its_place() -> None:
    shares = {
        (file, name)
        for file, name, function, size in texts()
        if {".height", ".width"} & asked(size, function) and "fitted" not in asked(size, function)
    }
    assert shares <= FIGURES.keys()


def test_a_share_is_found() -> None:
    function = ast.parse("def f(canvas, box):\n size = box.height * 0.5\n canvas.text('a', box, size, None)").body[0]
    assert isinstance(function, ast.FunctionDef)
    assert ".height" in asked(ast.Name("size", ast.Load()), function)


def test_the_five_sizes_are_five() -> None:
    assert sorted(set(SCALE.values())) == [NOTE, BODY, LEAD, TITLE, SCORE]
