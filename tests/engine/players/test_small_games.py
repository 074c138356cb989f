"""Whole games of a few cards: what is known without a solver, and the end of a round by the other tree."""

from __future__ import annotations

import pytest
from bench_small_games import Size, SmallGame
from hidden_hands import Game, Solver, deals

from engine.rules.rulesets import RULE_SETS


def value(size: Size, rules: str = "ferti-advanced") -> float:
    """What a round is worth to whoever begins."""
    return 1.0 - Solver(SmallGame(RULE_SETS[rules], size)).solved(1e-4, 3_000).value


@pytest.mark.parametrize("rules", RULE_SETS)
def test_who_attacks_first_beside_each_other_wins(rules: str) -> None:
    """One value, and no way back: he attacks; a parry loses to the card drawn, or leaves no card to go on."""
    assert value(Size(2, 1, 3, 1), rules) == pytest.approx(1.0)
    assert value(Size(2, 1, 4, 1), rules) == pytest.approx(1.0)


def test_too_far_apart_for_all_cards_is_a_draw_or_a_race() -> None:
    """One value, one card each and one in the pile: he steps forward with it, draws the last, and is further."""
    assert value(Size(20, 1, 3, 1)) == pytest.approx(1.0)


@pytest.mark.slow
def test_on_the_whole_piste_it_is_the_same_game() -> None:
    """Hands of five: as the tree of the bots' own tables has it, from both ends of the whole piste."""
    advanced = RULE_SETS["ferti-advanced"]
    other = Solver(Game.dealt(advanced, deals((4, 4, 4, 0, 0), 22, 0))).solved(1e-4, 3_000)
    assert value(Size(23, 3, 4, 5)) == pytest.approx(1.0 - other.value, abs=3e-4)


def test_what_cannot_be_dealt_is_told() -> None:
    with pytest.raises(ValueError, match="spaces"):
        Size(1, 3, 3, 2)
    with pytest.raises(ValueError, match="cannot be dealt"):
        Size(9, 2, 2, 2)
