"""What goes over the wire: by the schemas, and never a card, whatever is played."""

from __future__ import annotations

import json
import re
import subprocess
import sys
from collections.abc import Iterator, Sequence
from dataclasses import fields
from pathlib import Path
from random import Random
from typing import Any, Final

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from display.view import NO_NAMES
from engine.companion.companion import name_of
from engine.competition.bouts import Entrant, Terms
from engine.competition.events import KINDS, Corrected, Entered, LotsDrawn, MatchFenced, Opened, event_to_json
from engine.rules.cards import LETTERS, Card
from engine.rules.events import Event, MatchEvent, RevealEvent, TurnEvent, YieldEvent
from engine.rules.referee import judge
from engine.rules.rulesets import RULE_SETS
from engine.rules.rulings import Ruling
from engine.rules.state import Phase, PublicState, Reason, Result
from engine.rules.track import BySide, Side
from engine.table.desk import Entry
from firmware.extras.club.demo import SimulatedStep, judged_match, shown_step, told_step
from firmware.extras.club.hall_book import impossible
from firmware.extras.club.messages import START, EventTold, dumped, framed, read, sealed, state_message, told
from firmware.extras.club.publisher import said
from tests.firmware.extras.club.conftest import NAMES, ROOT, SCHEMAS, chained, faults, unsealed, wrong_shape
from tests.matches import match_of
from tests.scenes import Scene, played, scenes

SAID: Final = Path(__file__).with_name("said.txt")
WRONG: Final[tuple[Any, ...]] = ({}, [], 1.5, -1, "x" * 999, True, None, "wrong")
CARD: Final = re.compile(r"(?<![0-9A-Za-z])[1-5][a-e](?![0-9A-Za-z])", re.IGNORECASE)


def wire_of(
    seed: int = 1,
    rules: str = "ferti-advanced",
    names: BySide[str] = NAMES,
    letters: Sequence[str] = LETTERS,
    *,
    sentences: bool = False,
) -> list[str]:
    """All that a table sends over such a match, with other letters on the cards before anything is judged."""
    swapped = dict(zip(LETTERS, letters, strict=True))
    sent, before, state = [], START, None
    for number, each in enumerate(match_of(MatchEvent(rules, points=2), Random(seed)), 1):
        entry_event = _relettered(each.event, swapped)
        state, ruling = judge(state, entry_event)
        assert ruling.ok
        body = told(Entry(1.0 * number, entry_event, ruling, state), names)
        assert body is not None
        made = sealed(before, framed("1", "0" * 32, number, 12.5, body))
        before = made["sum"]
        assert state is not None
        shown = shown_step(SimulatedStep(entry_event, ruling, state), names, number)
        sent += [dumped({"said": said(ruling, state, names, "en")})] if sentences else []
        sent += [dumped(made), dumped(state_message("1", "0" * 32, number, 1.0 * number, shown, {"0" * 32: number}))]
    return sent


def events_of() -> list[dict[str, Any]]:
    """The events among it, of one match."""
    return [event for event in map(json.loads, wire_of()) if "ruling" in event]


def _relettered(event: Event, swapped: dict[str, str]) -> Event:
    def other(cards: tuple[Card, ...]) -> tuple[Card, ...]:
        return tuple(Card(card.value, swapped[card.letter]) for card in cards)

    match event:
        case TurnEvent(cards, white, black):
            return TurnEvent(other(cards), white, black)
        case YieldEvent(cards):
            return YieldEvent(other(cards))
        case RevealEvent(white_hand, black_hand):
            return RevealEvent(other(white_hand), other(black_hand))
    return event


@pytest.mark.slow
@settings(max_examples=15, deadline=None)
@given(seed=st.integers(0, 10**6), rules=st.sampled_from(sorted(RULE_SETS)), letters=st.permutations(LETTERS))
def test_no_card_is_ever_on_the_wire(seed: int, rules: str, letters: list[str]) -> None:
    names = BySide("Anna", name_of("club"))
    sent = wire_of(seed, rules, names, sentences=True)
    for text in sent:
        assert CARD.search(re.sub(r'"(match|prev|sum)":"[0-9a-f]*"', "", text)) is None
        assert not {"cards", "hand", "hands", "unseen", "top_discard", "revealed"} & set(json.loads(text))
    for event, ruling, state, *_ in match_of(MatchEvent(rules, points=2), Random(seed)):
        if isinstance(event, RevealEvent):  # other hands that are decided alike are the same on the wire
            shown, none = (Entry(1.0, each, ruling, state) for each in (event, RevealEvent((), ())))
            assert told(shown, names) == told(none, names)
    # Which card it was changes nothing: whoever listens learns no more than the values that everybody sees played.
    assert wire_of(seed, rules, names, letters, sentences=True) == sent


@pytest.mark.slow
@settings(max_examples=10, deadline=None)
@given(seed=st.integers(0, 10**6), rules=st.sampled_from(sorted(RULE_SETS)))
def test_what_is_sent_is_as_described_and_is_believed(seed: int, rules: str) -> None:
    before: dict[str, Any] | None = None
    last_state: dict[str, Any] = {}
    for text in wire_of(seed, rules):
        message = json.loads(text)
        if "ruling" not in message:
            assert faults("club-state.json", message) == []
            last_state = message
            continue
        assert faults("club-event.json", message) == []
        assert wrong_shape(message, "1") == ""
        assert impossible(before, read(message)) == ""
        before = read(message)
    assert faults("club-state.json", {**last_state, "unheard_of": True})
    assert [name for name in last_state if not faults("club-state.json", without(last_state, name))] == []


@pytest.mark.parametrize("ahead", [BySide(0, 0), BySide(2, 0), BySide(1, 2)])
def test_a_simulated_match_with_a_handicap_is_believed(ahead: BySide[int]) -> None:
    steps = judged_match(Random(11), points=3, ahead=ahead)
    before: dict[str, Any] | None = None
    heard = []
    for event in chained(told_step(step, NAMES) for step in steps):
        assert faults("club-event.json", event) == []
        assert wrong_shape(event, "1") == ""
        assert impossible(before, read(event)) == ""
        before = read(event)
        heard.append((before["kind"], before["score"]))
    nothing, handicap = ({"white": score.white, "black": score.black} for score in (BySide(0, 0), ahead))
    assert heard[:2] == [("match", nothing), ("round", nothing)]
    assert heard[2] == ("correct" if ahead != BySide(0, 0) else "turn", handicap)
    assert max(heard[-1][1].values()) == 3


class SaidScene(Scene):
    """What a table says of a match, a sentence or more for each event."""

    def __init__(self) -> None:
        self.language, self.names = "en", NO_NAMES
        self.steps: list[SimulatedStep] = []

    def does(self, line: str) -> Iterator[str]:
        self.said: list[str] = []
        yield from super().does(line)
        yield from self.said

    def say(self, ruling: Ruling, state: PublicState) -> None:
        self.said.append(said(ruling, state, self.names, self.language))

    def do_speak(self, language: str) -> None:
        self.language = language

    def do_names(self, white: str, black: str) -> None:
        self.names = BySide(white, black)

    def do_match(self, seed: str, rules: str, points: str) -> None:
        """Two bots play this match."""
        self.steps = list(judged_match(Random(int(seed)), rules, int(points)))
        for step in self.steps:
            self.say(step.ruling, step.state)
        self.state = self.steps[-1].state

    def do_at(self, phase: str) -> None:
        """From now on it stands as it first did in this phase."""
        self.state = next(step.state for step in self.steps if step.state.phase is Phase(phase))

    def do_result(self, reason: str, winner: str) -> None:
        """It ended so."""
        side = None if winner == "nobody" else Side(winner)
        self.state = self.state._replace(result=Result(side, Reason(reason)))

    def do_as(self, kind: str) -> None:
        """It stands there after an event of this kind."""
        self.say(Ruling(True, kind), self.state)


@pytest.mark.parametrize("scene", scenes(SAID))
def test_a_match_is_told_in_sentences_that_a_person_can_follow(scene: str, request: pytest.FixtureRequest) -> None:
    assert played(SAID, scene, SaidScene(), request) == scene


def test_who_gave_up_is_read_from_who_won() -> None:
    matches = (judged_match(Random(seed), rules) for seed, rules in enumerate((*sorted(RULE_SETS),) * 2))
    given_up = [step for match in matches for step in match if isinstance(step.event, YieldEvent)]
    who = [step.ruling.player for step in given_up]
    assert set(who) == set(Side)
    assert [read(told_step(step, NAMES))["player"] for step in given_up] == [
        side.value for side in who if side is not None
    ]


@pytest.mark.slow
def test_an_event_conforms_exactly_when_it_is_taken() -> None:
    events = events_of()
    last_of = {event["ruling"]["ruling"]: event for event in events}
    assert set(last_of) >= {"match", "round", "turn"}
    for event in last_of.values():
        assert set(event) == {each.name for each in fields(EventTold)} == set(SCHEMAS["club-event.json"]["properties"])
        for what, body in spoiled_values(unsealed(event)):
            if not isinstance(body, dict) or body.get("table") != "1":
                continue
            spoiled = sealed(event["prev"], body)
            described, taken = not faults("club-event.json", spoiled), not wrong_shape(spoiled, "1")
            if re.match(r"\.ruling\.state\.(distance|white|black) |\.names", what):
                assert taken <= described, what  # that spaces agree, and what is a name, no schema can say
            else:
                assert taken == described, what
        for name in ("prev", "sum"):
            assert faults("club-event.json", without(event, name))
        assert wrong_shape({**event, "t": event["t"] + 1}, "1") == "its sum does not hold"
        assert wrong_shape(event, "2") == 'it speaks for table "1"'


@pytest.mark.parametrize(
    "lie",
    [
        {"phase": "reveal", "to_act": None},
        {"phase": "setup", "to_act": None, "attack": None},
        {"phase": "round_over", "to_act": None, "attack": None},
        {"result": {"winner": "white", "reason": "hit"}},
        {"to_act": None},
        {"round": 0},
        {"distance": 22},
        {"white": 9, "black": 9, "distance": 0},
        {"hands": {"white": 6, "black": 5}},
    ],
)
def test_a_state_that_contradicts_itself_is_not_taken(lie: dict[str, Any]) -> None:
    events = events_of()
    event = next(each for each in events if each["ruling"]["state"]["attack"])
    ruling = {**event["ruling"], "state": {**event["ruling"]["state"], **lie}}
    lied = sealed(event["prev"], {**unsealed(event), "ruling": ruling})
    assert wrong_shape(event, "1") == ""
    assert wrong_shape(lied, "1").startswith("ruling.state")
    assert bool(faults("club-event.json", lied)) == (lie != {"distance": 22}), "a schema cannot subtract"


def without(message: dict[str, Any], name: str) -> dict[str, Any]:
    return {key: value for key, value in message.items() if key != name}


def spoiled_values(value: Any, where: str = "") -> Iterator[tuple[str, Any]]:
    """It with something else in the place of one of its values, with one left out, and with one more, at any depth."""
    yield from ((f"{where} {wrong!r:.9}", wrong) for wrong in (*WRONG, "white", "turn", 3, 22) if wrong != value)
    if isinstance(value, dict):
        yield f"{where}+", {**value, "hand": ["1a"]}
        for name in value:
            yield f"{where}.{name}-", without(value, name)
            yield from ((what, {**value, name: each}) for what, each in spoiled_values(value[name], f"{where}.{name}"))


def test_every_event_of_a_competition_is_described() -> None:
    values: dict[type[Any], tuple[Any, ...]] = {
        Opened: ("Evening", Terms(5, 3, 180)),
        Entered: (Entrant("a", "Anna", "FK", 1, 2),),
        MatchFenced: ("1P1-1x2", 5, 3, True, "uid", "2026-11-22"),
        Corrected: ("1P1-1x2", 1, 5, 4, True),
        LotsDrawn: (("a", "b"),),
    }
    for kind in KINDS.values():
        needed = {"left": ("a",), "again": ("1P1-1x2",), "taken_back": (3,)}.get(kind.what, ())
        told_event = json.loads(json.dumps(event_to_json(kind(*values.get(kind, needed)))))
        assert faults("competition-event.json", told_event) == []
        assert faults("competition-event.json", {**told_event, "more": 1})


@pytest.mark.slow
def test_who_has_one_table_needs_none_of_it() -> None:
    """What is run at a table imports neither the broker's library nor that of certificates, and does without them."""
    program = (
        "import sys\n"
        "class No:\n"
        "    def find_spec(self, name, path=None, target=None):\n"
        "        if name.split('.')[0] in ('paho', 'cryptography'):\n"
        "            raise ImportError(name)\n"
        "sys.meta_path.insert(0, No())\n"
        "from firmware.cli import main\n"
        "from firmware.cli.commands import play, demo, teach\n"
        "assert not any(name.split('.')[0] in ('paho', 'cryptography') for name in sys.modules)\n"
        "from pathlib import Path\n"
        "from firmware.extras.club.card import JoinCard\n"
        "from firmware.extras.club.link import Link\n"
        "try:\n"
        "    Link(JoinCard('fk', '1', 'localhost'))\n"
        "except Exception as error:\n"
        "    print(error)\n"
    )
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, cwd=ROOT, check=True)
    assert "MQTT needs paho-mqtt, which is not installed" in done.stdout
