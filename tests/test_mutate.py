"""The faults that the tests are tried with are faults, and only one each."""

from __future__ import annotations

import ast
import textwrap

import pytest
from bench_mutations import FOLDERS, candidates, chosen_tests
from mutate import mutants
from same_after_all import SAME


def written_otherwise(text: str) -> list[str]:
    return [each.put_into(text.encode()).decode() for each in mutants(text)]


@pytest.mark.parametrize(
    ("text", "others"),
    [
        ("a < b", ["(a <= b)", "(a >= b)"]),
        ("a is None", ["(a is not None)"]),
        ("x and not y", ["(x or not y)", "x and (y)"]),
        ("a + b", ["(a - b)"]),
        ("t = 'a' + b", []),
        ("n = 4", ["n = 5", "n = 3"]),
        ("f = True", ["f = False"]),
        ("s = Side.WHITE", ["s = (Side.BLACK)"]),
        ("p.black", ["(p.white)"]),
        ("side.other", ["(side)"]),
        ("self.x = y", ["pass"]),
        ("f(x)", ["pass"]),
        ("f(\u00e9, a < b)", ["pass", "f(\u00e9, (a <= b))", "f(\u00e9, (a >= b))"]),
    ],
)
def test_what_is_written_otherwise(text: str, others: list[str]) -> None:
    assert written_otherwise(text) == others


def test_a_returned_value_is_kept_back_and_a_chain_is_changed_at_either_end() -> None:
    text = "def f(x):\n    return 1 < x < y\n"
    assert [each.splitlines()[1].strip() for each in written_otherwise(text)] == [
        "return None",
        "return 2 < x < y",
        "return 0 < x < y",
        "return (1 <= x < y)",
        "return (1 >= x < y)",
        "return (1 < x <= y)",
        "return (1 < x >= y)",
    ]


def test_what_no_test_can_notice_is_left_alone() -> None:
    text = '''
        """Adds 1."""
        from typing import Literal

        N: Literal[3]

        @dataclass(frozen=True)
        class A:
            def f(self, n: Literal[2]) -> Literal[1]:
                """Not 1."""
                assert n == 2
                raise ValueError(f"{n + 1} is {not n}")
        '''
    assert mutants(textwrap.dedent(text)) == []


@pytest.mark.slow
def test_every_fault_is_still_python_and_is_another_program() -> None:
    places = candidates(FOLDERS)
    assert len(places) > 3000
    for place in places[::97]:
        assert place.mutant.before != place.mutant.after, place
    text = "def f(a, b):\n    if a < b and not a:\n        return a + 1\n    return b\n"
    assert all(ast.dump(ast.parse(each)) != ast.dump(ast.parse(text)) for each in written_otherwise(text))


@pytest.mark.slow
def test_a_files_own_tests_are_run_first() -> None:
    near, far = chosen_tests("engine/rules/events.py")
    assert near[0] == "tests/engine/rules/test_events.py"
    assert "tests/engine/table/test_desk.py" in far
    assert set(near).isdisjoint(far)


@pytest.mark.slow
def test_whatever_changes_nothing_is_a_fault_that_is_tried() -> None:
    """Nobody keeps a reason for a line that is no longer there."""
    assert set(SAME) - {place.key for place in candidates(FOLDERS)} == set()
    assert all(SAME.values())
