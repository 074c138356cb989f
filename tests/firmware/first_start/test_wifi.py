"""Wi-Fi by nmcli's own words, with a pretended nmcli."""

from __future__ import annotations

from firmware.first_start.wifi import HOTSPOT, Network, Wifi, run_nmcli


class Nmcli:
    """Answers by the words that are asked for; writes down what was done."""

    def __init__(self, **answers: tuple[int, str]) -> None:
        self.answers = {"device": (0, "wifi\nethernet\n"), "active": (0, ""), "list": (0, ""), **answers}
        self.done: list[tuple[str, ...]] = []

    def __call__(self, words: tuple[str, ...]) -> tuple[int, str]:
        self.done.append(words)
        for name in ("connect", "hotspot", "delete", "list"):
            if name in words:
                return self.answers.get(name, (0, ""))
        return self.answers["active" if "--active" in words else "device"]


def test_networks_are_told_once_and_strongest_first() -> None:
    said = "Caf\\:e:40:WPA2\nHome:81:WPA2\nHome:62:WPA2\n:99:WPA2\nOpen:55:\nrubbish\n"
    assert Wifi(Nmcli(list=(0, said))).networks() == (
        Network("Home", 81, True),
        Network("Open", 55, False),
        Network("Caf:e", 40, True),
    )


def test_without_networkmanager_there_is_no_wifi() -> None:
    assert not Wifi(Nmcli(device=(127, ""))).is_there
    assert not Wifi(Nmcli(device=(0, "ethernet\n"))).is_there
    assert Wifi(Nmcli()).is_there
    assert Wifi(Nmcli(list=(8, "Error: NetworkManager is not running."))).networks() == ()


def test_the_own_network_is_not_taken_for_a_connection() -> None:
    assert Wifi(Nmcli(active=(0, f"{HOTSPOT}:802-11-wireless\nlo:loopback\n"))).connected == ""
    assert Wifi(Nmcli(active=(0, "lo:loopback\nHome:802-11-wireless\n"))).connected == "Home"
    assert Wifi(Nmcli(active=(0, "Wired connection 1:802-3-ethernet\n"))).connected == "Wired connection 1"


def test_the_own_network_opens_after_a_search_and_closes_for_another() -> None:
    nmcli = Nmcli(list=(0, "Home:81:WPA2\n"))
    wifi = Wifi(nmcli)
    hotspot = wifi.open_hotspot()
    assert hotspot is not None
    assert hotspot.code == f"WIFI:T:WPA;S:En Garde;P:{hotspot.password};;"
    assert len(hotspot.password) == 10
    searched = len(nmcli.done)
    assert wifi.networks() == (Network("Home", 81, True),)
    assert len(nmcli.done) == searched, "while the own network is open nothing is found"
    assert wifi.join("Home", "secret12")
    assert nmcli.done[searched:] == [
        ("connection", "delete", "id", HOTSPOT),
        ("--wait", "45", "device", "wifi", "connect", "Home", "password", "secret12"),
    ]
    assert wifi.hotspot is None


def test_a_wrong_password_leaves_no_trace_and_opens_the_own_network_again() -> None:
    nmcli = Nmcli(connect=(10, "Error: Secrets were required"))
    wifi = Wifi(nmcli)
    hotspot = wifi.open_hotspot()
    assert not wifi.join("Home", "wrong123")
    assert wifi.hotspot == hotspot
    assert nmcli.done[-2] == ("connection", "delete", "id", "Home")
    assert nmcli.done[-1][:3] == ("device", "wifi", "hotspot")
    assert Wifi(Nmcli(hotspot=(1, ""))).open_hotspot() is None


def test_a_system_without_nmcli_says_so() -> None:
    status, _ = run_nmcli(("--no-such-option",))
    assert status != 0
