"""A club of its own for each test: a real Mosquitto on loopback where there is one."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final

import pytest
from jsonschema import Draft202012Validator
from referencing import Registry, Resource

from engine.competition.bouts import Entrant, Terms
from engine.competition.events import CompetitionEvent, Entered, Opened
from engine.rules.events import Event
from engine.rules.referee import judge
from engine.rules.state import PublicState
from engine.rules.track import BySide
from engine.strict.text import MalformedError
from firmware.core.clock import Clock
from firmware.extras.club.broker import Broker, Founding, found, mosquitto
from firmware.extras.club.card import JoinCard
from firmware.extras.club.evening import Evening
from firmware.extras.club.hall import Hall
from firmware.extras.club.messages import START, NextCall, call_of, dumped, event_of, framed, sealed, told_state
from firmware.extras.club.publisher import Publisher
from firmware.table.loop.moment import People

ROOT: Final = Path(__file__).parents[4]
SCHEMAS: Final = {path.name: json.loads(path.read_text()) for path in (ROOT / "firmware" / "schemas").glob("*.json")}
THREE: Final = Terms(3)
NAMES: Final = BySide("Anna", "Ben")
REGISTRY: Final = Registry().with_resources([(name, Resource.from_contents(each)) for name, each in SCHEMAS.items()])


def bodies_of(*events: Event, names: BySide[str] = NAMES, bout: str = "") -> Iterator[dict[str, Any]]:
    """What a table tells of these events of one match, all of them accepted."""
    state: PublicState | None = None
    for event in events:
        state, ruling = judge(state, event)
        assert ruling.ok, (event, ruling)
        assert state is not None
        yield told_state(ruling, state, names, 0.0, bout)


def chained(bodies: Iterable[dict[str, Any]], match: str = "a" * 32) -> list[dict[str, Any]]:
    """The events that table 1 sends of one match."""
    sent: list[dict[str, Any]] = []
    for seq, body in enumerate(bodies, 1):
        sent.append(sealed(sent[-1]["sum"] if sent else START, framed("1", match, seq, 12.5, body)))
    return sent


def unsealed(event: dict[str, Any]) -> dict[str, Any]:
    """What an event says, without what chains it to the one before."""
    return {key: value for key, value in event.items() if key not in ("prev", "sum")}


def wrong_shape(event: object, table: str) -> str:
    """What is wrong with this value as an event of this table; empty for nothing."""
    try:
        event_of(dumped(event).encode(), table)
    except MalformedError as error:
        return str(error)
    return ""


def next_call(said: dict[str, Any]) -> NextCall | None:
    """What a table hears of these words of the hall."""
    return call_of(json.dumps(said).encode())


def faults(schema: str, value: object) -> list[str]:
    """What is wrong with it by this schema."""
    return [error.message for error in Draft202012Validator({"$ref": schema}, registry=REGISTRY).iter_errors(value)]


def evening_of(
    path: Path,
    fencers: Iterable[Entrant],
    way: CompetitionEvent,
    terms: Terms = THREE,
    clock: Clock | None = None,
    name: str = "Evening",
) -> Evening:
    """An evening of these fencers that has begun in this way."""
    evening = Evening(path, clock)
    for event in (Opened(name, terms), *map(Entered, fencers), way):
        evening.add(event)
    return evening


def numbered(count: int) -> list[Entrant]:
    """So many fencers, seeded in the order of their numbers."""
    return [Entrant(str(number), f"Given{number} Family{number}", seed=number) for number in range(1, count + 1)]


def ended(evening: Evening, table: str, white: int = 3, black: int = 1, *, number: int = 0) -> dict[str, Any]:
    """A table's last event of the match that it is called to; ``number`` tells it from other matches."""
    call = evening.call_of(table)
    assert call is not None
    match = f"{number or len(evening.log.events):032x}"
    result = {"winner": "white" if white > black else "black", "reason": "hit"}
    told = {"table": table, "match": match, "phase": "match_over", "result": result}
    return {**call, **told, "score": {"white": white, "black": black}}


def take(evening: Evening, event: dict[str, Any]) -> None:
    """Have the result of this event count."""
    fenced = evening.result_of(event)
    assert fenced is not None
    evening.add(fenced)


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
