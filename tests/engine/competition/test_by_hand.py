"""A pool of six and a tableau of eight, with the results worked out by hand beside them."""

from __future__ import annotations

from typing import Final

import pytest

from engine.competition.bouts import CompetitionError, Placed
from engine.competition.events import Log, LotsDrawn, MatchFenced, PoolsBegun, TableauBegun
from tests.engine.competition.conftest import begun, fence

BOTS_POOL: Final = {
    "1-2": (3, 5), "4-5": (5, 1), "2-3": (4, 5), "5-6": (4, 5), "3-1": (5, 3),
    "6-4": (5, 4), "2-5": (0, 5), "1-4": (4, 5), "5-3": (0, 5), "1-6": (0, 5),
    "4-2": (5, 4), "3-6": (5, 4), "5-1": (3, 5), "3-4": (5, 3), "6-2": (5, 4),
}  # fmt: skip
"""The fifteen bouts as the bots fenced them, in the order of the rule."""
BOTS_SHEET: Final = [
    # place, fencer, bouts, victories, given, received, indicator: added up on paper
    (1, "3", 5, 5, 25, 14, 11),
    (2, "6", 5, 4, 24, 17, 7),
    (3, "4", 5, 3, 22, 19, 3),
    (4, "2", 5, 1, 17, 23, -6),
    (5, "5", 5, 1, 13, 20, -7),
    (6, "1", 5, 1, 15, 23, -8),
]
LEVEL_POOL: Final = {
    "1-2": (5, 3), "4-5": (2, 5), "2-3": (5, 4), "5-6": (5, 1), "3-1": (5, 2),
    "6-4": (5, 4), "2-5": (3, 5), "1-4": (5, 0), "5-3": (4, 5), "1-6": (5, 2),
    "4-2": (5, 3), "3-6": (5, 3), "5-1": (5, 4), "3-4": (5, 1), "6-2": (2, 5),
}  # fmt: skip
"""A pool in which 3 and 5 are level in everything, and 4 and 6 in victories and indicator."""
LEVEL_SHEET: Final = [
    (1, "3", 5, 4, 24, 15, 9),
    (1, "5", 5, 4, 24, 15, 9),
    (3, "1", 5, 3, 21, 15, 6),
    (4, "2", 5, 2, 19, 21, -2),
    (5, "6", 5, 1, 13, 24, -11),
    (6, "4", 5, 1, 12, 23, -11),
]


def fenced_pool(results: dict[str, tuple[int, int]]) -> Log:
    log = begun(PoolsBegun(1))
    for names, touches in results.items():
        pair = tuple(names.split("-"))
        bout = next(each for each in log.standing.bouts if {each.first, each.second} == {*pair})
        first, second = touches if (bout.first, bout.second) == pair else touches[::-1]
        log = log.and_then(MatchFenced(bout.id, first, second, first > second))
    return log


def sheet(standing: tuple[Placed, ...]) -> list[tuple[int, str, int, int, int, int, int]]:
    rows = ((each.place, each.line) for each in standing)
    return [
        (place, line.fencer, line.bouts, line.victories, line.given, line.received, line.indicator)
        for place, line in rows
    ]


@pytest.mark.slow
def test_a_pool_of_six_fenced_by_bots() -> None:
    assert {names: fence(f"pool {names}") for names in BOTS_POOL} == BOTS_POOL
    log = fenced_pool(BOTS_POOL)
    assert log.standing.over
    assert sheet(log.standing.standing()) == BOTS_SHEET
    assert log.standing.ranking() == tuple((place, fencer) for place, fencer, *_ in BOTS_SHEET)


def test_those_who_are_level_draw_lots() -> None:
    log = fenced_pool(LEVEL_POOL)
    assert sorted(sheet(log.standing.standing())) == sorted(LEVEL_SHEET)
    assert log.standing.level() == (("3", "5"),)
    with pytest.raises(CompetitionError, match=r"Fencer 3, Fencer 5 are level .* draw lots"):
        log.and_then(TableauBegun())
    drawn = log.and_then(LotsDrawn(("5", "3"))).and_then(TableauBegun())
    assert drawn.standing.phase.fencers == ("5", "3", "1", "2", "6", "4")
    # Six in a tableau of eight: the first two have a bye, 4 meets 5 and 3 meets 6 of the ranking.
    assert [(bout.first, bout.second) for bout in drawn.standing.due()] == [("6", "2"), ("1", "4")]


def test_a_tableau_of_eight_fenced_by_bots() -> None:
    log = begun(TableauBegun(), fencers=8)
    told = []
    while log.standing.due():
        bout = log.standing.due()[0]
        touches = fence(f"tableau {bout.first}-{bout.second}")
        told.append((bout.id, bout.first, bout.second, *touches))
        log = log.and_then(MatchFenced(bout.id, *touches, touches[0] > touches[1]))
    assert told == [
        ("1T8-1", "1", "8", 4, 5),
        ("1T8-2", "5", "4", 5, 3),
        ("1T8-3", "3", "6", 5, 3),
        ("1T8-4", "7", "2", 5, 4),
        ("1T4-1", "8", "5", 4, 5),
        ("1T4-2", "3", "7", 5, 1),
        ("1T2-1", "5", "3", 2, 5),
    ]
    # 3 beats 5 in the final; 7 and 8 lost the semi-finals; 1, 2, 4 and 6 the first round, in the order of their seeds.
    assert log.standing.ranking() == (
        (1, "3"), (2, "5"), (3, "7"), (3, "8"), (5, "1"), (6, "2"), (7, "4"), (8, "6"),
    )  # fmt: skip
    assert log.standing.over
