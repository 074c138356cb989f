"""What a command writes for people is there whole or as it was, at whatever moment the program is killed."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

from engine.rules.track import BySide
from firmware.book.scorebook.book import open_scorebook
from tests.waiting import HANG_S

pytestmark = pytest.mark.slow

KILLED = -signal.SIGKILL
HELPER = Path(__file__).with_name("killed_writing.py")
ROOT = Path(__file__).parents[4]


@pytest.mark.parametrize("old", ["what was there before", ""])
def test_nothing_half_written_stands(
    old: str, tmp_path: Path, fill: Callable[..., int], bot_match: Callable[..., object]
) -> None:
    book = tmp_path / "book.sqlite"
    with open_scorebook(book) as opened:
        fill(opened, BySide("Ana", "Bo"), bot_match(1))
    file = tmp_path / "matches.csv"
    command = [sys.executable, str(HELPER), str(file), old, "scores", "--csv", str(file)]
    environ = {**os.environ, "ENGARDE_SCOREBOOK": str(book), "PYTHONPATH": str(ROOT)}
    done = subprocess.run(command, env=environ, capture_output=True, text=True, timeout=HANG_S, check=True)
    lives = json.loads(done.stdout.splitlines()[-1])
    status, whole = lives.pop("never")
    assert (status, len(whole) > 300) == (0, True)
    assert {moment: status for moment, (status, _) in lives.items()} == dict.fromkeys(lives, KILLED)
    assert lives.pop("once it has its name")[1] == whole
    assert {held for _, held in lives.values()} == {old or None}
