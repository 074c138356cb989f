"""Wi-Fi through NetworkManager's own command, nmcli.

An attempt to join makes a profile of its own, kept in memory until it has worked, and only profiles that this module
made are ever deleted. A failed attempt ends with the connections up that were up before. Read from NetworkManager
1.42.4 (Debian 12) and 1.52.1 (Debian 13); tests/bench/network_manager_in_debian.sh runs it against both.
"""

from __future__ import annotations

import os
import re
import subprocess
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, replace
from enum import Enum
from itertools import count
from pathlib import Path
from typing import Final
from uuid import UUID, uuid5

from firmware.web.login import new_code

HOTSPOT: Final = "En Garde"
"""The name of the network that the machine opens."""
HOTSPOT_ADDRESS: Final = "10.42.0.1"
"""The machine's address in its own network: NetworkManager's first shared one."""
RFKILL: Final = Path("/sys/class/rfkill")
"""The kernel's list of radios. Source: Linux, Documentation/ABI/stable/sysfs-class-rfkill."""
MAX_NAME_BYTES: Final = 32
_WAIT_S: Final = 75
"""NetworkManager waits 25 s for a password to be accepted, and 45 s for an address (ipv4.dhcp-timeout)."""
_OURS: Final = UUID("4b9d1f0e-51b5-5c43-9a8e-7d2b8a6f3c11")
"""The namespace of the profiles that this module makes: by their UUIDs they are told from all others."""
_HOTSPOT_UUID: Final = str(uuid5(_OURS, "hotspot"))
_FIELD: Final = re.compile(r"(?:\\.|[^:\\])*")
_RAW_KEY: Final = re.compile(r"[0-9A-Fa-f]{64}")
_PATH: Final = "/usr/sbin:/usr/bin:/sbin:/bin"

Nmcli = Callable[[tuple[str, ...]], tuple[int, str]]
"""Runs nmcli with these words: its exit status and output; 127 where nmcli is missing."""


class WifiFault(Enum):
    """Why there is no connection; ``setup.wifi_<value>`` says it to the players."""

    NAME = "name"
    SHORT = "short"
    KIND = "kind"
    PASSWORD = "password"
    NOT_FOUND = "not_found"
    ADDRESS = "address"
    SLOW = "slow"
    BLOCKED = "blocked"
    UNAVAILABLE = "unavailable"
    FORBIDDEN = "forbidden"
    NO_MANAGER = "no_manager"
    OTHER = "other"


_REASONS: Final = (
    ("secrets", WifiFault.PASSWORD),
    ("802.1x supplicant", WifiFault.PASSWORD),
    ("could not be found", WifiFault.NOT_FOUND),
    ("ip configuration", WifiFault.ADDRESS),
    ("dhcp", WifiFault.ADDRESS),
    ("timeout expired", WifiFault.SLOW),
    ("timed out", WifiFault.SLOW),
    ("insufficient privileges", WifiFault.FORBIDDEN),
    ("not authorized", WifiFault.FORBIDDEN),
    ("is not running", WifiFault.NO_MANAGER),
    ("no suitable device", WifiFault.UNAVAILABLE),
    ("not available", WifiFault.UNAVAILABLE),
    ("unmanaged", WifiFault.UNAVAILABLE),
    ("firmware", WifiFault.UNAVAILABLE),
)
"""Parts of nmcli's English sentences, in small letters. Source: NetworkManager, nmc_device_reason_to_string and
nm_active_connection_state_reason_to_string in src/libnmc-base/nm-client-utils.c."""


@dataclass(frozen=True, slots=True)
class Outcome:
    """How an attempt ended: ``fault`` is None where it worked, ``original`` NetworkManager's own sentence.

    ``back`` names the former connection that is up again.
    """

    fault: WifiFault | None = None
    original: str = ""
    back: str = ""


@dataclass(frozen=True, slots=True)
class Network:
    """A network in reach: its name, its signal in percent, and nmcli's words for its security."""

    name: str
    signal: int
    security: str

    @property
    def locked(self) -> bool:
        """Whether it wants a password."""
        return bool(set(self.security.split()) - {"--", "OWE", "OWE-TM"})


@dataclass(frozen=True, slots=True)
class Hotspot:
    """The machine's own network."""

    name: str
    password: str

    @property
    def code(self) -> str:
        """The text of a QR code that takes a phone into this network."""
        return f"WIFI:T:WPA;S:{self.name};P:{self.password};;"


@dataclass(frozen=True, slots=True)
class _Profile:
    uuid: str
    kind: str
    state: str
    name: str


def run_nmcli(words: tuple[str, ...]) -> tuple[int, str]:
    """nmcli in plain English, whatever the system's language."""
    try:
        done = subprocess.run(
            ("nmcli", *words),
            capture_output=True,
            text=True,
            errors="replace",
            timeout=_WAIT_S + 15,
            env={"LC_ALL": "C.UTF-8", "PATH": _PATH},
        )
    except FileNotFoundError:
        return 127, "nmcli is not running: it is not installed"
    except subprocess.TimeoutExpired:
        return 3, "Error: Timeout expired"
    except (OSError, ValueError) as error:
        return 1, str(error)
    return done.returncode, done.stdout if done.returncode == 0 else done.stdout + done.stderr


class Wifi:
    """This machine's Wi-Fi. ``networks`` keeps the last search: while the own network is open nothing is found."""

    def __init__(self, nmcli: Nmcli = run_nmcli, rfkill: Path = RFKILL) -> None:
        self._nmcli, self._rfkill = nmcli, rfkill
        self._found: tuple[Network, ...] = ()
        self._one_at_a_time = threading.Lock()
        self.hotspot: Hotspot | None = None

    @property
    def is_there(self) -> bool:
        """Whether NetworkManager runs and there is Wi-Fi hardware, usable or not."""
        return bool(self._devices())

    @property
    def connected(self) -> str:
        """The connection in use, by Wi-Fi or cable, empty for none; the own network is none."""
        used = (each for each in self._profiles("--active") if each.kind.endswith(("wireless", "ethernet")))
        return next((each.name for each in used if each.uuid != _HOTSPOT_UUID), "")

    def trouble(self) -> Outcome:
        """The radio's or NetworkManager's reason why no network can be found or joined, if any."""
        blocked = self._blocked()
        if blocked:
            return Outcome(WifiFault.BLOCKED, blocked)
        devices = self._devices()
        if not devices or any(state not in ("unavailable", "unmanaged") for _, state in devices):
            return Outcome()
        name = devices[0][0]
        _, reason = self._nmcli(("--get-values", "GENERAL.REASON", "device", "show", name))
        return Outcome(WifiFault.UNAVAILABLE, f"{name}: {devices[0][1]}, {reason.strip()}")

    def networks(self) -> tuple[Network, ...]:
        """The networks in reach, the strongest first, each name once."""
        if self.hotspot is None:
            self._found = self._search()
        return self._found

    def open_hotspot(self) -> Outcome:
        """Open a network of its own, for a phone to come in. Searches once more before."""
        self.networks()
        hotspot = Hotspot(HOTSPOT, new_code(10))
        self._delete(_HOTSPOT_UUID)  # of a program that was killed; its password is forgotten
        outcome = self._add(
            _HOTSPOT_UUID,
            hotspot.name,
            *("802-11-wireless.mode", "ap", "ipv4.method", "shared", "ipv6.method", "ignore"),
            *("wifi-sec.key-mgmt", "wpa-psk", "wifi-sec.proto", "rsn", "wifi-sec.pairwise", "ccmp"),
            *("wifi-sec.group", "ccmp"),
        )
        if outcome.fault is None:
            outcome = self._bring_up(_HOTSPOT_UUID, hotspot.password)
        if outcome.fault is None:
            self.hotspot = hotspot
        else:
            self._delete(_HOTSPOT_UUID)
        return outcome

    def close_hotspot(self) -> None:
        """Close it, and forget it."""
        if self.hotspot is not None:
            self._delete(_HOTSPOT_UUID)
            self.hotspot = None

    def join(self, name: str, password: str = "") -> Outcome:
        """Connect to this network, now and at every start; one that was not found is asked for as a hidden one.

        Where it fails, what was connected before is connected again, the own network too.
        """
        with self._one_at_a_time:
            if self._blocked():
                return self.trouble()
            if not 0 < _bytes_of(name) <= MAX_NAME_BYTES:
                return Outcome(WifiFault.NAME)
            before, used = self._profiles("--active"), {each.uuid for each in self._profiles()}
            uuid = next(uuid for number in count() if (uuid := _our_uuid(name, number)) not in used)
            if self.hotspot is not None:  # a radio that serves a network finds none
                self._nmcli(("connection", "down", "uuid", _HOTSPOT_UUID))
            if self.hotspot is not None or all(each.name != name for each in self._found):
                self._found = self._search() or self._found
            outcome = self._attempt(uuid, name, password)
            if outcome.fault is None:
                self._replace_ours(name, uuid)
                self.close_hotspot()
                return outcome
            self._delete(uuid)
            return replace(outcome, back=self._bring_back(before))

    def _attempt(self, uuid: str, name: str, password: str) -> Outcome:
        """Add a profile, bring it up and keep it; at a fault the profile may be there still."""
        found = next((each for each in self._found if each.name == name), None)
        if found is not None and not found.locked:
            password = ""
        security = _security(found, password)
        if isinstance(security, Outcome):
            return security
        hidden = () if found is not None else ("802-11-wireless.hidden", "yes")
        outcome = self._add(uuid, name, *hidden, *security)
        if outcome.fault is None:
            outcome = self._bring_up(uuid, password)
        if outcome.fault is None:  # it has worked: from now on it is on the disk, and used at every start
            usual = ("connection.autoconnect", "yes", "connection.auth-retries", "-1")
            outcome = self._told(self._nmcli(("connection", "modify", "uuid", uuid, *usual)))
        return outcome

    def _add(self, uuid: str, name: str, *facts: str) -> Outcome:
        """A profile in memory that is not used by itself: a power cut in the middle of an attempt leaves nothing.

        A password is tried once: a Raspberry Pi's driver is silent about a wrong one, and three silences of 25 s would
        be told as a timeout.
        """
        words = ("connection", "add", "save", "no", "type", "wifi", "con-name", name, "ifname", "*", "ssid", name)
        attempt = ("connection.autoconnect", "no", "connection.auth-retries", "1")
        return self._told(self._nmcli((*words, "connection.uuid", uuid, *attempt, *facts)))

    def _bring_up(self, uuid: str, password: str = "") -> Outcome:
        words = ("--wait", str(_WAIT_S), "connection", "up", "uuid", uuid)
        if not password:
            return self._told(self._nmcli(words))
        with _password_file(password) as path:
            return self._told(self._nmcli((*words, "passwd-file", path)))

    def _bring_back(self, before: tuple[_Profile, ...]) -> str:
        """Bring up what was up before and is no longer: the name of the last that is, but for the own network's."""
        back = ""
        now = {each.uuid for each in self._profiles("--active") if each.state == "activated"}
        for each in before:
            if not each.kind.endswith("wireless"):
                continue
            ours = each.uuid == _HOTSPOT_UUID
            password = self.hotspot.password if ours and self.hotspot is not None else ""
            if each.uuid in now or any(self._bring_up(each.uuid, password).fault is None for _ in range(2)):
                back = back if ours else each.name
            elif ours:
                self.close_hotspot()
        return back

    def _replace_ours(self, name: str, uuid: str) -> None:
        """Delete the profiles of earlier attempts for this network, now that a newer one has worked."""
        used = {each.uuid for each in self._profiles()}
        for number in range(len(used) + 1):
            if (old := _our_uuid(name, number)) in used and old != uuid:
                self._delete(old)

    def _delete(self, uuid: str) -> None:
        self._nmcli(("connection", "delete", "uuid", uuid))

    def _rows(self, names: str, *words: str) -> list[list[str]]:
        """The rows of nmcli's table with these fields; none where it fails."""
        status, said = self._nmcli(("--terse", "--fields", names, *words))
        rows = [_fields(line) for line in said.splitlines()] if status == 0 else []
        return [row for row in rows if len(row) == len(names.split(","))]

    def _profiles(self, *which: str) -> tuple[_Profile, ...]:
        return tuple(_Profile(*row) for row in self._rows("UUID,TYPE,STATE,NAME", "connection", "show", *which))

    def _devices(self) -> tuple[tuple[str, str], ...]:
        return tuple((name, state) for name, kind, state in self._rows("DEVICE,TYPE,STATE", "device") if kind == "wifi")

    def _search(self) -> tuple[Network, ...]:
        rows = self._rows("SSID,SIGNAL,SECURITY", "device", "wifi", "list", "--rescan", "yes")
        found = [Network(name, int(signal), kind) for name, signal, kind in rows if name and signal.isdecimal()]
        best: dict[str, Network] = {}
        for each in sorted(found, key=lambda network: -network.signal):
            best.setdefault(each.name, each)
        return tuple(best.values())

    def _blocked(self) -> str:
        """The kernel's word for it where every Wi-Fi radio is blocked, else empty."""
        states = []
        for radio in sorted(self._rfkill.glob("rfkill*")):
            try:
                kind, soft, hard = ((radio / name).read_text().strip() for name in ("type", "soft", "hard"))
            except OSError:  # unplugged this moment
                continue
            if kind == "wlan":
                states.append("hard blocked" if hard == "1" else "soft blocked" if soft == "1" else "")
        return f"rfkill: {states[0]}" if states and all(states) else ""

    def _told(self, answer: tuple[int, str]) -> Outcome:
        """The outcome that nmcli's exit status and output mean."""
        status, said = answer
        if status == 0:
            return Outcome()
        if blocked := self._blocked():
            return Outcome(WifiFault.BLOCKED, blocked)
        lines = [line.strip() for line in said.splitlines() if line.strip() and not line.startswith("Hint:")]
        told = next((line for line in lines if line.startswith("Error:")), lines[-1] if lines else f"status {status}")
        told = told.removeprefix("Error: ").removeprefix("Connection activation failed: ")
        fault = next((fault for part, fault in _REASONS if part in told.lower()), WifiFault.OTHER)
        return Outcome(fault, told)


def _our_uuid(name: str, number: int) -> str:
    return str(uuid5(_OURS, f"{number} {name}"))


def _bytes_of(text: str) -> int:
    """How long a text is on the air; 0 where it cannot be sent."""
    try:
        return 0 if "\0" in text else len(text.encode())
    except UnicodeEncodeError:
        return 0


def _security(network: Network | None, password: str) -> tuple[str, ...] | Outcome:
    """The words for a network's security, None for one that was not found: what can be read off the password then.

    NetworkManager's ``wpa-psk`` takes WPA2 and, where the hardware has it, WPA3; ``sae`` is WPA3 alone.
    """
    said = set() if network is None else set(network.security.split())
    if said & {"WEP", "802.1X", "WPA-EAP-SUITE-B-192"}:
        return Outcome(WifiFault.KIND, " ".join(sorted(said)))
    if not password and (network is None or not network.locked):
        return ("wifi-sec.key-mgmt", "owe") if "OWE" in said else ()
    usual = 8 <= _bytes_of(password) <= 63 or _RAW_KEY.fullmatch(password) is not None
    only_sae = network is None and not usual if not said else "WPA3" in said and not said & {"WPA1", "WPA2"}
    if not _bytes_of(password) or not (usual or only_sae):
        return Outcome(WifiFault.SHORT)
    return "wifi-sec.key-mgmt", "sae" if only_sae else "wpa-psk", "wifi-sec.wps-method", "disabled"


@contextmanager
def _password_file(password: str) -> Iterator[str]:
    """The path of a file in memory for nmcli's ``passwd-file``: other users read a program's words, not this.

    Every byte is written as an escape, so that no space, backslash or colon means anything.
    """
    escaped = "".join(f"\\{byte:03o}" for byte in password.encode())
    with os.fdopen(os.memfd_create("wifi"), "wb") as file:
        file.write(f"802-11-wireless-security.psk:{escaped}\n".encode())
        file.flush()
        yield f"/proc/{os.getpid()}/fd/{file.fileno()}"


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
