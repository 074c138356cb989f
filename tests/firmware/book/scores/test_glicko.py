"""Glicko-2 against the paper's worked example, and what holds for every rating."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from firmware.book.scores.ratings import START_DEVIATION, Game, Rating, expected_score, rated, rested

RATINGS = st.builds(Rating, st.floats(0, 3000), st.floats(20, START_DEVIATION), st.floats(0.03, 0.12, exclude_min=True))


def test_the_papers_example() -> None:
    player = Rating(1500, 200, 0.06)
    games = [Game(Rating(1400, 30), 1.0), Game(Rating(1550, 100), 0.0), Game(Rating(1700, 300), 0.0)]
    after = rated(player, games)
    assert after.points == pytest.approx(1464.06, abs=0.01)
    assert after.deviation == pytest.approx(151.52, abs=0.01)
    assert after.volatility == pytest.approx(0.05999, abs=0.00001)


def test_the_papers_expected_scores() -> None:
    player = Rating(1500, 200)
    opponents = (Rating(1400, 30), Rating(1550, 100), Rating(1700, 300))
    assert [round(expected_score(player, other), 3) for other in opponents] == [0.639, 0.432, 0.303]


@pytest.mark.slow
@given(RATINGS, RATINGS)
def test_who_wins_never_falls_and_who_loses_never_rises(one: Rating, other: Rating) -> None:
    assert rated(one, [Game(other, 1.0)]).points >= one.points
    assert rated(one, [Game(other, 0.0)]).points <= one.points


@given(RATINGS, st.lists(st.builds(Game, RATINGS, st.sampled_from((0.0, 0.5, 1.0))), max_size=8))
def test_nobody_is_less_sure_than_a_newcomer(one: Rating, games: list[Game]) -> None:
    after = rated(one, games)
    assert 0 < after.deviation <= START_DEVIATION
    assert after.deviation <= rested(Rating(one.points, one.deviation, max(after.volatility, one.volatility))).deviation
    assert after.volatility > 0


@given(RATINGS)
def test_rest_makes_less_sure_and_changes_nothing_else(one: Rating) -> None:
    after = rated(one, [])
    assert after == rested(one)
    assert (after.points, after.volatility) == (one.points, one.volatility)
    assert after.deviation > one.deviation or after.deviation == START_DEVIATION
