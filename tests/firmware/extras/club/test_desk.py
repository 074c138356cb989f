"""What the desk may say, and what it is told."""

from __future__ import annotations

import json
from datetime import datetime
from pathlib import Path

import pytest

from engine.competition.bouts import CompetitionError, Entrant, Terms
from engine.competition.events import (
    CompetitionEvent,
    Corrected,
    Entered,
    LeagueBegun,
    Left,
    LotsDrawn,
    Opened,
    PoolsBegun,
    SwissBegun,
    TableauBegun,
    TakenBack,
)
from firmware.extras.club.desk import TICKET_S, AnsweringDesk, AskingDesk
from firmware.extras.club.desk_words import SENTENCES, event_of_words, overview, usage
from firmware.extras.club.evening import Evening
from firmware.extras.club.results import tables
from firmware.extras.club.topics import ClubError
from tests.firmware.conftest import SetClock
from tests.firmware.extras.club.conftest import ended, evening_of, numbered, take


def fence(evening: Evening, table: str) -> None:
    """The match that this table was called to, won by White."""
    call = evening.call_of(table)
    assert call is not None
    take(evening, ended(evening, table, call["points"]))


def test_everybody_can_be_called_by_name(tmp_path: Path) -> None:
    evening = Evening(tmp_path / "evening.jsonl")
    evening.add(Opened("Evening"))
    evening.add(Entered(Entrant("a", " Ana  Lima ")))
    evening.add(Entered(Entrant("b", "Ben")))
    assert evening.now is not None
    assert evening.now.fencers["a"].name == "Ana Lima"
    for name, told in (
        ("ana lima", "the name of a too"),
        ("x" * 41, "at most 40 letters"),
        ("", "at least one letter"),
    ):
        with pytest.raises(CompetitionError, match=told):
            evening.add(Entered(Entrant("c", name)))
    evening.add(TableauBegun())
    evening.place(["1"])
    fence(evening, "1")
    assert Evening(evening.path).now == evening.now


def test_the_desk_sees_how_the_evening_stands(tmp_path: Path) -> None:
    evening = Evening(tmp_path / "evening.jsonl")
    assert overview(evening, {}) == ["Nothing is open yet: open NAME begins."]
    evening = evening_of(evening.path, numbered(4), PoolsBegun(1))
    evening.place(["1"])
    fence(evening, "1")
    evening.add(TakenBack(len(evening.log.events)))
    evening.place(["2"])
    told = overview(evening, {})
    one, four = "Given1 Family1 (1)", "Given4 Family4 (4)"
    assert told[0] == "Evening"
    assert told[7:9] == [f"   7  result 1P1-1x4 {one} – {four} 3:1  (taken back)", "   8  back 7"]
    assert told[9:11] == ["Called:", f"  piste 2: 1P1-1x4 {one} – {four}"]
    assert told[11] == "Waiting:"
    assert len(told) == 12 + 5
    while evening.now is not None and evening.now.due():
        evening.place(["2"])
        fence(evening, "2")
    for event in (Corrected("1P1-1x4", 1, 1, 3, False, "misread"), LotsDrawn(("2", "1")), Left("3", "ill")):
        evening.add(event)
    told = overview(evening, {})
    assert any(line.endswith(f"correct 1P1-1x4 {one} – {four} match 1: 1:3 misread") for line in told)
    assert any(line.endswith("left Given3 Family3 (3) ill") for line in told)
    assert told[-1] == "All of this phase is fenced."
    refused = {
        "7": {"it is no JSON object": 2, "its sum does not hold": 9},
        "2": {f"reason {n}": n for n in range(1, 8)},
    }
    assert overview(evening, refused) == [
        *told,
        "Not believed of piste 2, 28 in all:",
        *(f"  {n} times: reason {n}" for n in (7, 6, 5, 4, 3)),
        "Not believed of piste 7, 11 in all:",
        "  9 times: its sum does not hold",
        "  2 times: it is no JSON object",
    ]


@pytest.mark.parametrize("way", [LeagueBegun(), SwissBegun()])
def test_a_league_and_swiss_rounds_show_what_was_fenced(way: LeagueBegun | SwissBegun, tmp_path: Path) -> None:
    clock = SetClock(wall=datetime(2026, 11, 24, 20).timestamp())
    fencers = (Entrant(name, name) for name in ("Ana", "Ben", "Cem"))
    evening = evening_of(tmp_path / "evening.jsonl", fencers, way, Terms(5), clock)
    assert evening.now is not None
    assert len(tables(evening.now, "en")) == 2, "nothing was fenced yet"
    evening.place(["1"])
    call = evening.call_of("1")
    assert call is not None
    fence(evening, "1")
    white, black = call["names"]["white"], call["names"]["black"]
    told = tables(evening.now, "en")[-1]
    row = [white, "5 : 1", black, f"→ {white}"]
    of_league = [["2026-11-24", *row]]
    assert (told.title, told.rows) == ("Matches", of_league if isinstance(way, LeagueBegun) else [row])


@pytest.mark.parametrize(
    ("text", "told"),
    [
        ("opne Cup", "did you mean open?"),
        ("open Autumn cup", '"cup" means nothing here'),
        ("open Cup points=-3", "points is a whole number from 1 to 100"),
        ("open Cup points=0", "points is a whole number from 1 to 100"),
        ("open Cup points=5.0", "points is a whole number from 1 to 100"),
        ("open Cup points=٣", "points is a whole number from 1 to 100"),
        ("open Cup best_of=0", "best_of is 1, 3, 5, 7 or 9"),
        ("open Cup tie=extr", "tie is extra, touch or lot"),
        ("open Cup poits=3", "did you mean points?"),
        ("open Cup points=3 points=4", "points once"),
        ("open", "NAME is missing"),
        ("open \ud800", "name is 1 to 200 characters"),
        ("enter a Ana handicap=-9", "handicap is a whole number"),
        ("enter a Ana seed=9999999", "seed is a whole number"),
        ("pools 2 extra words", '"extra" means nothing here'),
        ("pools", "COUNT is missing"),
        ("swiss 5", '"5" means nothing here'),
        ("round 3", '"3" means nothing here'),
        ("league 2 x", '"x" means nothing here'),
        ("league 5", "legs is a whole number from 1 to 4"),
        ("tableau cut=0", "cut is a whole number from 2"),
        ("tableau third=maybe", "third is yes or no"),
        ("lots", "ID is missing"),
        ("back 0", "number is a whole number from 1"),
        ("result 1P1-1x2 5", "AGAINST is missing"),
        ("result 1P1-1x2 3 5 first", "first is for a level score"),
        ("result 1P1-1x2 5 5 frist", "did you mean first?"),
        ("result 1P1-1x2 5 5 day", "did you mean day?"),
        ("correct 1P1-1x2 0 5 3", "match is a whole number from 1 to 9"),
    ],
)
def test_words_have_types_and_the_nearest_known_one_is_named(text: str, told: str) -> None:
    with pytest.raises(ClubError) as caught:
        event_of_words(text.split(" "))
    assert told in str(caught.value)


@pytest.mark.parametrize("word", ["yes", "Yes", "true", "TRUE", "on", "1"])
def test_yes_is_yes_however_it_is_written(word: str) -> None:
    assert event_of_words(["tableau", f"third={word}"]) == TableauBegun(third=True)
    assert event_of_words(["TABLEAU", "third=No"]) == TableauBegun(third=False)


def test_every_command_is_understood_as_its_usage_says() -> None:
    for word in SENTENCES:
        said = [each.strip("[]").split("|")[0] for each in usage(word).replace(" ..]", "]").split()]
        numbers = {"COUNT": "2", "TOUCHES": "5", "AGAINST": "3", "MATCH": "1", "LEGS": "2", "NUMBER": "4", "first": ""}
        assert event_of_words([each for each in (numbers.get(one, one) for one in said) if each])


def test_a_ticket_is_good_for_one_command_of_a_moment_ago() -> None:
    done: list[CompetitionEvent] = []

    def do(event: CompetitionEvent) -> int:
        done.append(event)
        return len(done)

    hall = AnsweringDesk(do, lambda: ["a line"])
    one, two = AskingDesk(Opened("Cup")), AskingDesk(Opened("Late"))
    first, later = (each.hear(hall.answer(each.first().encode(), 0.0).encode()) for each in (one, two))
    assert first is not None
    assert later is not None
    for _ in range(2):  # the broker delivers it again
        one.hear(hall.answer(first.encode(), 1.0).encode())
        assert one.answer is not None
        assert (one.answer.ok, one.answer.events, done) == (True, 1, [Opened("Cup")])
    stolen = json.dumps({**json.loads(first), "id": "0" * 32})
    assert not json.loads(hall.answer(stolen.encode(), 1.0))["ok"]
    two.hear(hall.answer(later.encode(), TICKET_S + 0.1).encode())
    assert two.answer is not None
    assert (two.answer.ok, done) == (False, [Opened("Cup")])
    for rubbish in (b"", b"[", b'{"id":"\\ud800"}', b"9" * 99, json.dumps({"id": "0" * 32, "ask": "do"}).encode()):
        assert not json.loads(hall.answer(rubbish, 2.0))["ok"]
    assert done == [Opened("Cup")]
