"""How far the companion's turn has been played, by what lies there and where its fencer stands."""

from __future__ import annotations

import pytest

from engine.companion.companion import Plan, turn_key
from engine.companion.progress import TurnProgress, progress_of
from engine.rules.actions import GiveUp
from engine.rules.cards import Card
from engine.rules.events import MatchEvent, RoundEvent
from engine.rules.referee import judge
from engine.rules.state import PublicState
from engine.rules.track import BySide, Side
from engine.table.observation import CardReading, FigureReading, Sight, TableObservation


def cards(names: str) -> tuple[Card, ...]:
    return tuple(Card.parse(name) for name in names.split())


def started() -> PublicState:
    state, _ = judge(None, MatchEvent("ferti-advanced", Side.BLACK))
    state, _ = judge(state, RoundEvent())
    assert state is not None
    return state


def seen(laid: str, black: int | None) -> TableObservation:
    readings = tuple(CardReading(card, 100.0, 0.0, 1.0) for card in cards(laid))
    return TableObservation(2.0, 1.0, BySide(FigureReading(1), FigureReading(black)), readings, Sight.STEADY)


@pytest.mark.parametrize(
    ("laid", "black", "progress"),
    [
        ("", 23, None),
        ("", None, None),
        ("3a", 23, TurnProgress(cards("3a"), cards("3b"), (), 17, None, done=False)),
        ("3a 3b", 23, TurnProgress(cards("3a 3b"), (), (), 17, None, done=False)),
        ("3b 3a", 17, TurnProgress(cards("3b 3a"), (), (), 17, None, done=True)),
        ("3a 2c", 17, TurnProgress(cards("3a"), cards("3b"), cards("2c"), 17, None, done=False)),
        ("3a 3b 2c", 17, TurnProgress(cards("3a 3b"), (), cards("2c"), 17, None, done=False)),
        ("", 20, TurnProgress((), cards("3a 3b"), (), 17, 20, done=False)),
        ("3a 3b", 18, TurnProgress(cards("3a 3b"), (), (), 17, 18, done=False)),
        ("3a 3b", None, TurnProgress(cards("3a 3b"), (), (), 17, None, done=False)),
    ],
)
def test_what_is_laid_missing_and_too_much_is_told(laid: str, black: int | None, progress: TurnProgress | None) -> None:
    public = started()
    plan = Plan(turn_key(public), GiveUp(cards("3a 3b")), (1, 2), BySide(1, 17))
    assert progress_of(plan, public, seen(laid, black), Side.BLACK) == progress
