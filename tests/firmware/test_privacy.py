"""Nothing leaves the machine unasked: few sources can open a connection, and none is opened while the program runs."""

from __future__ import annotations

import ast
import os
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
PACKAGES = ("engine", "vision", "display", "firmware")
REACHES_OUT = {
    *("urllib.request", "urllib3", "http.client", "requests", "httpx", "aiohttp", "websockets", "ftplib", "smtplib"),
    *("imaplib", "poplib", "telnetlib", "xmlrpc.client", "paramiko", "webbrowser", "socketserver", "paho.mqtt"),
}
"""What opens connections for whoever imports it."""
CONNECTS = {"connect", "connect_ex", "create_connection", "open_connection", "sock_connect", "getaddrinfo", "sendto"}
WORDS = {*CONNECTS, *(name.partition(".")[0] for name in REACHES_OUT)}
"""One of these is in every source that could."""
ALLOWED = {
    "firmware/table/service/watchdog.py": {"sendto"},  # systemd's own socket on this machine: a file, not the network
    "firmware/web/address.py": {"connect"},  # of a datagram socket: which of its addresses this machine would use
    "firmware/extras/club/link.py": {"paho.mqtt"},  # the broker of the club whose card was shown to this table
    "firmware/extras/club/broker.py": {"create_connection"},  # whether the broker that was just started here answers
    "firmware/cli/commands/club.py": {"webbrowser"},  # the wall of engarde club demo, on this machine
    "firmware/table/camera/stream.py": {"http.client", "urllib.request"},  # the camera whose address was given
    "firmware/extras/club/hooks.py": {"urllib.request"},  # to the addresses that stand under [events] in the settings
}
"""Where a connection may be opened, and by whose wish: nowhere without one."""


def sources() -> list[Path]:
    return [path for package in PACKAGES for path in sorted((ROOT / package).rglob("*.py"))]


def reached(tree: ast.AST) -> set[str]:
    """What a source imports that reaches out."""
    names: set[str] = set()
    for node in ast.walk(tree):
        if isinstance(node, ast.Import):
            names |= {alias.name for alias in node.names}
        elif isinstance(node, ast.ImportFrom) and node.module:
            names |= {node.module, *(f"{node.module}.{alias.name}" for alias in node.names)}
    return names & REACHES_OUT


def connected(tree: ast.AST) -> set[str]:
    """What of it could open a connection."""
    calls = (node.func for node in ast.walk(tree) if isinstance(node, ast.Call))
    named = [call for call in calls if isinstance(call, ast.Attribute)]
    a_file = [call for call in named if isinstance(call.value, ast.Name) and call.value.id == "sqlite3"]
    return {call.attr for call in named if call not in a_file} & CONNECTS


@pytest.mark.slow
def test_no_other_source_can_open_a_connection() -> None:
    found = {}
    for path in sources():
        text = path.read_text(encoding="utf-8")
        if not any(word in text for word in WORDS):
            continue  # most files: taking them apart takes seconds
        tree = ast.parse(text)
        out = reached(tree) | connected(tree)
        if out:
            found[path.relative_to(ROOT).as_posix()] = out
    assert found == ALLOWED


@pytest.mark.parametrize(
    "source",
    [
        "import urllib.request",
        "from http import client",
        "import socket\nsocket.create_connection(('a', 1))",
        "def f(s):\n    s.connect(('1.1.1.1', 53))",
    ],
)
def test_what_reaches_out_would_be_found(source: str) -> None:
    tree = ast.parse(source)
    assert reached(tree) | connected(tree)


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
    "command",
    [
        ["scores"],
        ["scores", "--json"],
        ["watch", "--camera", "synthetic", "--headless", "--frames", "2"],
    ],
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
