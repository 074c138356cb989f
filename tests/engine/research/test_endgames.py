"""The solved ends of rounds: complete, legal, and worth what another solver says."""

from __future__ import annotations

from collections import Counter
from random import Random

import pytest
from endgame_data import position_key, solved_endgames

from engine.players.bots.endgame import Endgame, layouts
from engine.players.bots.hidden_end import Rest, Work
from engine.players.bots.sparring import can_do
from engine.rules.rulesets import RULE_SETS

ERROR = 0.002
"""What two solvers may differ by, each within a thousandth."""


def test_every_line_is_a_position_of_its_own_with_all_its_turns() -> None:
    endgames = solved_endgames()
    assert len(endgames) == len({position_key(each) for each in endgames}) >= 300
    for each in endgames:
        assert sum(each.hand) == 5
        assert sum(each.unseen) == 5 + each.pile
        assert set(each.turns) == {option.play for option in can_do(each.stand, RULE_SETS[each.rules])}
        assert all(0 <= low <= high <= 1 and high - low <= ERROR for low, high in each.turns.values())
    assert set(Counter((each.rules, each.pile) for each in endgames)) == {
        (rules, pile) for rules in RULE_SETS for pile in (1, 2, 3)
    }


@pytest.mark.slow
def test_another_solver_finds_the_same_worth() -> None:
    checked = 0
    for each in Random(1).sample(solved_endgames(), 40):
        endgame, work, rules = Endgame(RULE_SETS[each.rules], 10**9), Work(100_000), RULE_SETS[each.rules]
        if each.pile > 2:
            continue  # two seconds each
        for option in can_do(each.stand, rules):
            rest = Rest(endgame, each.stand, option, layouts(each.unseen, each.pile), work)
            while rest.high - rest.low > ERROR / 2 and rest.rounds < 200:
                rest.learn()
            low, high = each.turns[option.play]
            assert rest.low - ERROR <= high
            assert low <= rest.high + ERROR
            checked += 1
    assert checked >= 50
