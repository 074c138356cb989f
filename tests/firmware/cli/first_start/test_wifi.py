"""Wi-Fi through nmcli, at a pretended NetworkManager that remembers profiles."""

from __future__ import annotations

import uuid
from contextlib import suppress
from pathlib import Path

import pytest
from hypothesis import settings
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, initialize, invariant, precondition, rule

from firmware.cli.first_start.wifi import HOTSPOT, Outcome, Wifi, WifiFault, run_nmcli
from tests.firmware.cli.first_start.nmcli import Air, NetworkManager, PowerCutError

IMAGER = "11111111-2222-4333-8444-555555555555"


@pytest.fixture
def manager() -> NetworkManager:
    air = {
        "Home": Air("secret-12"),
        "Café: oben": Air("-dash first", "WPA1 WPA2", signal=40),
        "Next": Air("0123456789abcdef" * 4, "WPA3"),
        "Both": Air("both of them", "WPA2 WPA3"),
        "Open": Air(security="", signal=55),
        "Owe": Air(security="OWE"),
        "Attic": Air("  \\ #:=\"' ", hidden=True),
        "Office": Air(security="WPA2 802.1X"),
        "Old": Air("12345", "WEP"),
        "Deaf": Air("secret-12", deaf=True),
        "--ask": Air("secret-12"),
    }
    return NetworkManager(air)


@pytest.fixture
def wifi(manager: NetworkManager, tmp_path: Path) -> Wifi:
    return Wifi(manager, tmp_path)


def test_without_networkmanager_there_is_no_wifi() -> None:
    assert not Wifi(lambda words: (127, "")).is_there
    assert not Wifi(lambda words: (0, "eth0:ethernet:connected\n")).is_there
    assert Wifi(NetworkManager()).is_there
    assert run_nmcli(("--no-such-option",))[0] != 0
    assert Wifi(NetworkManager(running=False)).networks() == ()
    assert Wifi(NetworkManager(running=False)).join("Home", "secret-12").fault is WifiFault.NO_MANAGER


@pytest.mark.parametrize("name", ["Home", "Café: oben", "Next", "Both", "Open", "Owe", "Attic", "--ask"])
def test_every_kind_of_network_is_joined_now_and_at_every_start(wifi: Wifi, manager: NetworkManager, name: str) -> None:
    assert wifi.join(name, manager.air[name].password) == Outcome()
    assert wifi.connected == name
    manager.restart()
    assert wifi.connected == name


@pytest.mark.parametrize(
    ("name", "password", "fault"),
    [
        ("Home", "wrong-password", WifiFault.PASSWORD),
        ("Home", "short", WifiFault.SHORT),
        ("Home", "x" * 64, WifiFault.SHORT),
        ("Home", "", WifiFault.SHORT),
        ("Home", "a\0bcdefghi", WifiFault.SHORT),
        ("Home", "\ud800abcdefgh", WifiFault.SHORT),
        ("Office", "secret-12", WifiFault.KIND),
        ("Old", "12345", WifiFault.KIND),
        ("Deaf", "secret-12", WifiFault.ADDRESS),
        ("Nowhere", "secret-12", WifiFault.NOT_FOUND),
        ("", "secret-12", WifiFault.NAME),
        ("ü" * 17, "secret-12", WifiFault.NAME),
        ("a\0b", "secret-12", WifiFault.NAME),
    ],
)
def test_a_failed_attempt_says_why_and_leaves_what_was_there(
    wifi: Wifi, manager: NetworkManager, name: str, password: str, fault: WifiFault
) -> None:
    manager.save("Home", "secret-12", IMAGER)
    manager.restart()
    outcome = wifi.join(name, password)
    assert outcome.fault is fault
    assert list(manager.profiles) == [IMAGER]
    assert wifi.connected == "Home"
    assert outcome.back in ("", "Home")
    if fault is WifiFault.PASSWORD:
        assert outcome.original == "Secrets were required, but not provided"


def test_the_own_network_opens_after_a_search_and_closes_for_another(wifi: Wifi, manager: NetworkManager) -> None:
    assert wifi.open_hotspot() == Outcome()
    hotspot = wifi.hotspot
    assert hotspot is not None
    assert hotspot.code == f"WIFI:T:WPA;S:{HOTSPOT};P:{hotspot.password};;"
    assert wifi.connected == "", "the own network is none"
    assert "Home" in [each.name for each in wifi.networks()], "while it is open, what was found before"
    assert wifi.join("Home", "wrong-password").fault is WifiFault.PASSWORD
    assert wifi.hotspot == hotspot
    assert manager.connected is not None
    assert manager.connected.psk == hotspot.password
    assert wifi.join("Home", "secret-12") == Outcome()
    assert wifi.connected == "Home"
    assert [each.name for each in manager.profiles.values()] == ["Home"]


def test_a_blocked_radio_is_told_before_anything_is_tried(wifi: Wifi, manager: NetworkManager, tmp_path: Path) -> None:
    """As on a Raspberry Pi whose country was never set; the Bluetooth radio beside it is none of our business."""
    _radio(tmp_path, 0, "bluetooth", soft=0)
    _radio(tmp_path, 1, "wlan", soft=1)
    manager.device = "unavailable"
    assert wifi.is_there
    assert wifi.networks() == ()
    assert wifi.trouble() == Outcome(WifiFault.BLOCKED, "rfkill: soft blocked")
    assert wifi.open_hotspot().fault is WifiFault.BLOCKED
    assert wifi.join("Home", "secret-12").fault is WifiFault.BLOCKED
    _radio(tmp_path, 2, "wlan", soft=0)  # a stick beside it
    manager.device = "disconnected"
    assert wifi.trouble() == Outcome()
    assert wifi.join("Home", "secret-12") == Outcome()


def test_a_radio_that_cannot_be_used_is_told_with_networkmanagers_reason(wifi: Wifi, manager: NetworkManager) -> None:
    manager.device = "unavailable"
    assert wifi.trouble().fault is WifiFault.UNAVAILABLE
    assert "wlan0" in wifi.trouble().original
    assert wifi.join("Home", "secret-12").fault is WifiFault.UNAVAILABLE
    assert wifi.open_hotspot().fault is WifiFault.UNAVAILABLE
    manager.allowed = False
    assert wifi.join("Home", "secret-12").fault is WifiFault.FORBIDDEN
    assert manager.profiles == {}


def _radio(folder: Path, number: int, kind: str, *, soft: int) -> None:
    radio = folder / f"rfkill{number}"
    radio.mkdir()
    for name, value in (("type", kind), ("soft", soft), ("hard", 0)):
        (radio / name).write_text(f"{value}\n")


class Attempts(RuleBasedStateMachine):
    """Whatever is tried, in whatever order, with power cuts between: a network that worked is never lost."""

    names = st.sampled_from(["Home", "Attic", "Open", "En Garde"])
    passwords = st.sampled_from(["secret-12", "-secret 34", "f" * 64, "", "short", "\\040 \\"])

    @initialize(password=passwords)
    def begin(self, password: str) -> None:
        air = {"Home": Air("secret-12"), "Attic": Air("-secret 34", hidden=True), "Open": Air(security="")}
        self.manager = NetworkManager(air)
        self.manager.save("Home", password, IMAGER)
        self.manager.save("preconfigured", "secret-12", str(uuid.UUID(int=7)))
        self.manager.restart()
        self.wifi = Wifi(self.manager, Path("/nonexistent"))
        self.theirs = {key: (each.psk, dict(each.facts)) for key, each in self.manager.profiles.items()}
        self.worked: set[str] = set()
        self.typed: set[str] = set()

    @rule(name=names, password=passwords)
    def join(self, name: str, password: str) -> None:
        before = self.manager.active
        self.typed.add(password)
        outcome = self.wifi.join(name, password)
        if outcome.fault is None:
            self.worked.add(name)
            assert self.manager.connected is not None
            assert self.manager.connected.name == name
            assert self.wifi.hotspot is None
        else:
            assert self.manager.active == before, "what was connected is connected again"

    @rule(name=names, password=passwords)
    def change_the_router(self, name: str, password: str) -> None:
        """A password that has changed makes a profile worthless, through nobody's fault."""
        if name in self.manager.air and name != "Open":
            self.manager.air[name].password = password if len(password) >= 8 else "changed-12"
            self.worked.discard(name)
            connected = self.manager.connected
            if connected is not None and not self.manager.works(connected):
                self.manager.active = ""

    @rule(name=names, password=passwords, deed=st.sampled_from(["down", "up", "modify"]))
    def power_cut(self, name: str, password: str, deed: str) -> None:
        """In the middle of an attempt, if that comes so far. One at the deletion of an older profile leaves it there;
        the next attempt that works deletes it."""
        self.typed.add(password)
        self.manager.cut_at = deed
        with suppress(PowerCutError):
            self.wifi.join(name, password)
        self.manager.cut_at = ""
        self.manager.restart()
        self.wifi = Wifi(self.manager, Path("/nonexistent"))

    @rule(name=names, password=passwords, trouble=st.sampled_from(["radio", "rights", "service"]))
    def join_in_trouble(self, name: str, password: str, trouble: str) -> None:
        """While nothing can be joined, whatever is typed: it is told, and all is as before."""
        before, known, device = self.manager.active, [*self.manager.profiles], self.manager.device
        if self.wifi.hotspot is not None and trouble == "radio":
            return  # a radio that serves a network is one
        self.typed.add(password)
        self.manager.device = "unavailable" if trouble == "radio" else device
        self.manager.allowed, self.manager.running = trouble != "rights", trouble != "service"
        assert self.wifi.join(name, password).fault is not None
        self.manager.device, self.manager.allowed, self.manager.running = device, True, True
        assert (self.manager.active, [*self.manager.profiles]) == (before, known)

    @precondition(lambda self: self.manager.connected is None)
    @rule()
    def open_hotspot(self) -> None:
        assert self.wifi.open_hotspot() == Outcome()

    @rule()
    def close_hotspot(self) -> None:
        self.wifi.close_hotspot()

    @invariant()
    def nobody_elses_profile_is_touched(self) -> None:
        now = {key: (each.psk, dict(each.facts)) for key, each in self.manager.profiles.items() if key in self.theirs}
        assert now == self.theirs

    @invariant()
    def one_profile_of_ours_for_each_network_that_worked(self) -> None:
        ours = [each for key, each in self.manager.profiles.items() if key not in self.theirs and not each.own]
        assert len(ours) == len({each.name for each in ours})
        assert all(each.saved and each.facts["connection.autoconnect"] == "yes" for each in ours)
        for name in self.worked:
            assert [each.psk for each in ours if each.name == name] == [self.manager.air[name].password]

    @invariant()
    def no_password_is_among_the_arguments(self) -> None:
        words = {word for words in self.manager.said for word in words}
        typed = self.typed | ({self.wifi.hotspot.password} if self.wifi.hotspot is not None else set())
        assert not {word for word in words if any(each and each in word for each in typed)}


Attempts.TestCase.settings = settings(max_examples=60, stateful_step_count=12, deadline=None)
TestAttempts = pytest.mark.slow(Attempts.TestCase)
