"""Competitions of any kind and size: what has to hold whatever happens in them."""

from __future__ import annotations

import json
from itertools import combinations, pairwise
from random import Random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from engine.competition.bouts import CompetitionError, Entrant, Terms
from engine.competition.events import (
    KINDS,
    CompetitionEvent,
    Corrected,
    Entered,
    FencedAgain,
    LeagueBegun,
    Left,
    Log,
    Lost,
    LotsDrawn,
    MatchFenced,
    Opened,
    PoolsBegun,
    RoundPaired,
    SwissBegun,
    TableauBegun,
    TakenBack,
    event_from_json,
    event_to_json,
)
from engine.competition.phases import order_of_bouts, seats
from tests.engine.competition.conftest import begun, decided, replay


def to_the_end(log: Log, rng: Random, points: int = 5) -> Log:
    while due := log.standing.due():
        log = log.and_then(decided(rng.choice(due), rng, points))
    return log


def with_lots(log: Log, rng: Random) -> Log:
    for group in log.standing.level():
        log = log.and_then(LotsDrawn(tuple(rng.sample(group, len(group)))))
    return log


@pytest.mark.parametrize("size", range(2, 21))
def test_in_a_pool_everybody_meets_everybody_once(size: int) -> None:
    order = order_of_bouts(size)
    assert sorted(tuple(sorted(pair)) for pair in order) == list(combinations(range(1, size + 1), 2))
    if size >= 5:
        assert [pair for pair, then in pairwise(order) if {*pair} & {*then}] == []


@pytest.mark.parametrize("size", [2, 4, 8, 16, 32, 64])
def test_the_best_meet_last(size: int) -> None:
    places = seats(size)
    assert sorted(places) == list(range(1, size + 1))
    while len(places) > 1:
        pairs = list(zip(places[::2], places[1::2], strict=True))
        assert {first + second for first, second in pairs} == {len(places) + 1}
        places = tuple(min(pair) for pair in pairs)
    assert seats(8) == (1, 8, 5, 4, 3, 6, 7, 2)


@pytest.mark.slow
@settings(max_examples=12, deadline=None)
@given(fencers=st.integers(3, 20), pools=st.integers(1, 4), seed=st.integers(0, 10**6), third=st.booleans())
def test_pools_and_a_tableau(fencers: int, pools: int, seed: int, third: bool) -> None:
    if fencers < 3 * pools:
        with pytest.raises(CompetitionError, match="ask for fewer pools"):
            begun(PoolsBegun(pools), fencers=fencers)
        return
    rng = Random(seed)
    log = to_the_end(begun(PoolsBegun(pools), fencers=fencers), rng)
    lines = [each.line for each in log.standing.standing()]
    sizes = {len(group) for group in log.standing.phase.groups}  # type: ignore[union-attr]
    assert max(sizes) - min(sizes) <= 1
    assert sum(line.victories for line in lines) == len(log.standing.bouts)
    assert sum(line.indicator for line in lines) == 0
    log = to_the_end(with_lots(log, rng).and_then(TableauBegun(third=third)), rng)
    ranking = log.standing.ranking()
    assert sorted(fencer for _, fencer in ranking) == sorted(log.standing.fencers)
    assert [place for place, _ in ranking[:3]] == [1, 2, 3]
    thirds = sum(place == 3 for place, _ in ranking)
    assert thirds == (1 if third or fencers == 3 else 2)
    fenced = [bout for bout in log.standing.bouts if "T" in bout.id and bout.scores]
    assert len(fenced) == fencers - 1 + (third and fencers > 3)
    assert replay(log.events).standing == log.standing


@pytest.mark.slow
@settings(max_examples=25, deadline=None)
@given(fencers=st.integers(2, 40), seed=st.integers(0, 10**6))
def test_swiss_rounds(fencers: int, seed: int) -> None:
    rng = Random(seed)
    log = begun(SwissBegun(), fencers=fencers)
    rounds = min(5, fencers - 1)
    for number in range(1, rounds + 1):
        log = to_the_end(log, rng)
        if number < rounds:
            log = log.and_then(RoundPaired())
    met = [frozenset((bout.first, bout.second)) for bout in log.standing.bouts if bout.second is not None]
    rested = [bout.first for bout in log.standing.bouts if bout.second is None]
    assert len(rested) == (fencers % 2) * rounds
    assert len({*rested}) == len(rested)
    if fencers > 10:
        assert len({*met}) == len(met)
    assert all(each.line.bouts == rounds for each in log.standing.standing())
    assert sum(each.line.victories for each in log.standing.standing()) == len(log.standing.bouts)


def test_a_league_goes_on_when_somebody_joins() -> None:
    rng = Random(1)
    log = begun(LeagueBegun(2), fencers=4)
    log = log.and_then(decided(log.standing.due()[0], rng))
    log = log.and_then(Entered(Entrant("late", "Late")))
    assert len(log.standing.bouts) == 20
    assert sum(bool(bout.scores) for bout in log.standing.bouts) == 1
    log = log.and_then(Left("2"))
    log = to_the_end(log, rng)
    assert log.standing.over
    assert {each.line.fencer for each in log.standing.standing()} == {"1", "2", "3", "4", "late"}


def test_who_leaves_a_tableau_lets_the_other_go_on() -> None:
    log = begun(TableauBegun(), Left("1"), fencers=8)
    assert log.standing.bout("1T8-1").winner == "8"
    with pytest.raises(CompetitionError, match="too late"):
        log.and_then(Entered(Entrant("late", "Late")))
    both = log.and_then(Left("8"))
    assert both.standing.bout("1T8-1").winner == "1"
    log = to_the_end(both, Random(3))
    assert log.standing.over
    # Four of a pool that is over go on; who leaves then keeps what he fenced.
    log = to_the_end(begun(PoolsBegun(1), fencers=4), Random(4)).and_then(Left("1"))
    assert len(log.standing.standing()) == 4
    assert all(not bout.annulled for bout in log.standing.bouts)


def test_one_match_counts_once() -> None:
    log = begun(PoolsBegun(1), MatchFenced("1P1-1x2", 5, 3, True, "uid-1"))
    with pytest.raises(CompetitionError, match="counts already"):
        log.and_then(MatchFenced("1P1-3x4", 5, 3, True, "uid-1"))
    again = log.and_then(FencedAgain("1P1-1x2", "the wrong sheet"))
    assert again.standing.bout("1P1-1x2").due
    with pytest.raises(CompetitionError, match="no score yet"):
        again.and_then(FencedAgain("1P1-1x2"))


def test_a_correction_that_changes_who_would_have_met_is_refused() -> None:
    log = begun(TableauBegun(), fencers=4)
    log = log.and_then(MatchFenced("1T4-1", 5, 3, True)).and_then(MatchFenced("1T4-2", 5, 3, True))
    right = log.and_then(Corrected("1T4-1", 1, 2, 5, False, "sheets mixed up"))
    assert right.standing.bout("1T2-1").first == "4"
    late = log.and_then(MatchFenced("1T2-1", 5, 3, True))
    with pytest.raises(CompetitionError, match="fenced again first"):
        late.and_then(Corrected("1T4-1", 1, 2, 5, False))
    assert late.and_then(Corrected("1T4-1", 1, 5, 4, True)).standing.bout("1T4-1").touches == (5, 4)


def test_best_of_handicap_and_time() -> None:
    log = begun(TableauBegun(best_of=3), fencers=2)
    for score in ((5, 3, True), (1, 5, False)):
        log = log.and_then(MatchFenced("1T2-1", *score))
    assert log.standing.bout("1T2-1").winner is None
    log = log.and_then(MatchFenced("1T2-1", 5, 4, True))
    assert log.standing.bout("1T2-1").winner == "1"
    assert log.standing.bout("1T2-1").touches == (11, 12)
    with pytest.raises(CompetitionError, match="it is over"):
        log.and_then(MatchFenced("1T2-1", 5, 4, True))
    weak = Log().and_then(Opened("Evening")).and_then(Entered(Entrant("w", "Weak", handicap=2)))
    weak = weak.and_then(Entered(Entrant("s", "Strong"))).and_then(LeagueBegun())
    with pytest.raises(CompetitionError, match="from 2 to 5, not 1"):
        weak.and_then(MatchFenced("1L1-1x2", 1, 5, False))
    assert weak.and_then(MatchFenced("1L1-1x2", 2, 5, False)).standing.over
    with pytest.raises(CompetitionError, match="ends at 5 touches"):
        weak.and_then(MatchFenced("1L1-1x2", 3, 4, False))
    timed = begun(LeagueBegun(), fencers=2, terms=Terms(time_s=180)).and_then(MatchFenced("1L1-1x2", 3, 3, False))
    assert timed.standing.bout("1L1-1x2").winner == "2"


@pytest.mark.slow
@settings(max_examples=10, deadline=None)
@given(seed=st.integers(0, 10**6), steps=st.integers(5, 40))
def test_everything_can_be_taken_back_and_the_log_replays(seed: int, steps: int) -> None:
    rng = Random(seed)
    ways: list[CompetitionEvent] = [PoolsBegun(2), SwissBegun(), LeagueBegun(), TableauBegun(third=True)]
    log = begun(rng.choice(ways), fencers=8)
    for _ in range(steps):
        due = log.standing.due()
        tries: list[CompetitionEvent] = [
            *([decided(rng.choice(due), rng)] * 4 if due else [RoundPaired(), TableauBegun(cut=4)]),
            TakenBack(rng.randint(1, len(log.events))),
            Left(str(rng.randint(1, 8))),
            Entered(Entrant(f"late-{len(log.events)}", "Late")),
            *([Corrected(next(iter(log.standing.scores)), 1, 5, 0, True)] if log.standing.scores else []),
            *([FencedAgain(next(iter(log.standing.scores)))] if log.standing.scores else []),
        ]
        try:
            after = log.and_then(rng.choice(tries))
        except CompetitionError:
            continue
        if not isinstance(after.events[-1], Opened):
            back = after.and_then(TakenBack(len(after.events)))
            assert back.standing == log.standing
            assert back.and_then(TakenBack(len(back.events))).standing == after.standing
        log = after
    lines = [json.dumps(event_to_json(event)) for event in log.events]
    assert replay(event_from_json(json.loads(line)) for line in lines) == log


@pytest.mark.parametrize(
    ("obj", "sentence"),
    [
        (None, "a JSON object"),
        ({"event": "hoax"}, "event is one of opened"),
        ({"event": "left"}, "fencer: expected"),
        ({"event": "left", "fencer": 3}, "expected one line of text"),
        ({"event": "left", "fencer": "a", "more": 1}, "more: nothing of that name"),
        ({"event": "pools", "count": True}, "a whole number"),
        ({"event": "pools", "count": 10**9}, "a whole number"),
        ({"event": "pools", "count": 10**6}, "a whole number"),
        ({"event": "lots", "order": "ab"}, "expected a list"),
        ({"event": "entered", "fencer": []}, "expected an object"),
        ({"event": "fenced", "bout": "x" * 999, "first": 1, "second": 5, "first_won": False}, "0 to 200"),
    ],
)
def test_what_is_no_event_is_refused_in_a_sentence(obj: object, sentence: str) -> None:
    with pytest.raises(CompetitionError, match=sentence):
        event_from_json(obj)
    assert len(KINDS) == 13


def test_what_has_no_place_is_refused() -> None:
    log = begun(fencers=1)
    for event, sentence in (
        (Opened("Other"), "open already"),
        (MatchFenced("1P1-1x2", 5, 1, True), "there is no bout"),
        (LeagueBegun(), "at least 2"),
        (RoundPaired(), "nothing is fenced yet"),
        (Left("nobody"), "not among those"),
        (Entered(Entrant("1", "Twice")), "cannot enter"),
        (Entered(Entrant("h", "H", handicap=5)), "less than the 5"),
        (LotsDrawn(("1", "nobody")), "not among those"),
        (TakenBack(9), "cannot be taken back"),
        (TakenBack(1), "event 2 .entered. needs it"),
    ):
        with pytest.raises(CompetitionError, match=sentence):
            log.and_then(event)
    with pytest.raises(CompetitionError, match="of at least 2, not of 1"):
        begun(TableauBegun(cut=1), fencers=4)
    with pytest.raises(CompetitionError, match="first event opens"):
        replay([Left("1")])
    with pytest.raises(CompetitionError, match="1 to 100 points"):
        replay([Opened("Evening", Terms(best_of=2))])
    with pytest.raises(CompetitionError, match="best of"):
        replay([Opened("Evening", Terms(best_of=11))])
    assert replay([Opened("Evening", Terms(best_of=9))]).standing.terms.best_of == 9
    assert event_from_json({"event": "pools", "count": 10**6 - 1}) == PoolsBegun(10**6 - 1)
    assert [bout.id for bout in begun(TableauBegun(cut=2), fencers=4).standing.bouts] == ["1T2-1"]


def test_a_log_from_when_there_were_relays_is_read_where_it_has_none() -> None:
    old = {"event": "opened", "name": "Cup", "terms": {"points": 3, "relay": False, "tie": "extra"}}
    assert event_from_json(old) == Opened("Cup", Terms(3))
    entered = {"event": "entered", "fencer": {"id": "a", "name": "Anna", "members": []}}
    assert event_from_json(entered) == Entered(Entrant("a", "Anna"))
    for relay in ({**old, "terms": {"relay": True}}, {"event": "leg", "bout": "1T2-1", "first": 5, "second": 3}):
        with pytest.raises(CompetitionError):
            event_from_json(relay)


def test_a_lost_event_keeps_its_number_and_changes_nothing() -> None:
    events: list[CompetitionEvent] = [Opened("Cup"), Lost("line 2"), Entered(Entrant("a", "Anna")), TakenBack(3)]
    log = replay(events)
    assert (len(log.events), log.standing.fencers) == (4, {})
    with pytest.raises(CompetitionError, match="event is one of"):
        event_from_json({"event": "lost", "why": "nobody says so"})
