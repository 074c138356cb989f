"""Small faults put into Python source, one at a time: what ``bench_mutations.py`` tries the tests with.

A comparison at its boundary or turned round, ``and`` for ``or``, a condition denied, a number one off, White for Black,
plus for minus, a value that is not returned, a statement that is left out.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator
from typing import Final, NamedTuple

OTHER_COMPARISONS: Final[dict[type[ast.cmpop], tuple[type[ast.cmpop], ...]]] = {
    ast.Lt: (ast.LtE, ast.GtE),
    ast.LtE: (ast.Lt, ast.Gt),
    ast.Gt: (ast.GtE, ast.LtE),
    ast.GtE: (ast.Gt, ast.Lt),
    ast.Eq: (ast.NotEq,),
    ast.NotEq: (ast.Eq,),
    ast.Is: (ast.IsNot,),
    ast.IsNot: (ast.Is,),
    ast.In: (ast.NotIn,),
    ast.NotIn: (ast.In,),
}
OTHER_SUMS: Final[dict[type[ast.operator], type[ast.operator]]] = {
    ast.Add: ast.Sub,
    ast.Sub: ast.Add,
    ast.Mult: ast.FloorDiv,
    ast.FloorDiv: ast.Mult,
    ast.Div: ast.Mult,
}
OTHER_SIDES: Final = {"WHITE": "BLACK", "BLACK": "WHITE", "white": "black", "black": "white"}


class Mutant(NamedTuple):
    """A fault in a file: the bytes from ``start`` to ``end`` read ``after`` instead of ``before``.

    ``line`` is where it begins, from 1, and ``line_text`` what stands there.
    """

    line: int
    line_text: str
    start: int
    end: int
    before: str
    after: str

    @property
    def change(self) -> str:
        """On one line, to be read."""
        before, after = (" ".join(text.split()) for text in (self.before, self.after))
        return f"{before} -> {after}"

    def put_into(self, source: bytes) -> bytes:
        return source[: self.start] + self.after.encode() + source[self.end :]


def mutants(text: str) -> list[Mutant]:
    """Every fault that can be put into this source, in its order.

    Left out is what no test can or should notice: annotations, docstrings and other texts, assertions (they are there
    for the type checker), decorators, and what an exception says.
    """
    source, lines = text.encode(), text.splitlines()
    starts = [0]
    for line in source.splitlines(keepends=True):
        starts.append(starts[-1] + len(line))
    found = []
    for node, others in _faults(ast.parse(text)):
        assert node.end_lineno is not None
        assert node.end_col_offset is not None
        start, end = starts[node.lineno - 1] + node.col_offset, starts[node.end_lineno - 1] + node.end_col_offset
        before = source[start:end].decode()
        for other in others:
            after = ast.unparse(other)
            # The parts of an expression bind as they did, whatever stands around it.
            after = f"({after})" if isinstance(other, ast.expr) and not isinstance(node, ast.Constant) else after
            found.append(Mutant(node.lineno, lines[node.lineno - 1].strip(), start, end, before, after))
    return sorted(found, key=lambda each: (each.start, each.end))


def _faults(tree: ast.AST) -> Iterator[tuple[ast.expr | ast.stmt, list[ast.expr | ast.stmt]]]:
    """Each part of the tree that can be written otherwise, with its other ways."""
    for node in _running(tree):
        others: list[ast.expr | ast.stmt] = []
        match node:
            case ast.Compare(ops=[kind]):
                others = [ast.Compare(node.left, [other()], node.comparators) for other in _other(kind)]
            case ast.Compare(ops=[first, *rest]):
                others = [ast.Compare(node.left, [other(), *rest], node.comparators) for other in _other(first)]
                others += [
                    ast.Compare(node.left, [first, *rest[:-1], other()], node.comparators) for other in _other(rest[-1])
                ]
            case ast.BoolOp():
                others = [ast.BoolOp(ast.Or() if isinstance(node.op, ast.And) else ast.And(), node.values)]
            case ast.UnaryOp(op=ast.Not()):
                others = [node.operand]
            case ast.BinOp() if type(node.op) in OTHER_SUMS and not _is_text(node):
                others = [ast.BinOp(node.left, OTHER_SUMS[type(node.op)](), node.right)]
            case ast.Constant(value=bool()):
                others = [ast.Constant(not node.value)]
            case ast.Constant(value=int() | float() as number):
                others = [ast.Constant(number + 1), ast.Constant(number - 1)]
            case ast.Attribute(attr=name) if name in OTHER_SIDES:
                others = [ast.Attribute(node.value, OTHER_SIDES[name], node.ctx)]
            case ast.Attribute(attr="other", value=ast.Name()):
                others = [node.value]
            case ast.IfExp() if not isinstance(node.test, ast.Compare):
                others = [ast.IfExp(ast.UnaryOp(ast.Not(), node.test), node.body, node.orelse)]
            case ast.Return(value=ast.expr() as value) if not _is_none(value):
                others = [ast.Return(ast.Constant(None))]
            case ast.AugAssign() | ast.Expr(value=ast.Call()):
                others = [ast.Pass()]
            case ast.Assign(targets=[ast.Attribute()]):
                others = [ast.Pass()]
            case ast.Break():
                others = [ast.Continue()]
            case ast.Continue():
                others = [ast.Break()]
        if others:
            assert isinstance(node, ast.expr | ast.stmt)
            yield node, others


def _running(node: ast.AST) -> Iterator[ast.AST]:
    """What is left of a tree without the parts that no test can notice."""
    yield node
    for name, value in ast.iter_fields(node):
        if name in ("annotation", "returns", "decorator_list", "bases", "keywords") and isinstance(
            node, ast.AnnAssign | ast.arg | ast.FunctionDef | ast.ClassDef
        ):
            continue
        for child in value if isinstance(value, list) else [value]:
            if isinstance(child, ast.AST) and not isinstance(
                child, ast.Assert | ast.Raise | ast.JoinedStr | ast.Import
            ):
                yield from _running(child)


def _other(kind: ast.cmpop) -> tuple[type[ast.cmpop], ...]:
    return OTHER_COMPARISONS[type(kind)]


def _is_text(node: ast.BinOp) -> bool:
    return any(isinstance(part, ast.JoinedStr | ast.Constant) and _holds_text(part) for part in (node.left, node.right))


def _holds_text(node: ast.JoinedStr | ast.Constant) -> bool:
    return isinstance(node, ast.JoinedStr) or isinstance(node.value, str)


def _is_none(node: ast.expr) -> bool:
    return isinstance(node, ast.Constant) and node.value is None
