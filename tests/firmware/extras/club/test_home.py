"""A table made known to Home Assistant: to both generations of its MQTT discovery, through a hall and on its own."""

from __future__ import annotations

import json
import re
import sys
from collections.abc import Iterator
from contextlib import ExitStack, closing
from pathlib import Path
from random import Random
from types import SimpleNamespace
from typing import Any, Final, cast

import pytest

from engine.rules.track import BySide
from engine.table.desk import Entry
from firmware.core.config import Config, ConfigError, HomeSettings, load_config
from firmware.extras.club.broker import Broker, mosquitto
from firmware.extras.club.card import JoinCard
from firmware.extras.club.demo import SimulatedStep, judged_match, told_step
from firmware.extras.club.home import HomeTable, configurations, table_name
from firmware.extras.club.link import Link
from firmware.extras.club.messages import good_name
from firmware.table.loop.moment import Moment, People
from firmware.table.service.extras import ExtraMatch, join_extras
from firmware.table.service.retry import Watch
from tests.waiting import until

NAMES: Final = BySide("Ana", "Ben")
COMMON: Final = {"device", "origin", "availability_topic", "state_topic", "qos", "unique_id", "name", "value_template"}
"""What sensors and binary sensors know. Source: the schemas of Home Assistant's component ``mqtt`` in 2023.1 and in
2026.11.0, which ``tests/bench/home_assistant_in_debian.sh`` runs as a whole."""


def has(value: Any, path: list[str]) -> bool:
    return not path or (isinstance(value, dict) and path[0] in value and has(value[path[0]], path[1:]))


def test_what_entities_look_at_is_in_every_event() -> None:
    bodies = [told_step(step, NAMES, "") for step in judged_match(Random(1), points=3)]
    for _, text in configurations("fk", "1"):
        paths = re.findall(r"value_json((?:\.\w+)+)", json.loads(text)["value_template"])
        assert paths
        assert [path for path in paths if not any(has(body, path.split(".")[1:]) for body in bodies)] == []


@pytest.mark.parametrize(
    ("hostname", "name"),
    [("engarde", "engarde"), ("En_Garde.local", "en-garde"), ("", "table"), ("--", "table"), ("a" * 30, "a" * 15)],
)
def test_a_machines_name_becomes_a_topics(hostname: str, name: str) -> None:
    assert table_name(hostname, 0x2CCF67001F2A) == good_name(f"{name}-1f2a", "")
    assert table_name(hostname, 0x2DCF67001F2A) == name, "an address that is made up at each start names nobody"


def test_what_stands_under_home(tmp_path: Path) -> None:
    path = tmp_path / "config.toml"
    path.write_text('[home]\nbroker = " ha.local:1884 "\nuser = "ana"\npassword = "x y"\nname = "cellar"\n')
    assert load_config(path).home == HomeSettings("ha.local:1884", "ana", "x y", "cellar")
    for wrong in ('broker = ":1883"', 'broker = "ha:0"', "broker = 1883", 'name = "The Cellar"', "user = 1"):
        path.write_text(f"[home]\n{wrong}\n")
        with pytest.raises(ConfigError, match="home"):
            load_config(path)


def test_without_a_broker_or_without_paho_the_game_goes_on(monkeypatch: pytest.MonkeyPatch) -> None:
    said: list[str] = []
    with ExitStack() as held:
        monkeypatch.setitem(sys.modules, "paho.mqtt", None)
        config = Config(home=HomeSettings("nowhere"))
        match = ExtraMatch(People(NAMES, "en"), config, held, said.append, Watch(), lambda: None, None, is_named=False)
        assert join_extras(match) == ((), ())
    assert len(said) == 1


class Home:
    """A broker without passwords, and what it keeps or is told."""

    def __init__(self, folder: Path, port: int) -> None:
        self.port = port
        (folder / "mosquitto.conf").write_text(f"listener {self.port} 127.0.0.1\nallow_anonymous true\n")
        self.broker = Broker(folder, self.port)
        self.heard: list[tuple[str, str]] = []
        card = JoinCard("home", "listener", "127.0.0.1", self.port)
        self.link = Link(card, topics=("engarde/#", "homeassistant/#"), on_message=self._came)
        self.link.start()

    def _came(self, name: str, payload: bytes, _number: int) -> None:
        self.heard.append((name, payload.decode()))

    def close(self) -> None:
        self.link.close()
        self.broker.stop()


@pytest.fixture
def home(tmp_path: Path, port: int) -> Iterator[Home]:
    if not mosquitto():
        pytest.skip("there is no Mosquitto on this machine")
    with closing(Home(tmp_path, port)) as made:
        yield made


@pytest.mark.slow
def test_a_table_alone_makes_itself_known_and_tells_where_it_stands(home: Home) -> None:
    assert until(lambda: home.link.up)
    settings = HomeSettings(f"127.0.0.1:{home.port}", name="cellar")
    steps = list(judged_match(Random(1), points=3))
    with closing(HomeTable(settings, People(NAMES, "en"))) as table:
        assert until(lambda: ("engarde/1/home/cellar/status", "online") in home.heard)
        assert until(lambda: sum(name.startswith("homeassistant/") for name, _ in home.heard) == 5)
        home.heard.clear()
        for step in steps:
            table.attend(moment_of(step))
        assert until(lambda: len(events(home)) == len(steps))
        assert [each["ruling"]["ruling"] for each in events(home)] == [step.ruling.event for step in steps]
        home.broker.stop(at_once=True)
        home.heard.clear()
        home.broker.start()
        assert until(lambda: ("engarde/1/home/cellar/status", "online") in home.heard)
        home.heard.clear()
        home.link.publish("homeassistant/status", "online")  # as Home Assistant says once it has begun
        assert until(lambda: events(home))
        assert events(home)[-1]["ruling"]["ruling"] == "resumed"
        assert events(home)[-1]["ruling"]["state"]["score"] == {
            "white": steps[-1].state.score.white,
            "black": steps[-1].state.score.black,
        }
    assert until(lambda: ("engarde/1/home/cellar/status", "offline") in home.heard)


def events(home: Home) -> list[dict[str, Any]]:
    return [json.loads(text) for name, text in home.heard if name.endswith("/event")]


def moment_of(step: SimulatedStep) -> Moment:
    """As much of a moment as is looked at."""
    entry = Entry(0.0, step.event, step.ruling, step.state)
    frame, desk = SimpleNamespace(t_s=0.0), SimpleNamespace(state=step.state)
    return cast(Moment, SimpleNamespace(frame=frame, desk=desk, entries=(entry,)))
