"""A club of its own for each test: a real Mosquitto on loopback where there is one."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final

import pytest
from jsonschema import Draft202012Validator
from referencing import Registry, Resource

from engine.rules.track import BySide
from engine.strict.text import MalformedError
from firmware.extras.club.broker import Broker, mosquitto
from firmware.extras.club.card import JoinCard
from firmware.extras.club.founding import Founding, found
from firmware.extras.club.hall import Hall
from firmware.extras.club.publisher import Publisher
from firmware.extras.club.shape import NextCall, call_of, expect_event
from firmware.table.loop.moment import People

ROOT: Final = Path(__file__).parents[4]
SCHEMAS: Final = {path.name: json.loads(path.read_text()) for path in (ROOT / "firmware" / "schemas").glob("*.json")}
REGISTRY: Final = Registry().with_resources([(name, Resource.from_contents(each)) for name, each in SCHEMAS.items()])


def wrong_shape(event: object, table: str) -> str:
    """What is wrong with this value as an event of this table; empty for nothing."""
    try:
        expect_event(event, table)
    except MalformedError as error:
        return str(error)
    return ""


def next_call(said: dict[str, Any]) -> NextCall | None:
    """What a table hears of these words of the hall."""
    return call_of(json.dumps(said).encode())


def faults(schema: str, value: object) -> list[str]:
    """What is wrong with it by this schema."""
    return [error.message for error in Draft202012Validator({"$ref": schema}, registry=REGISTRY).iter_errors(value)]


@dataclass
class Club:
    """A broker that runs, and everybody's cards."""

    folder: Path
    broker: Broker
    cards: dict[str, JoinCard]
    closing: list[Callable[[], None]]

    def publisher(self, table: str, card: str = "", people: People | None = None) -> Publisher:
        people = people or People(BySide("A", "B"), "en")
        made = Publisher(self.cards[card or table], self.folder / f"outbox-{table}.sqlite", people)
        made.start()
        self.closing.append(made.close)
        return made

    def hall(self, folder: str = "hall") -> Hall:
        made = Hall(self.cards["hall"], self.folder / folder)
        made.start()
        self.closing.append(made.close)
        return made


@pytest.fixture(params=[False], ids=["plain"])
def club(tmp_path: Path, request: pytest.FixtureRequest, port: int) -> Iterator[Club]:
    if not mosquitto():
        pytest.skip("there is no Mosquitto on this machine")
    folder = tmp_path / "club"
    cards = found(
        Founding("fk", folder, "127.0.0.1", ("1", "2", "3"), port, tls=bool(request.param), address="127.0.0.1")
    )
    broker, closing = Broker(folder, port), []  # type: ignore[var-annotated]
    made = Club(folder, broker, {card.table: card for card in cards}, closing)
    yield made
    for close in reversed(closing):
        close()
    broker.stop()
