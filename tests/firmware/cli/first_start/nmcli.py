"""A pretended nmcli that remembers profiles, in the words of NetworkManager 1.52.1 (Debian 13).

1.42.4 (Debian 12) says the same without the hint.

Read from src/nmcli/connections.c, src/nmcli/devices.c, src/libnmc-base/nm-client-utils.c and
src/libnm-core-impl/nm-setting-wireless-security.c at the tags 1.42.4 and 1.52.1;
tests/bench/network_manager_in_debian.sh runs firmware/cli/first_start/wifi.py against the real ones.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from pathlib import Path


@dataclass
class Air:
    """A network in reach: how it is protected, and its password. ``deaf``: it gives no address."""

    password: str = ""
    security: str = "WPA2"
    hidden: bool = False
    deaf: bool = False
    signal: int = 80


@dataclass
class Profile:
    """A profile as NetworkManager has it; ``saved`` says whether a restart leaves it there."""

    facts: dict[str, str]
    saved: bool
    psk: str = ""

    @property
    def uuid(self) -> str:
        return self.facts["connection.uuid"]

    @property
    def name(self) -> str:
        return self.facts["con-name"]

    @property
    def own(self) -> bool:
        return self.facts.get("802-11-wireless.mode") == "ap"


class PowerCutError(Exception):
    """Everything stops in the middle of what was asked for."""


@dataclass
class NetworkManager:
    """One Wi-Fi device, the networks around it and the profiles there are. Call it as ``run_nmcli`` is called."""

    air: dict[str, Air] = field(default_factory=dict)
    profiles: dict[str, Profile] = field(default_factory=dict)
    active: str = ""
    device: str = "disconnected"
    allowed: bool = True
    running: bool = True
    cut_at: str = ""
    said: list[tuple[str, ...]] = field(default_factory=list)

    def __call__(self, words: tuple[str, ...]) -> tuple[int, str]:
        self.said.append(words)
        if not self.running:
            return 8, "Error: NetworkManager is not running.\n"
        words = _without_options(words)
        match words[:2]:
            case ("device", "wifi"):
                return 0, self._list()
            case ("device", "show"):
                return 0, "2 (Device is now managed)\n"
            case ("device",):
                return 0, f"wlan0:wifi:{self.device}\nlo:loopback:unmanaged\n"
            case ("connection", "show"):
                return 0, self._show(active="--active" in words)
            case ("connection", "add"):
                return self._add(dict(zip(words[2::2], words[3::2], strict=True)))
            case ("connection", ("up" | "down" | "delete" | "modify") as deed) if words[2] == "uuid":
                return self._deed(deed, words[3], words[4:])
        raise AssertionError(f"nmcli was asked for what it is not known to do: {words}")

    def restart(self) -> None:
        """A power cut: what was not saved is gone, and a saved profile of a network in reach comes up."""
        self.profiles = {uuid: each for uuid, each in self.profiles.items() if each.saved}
        self.active = ""
        for each in self.profiles.values():
            if not self.active and each.facts.get("connection.autoconnect", "yes") == "yes" and self.works(each):
                self.active = each.uuid

    def save(self, name: str, psk: str, uuid: str) -> None:
        """A profile of somebody else's, as Imager or raspi-config make one."""
        facts = {"con-name": name, "ssid": name, "connection.uuid": uuid, "wifi-sec.key-mgmt": "wpa-psk"}
        self.profiles[uuid] = Profile(facts, saved=True, psk=psk)

    @property
    def connected(self) -> Profile | None:
        return self.profiles.get(self.active)

    def works(self, profile: Profile) -> bool:
        """Whether this profile comes up, where nothing else is in the way."""
        if profile.own:
            return len(profile.psk) >= 8
        network = self.air.get(profile.facts["ssid"])
        return network is not None and not network.deaf and network.password == profile.psk

    def _list(self) -> str:
        mine = self.connected
        if self.device == "unavailable" or (mine is not None and mine.own):
            return ""
        seen = ((name, each) for name, each in self.air.items() if not each.hidden)
        return "".join(f"{_escaped(name)}:{each.signal}:{each.security}\n" for name, each in seen)

    def _show(self, *, active: bool) -> str:
        rows = [each for each in self.profiles.values() if not active or each.uuid == self.active]
        return "".join(
            f"{each.uuid}:802-11-wireless:{'activated' if each.uuid == self.active else ''}:{_escaped(each.name)}\n"
            for each in rows
        )

    def _add(self, facts: dict[str, str]) -> tuple[int, str]:
        if not self.allowed:
            return 1, "Error: Failed to add 'x' connection: Insufficient privileges\n"
        if not 0 < len(facts["ssid"].encode()) <= 32 or facts["connection.uuid"] in self.profiles:
            return 1, "Error: Failed to add 'x' connection: 802-11-wireless.ssid: property is invalid\n"
        assert facts.pop("type") == "wifi"
        saved = facts.pop("save", "yes") == "yes"
        self.profiles[facts["connection.uuid"]] = Profile(facts, saved)
        return 0, f"Connection '{facts['con-name']}' ({facts['connection.uuid']}) successfully added.\n"

    def _deed(self, deed: str, uuid: str, rest: tuple[str, ...]) -> tuple[int, str]:
        if deed == self.cut_at:
            raise PowerCutError
        profile = self.profiles.get(uuid)
        if profile is None:
            return 10, f"Error: unknown connection '{uuid}'.\nError: cannot {deed} unknown connection(s).\n"
        if not self.allowed:
            return 1, "Error: Connection activation failed: Not authorized to control networking.\n"
        if deed == "up":
            return self._up(profile, rest)
        if self.active == uuid and deed != "modify":
            self.active = ""
        if deed == "delete":
            del self.profiles[uuid]
        elif deed == "modify":
            profile.facts |= dict(zip(rest[::2], rest[1::2], strict=True))
            profile.saved = True
        return 0, f"Connection '{profile.name}' ({uuid}) successfully done.\n"

    def _up(self, profile: Profile, rest: tuple[str, ...]) -> tuple[int, str]:
        if rest:
            assert rest[0] == "passwd-file"
            key, _, value = Path(rest[1]).read_text().rstrip("\n").partition(":")
            assert key == "802-11-wireless-security.psk"
            profile.psk = profile.psk or _unescaped(value)
        if self.device == "unavailable":
            return self._failed("No suitable device found for this connection (device wlan0 not available).", profile)
        mine = self.connected
        self.active = ""  # the device leaves what it had, whatever comes of this
        if profile.own:
            self.active = profile.uuid
            return 0, "Connection successfully activated\n"
        network = self.air.get(profile.facts["ssid"])
        blind = network is None or (mine is not None and mine.own)
        if network is None or (blind and profile.facts.get("802-11-wireless.hidden") != "yes"):
            return self._failed("The Wi-Fi network could not be found", profile)
        if network.hidden and profile.facts.get("802-11-wireless.hidden") != "yes":
            return self._failed("The Wi-Fi network could not be found", profile)
        management = profile.facts.get("wifi-sec.key-mgmt", "")
        only = {"WPA3": "sae", "": "", "OWE": "owe"}.get(network.security)
        if (only is not None and management not in (only, "wpa-psk" if network.hidden else only)) or (
            network.password != profile.psk
        ):
            return self._failed("Secrets were required, but not provided", profile)
        if network.deaf:
            return self._failed("IP configuration could not be reserved (no available address, timeout, etc.)", profile)
        self.active = profile.uuid
        return 0, "Connection successfully activated (D-Bus active path: /org/freedesktop/NetworkManager/1)\n"

    def _failed(self, why: str, profile: Profile) -> tuple[int, str]:
        hint = f"Hint: use 'journalctl -xe NM_CONNECTION={profile.uuid} + NM_DEVICE=wlan0' to get more details.\n"
        return 4, f"Error: Connection activation failed: {why}\n{hint}"


def _without_options(words: tuple[str, ...]) -> tuple[str, ...]:
    """What comes after nmcli's own options."""
    at = 0
    while words[at].startswith("-"):
        at += 1 if words[at] == "--terse" else 2
    return words[at:]


def _escaped(name: str) -> str:
    return name.replace("\\", "\\\\").replace(":", "\\:")


def _unescaped(value: str) -> str:
    """As nmc_utils_parse_passwd_file reads it: blanks at the ends go, unless they are escaped."""
    return re.sub(rb"\\([0-7]{3})", lambda found: bytes([int(found[1], 8)]), value.strip().encode()).decode()
