"""``engarde`` at a terminal: what is printed of a book and of wrong use, word for word."""

from __future__ import annotations

import time
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.firmware.terminal import BOOK, Terminal
from tests.scenes import played, scenes

FILES = sorted(Path(__file__).with_name("terminal").glob("*.txt"))


@pytest.fixture
def terminal(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> Iterator[Terminal]:
    with monkeypatch.context() as changed:
        changed.chdir(tmp_path)
        changed.setenv("ENGARDE_SCOREBOOK", str(BOOK))
        changed.setenv("TZ", "UTC")
        time.tzset()
        yield Terminal(capsys, changed)
    time.tzset()


@pytest.mark.parametrize(
    ("file", "scene"),
    [pytest.param(file, *each.values, id=f"{file.stem}: {each.id}") for file in FILES for each in scenes(file)],
)
def test_it_is_printed_as_written(file: Path, scene: str, terminal: Terminal, request: pytest.FixtureRequest) -> None:
    assert played(file, scene, terminal, request) == scene
