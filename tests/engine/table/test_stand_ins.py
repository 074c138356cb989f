"""Cards entered by hand under a letter that may be another one: what is read later is understood all the same."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from random import Random

import pytest

from engine.players.players import RandomBot, choice_event
from engine.players.simulation import play, start_round
from engine.rules.cards import Card
from engine.rules.events import MatchEvent, TurnEvent
from engine.rules.referee import judge
from engine.rules.state import FullState, Phase, PublicState
from engine.rules.track import BySide, Side
from engine.table.observation import CardReading, FigureReading, Sight, TableObservation
from engine.table.possible_turns import InPart, proposals
from engine.table.stand_ins import NO_STAND_INS, NOBODY_ASKED, AskedCards, StandIns, understood
from engine.table.table_reading import Unreadable, read_reveal, read_turn
from tests.engine.conftest import position

A, B, C = (Card(3, letter) for letter in "abc")
FOUR = Card(4, "c")
OPENED_S = 10.0


def table(white: int, black: int, *cards: Card, laid_s: float = 12.0, sight: Sight = Sight.STEADY) -> TableObservation:
    readings = tuple(CardReading(card, 100.0, -100.0, laid_s) for card in cards)
    return TableObservation(20.0, 15.0, BySide(FigureReading(white), FigureReading(black)), readings, sight)


@pytest.fixture
def state() -> PublicState:
    """Black on 12 is to act, White on 4; the last turn was a three entered by hand, as 3a."""
    made: PublicState = position(white=4, black=12, to_act=Side.BLACK).state
    return made._replace(played=(Card(1, "a"), A))


def turn(state: PublicState, seen: TableObservation, asked: AskedCards = NOBODY_ASKED) -> TurnEvent:
    seen, _ = understood(state, seen, StandIns((A,)), OPENED_S, 300.0, asked)
    found = read_turn(state, seen, OPENED_S)
    assert not isinstance(found, Unreadable)
    return found


def test_the_card_it_really_was_does_not_count_as_laid_now(state: PublicState) -> None:
    seen = table(4, 8, B, FOUR)
    assert not judge(state, TurnEvent((B, FOUR), 4, 8))[1].ok
    found, names = understood(state, table(4, 8, Card(1, "a"), B, FOUR), StandIns((A,)), OPENED_S, 300.0)
    assert read_turn(state, found, OPENED_S) == TurnEvent((FOUR,), 4, 8)
    assert names == StandIns((), ((B, A),))
    assert turn(state, seen) == TurnEvent((FOUR,), 4, 8)


def test_a_card_of_that_value_may_be_played_now(state: PublicState) -> None:
    assert turn(state, table(4, 9, B)) == TurnEvent((B,), 4, 9)
    assert turn(state, table(4, 9, B, C)) in (TurnEvent((B,), 4, 9), TurnEvent((C,), 4, 9))


def test_where_both_are_legal_the_players_are_asked(state: PublicState) -> None:
    """Black goes five forward and stands three away: was the three laid to attack, or before?"""
    five = Card(5, "c")
    seen = table(4, 7, B, five)
    found, names = understood(state, seen, StandIns((A,)), OPENED_S, 300.0)
    assert found.glimpsed == (B,)
    assert names == StandIns((A,))
    asked = AskedCards(frozenset({B}), 13.0)
    assert turn(state, seen, asked) == TurnEvent((five,), 4, 7)  # pressed again
    assert turn(state, table(4, 7, five, B, laid_s=14.0), asked) == TurnEvent((five, B), 4, 7)  # shown


def test_what_lay_there_as_the_turn_opened_was_laid_before(state: PublicState) -> None:
    """Laid at that very moment it is none of this turn's cards, under whatever name; laid later it is."""
    before, _ = understood(state, table(4, 9, A, laid_s=OPENED_S), StandIns((A,)), OPENED_S, 300.0)
    assert [reading.card for reading in before.cards] == [A]
    later, _ = understood(state, table(4, 9, A, laid_s=OPENED_S + 0.1), StandIns((A,)), OPENED_S, 300.0)
    assert [reading.card for reading in later.cards] == [B]


def test_a_mistake_remains_one(state: PublicState) -> None:
    seen = table(4, 10, FOUR, B)
    assert turn(state, seen) == TurnEvent((FOUR, B), 4, 10)
    assert not judge(state, turn(state, seen))[1].ok


def test_names_found_out_hold_for_the_round(state: PublicState) -> None:
    names = StandIns((), ((B, A),))
    found, after = understood(state, table(4, 12, B, C), names, OPENED_S, 300.0)
    assert ([reading.card for reading in found.cards], after) == ([A, C], names)
    assert names.after(state) == names
    assert names.after(state._replace(played=())) == NO_STAND_INS
    assert NO_STAND_INS.after(state, (A, B)) == StandIns((A,))


def test_nothing_is_understood_before_the_eyes_are_steady(state: PublicState) -> None:
    seen = table(4, 8, B, FOUR, sight=Sight.CHECKING)
    assert understood(state, seen, StandIns((A,)), OPENED_S, 300.0) == (seen, StandIns((A,)))
    assert understood(state, seen, NO_STAND_INS, OPENED_S, 300.0) == (seen, NO_STAND_INS)


def test_what_was_taken_back_stands_for_nothing(state: PublicState) -> None:
    undone = state._replace(played=(Card(1, "a"),))
    seen = table(4, 8, B, FOUR)
    assert understood(undone, seen, StandIns((A,)), OPENED_S, 300.0)[0] == seen


def look(full: FullState, laid_s: Mapping[Card, float], at_s: float, *, hands: bool = False) -> TableObservation:
    """The table at rest since ``at_s``: all cards laid so far, each since its time, and the hands if they are shown."""
    readings = [CardReading(card, 300.0, -100.0, when_s) for card, when_s in laid_s.items()]
    if hands:
        readings += [CardReading(card, 200.0, -150.0, at_s) for card in full.hands.white]
        readings += [CardReading(card, 400.0, -150.0, at_s) for card in full.hands.black]
    return TableObservation(at_s + 2.0, at_s, full.public.spaces.map(FigureReading), tuple(readings), Sight.STEADY)


def whole_round(rules: str, rng: Random, counted: Counter[str]) -> None:
    """Every third turn is entered by hand without a look at its cards, which are read from the next turn on.

    What is read in the others is held against what was played. Where the players are asked, they lay the cards of
    their turn again and press again.
    """
    opened, _ = judge(None, MatchEvent(rules))
    assert opened is not None
    full = start_round(opened, rng)
    record, names, t_s = full.public, NO_STAND_INS, 10.0
    laid_s: dict[Card, float] = {}
    while (side := full.public.to_act) is not None:
        event = choice_event(full.public, RandomBot().choose(full.view(side), rng))
        if not isinstance(event, TurnEvent):
            return
        opened_s, t_s = t_s, t_s + 10.0
        laid_s |= dict.fromkeys(event.cards, t_s - 5.0)
        full, _ = play(full, event)
        counted["turns"] += 1
        if counted["turns"] % 3 == 0:
            fits = proposals(record, InPart((), event.spaces[side]))
            turn = next(one for one in fits if values(one.cards) == values(event.cards))
            record = accepted(record, turn)
            names = names.after(record, turn.cards)
            continue
        seen, after = understood(record, look(full, laid_s, t_s), names, opened_s, 300.0)
        if seen.glimpsed:
            counted["asked"] += 1
            asked = AskedCards(frozenset(seen.glimpsed), t_s)
            laid_s |= dict.fromkeys(event.cards, t_s + 1.0)
            seen, after = understood(record, look(full, laid_s, t_s + 1.0), names, opened_s, 300.0, asked)
        read = read_turn(record, seen, opened_s)
        assert isinstance(read, TurnEvent)
        if (values(read.cards), read.spaces) != (values(event.cards), event.spaces):
            counted["wrong"] += 1
            return
        record = accepted(record, read)
        names = after.after(record)
    if record.phase is Phase.REVEAL:
        seen, _ = understood(record, look(full, laid_s, t_s + 9.0, hands=True), names, t_s, 300.0)
        reveal = read_reveal(record, seen, 300.0)
        counted["revealed"] += reveal is not None and judge(record, reveal)[1].ok
        counted["reveals"] += 1


def values(cards: tuple[Card, ...]) -> list[int]:
    return sorted(card.value for card in cards)


def accepted(record: PublicState, turn: TurnEvent) -> PublicState:
    after, ruling = judge(record, turn)
    assert after is not None
    assert ruling.ok, (turn, ruling)
    return after


@pytest.mark.slow
@pytest.mark.parametrize("rules", ["ferti-classic", "ferti-advanced"])
def test_whole_rounds_with_turns_entered_by_hand_are_judged_as_played(rules: str) -> None:
    counted: Counter[str] = Counter()
    rng = Random(3)
    for _ in range(100):
        whole_round(rules, rng, counted)
    assert counted["wrong"] == 0
    assert counted["turns"] > 1200
    assert counted["revealed"] == counted["reveals"] > 5
    assert counted["asked"] < 0.02 * counted["turns"]
