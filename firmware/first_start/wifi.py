"""Wi-Fi by NetworkManager's own command, nmcli; a network of the machine's own where there is none yet."""

from __future__ import annotations

import re
import secrets
import subprocess
from collections.abc import Callable
from dataclasses import dataclass
from typing import Final

HOTSPOT: Final = "En Garde"
"""The name of the network that the machine opens, and of its connection."""
HOTSPOT_ADDRESS: Final = "10.42.0.1"
"""Where the machine is found in its own network: NetworkManager's first shared one."""
LETTERS: Final = "abcdefghjkmnpqrstuvwxyz23456789"
"""What codes and passwords are made of: no two that look alike."""
_WAIT_S: Final = 45
_FIELD: Final = re.compile(r"(?:\\.|[^:\\])*")

Nmcli = Callable[[tuple[str, ...]], tuple[int, str]]
"""Runs nmcli with these words: its status, and what it printed; 127 where it is not there."""


@dataclass(frozen=True, slots=True)
class Network:
    """A network in reach: its name, how strong in percent, whether it wants a password."""

    name: str
    signal: int
    locked: bool


@dataclass(frozen=True, slots=True)
class Hotspot:
    """The machine's own network."""

    name: str
    password: str

    @property
    def code(self) -> str:
        """What a phone's camera reads as this network."""
        return f"WIFI:T:WPA;S:{self.name};P:{self.password};;"


def run_nmcli(words: tuple[str, ...]) -> tuple[int, str]:
    """nmcli in plain words, whatever the system's language."""
    try:
        done = subprocess.run(
            ("nmcli", *words),
            capture_output=True,
            text=True,
            timeout=_WAIT_S + 15,
            env={"LC_ALL": "C.UTF-8", "PATH": _PATH},
        )
    except FileNotFoundError:
        return 127, ""
    except (OSError, subprocess.TimeoutExpired):
        return 1, ""
    return done.returncode, done.stdout if done.returncode == 0 else done.stdout + done.stderr


_PATH: Final = "/usr/sbin:/usr/bin:/sbin:/bin"


class Wifi:
    """This machine's Wi-Fi. ``networks`` keeps what was found last: while the own network is open nothing is found."""

    def __init__(self, nmcli: Nmcli = run_nmcli) -> None:
        self._nmcli = nmcli
        self._found: tuple[Network, ...] = ()
        self.hotspot: Hotspot | None = None

    @property
    def is_there(self) -> bool:
        """Whether NetworkManager runs and there is Wi-Fi hardware."""
        status, said = self._nmcli(("--terse", "--fields", "TYPE", "device"))
        return status == 0 and "wifi" in said.split()

    @property
    def connected(self) -> str:
        """The connection in use, by Wi-Fi or cable, empty for none; the own network is none."""
        status, said = self._nmcli(("--terse", "--fields", "NAME,TYPE", "connection", "show", "--active"))
        rows = [_fields(line) for line in said.splitlines()] if status == 0 else []
        names = [row[0] for row in rows if len(row) > 1 and row[1].endswith(("wireless", "ethernet"))]
        return next((name for name in names if name != HOTSPOT), "")

    def networks(self) -> tuple[Network, ...]:
        """The networks in reach, the strongest first, each name once."""
        if self.hotspot is None:
            words = ("--terse", "--fields", "SSID,SIGNAL,SECURITY", "device", "wifi", "list", "--rescan", "yes")
            status, said = self._nmcli(words)
            rows = [_fields(line) for line in said.splitlines()] if status == 0 else []
            found = [
                Network(row[0], int(row[1]), row[2] not in ("", "--"))
                for row in rows
                if len(row) == 3 and row[0] and row[1].isdecimal()
            ]
            best: dict[str, Network] = {}
            for each in sorted(found, key=lambda network: -network.signal):
                best.setdefault(each.name, each)
            self._found = tuple(best.values())
        return self._found

    def open_hotspot(self) -> Hotspot | None:
        """Open a network of its own, for a phone to come in; None where that cannot be. Searches once more before."""
        self.networks()
        hotspot = Hotspot(HOTSPOT, "".join(secrets.choice(LETTERS) for _ in range(10)))
        words = (
            "device",
            "wifi",
            "hotspot",
            "con-name",
            hotspot.name,
            "ssid",
            hotspot.name,
            "password",
            hotspot.password,
        )
        if self._nmcli(words)[0] != 0:
            return None
        self.hotspot = hotspot
        return hotspot

    def close_hotspot(self) -> None:
        """Close it, and forget it."""
        if self.hotspot is not None:
            self._nmcli(("connection", "delete", "id", self.hotspot.name))
            self.hotspot = None

    def join(self, name: str, password: str) -> bool:
        """Connect to this network, now and at every start. Whether it went well; else the own network is open again."""
        had, self_opened = self.hotspot, self.hotspot is not None
        self.close_hotspot()
        words = ("--wait", str(_WAIT_S), "device", "wifi", "connect", name)
        if self._nmcli((*words, "password", password) if password else words)[0] == 0:
            return True
        self._nmcli(("connection", "delete", "id", name))
        if self_opened and had is not None:
            again = ("device", "wifi", "hotspot", "con-name", had.name, "ssid", had.name, "password", had.password)
            self.hotspot = had if self._nmcli(again)[0] == 0 else None
        return False


def _fields(line: str) -> list[str]:
    """A line of nmcli's terse output, in which a colon within a field has a backslash before it."""
    fields, at = [], 0
    while True:
        found = _FIELD.match(line, at)
        assert found is not None
        fields.append(re.sub(r"\\(.)", r"\1", found[0]))
        at = found.end() + 1
        if at > len(line):
            return fields
