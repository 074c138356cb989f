"""What this machine is called in its network, and which names a browser may ask it by.

A page from elsewhere can have a name of its own point here (DNS rebinding): whoever asks by a name that is not this
machine's gets nothing.
"""

from __future__ import annotations

import re
import socket
import subprocess
from collections.abc import Iterable
from typing import Final

from display.i18n import words
from firmware.web.address import PRIVATE
from firmware.web.requests import plain_address

_AVAHI: Final = (
    *("busctl", "--system", "--auto-start=no", "--timeout=2", "call", "org.freedesktop.Avahi", "/"),
    *("org.freedesktop.Avahi.Server", "GetHostNameFqdn"),
)
_TOLD: Final = re.compile(r's "([a-z0-9-]+(?:\.[a-z0-9-]+)+)"\s*', re.IGNORECASE)


def network_name() -> str:
    """This machine's name in its network as Avahi has it, which gives the second machine of a name another one, as
    ``engarde-2.local``; the host name where Avahi cannot be asked. Waits for it: 3 s at most, 20 ms as a rule."""
    try:
        done = subprocess.run(_AVAHI, capture_output=True, text=True, timeout=3, check=False)
        told = _TOLD.fullmatch(done.stdout)
    except (OSError, ValueError, subprocess.TimeoutExpired):
        told = None
    return told[1].lower() if told is not None else host_name()


def host_name() -> str:
    """This machine's name in its network as long as no other machine has it."""
    return f"{_short(socket.gethostname())}.local"


def names_here(bound: str, network: str = "", more: Iterable[str] = ()) -> frozenset[str]:
    """The names of this machine besides the address it was reached at: ``bound`` is what it listens to, ``network``
    what ``network_name`` told, ``more`` what the settings name."""
    own = socket.gethostname().lower().rstrip(".")
    short = {_short(own), _short(network)} - {""}
    private = {f"{name}.{suffix}" for name in short for suffix in PRIVATE}
    others = {name.lower().rstrip(".") for name in more}
    return frozenset({"localhost", "127.0.0.1", "[::1]", own, _bracketed(bound.lower())} | short | private | others) - {
        ""
    }


def is_asked(host: str, known: Iterable[str], reached_at: str) -> bool:
    """Whether a host is one of these names, or the very address the connection came in at."""
    return host in known or host == _bracketed(plain_address(reached_at))


def way_out(language: str, reached_at: str, port: int) -> str:
    """What is told to whoever asked by another name."""
    address = f"http://{_bracketed(plain_address(reached_at))}:{port}/"
    return words(language).say("served.other_name", address=address)


def _short(name: str) -> str:
    return name.lower().partition(".")[0]


def _bracketed(name: str) -> str:
    return f"[{name}]" if ":" in name else name
