"""engine/RULES.md, "The game": one test for every sentence."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from engine.rules.cards import DECK
from engine.rules.rulings import ActionKind, RulingCode
from engine.rules.state import Phase
from engine.rules.track import Side

if TYPE_CHECKING:
    from tests.engine.conftest import NewMatch, Position


def test_white_starts_on_1_and_black_on_23_of_23_spaces(new_match: NewMatch) -> None:
    table = new_match()
    assert (table.state.spaces.white, table.state.spaces.black) == (1, 23)
    assert table.code("1a", white=0) == "off_track"
    table.turn("1a", 1)
    assert table.code("1b", black=24) == "off_track"
    assert table.code("1b", black=22) is None


def test_there_are_25_cards_five_of_each_value() -> None:
    assert len(set(DECK)) == 25
    assert all(sum(card.value == value for card in DECK) == 5 for value in range(1, 6))


def test_five_to_each_hand_and_15_in_the_pile(new_match: NewMatch) -> None:
    state = new_match().state
    assert (state.hands.white, state.hands.black, state.pile) == (5, 5, 15)


def test_distance_is_the_difference_of_the_positions(position: Position) -> None:
    assert position(8, 13).code("5a") is None
    assert position(8, 13).code("4a") == "attack_value"


@pytest.mark.parametrize(("move", "space"), [(3, 9), (-3, 3)])
def test_a_turn_may_advance_or_retreat_by_exactly_one_card(position: Position, move: int, space: int) -> None:
    table = position(6, 20)
    ruling = table.turn("3a", move)
    assert ruling.action is not None
    assert ruling.action.value == ("advance" if move > 0 else "retreat")
    assert table.state.spaces.white == space


def test_black_moves_the_other_way(position: Position) -> None:
    table = position(4, 20, to_act=Side.BLACK)
    assert table.turn("3a", 3).action is ActionKind("advance")
    assert table.state.spaces.black == 17


@pytest.mark.parametrize("count", [1, 2, 3, 4, 5])
def test_a_direct_attack_is_one_or_more_cards_equal_to_the_distance(position: Position, count: int) -> None:
    table = position(6, 9)
    ruling = table.turn(" ".join(("3a", "3b", "3c", "3d", "3e")[:count]))
    assert ruling.action is not None
    assert ruling.action.value == "direct_attack"
    assert ruling.ok


def test_nobody_moves_in_a_direct_attack(position: Position) -> None:
    assert position(6, 9).code("3a", -1) == "wrong_distance"
    assert position(6, 9).code("3a", black=10) == "opponent_moved"


def test_an_indirect_attack_is_one_card_forward_then_cards_equal_to_what_remains(position: Position) -> None:
    table = position(4, 11)
    ruling = table.turn("2a 5a 5b", 2)
    assert ruling.action is not None
    assert ruling.action.value == "indirect_attack"
    attack = table.state.attack
    assert attack is not None
    assert (attack.kind.value, attack.value, attack.count, attack.by) == ("indirect", 5, 2, Side.WHITE)


def test_an_indirect_attack_moves_by_exactly_one_card(position: Position) -> None:
    assert position(4, 11).code("1a 1b 5a", 2) == "wrong_distance"


def test_an_indirect_attack_may_attack_with_the_value_it_moved_with(position: Position) -> None:
    table = position(4, 10)
    assert table.turn("3a 3b 3c", 3).action is ActionKind("indirect_attack")
    assert table.state.attack is not None
    assert table.state.attack.count == 2


def test_indirect_attacks_are_for_the_advanced_rules_only(position: Position) -> None:
    assert position(4, 11, rules="ferti-classic").code("2a 5a", 2) == "indirect_not_allowed"
    assert position(4, 11, rules="brettspielnetz").code("2a 5a", 2) is None


def test_nobody_leaves_the_track(position: Position) -> None:
    assert position(3, 20).code("3a", -3) == "off_track"
    assert position(4, 20).code("3a", -3) is None
    assert position(3, 21, to_act=Side.BLACK).code("3a", -3) == "off_track"
    assert position(3, 20, to_act=Side.BLACK).code("3a", -3) is None


def test_nobody_lands_on_the_opponent_or_passes_him(position: Position) -> None:
    assert position(6, 9).code("3a", 3) == "passed_opponent"
    assert position(6, 9).code("4a", 4) == "passed_opponent"
    assert position(6, 9).code("2a", 2) is None
    assert position(6, 9, to_act=Side.BLACK).code("3a", 3) == "passed_opponent"


def test_the_turn_ends_by_refilling_to_five(position: Position) -> None:
    table = position(6, 9)
    table.turn("3a 3b")
    assert (table.state.hands.white, table.state.pile) == (5, 13)


def test_or_with_what_is_left(position: Position) -> None:
    table = position(6, 9, "333344455511", hands=(5, 5))
    table.turn("3e 3d")
    assert (table.state.hands.white, table.state.pile) == (5, 0)
    table = position(6, 9, "33334445551", hands=(5, 5))
    table.turn("3e 3d")
    assert (table.state.hands.white, table.state.pile) == (4, 0)


def test_a_parry_takes_as_many_cards_of_the_same_value(position: Position) -> None:
    ruling = position(4, 9, attack="direct 5 2").turn("5a 5b 1a", 1)
    assert ruling.parry is not None
    assert (ruling.parry.value, ruling.parry.count) == (5, 2)
    assert position(4, 9, attack="direct 5 2").code("5a 1a", 1) == "must_parry"
    assert position(4, 9, attack="direct 5 1").code("4a 1a", 1) == "must_parry"


def test_no_refill_after_the_parry(position: Position) -> None:
    # Parry and turn come out of one hand of five: six cards are too many, although five minus the parry were drawn.
    table = position(4, 9, attack="direct 5 1")
    assert table.code("5a 1a 4a 4b 4c 4d", 1) == "hand_exceeded"
    assert table.code("5a 1a 4a 4b", 1) is None
    assert (table.state.hands.white, table.state.pile) == (5, 11)


@pytest.mark.parametrize(
    ("laid", "move", "action"),
    [
        ("5a 1a", 1, "advance"),
        ("5a 2a", -2, "retreat"),
        ("5a 5b", 0, "direct_attack"),
        ("5a 1a 4a", 1, "indirect_attack"),
    ],
)
def test_the_defender_goes_on_with_a_whole_turn_of_his_own(
    position: Position, laid: str, move: int, action: str
) -> None:
    table = position(4, 9, attack="direct 5 1")
    assert table.turn(laid, move).action is ActionKind(action)
    assert table.state.to_act is Side.BLACK


def test_from_the_cards_he_has_left(position: Position) -> None:
    # The parried cards cannot be used twice.
    assert position(4, 9, attack="direct 5 1").code("5a") == "no_action_after_parry"


def test_and_refills_at_its_end(position: Position) -> None:
    table = position(4, 9, attack="direct 5 2")
    table.turn("5a 5b 1a", 1)
    assert (table.state.hands.white, table.state.pile) == (5, 12)


def test_an_indirect_attack_may_be_retreated_from_by_one_card(position: Position) -> None:
    table = position(4, 9, attack="indirect 5 1")
    ruling = table.turn("3a", -3)
    assert ruling.action is not None
    assert (ruling.action.value, ruling.parry) == ("retreat", None)
    assert table.state.attack is None


def test_a_direct_attack_may_not_be_retreated_from(position: Position) -> None:
    assert position(4, 9, attack="direct 5 1").code("3a", -3) == "must_parry"
    assert position(7, 12, attack="direct 5 1").code("5a", -5) == "must_parry"


def test_the_retreat_is_his_turn(position: Position) -> None:
    table = position(4, 9, attack="indirect 5 1")
    assert table.code("3a 1a", -3) == "too_many_cards"
    assert table.code("3a", -3) is None
    assert table.state.to_act is Side.BLACK


def test_who_does_not_answer_is_hit_and_loses_the_round_at_once(position: Position) -> None:
    table = position(4, 9, attack="direct 5 1")
    table.give_up()
    assert table.result == ("black", "hit")
    assert table.state.phase is Phase.ROUND_OVER


def test_who_has_no_legal_action_loses_the_round(position: Position) -> None:
    table = position(4, 9)
    table.give_up()
    assert table.result == ("black", "no_legal_move")
    assert table.state.phase is Phase.ROUND_OVER


@pytest.mark.parametrize("points", [1, 5])
def test_points_win_the_match(new_match: NewMatch, points: int) -> None:
    table = new_match(points=points)
    for played in range(points):
        if played:
            table.round()
        loser = table.state.to_act
        table.give_up()
        if loser is Side.WHITE and played < points - 1:
            assert table.state.phase is Phase.ROUND_OVER
    while table.state.phase is Phase.ROUND_OVER:
        table.round()
        table.give_up()
    assert table.state.phase is Phase.MATCH_OVER
    assert max(table.state.score.white, table.state.score.black) == points
    assert table.round().code is RulingCode("not_now")


def test_five_points_unless_the_match_says_otherwise() -> None:
    from engine.rules.events import MatchEvent

    assert MatchEvent("ferti-classic").points == 5


@pytest.mark.parametrize(
    ("rules", "white", "laid", "move"),
    [
        ("ferti-classic", 5, "2a 4a", 2),
        ("ferti-classic", 5, "2a 4a", -2),
        ("ferti-classic", 5, "2a 4a 5a", 4),
        ("ferti-advanced", 5, "2a 4a", -2),
    ],
)
def test_where_no_attack_can_follow_a_step_one_card_is_expected(
    position: Position, rules: str, white: int, laid: str, move: int
) -> None:
    ruling = position(white, 20, rules=rules).turn(laid, move)
    assert ruling.code is RulingCode.TOO_MANY_CARDS
    assert (ruling.facts["expected"], ruling.facts["found"]) == (1, len(laid.split()))


@pytest.mark.parametrize("phase", [Phase.TURN, Phase.FINAL])
@pytest.mark.parametrize("laid", ["2a 4a", "2a 2b", "2a 1a 5a"])
def test_a_retreat_is_expected_to_be_one_card_and_the_refusal_says_how_many_lay(
    position: Position, phase: Phase, laid: str
) -> None:
    ruling = position(6, 9, attack="indirect 3 1", phase=phase).turn(laid, -2)
    assert ruling.code is RulingCode.TOO_MANY_CARDS
    assert ruling.facts["expected"] == 1
    assert ruling.facts["found"] == len(laid.split())
