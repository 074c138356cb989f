"""Where telephones in the same network reach this machine, found without asking anybody."""

from __future__ import annotations

import fcntl
import ipaddress
import socket
import struct
from typing import Final

_ADDRESS_OF: Final = 0x8915
"""Linux's request for an interface's address (SIOCGIFADDR)."""
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


def own_address() -> str:
    """The first address this machine has in a network, of version 4; empty for none."""
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as asking:
        for _, name in socket.if_nameindex():
            try:
                told = fcntl.ioctl(asking.fileno(), _ADDRESS_OF, struct.pack("256s", name.encode()[:15]))
            except OSError:
                continue  # an interface without an address
            found = ipaddress.ip_address(told[20:24])
            if not found.is_loopback and not found.is_link_local:
                return str(found)
    return ""
