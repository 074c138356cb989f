"""Attempts to join networks, at a real NetworkManager. Started in a Debian root by network_manager_in_debian.sh."""

from __future__ import annotations

import os
import pwd
import subprocess
import sys
import tempfile
import threading
import time
from collections.abc import Callable
from pathlib import Path
from typing import Final

sys.path.insert(0, "/srv")

from firmware.cli.first_start.wifi import Outcome, Wifi, WifiFault

PROFILES: Final = Path("/etc/NetworkManager/system-connections")
PASSWORDS: Final = {
    "Plain": "secret-12",
    "Dash": "-secret 12",
    "Help": "--help--ask",
    "Signs": "!\"#$%&'()*+,-./:;<=>?@[\\]^_`{|}~",
    "Spaces": "  two before, two after  ",
    "Escapes": "\\n\\040\\\\ #:=",
    "Umlauts": "Fünf süße Hühner",
    "Hex": "0123456789abcdef" * 4,
    "--ask": "a name for nmcli",
    "-a": "another one",
}
"""The networks there are, each with its password. The last two have names that are options of nmcli."""
bad = 0


def main() -> int:
    serve_passwords()
    while run("nmcli", "general")[0] != 0:
        time.sleep(0.1)
    print(run("nmcli", "--version")[1].strip())
    for _ in range(50):
        if "veth0:disconnected" in run("nmcli", "-t", "-f", "DEVICE,STATE", "device")[1].split():
            break
        time.sleep(0.1)
    watcher = threading.Thread(target=watch_arguments, daemon=True)
    watcher.start()
    first_attempts()
    former_profile()
    own_network()
    whoever_may_not()
    expect("passwords seen among any program's arguments", sorted(seen), [])
    print("All is well." if not bad else f"{bad} went otherwise than expected.")
    return 1 if bad else 0


def first_attempts() -> None:
    """Every password arrives as it was typed, and is on the disk once it has worked."""
    for name, password in PASSWORDS.items():
        expect(f"joining {name}", wifi.join(name, password), Outcome())
        expect(f"{name} is up", up(), name)
        expect(f"{name} on the disk", kept(name), [(password, True)])
    expect("a wrong password", wifi.join("Plain", "secret-13").fault, WifiFault.PASSWORD)
    expect("what is up", up(), "-a")
    expect("Plain on the disk", kept("Plain"), [("secret-12", True)])
    expect("the right one again", wifi.join("Plain", "secret-12"), Outcome())
    expect("profiles for it", kept("Plain"), [("secret-12", True)])


def former_profile() -> None:
    """Somebody else's profile of the network's name is never touched, whatever is typed."""
    facts = {"type": "ethernet", "ifname": "veth0", "con-name": "Home", "connection.uuid": FORMER}
    facts |= {"802-1x.eap": "md5", "802-1x.identity": "Plain", "802-1x.password": "secret-12"}
    facts |= {"ipv4.method": "manual", "ipv4.addresses": "10.9.0.77/24"}
    run("nmcli", "connection", "add", *(word for fact in facts.items() for word in fact))
    run("nmcli", "connection", "up", "uuid", FORMER)
    file = next(path for path in PROFILES.iterdir() if FORMER in path.read_text())
    before = file.read_text()
    for password in ("wrong-one", "another-wrong-one"):
        outcome = wifi.join("Home", password)
        expect("a wrong password for Home", (outcome.fault, outcome.back), (WifiFault.PASSWORD, "Home"))
        expect("what is up", active(), [FORMER])
        expect("its profile is as it was", file.read_text() == before, True)
    print(f"      NetworkManager says: {outcome.original}")
    outcome = wifi.join("Nowhere", "secret-12")
    expect("a network without addresses", (outcome.fault, outcome.back), (WifiFault.ADDRESS, "Home"))
    print(f"      NetworkManager says: {outcome.original}")
    expect("what is up", active(), [FORMER])


def own_network() -> None:
    """The machine's own network comes back after a failure, and ends with a success."""
    expect("opening it", wifi.open_hotspot(), Outcome())
    expect("what is up", up(), "En Garde")
    expect("a wrong password", wifi.join("Plain", "wrong-again").fault, WifiFault.PASSWORD)
    expect("what is up", (up(), wifi.hotspot is not None), ("En Garde", True))
    expect("its password on the disk", [path for path in PROFILES.iterdir() if "En Garde" in path.name], [])
    expect("the right one", wifi.join("Plain", "secret-12"), Outcome())
    expect("what is up", (up(), wifi.hotspot), ("Plain", None))
    expect("the own network's profile", "En Garde" in run("nmcli", "connection", "show")[1], False)


def whoever_may_not() -> None:
    """Without our polkit rule nothing is changed, and that is said."""
    before = sorted(PROFILES.iterdir()), active()
    expect("somebody else", Wifi(pretended("bo")).join("Plain", "secret-12").fault, WifiFault.FORBIDDEN)
    expect("profiles and connection", (sorted(PROFILES.iterdir()), active()), before)


FORMER: Final = "0f0f0f0f-1111-4222-8333-444444444444"
seen: set[str] = set()
identities: dict[str, str] = {}
"""Of the profiles made here: beside the password, 802.1X asks who one is."""


def pretended(user: str) -> Callable[[tuple[str, ...]], tuple[int, str]]:
    """nmcli as this user, with a cable for every Wi-Fi network."""
    entry = pwd.getpwnam(user)

    def nmcli(words: tuple[str, ...]) -> tuple[int, str]:
        if "list" in words:
            return 0, "".join(f"{name}:80:WPA2\n" for name in (*PASSWORDS, "Home", "Nowhere"))
        if "add" in words:
            words = as_cable(words)
            facts = dict(zip(words[2::2], words[3::2], strict=True))
            identities[facts["connection.uuid"]] = facts.get("802-1x.identity", "")
        if "passwd-file" in words:
            secret = Path(words[-1]).read_text().replace("802-11-wireless-security.psk", "802-1x.password")
            with tempfile.NamedTemporaryFile("w", dir="/home") as file:
                file.write(f"{secret}802-1x.identity:{identities[words[words.index('uuid') + 1]]}\n")
                file.flush()
                os.chown(file.name, entry.pw_uid, entry.pw_gid)
                return as_user((*words[:-1], file.name))
        status, said = as_user(words)
        return status, said.replace("802-3-ethernet", "802-11-wireless")

    def as_user(words: tuple[str, ...]) -> tuple[int, str]:
        child = ["setpriv", "--reuid", user, "--regid", user, "--init-groups", "--no-new-privs", "nmcli", *words]
        done = subprocess.run(
            child, capture_output=True, text=True, env={"LC_ALL": "C.UTF-8", "PATH": os.environ["PATH"]}
        )
        return done.returncode, done.stdout if done.returncode == 0 else done.stdout + done.stderr

    return nmcli


def as_cable(words: tuple[str, ...]) -> tuple[str, ...]:
    """A Wi-Fi profile's words as those of a cable's with 802.1X, of the machine's own network as a plain cable's."""
    facts = dict(zip(words[2::2], words[3::2], strict=True))
    name = facts.pop("ssid")
    own, address = (
        facts.pop("802-11-wireless.mode", "") == "ap",
        "10.42.0.1/24" if name == "En Garde" else "10.9.0.2/24",
    )
    facts = {key: value for key, value in facts.items() if not key.startswith(("wifi-sec", "802-11", "ipv"))}
    facts |= {"type": "ethernet", "ifname": "veth0"}
    if not own:
        who = {"Home": "Plain", "Nowhere": "Plain"}.get(name, name)
        facts |= {"802-1x.eap": "md5", "802-1x.identity": who}
    facts |= {"ipv4.method": "auto", "ipv4.dhcp-timeout": "3", "ipv6.method": "disabled"} if name == "Nowhere" else {
        "ipv4.method": "manual", "ipv4.addresses": address}  # fmt: skip
    return (*words[:2], *(word for fact in facts.items() for word in fact))


def serve_passwords() -> None:
    """hostapd at the other end of the cable, which lets in whoever knows a network's password."""
    users = "".join(f'"{name}" MD5 {password.encode().hex()}\n' for name, password in PASSWORDS.items())
    Path("/run/users").write_text(users)
    Path("/run/hostapd.conf").write_text(
        "interface=peer0\ndriver=wired\nieee8021x=1\neap_server=1\neap_user_file=/run/users\nuse_pae_group_addr=1\n"
    )
    with open("/run/hostapd.log", "w") as log:
        subprocess.Popen(["hostapd", "/run/hostapd.conf"], stdout=log, stderr=log)


def watch_arguments() -> None:
    """Look at every program's arguments, as ``ps`` does, while the attempts go on."""
    while True:
        for path in Path("/proc").glob("[0-9]*/cmdline"):
            try:
                words = path.read_bytes()
            except OSError:
                continue
            seen.update(password for password in (*PASSWORDS.values(), "wrong-one", "wrong-again")
                        if password.encode() in words and b"802-1x.password" not in words)  # fmt: skip
        time.sleep(0.002)


def run(*words: str) -> tuple[int, str]:
    done = subprocess.run(words, capture_output=True, text=True)
    return done.returncode, done.stdout + done.stderr


def active() -> list[str]:
    said = run("nmcli", "-t", "-f", "UUID,TYPE", "connection", "show", "--active")[1]
    return [line.partition(":")[0] for line in said.split() if "ethernet" in line]


def up() -> str:
    return wifi.connected or ("En Garde" if active() else "")


def kept(name: str) -> list[tuple[str, bool]]:
    """The profiles of this name on the disk: password, and whether it is used at every start."""
    found = []
    for line in run("nmcli", "-t", "-f", "UUID,FILENAME", "connection", "show")[1].splitlines():
        uuid, _, path = line.partition(":")
        if path.startswith(str(PROFILES)) and shown("connection.id", uuid) == name:
            for _ in range(20):  # now and then nmcli is given no secrets, and a moment later it is
                if password := shown("802-1x.password", uuid):
                    break
                time.sleep(0.1)
            found.append((password, shown("connection.autoconnect", uuid) == "yes"))
    return found


def shown(field: str, uuid: str) -> str:
    return run("nmcli", "--escape", "no", "-s", "-g", field, "connection", "show", uuid)[1][:-1]


def expect(what: str, found: object, expected: object) -> None:
    global bad
    bad += found != expected
    print(
        f"{'well ' if found == expected else 'WRONG'} {what}: {found}"
        + ("" if found == expected else f", expected {expected}"),
        flush=True,
    )


wifi = Wifi(pretended("ana"))

if __name__ == "__main__":
    sys.exit(main())
