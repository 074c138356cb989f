"""Where telephones in the same network reach this machine, found without asking anybody."""

from __future__ import annotations

import fcntl
import ipaddress
import socket
import struct
from contextlib import suppress
from typing import Final
from urllib.parse import urlsplit

PRIVATE: Final = ("local", "lan", "home", "home.arpa", "internal", "intranet", "private", "localdomain", "fritz.box")
"""What routers put behind a machine's name, and nobody can have in the Internet. Source: RFC 6762 (local), RFC 8375
(home.arpa), ICANN's resolution of 2024-07-29 (internal); fritz.box is AVM's; the others are no top-level domains."""
_ADDRESS_OF: Final = 0x8915
"""Linux's request for an interface's address (SIOCGIFADDR)."""
_ELSEWHERE: Final = ("192.0.2.1", 9)
"""An address for documents that nobody has (RFC 5737): the route to it is all that is looked up."""
_EVERYBODY: Final = ("0.0.0.0", "::")


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
    """Where the page of this match is, from the scoreboard's own address."""
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
