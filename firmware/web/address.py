"""Ports and addresses: where phones in the same network reach this machine, and which names it answers to.

A page from elsewhere can have a name of its own point here (DNS rebinding): a request for a name that is not this
machine's is refused.
"""

from __future__ import annotations

import fcntl
import ipaddress
import re
import socket
import struct
import subprocess
from collections.abc import Iterable
from contextlib import suppress
from enum import IntEnum, unique
from typing import Final
from urllib.parse import urlsplit

from display.i18n import words
from firmware.core.errors import EngardeError
from firmware.web.requests import plain_address

LOOPBACK: Final = "127.0.0.1"
PRIVATE: Final = ("local", "lan", "home", "home.arpa", "internal", "intranet", "private", "localdomain", "fritz.box")
"""Suffixes that routers give to local names, never used in the Internet. Source: RFC 6762 (local), RFC 8375
(home.arpa), ICANN's resolution of 2024-07-29 (internal); fritz.box is AVM's; the others are no top-level domains."""
_ADDRESS_OF: Final = 0x8915
"""Linux's request for an interface's address (SIOCGIFADDR)."""
_ELSEWHERE: Final = ("192.0.2.1", 9)
"""An address for documentation (RFC 5737): only the route to it is looked up."""
_EVERYBODY: Final = ("0.0.0.0", "::")
_AVAHI: Final = (
    *("busctl", "--system", "--auto-start=no", "--timeout=2", "call", "org.freedesktop.Avahi", "/"),
    *("org.freedesktop.Avahi.Server", "GetHostNameFqdn"),
)
_TOLD: Final = re.compile(r's "([a-z0-9-]+(?:\.[a-z0-9-]+)+)"\s*', re.IGNORECASE)


class WebError(EngardeError, OSError):
    """A page cannot be served at this address."""


@unique
class Port(IntEnum):
    """A server's usual port; ``SECURITY.md`` says who may ask there for what."""

    SCOREBOARD = 8765
    SETUP = 8766
    WALL = 8767


def reachable(host: str, port: int) -> str:
    """The scoreboard's address for others; empty where only this machine may ask, or it has no address."""
    shown = own_address() if host in _EVERYBODY else host
    try:
        found = ipaddress.ip_address(shown)
    except ValueError:
        return f"http://{shown}:{port}/" if shown and shown != "localhost" else ""
    if found.is_loopback:
        return ""
    return f"http://[{shown}]:{port}/" if found.version == 6 else f"http://{shown}:{port}/"


def address_of(number: int) -> str:
    """The path of this match's page, from the scoreboard's address."""
    return f"match/{number}"


def is_in_this_network(address: str) -> bool:
    """Whether only machines of one network find this web address: by a number or a name that no other network has."""
    try:
        host = urlsplit(address).hostname or ""
    except ValueError:
        return False
    try:
        return not ipaddress.ip_address(host).is_global
    except ValueError:
        return "." not in host or host.endswith(tuple(f".{suffix}" for suffix in PRIVATE))


def own_address() -> str:
    """This machine's address in its network, of version 4; empty for none. Nothing is sent for it.

    Where it is in several networks, the one a route leads out of: telephones are there. Where no route does, as in a
    network of its own, the first that any interface has.
    """
    # Without a descriptor left there is none to be found.
    with suppress(OSError), socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as asking:
        with suppress(OSError):
            asking.connect(_ELSEWHERE)
            routed = ipaddress.ip_address(asking.getsockname()[0])
            if _is_in_a_network(routed):
                return str(routed)
        for _, name in socket.if_nameindex():
            try:
                told = fcntl.ioctl(asking.fileno(), _ADDRESS_OF, struct.pack("256s", name.encode()[:15]))
            except OSError:
                continue  # an interface without an address
            found = ipaddress.ip_address(told[20:24])
            if _is_in_a_network(found):
                return str(found)
    return ""


def _is_in_a_network(address: ipaddress.IPv4Address | ipaddress.IPv6Address) -> bool:
    return not (address.is_loopback or address.is_link_local or address.is_unspecified)


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
    """The answer to a request for another host name."""
    address = f"http://{_bracketed(plain_address(reached_at))}:{port}/"
    return words(language).say("served.other_name", address=address)


def _short(name: str) -> str:
    return name.lower().partition(".")[0]


def _bracketed(name: str) -> str:
    return f"[{name}]" if ":" in name else name
