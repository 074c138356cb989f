"""Arguments in, one frozen wish out: nobody behind it sees what was typed."""

from __future__ import annotations

import argparse
import ast
import dataclasses
import importlib
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from firmware.cli import COMMANDS, MODULES

ROOT = Path(__file__).parents[3]
LINES = (
    "demo --headless",
    "play --camera 0",
    "teach --list",
    "judge --record FILE",
    "watch --frames 3",
    "calibrate --json",
    "register --check",
    "print --out DIR",
    "scores --all",
    "scores --retell 1",
    "scores --record 1",
    "scores --match 1 --card FILE",
    "scores --match 1 --film FILE",
    "scores --rename Ana Anna",
    "book backup DIR",
    "book restore FILE",
    "book restore",
    "book import FILE",
    "book correct --undo",
    "book check",
    "club init linz --host hall",
    "club join",
    "club leave",
    "club hall --card FILE --home-assistant",
    "club desk --card FILE swiss",
    "club demo",
    "tournament --matches 2",
    "setup --then-play --fullscreen",
    "doctor --bench",
)


def module_of(command: str) -> str:
    return MODULES.get(command, f"firmware.commands.{command}")


def parsed(line: str) -> argparse.Namespace:
    command, *words = line.split()
    parser = argparse.ArgumentParser(allow_abbrev=False)
    importlib.import_module(module_of(command)).add_arguments(parser)
    return parser.parse_args(words)


def values_in(value: Any) -> Iterator[Any]:
    """All that a wish holds, however deep."""
    yield value
    if dataclasses.is_dataclass(value):
        for field in dataclasses.fields(value):
            yield from values_in(getattr(value, field.name))
    elif isinstance(value, tuple):
        for each in value:
            yield from values_in(each)


@pytest.mark.parametrize("line", LINES)
def test_a_command_wishes_for_one_frozen_value(line: str) -> None:
    command = line.split()[0]
    args = parsed(line)
    wish = getattr(importlib.import_module(module_of(command)), f"{command}_wish")(args)
    held = list(values_in(wish))
    values = [value for value in held if dataclasses.is_dataclass(value)]
    assert wish in values
    assert all(getattr(type(value), "__dataclass_params__").frozen for value in values)  # noqa: B009
    assert not any(isinstance(value, argparse.Namespace | list) for value in held)


def test_every_command_is_among_them() -> None:
    assert {line.split()[0] for line in LINES} == set(COMMANDS)


@pytest.mark.parametrize("command", COMMANDS)
def test_a_run_is_its_wish_carried_out(command: str) -> None:
    """``run`` hands on what ``COMMAND_wish`` makes of the arguments; whoever else sees them gives a value back."""
    path = ROOT / f"{module_of(command).replace('.', '/')}.py"
    seeing = {}
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        if isinstance(node, ast.FunctionDef) and any("Namespace" in ast.unparse(each) for each in ast.walk(node.args)):
            seeing[node.name] = node
    _, returned = seeing.pop("run").body
    assert f"{command}_wish(args)" in ast.unparse(returned)
    assert ast.unparse(returned).count("args") == 1
    assert f"{command}_wish" in seeing
    given_back = {name: ast.unparse(node.returns) for name, node in seeing.items() if node.returns is not None}
    assert given_back.keys() == seeing.keys()
    assert not {"int", "None", "NoReturn"} & set(given_back.values())
