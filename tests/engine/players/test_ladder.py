"""The players the bots are measured against play by the rules, and the ladder counts what they win."""

from __future__ import annotations

from random import Random

import bench_best_response
import bench_ladder
import pytest
from bench_best_response import BestResponse
from outsiders.monte_carlo import FlatMonteCarlo
from outsiders.table import Hidden
from outsiders.tree_search import TreeSearch

from engine.players.bots.sparring import can_do, stand_of
from engine.players.players import GreedyBot, RandomBot
from engine.players.simulation import new_match, play_round
from engine.rules.events import Event
from engine.rules.rulesets import RULE_SETS
from engine.rules.state import PlayerView
from engine.rules.track import BySide


@pytest.mark.slow
@pytest.mark.parametrize("rules", RULE_SETS)
def test_outsiders_play_by_the_rules_and_the_same_again(rules: str) -> None:
    """The referee of the simulated table refuses nothing of theirs; one seed gives one round."""
    for deal in range(2):
        seen: list[list[tuple[PlayerView, Event]]] = [[], []]
        for each in seen:
            play_round(new_match(rules, 2), BySide(FlatMonteCarlo(40), TreeSearch(40)), Random(deal), each)
        assert seen[0] == seen[1]
        for view, _ in seen[0]:
            table = Hidden(view).laid_out(Random(1))
            assert table.options() == can_do(stand_of(view), view.public.rules)


def test_what_was_won_of_a_deal_counts_both_sides() -> None:
    """Whoever meets himself wins half of every deal when he takes nothing from chance but his cards."""
    assert bench_ladder.paired([1.0] * 10) == (0.5, 0.5)
    low, high = bench_ladder.paired([2.0, 1.0, 0.0, 1.0])
    assert (low + high) / 2 == pytest.approx(0.5)
    assert high - low == pytest.approx(2 * 1.96 * 0.408248 / 2, abs=1e-3)
    assert bench_ladder.paired([2.0]) == (0.0, 1.0)
    assert bench_ladder.of_a_deal("ferti-classic", RandomBot(), RandomBot(), "7") == 1.0
    assert bench_ladder.ahead([2.0, 1.0, 1.5, 0.5], [1.0, 1.0, 0.5, 0.5]) == "+25.0 points (-3.3 to +53.3)"
    assert bench_ladder.ahead([1.0], [1.0]) == "+0.0 points (-100.0 to +100.0)"
    text = bench_ladder.line(("master", "greedy"), [2.0, 2.0, 1.0, 1.0])
    assert text.split()[:4] == ["master", "greedy", "8", "75.0"]


@pytest.mark.slow
@pytest.mark.parametrize("rules", RULE_SETS)
def test_the_best_response_plays_by_the_rules_and_the_same_again(rules: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(bench_best_response, "LAYOUTS", 5)
    for deal in range(2):
        seen: list[list[tuple[PlayerView, Event]]] = [[], []]
        for each in seen:
            play_round(new_match(rules, 2), BySide(BestResponse(rules), GreedyBot()), Random(deal), each)
        assert seen[0] == seen[1]
