"""No connection is opened while the program runs; tests/test_architecture.py holds which sources could open any."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
WATCHED = """
import socket
import sys
told = []
def hook(event, args):
    if event in ("socket.getaddrinfo", "webbrowser.open"):
        told.append(f"{event} {args!r}")
    # A socket of the system, such as between our own processes, goes nowhere.
    elif event in ("socket.connect", "socket.sendto", "socket.sendmsg") and args[0].family != socket.AF_UNIX:
        told.append(f"{event} {args[1:]!r}")
sys.addaudithook(hook)
from firmware.cli.main import main
status = main(sys.argv[1:])
print("REACHED", told, status)
"""


@pytest.mark.slow
@pytest.mark.parametrize(
    "command", [["scores"], ["scores", "--json"], ["watch", "--camera", "synthetic", "--headless", "--frames", "2"]]
)
def test_no_connection_is_opened_while_commands_run(command: list[str], tmp_path: Path) -> None:
    done = subprocess.run(
        [sys.executable, "-c", WATCHED, *command],
        env={**os.environ, "HOME": str(tmp_path), "XDG_DATA_HOME": str(tmp_path), "PYTHONPATH": str(ROOT)},
        cwd=tmp_path,
        capture_output=True,
        text=True,
        check=True,
    )
    assert "REACHED [] 0" in done.stdout
