"""A table on its topics, heard by a client that knows nothing of us: status, state, every event and sentence."""

from __future__ import annotations

import json
import subprocess
import sys
import threading
from collections.abc import Callable, Iterator
from random import Random
from typing import TYPE_CHECKING, Any, Final

import pytest

from engine.record.answers import answer_to_json
from engine.rules.track import BySide
from firmware.extras.club.card import JoinCard
from firmware.extras.club.demo import judged_match, shown_step
from firmware.extras.club.publisher import said
from tests.firmware.extras.club.conftest import ROOT, faults
from tests.waiting import HANG_S, until

if TYPE_CHECKING:
    from tests.firmware.extras.club.conftest import Club

pytestmark = pytest.mark.slow

SEED: Final = 1
"""Of a match of bots in which hands are shown, and somebody gives up."""
NAMES: Final = BySide("Anna", "Ben")
TABLE: Final = f"""
import sys
from pathlib import Path
from random import Random
from engine.rules.track import BySide
from firmware.extras.club.card import read_card
from firmware.extras.club.publisher import Publisher, said
from firmware.extras.club.demo import judged_match, shown_step, told_step
from firmware.table.loop.moment import People
from tests.waiting import all_sent

names = BySide("Anna", "Ben")
publisher = Publisher(read_card(Path(sys.argv[1])), Path(sys.argv[2]), People(names, "en"))
publisher.start()
for at, step in enumerate(judged_match(Random({SEED}), points=2), 1):
    sentence = said(step.ruling, step.state, names, "en")
    publisher.tell(told_step(step, names, t_s=at / 8), shown_step(step, names, at), sentence)
print("told" if all_sent(publisher) else "not told", flush=True)
sys.stdin.read()
"""


class Listener:
    """Somebody's MQTT client: what came, as topic, payload, quality of service and whether it had been kept."""

    def __init__(self, card: JoinCard) -> None:
        from paho.mqtt import client as mqtt
        from paho.mqtt.enums import CallbackAPIVersion

        self.heard: list[tuple[str, bytes, int, bool]] = []
        self.listens = threading.Event()
        self._client = mqtt.Client(CallbackAPIVersion.VERSION2)
        self._client.username_pw_set(card.user, card.password)
        self._client.on_connect = lambda client, *_: client.subscribe("engarde/1/fk/#", qos=2)
        self._client.on_subscribe = lambda *_: self.listens.set()
        self._client.on_message = lambda _client, _data, each: self.heard.append(
            (each.topic, bytes(each.payload), each.qos, each.retain)
        )
        self._client.connect(card.host, card.port)
        self._client.loop_start()

    def of(self, what: str) -> list[tuple[bytes, int, bool]]:
        return [each[1:] for each in self.heard if each[0] == f"engarde/1/fk/1/{what}"]

    def close(self) -> None:
        self._client.disconnect()
        self._client.loop_stop()


@pytest.fixture
def listening(club: Club) -> Iterator[Callable[..., Listener]]:
    """Another client each time, which listens when this returns."""
    made: list[Listener] = []

    def listen(card: str = "desk") -> Listener:
        made.append(Listener(club.cards[card]))
        assert made[-1].listens.wait(HANG_S)
        return made[-1]

    yield listen
    for each in made:
        each.close()


def test_a_match_is_heard_whole_and_a_table_that_is_killed_is_gone(
    club: Club, listening: Callable[..., Listener]
) -> None:
    steps = list(judged_match(Random(SEED), points=2))
    early = listening("listener")
    program = [sys.executable, "-c", TABLE, str(club.folder / "cards" / "1.toml"), str(club.folder / "outbox.sqlite")]
    table = subprocess.Popen(program, cwd=ROOT, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)
    try:
        assert table.stdout is not None
        assert table.stdout.readline() == "told\n"
        assert until(lambda: len(early.of("event")) == len(steps))
        assert early.of("status") == [(b"online", 1, False)]

        # Every accepted event, once and in order, with what ``engarde judge`` answers to it.
        assert {each[1:] for each in early.of("event")} == {(1, False)}
        events = [json.loads(payload) for payload, _, _ in early.of("event")]
        (match,) = {event["match"] for event in events}
        assert [event["seq"] for event in events] == [*range(1, len(steps) + 1)]
        assert [event["t"] for event in events] == [at / 8 for at in range(1, len(steps) + 1)]
        assert [event["ruling"] for event in events] == [answer_to_json(step.state, step.ruling) for step in steps]
        assert [fault for event in events for fault in faults("club-event.json", event)] == []
        sentences = [said(step.ruling, step.state, NAMES, "en").encode() for step in steps]
        assert until(lambda: [payload for payload, _, _ in early.of("said")] == sentences)

        # Whoever comes later is told that the table is there, and what it shows.
        def newest() -> dict[str, Any]:
            late = listening()
            assert until(lambda: late.of("status") and late.of("state"))
            late.close()  # the broker parts with one of two under the same name
            assert late.of("status") == [(b"online", 1, True)]
            payload, *rest = late.of("state")[0]  # what it shows next may follow at once
            assert rest == [1, True]
            state: dict[str, Any] = json.loads(payload)
            return state

        assert until(lambda: newest()["seq"] == len(steps))
        state = newest()
        assert faults("club-state.json", state) == []
        assert (state["match"], state["t"]) == (match, len(steps) / 8)
        assert shown_step(steps[-1], NAMES, len(steps)).items() <= state.items()

        table.kill()
        assert until(lambda: len(early.of("status")) == 2)
        assert early.of("status")[1] == (b"offline", 1, False)
        after = listening()
        assert until(lambda: after.of("status") and after.of("state"))
        assert after.of("status") == [(b"offline", 1, True)]
        assert json.loads(after.of("state")[0][0]) == state
    finally:
        table.kill()
        table.communicate()

    assert {name for name, *_ in early.heard} == {
        f"engarde/1/fk/1/{what}" for what in ("status", "state", "event", "said")
    }


def test_a_table_that_parts_says_so(club: Club, listening: Callable[..., Listener]) -> None:
    early, table = listening(), club.publisher("1")
    assert until(lambda: early.of("status") == [(b"online", 1, False)])
    table.close()
    assert until(lambda: early.of("status")[1:] == [(b"offline", 1, False)])
    assert early.of("state") == []
