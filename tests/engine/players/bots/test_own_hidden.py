"""The last two cards of the pile with both hands hidden, held to the bench's solver."""

from __future__ import annotations

import sys

import pytest
from hidden_hands import priced_own_hidden

from engine.players.bots.endgame import BUDGET, Endgame, OutOfBudgetError
from engine.players.bots.hidden_end import WORK, OwnHidden, Work, best_of_last_two, best_solved
from engine.players.bots.options import HANDS, INDEX
from engine.players.bots.sparring import Stand, can_do
from engine.rules.legal import Counts, Play
from engine.rules.rulesets import RULE_SETS

ADVANCED = RULE_SETS["ferti-advanced"]
STEP_BACK = Play(0, -1, 0)
NEAR = Stand(INDEX[(2, 0, 2, 0, 1)], 2, 17, 0, 2), (0, 2, 1, 1, 3)
"""A step back is worth .65 where nobody knows the hand, .48 where the other does; an attack .52 in any case."""
OTHERS = (
    (Stand(INDEX[(2, 0, 0, 3, 0)], 7, 5, 0, 2), (1, 2, 0, 1, 3)),
    (Stand(INDEX[(1, 3, 1, 0, 0)], 8, 4, 0, 2), (0, 0, 2, 2, 3)),
    (Stand(INDEX[(2, 1, 1, 1, 0)], 3, 10, 1, 2), (0, 1, 1, 1, 4)),
)


def learned(stand: Stand, unseen: Counts) -> dict[Play, float]:
    one, two, three, four, five = (there + held for there, held in zip(unseen, HANDS[stand.hand], strict=True))
    both = OwnHidden(Endgame(ADVANCED, sys.maxsize), (one, two, three, four, five), stand, Work(sys.maxsize))
    both.learn()
    return both.worths()


@pytest.mark.slow
@pytest.mark.parametrize(("stand", "unseen"), [NEAR, *OTHERS])
def test_the_turn_that_is_learned_to_be_best_is(stand: Stand, unseen: Counts) -> None:
    exact, found = priced_own_hidden(ADVANCED, stand, unseen), learned(stand, unseen)
    assert set(found) == set(exact) == {option.play for option in can_do(stand, ADVANCED)}
    assert exact[max(found, key=lambda play: found[play])] >= max(exact.values()) - 0.003


@pytest.mark.slow
def test_a_hidden_hand_is_worth_a_step_back() -> None:
    """Whose hand is known attacks; whose hand is hidden steps back."""
    stand, unseen = NEAR
    choices = can_do(stand, ADVANCED)
    hidden = best_of_last_two(Endgame(ADVANCED, BUDGET), unseen, stand, choices)
    known = best_solved(Endgame(ADVANCED, BUDGET), unseen, stand, choices)
    assert hidden is not None
    assert known is not None
    assert (hidden.play, known.play) == (STEP_BACK, Play(0, 1, 1))
    assert learned(stand, unseen)[STEP_BACK] == pytest.approx(0.65, abs=0.02)


@pytest.mark.slow
def test_beyond_the_work_allowed_the_hand_is_taken_for_known(monkeypatch: pytest.MonkeyPatch) -> None:
    stand, unseen = NEAR
    choices = can_do(stand, ADVANCED)
    with pytest.raises(OutOfBudgetError):
        OwnHidden(Endgame(ADVANCED, BUDGET), (2, 2, 3, 1, 4), stand, Work(WORK // 5))
    monkeypatch.setattr("engine.players.bots.hidden_end.WORK", WORK // 5)
    endgame = Endgame(ADVANCED, BUDGET)
    assert best_of_last_two(endgame, unseen, stand, choices) == best_solved(endgame, unseen, stand, choices)
