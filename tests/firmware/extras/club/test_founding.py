"""A club made ready: cards that open the door, and nothing else that does."""

from __future__ import annotations

import stat
from dataclasses import replace
from pathlib import Path

import pytest

from engine.rules.track import BySide
from firmware.cli.main import main
from firmware.extras.club.broker import Broker, Founding, access, are_old, digest, found, mosquitto, renew, settings_of
from firmware.extras.club.card import JoinCard, card_of, card_text, read_card, write_card
from firmware.extras.club.messages import ClubError
from firmware.extras.club.publisher import Publisher
from firmware.table.loop.moment import People
from tests.waiting import until


def test_a_card_is_the_same_as_a_file_and_as_a_code(tmp_path: Path) -> None:
    cards = found(Founding("fk", tmp_path / "club", "hall.local", ("1", "foyer")))
    assert [card.table for card in cards] == ["hall", "desk", "1", "foyer", "listener"]
    for card in cards:
        assert card_of(card_text(card)) == card
        assert read_card(tmp_path / "club" / "cards" / f"{card.table}.toml") == card
        assert set(card_text(card)) <= set("0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZ $%*+-./:")
        (tmp_path / "code").write_text(card_text(card))
        assert read_card(tmp_path / "code") == card
    assert len({card.password for card in cards}) == 5
    secrets = [path for path in (tmp_path / "club").rglob("*") if path.is_file() and path.suffix != ".conf"]
    assert [path for path in secrets if stat.S_IMODE(path.stat().st_mode) & 0o077] == []
    with pytest.raises(ClubError, match="holds a club already"):
        found(Founding("fk", tmp_path / "club", "hall.local", ("1",)))


def test_the_broker_stays_whoever_may_read_the_folder_even_when_root_starts_it(tmp_path: Path) -> None:
    found(Founding("fk", tmp_path / "club", "hall.local", ("1",)))
    owner = (tmp_path / "club" / "passwords").owner()
    assert f"\nuser {owner}\n" in (tmp_path / "club" / "mosquitto.conf").read_text()


@pytest.mark.parametrize("certificates", [False, True])
def test_settings_of_an_earlier_version_are_renewed_and_no_card_changes(tmp_path: Path, certificates: bool) -> None:
    club = tmp_path / "club"
    found(Founding("fk", club, "hall.local", ("1", "foyer"), 1884, certificates))
    written = {path: path.read_text() for path in club.rglob("*") if path.is_file()}
    assert not are_old(club)
    settings = club / "mosquitto.conf"
    settings.write_text(settings.read_text() + "log_type all\n")
    assert not are_old(club), "what an owner adds is his"
    (club / "mosquitto-2.1.conf").unlink()
    settings.write_text(settings.read_text().replace("use_username_as_clientid true\n", ""))
    assert are_old(club)
    assert main(["club", "renew", str(club)]) == 0
    assert not are_old(club)
    assert {path: path.read_text() for path in written} == written
    assert "log_type all" in (club / "mosquitto.conf.before").read_text()


def test_what_is_no_club_is_not_renewed(tmp_path: Path) -> None:
    with pytest.raises((ClubError, OSError)):
        renew(tmp_path)
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize(
    ("text", "sentence"),
    [
        ("ENGARDE1:ABC", "this is no card"),
        ("ENGARDE1:", "this is no card"),
        ('club = "fk"\n', "club, table and host"),
        ('club = "fk"\ntable = "1"\nhost = "h"\nport = "x"\n', "port: expected a whole number from 1 to 65535"),
        ('club = "f/k"\ntable = "1"\nhost = "h"\n', "1 to 20 of a to z"),
        ('club = "fk"\ntable = "#"\nhost = "h"\n', "1 to 20 of a to z"),
        ('club = "fk"\ntable = "1"\nhost = " "\n', "expected a host"),
        ("club = ", "found something else"),
    ],
)
def test_what_is_no_card_is_said(tmp_path: Path, text: str, sentence: str) -> None:
    (tmp_path / "card").write_text(text)
    with pytest.raises(ClubError, match=sentence):
        read_card(tmp_path / "card")


def test_a_table_may_write_its_own_topics_only() -> None:
    told = access("fk", ("1", "2"))
    first = told.partition("user table-1\n")[2].partition("user")[0]
    assert first.split("\n")[:-2] == [
        "topic write engarde/1/fk/1/status",
        "topic write engarde/1/fk/1/state",
        "topic write engarde/1/fk/1/event",
        "topic write engarde/1/fk/1/said",
        "topic write engarde/1/fk/1/confirmed",
        "topic read engarde/1/fk/1/hall/#",
    ]


def test_passwords_are_kept_as_mosquitto_keeps_them() -> None:
    made = digest("secret", b"0123456789ab")
    assert made.startswith("$7$101$MDEyMzQ1Njc4OWFi$")
    assert made == digest("secret", b"0123456789ab") != digest("secret")


@pytest.mark.parametrize("tables", [(), ("1", "1"), ("hall",), ("a b",)])
def test_tables_that_cannot_be(tmp_path: Path, tables: tuple[str, ...]) -> None:
    with pytest.raises(ClubError):
        found(Founding("fk", tmp_path / "club", "hall.local", tables))


@pytest.mark.slow
@pytest.mark.skipif(not mosquitto(), reason="there is no Mosquitto on this machine")
def test_certificates_instead_of_passwords(tmp_path: Path, port: int) -> None:
    cards = found(Founding("fk", tmp_path / "club", "127.0.0.1", ("1",), port, certificates=True, address="127.0.0.1"))
    broker = Broker(tmp_path / "club", port)
    card = next(card for card in cards if card.table == "1")
    table = Publisher(card, tmp_path / "outbox", People(BySide("A", "B"), "en"))
    other = found(Founding("fk", tmp_path / "other", "127.0.0.1", ("1",), port, certificates=True))[2]
    stranger = Publisher(replace(other, ca=card.ca), tmp_path / "other-outbox", People(BySide("A", "B"), "en"))
    table.start()
    stranger.start()
    try:
        assert until(lambda: table.up)
        assert not stranger.up
    finally:
        table.close()
        stranger.close()
        broker.stop()


def test_a_written_card_is_nobody_elses(tmp_path: Path) -> None:
    card = JoinCard("fk", "1", "hall.local", password='a"b\\c')
    write_card(tmp_path / "deep" / "club.toml", card)
    assert read_card(tmp_path / "deep" / "club.toml") == card


@pytest.mark.parametrize(
    ("version", "name"),
    [
        ("mosquitto version 2.0.11\n", "mosquitto.conf"),
        ("mosquitto version 2.0.22\n", "mosquitto.conf"),
        ("mosquitto version 2.1.0\n", "mosquitto-2.1.conf"),
        ("mosquitto version 2.1.2\n", "mosquitto-2.1.conf"),
        ("mosquitto version 3.0.0\n", "mosquitto-2.1.conf"),
        ("something else", "mosquitto.conf"),
    ],
)
def test_each_mosquitto_has_settings_without_what_it_does_not_know(tmp_path: Path, version: str, name: str) -> None:
    assert settings_of(version) == name
    found(Founding("fk", tmp_path / "club", "hall.local", ("1",)))
    options = [line.split(" ")[0] for line in (tmp_path / "club" / name).read_text().splitlines()]
    assert options.index("listener") < options.index("use_username_as_clientid"), "it is of the listener before it"
    gone = {"per_listener_settings", "password_file", "acl_file"}  # in 3.0. Source: ChangeLog of 2.1.0, "Deprecations"
    new = {"global_plugin", "plugin_opt_password_file", "plugin_opt_acl_file"}
    assert set(options) & (gone if name == "mosquitto-2.1.conf" else {"per_listener_settings", *new}) == set()
    assert set(options) >= (new if name == "mosquitto-2.1.conf" else gone - {"per_listener_settings"})
