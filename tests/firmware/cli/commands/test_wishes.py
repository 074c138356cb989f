"""Arguments in, one frozen wish out: nobody behind it sees what was typed."""

from __future__ import annotations

import argparse
import dataclasses
import importlib
from collections.abc import Iterator, Mapping
from typing import Any

import pytest

from firmware.cli.commands.declared import Declared, parsed
from firmware.cli.main import COMMANDS, MODULES

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


def declared_by(command: str) -> Declared:
    declared: Declared = importlib.import_module(MODULES.get(command, f"firmware.cli.commands.{command}")).COMMAND
    return declared


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
    command, *words = line.split()
    wish = parsed(declared_by(command), words)
    held = list(values_in(wish))
    values = [value for value in held if dataclasses.is_dataclass(value)]
    assert wish in values
    assert all(getattr(type(value), "__dataclass_params__").frozen for value in values)  # noqa: B009
    assert not any(isinstance(value, argparse.Namespace | list) for value in held)


def test_every_command_is_among_them() -> None:
    assert {line.split()[0] for line in LINES} == set(COMMANDS)


@pytest.mark.parametrize("command", COMMANDS)
def test_every_field_of_a_command_is_an_option(command: str) -> None:
    """Whoever adds one says there how it is typed."""
    declared = declared_by(command)
    for kind in declared.values() if isinstance(declared, Mapping) else (declared,):
        told = [field.metadata.keys() & {"given", "read"} for field in dataclasses.fields(kind)]  # type: ignore[arg-type]
        assert all(told)


def test_wrong_use_is_told_as_argparse_tells_it(capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit) as leaving:
        parsed(declared_by("scores"), ["--html", "FILE"])
    assert leaving.value.code == 2
    assert "error: --html FILE needs --match NO" in capsys.readouterr().err
