"""A match in a line, held against a plain count along the events, and the level that suits a player by such lines."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from itertools import pairwise
from random import Random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from engine.record.course import Course, CourseStep, JournalEntry, follow
from engine.rules.cards import CARD_BY_NAME
from engine.rules.events import Event, MatchEvent, RoundEvent, TurnEvent, UndoEvent
from engine.rules.referee import judge
from engine.rules.rulings import ActionKind, Ruling
from engine.rules.state import PublicState, Reason
from engine.rules.track import BySide, Side
from firmware.book.scorebook.book import MatchRow, Played, Row
from firmware.book.scores.history import How, Summary, summarise
from tests.firmware.conftest import bot_match

SEEDS = st.integers(0, 400)
PRESETS = st.sampled_from(("ferti-classic", "ferti-advanced", "brettspielnetz"))
ROW = MatchRow(1, BySide("Ana", "Bo"), "play", None, 0.0)


def played(events: Iterable[JournalEntry]) -> Played:
    """As the book gives a match: its rows and the state after each."""
    rows, states = [], []
    course: Course | None = None
    for number, event in enumerate(events, 1):
        course, ruling = follow(course, event)
        assert ruling.ok
        assert course is not None
        rows.append(Row(number, event, {}, 0.0, 0.0))
        states.append(course.state)
    return Played(ROW, tuple(rows), tuple(states), course)


def standing_at(state: PublicState) -> Played:
    """A match that stands at this state, whatever led to it."""
    return Played(ROW, (), (state,), Course((CourseStep(RoundEvent(), Ruling(True, "round"), state),)))


def summary_of(events: Iterable[JournalEntry]) -> Summary:
    summary = summarise(played(events))
    assert summary is not None
    return summary


def plain_count(events: Iterable[Event]) -> tuple[Counter[tuple[Side, How]], int, int]:
    """The ways to a point by what was ruled on the way, drawn rounds, and turns; for events without undo."""
    ways: Counter[tuple[Side, How]] = Counter()
    drawn = turns = 0
    last_attack: ActionKind | None = None
    state: PublicState | None = None
    for event in events:
        state, ruling = judge(state, event)
        assert state is not None
        turns += event.name in ("turn", "yield")
        if ruling.action in (ActionKind.DIRECT_ATTACK, ActionKind.INDIRECT_ATTACK):
            last_attack = ruling.action
        if state.result is None or event.name == "match":
            continue
        winner, reason = state.result.winner, state.result.reason
        if winner is None:
            drawn += 1
        elif reason is Reason.HIT:
            ways[winner, How.DIRECT if last_attack is ActionKind.DIRECT_ATTACK else How.INDIRECT] += 1
        else:
            names = {"no_legal_move": How.STUCK, "more_attack_cards": How.CARDS, "further_advanced": How.DISTANCE}
            ways[winner, names[reason.value]] += 1
    return ways, drawn, turns


@pytest.mark.slow
@given(SEEDS, PRESETS)
@settings(deadline=None, max_examples=60)
def test_every_point_has_its_reason(seed: int, rules: str) -> None:
    events = bot_match(seed, rules, 3)
    summary = summary_of(events)
    ways, drawn, turns = plain_count(events)
    for side in Side:
        assert {how: count for how, count in summary.points_by(side).items() if count} == {
            how: count for (whose, how), count in ways.items() if whose is side
        }
        assert sum(summary.points_by(side).values()) == summary.score[side]
    assert [each.result.reason for each in summary.ended if each.how is None] == [Reason.DRAW] * drawn
    assert summary.turns == turns == sum(each.turns for each in summary.ended)
    assert len(summary.ended) == summary.rounds
    assert [each.starter for each in summary.ended] == [Side.WHITE, Side.BLACK] * (summary.rounds // 2) + [
        Side.WHITE
    ] * (summary.rounds % 2)


@pytest.mark.slow
@given(SEEDS, st.integers(0, 2**32))
@settings(deadline=None, max_examples=40)
def test_what_was_undone_changes_nothing(seed: int, where: int) -> None:
    """Every event may be entered, taken back and entered again, and so may two."""
    events = list(bot_match(seed))
    rng = Random(where)
    written: list[Event] = [events[0]]
    for before, event in pairwise(events):
        written.append(event)
        if rng.random() < 0.2:
            written += [UndoEvent(), event]
        elif rng.random() < 0.1 and len(written) > 2 and before is not events[0]:
            written += [UndoEvent(), UndoEvent(), before, event]
    assert summary_of(written) == summary_of(events)


def card_turn(names: str, white: int, black: int) -> TurnEvent:
    return TurnEvent(tuple(CARD_BY_NAME[name] for name in names.split()), white, black)


@pytest.mark.parametrize(("turn", "how"), [("3a 4d 4e", How.INDIRECT), ("5d 5e", How.DIRECT)])
def test_a_touch_nobody_could_answer_is_as_direct_as_its_attack(turn: str, how: How) -> None:
    """Awarded at once (ruling 13): Black at his end cannot retreat, and too few of the value are left to parry."""
    begun = played((MatchEvent("ferti-advanced"), RoundEvent())).states[-1]
    gone = tuple(CARD_BY_NAME[name] for name in ("4a", "4b", "4c", "5a", "5b", "5c"))
    white = 16 if how is How.INDIRECT else 18
    before = begun._replace(spaces=BySide(white, 23), distance=23 - white, played=gone, pile=9, previous=begun)
    after, ruling = judge(before, card_turn(turn, 19 if how is How.INDIRECT else 18, 23))
    assert ruling.working is not None
    assert after is not None
    summary = summarise(standing_at(after))
    assert summary is not None
    assert (ruling.working.reason, [each.how for each in summary.ended]) == (Reason.HIT, [how])
    assert not summary.ended[0].given_up


def test_an_unfinished_match_has_its_finished_rounds() -> None:
    events = bot_match(3, points=3)
    second = [place for place, event in enumerate(events) if isinstance(event, RoundEvent)][1]
    summary = summary_of(events[: second + 2])
    assert (summary.finished, summary.winner, summary.rounds, len(summary.ended)) == (False, None, 2, 1)
    assert summary_of(events[:1]).ended == ()
    assert summarise(Played(ROW, (), (), None)) is None
