"""engine/RULES.md, "Rulings on what the texts leave open": each of the fifteen, sentence by sentence."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from engine.rules.legal import counts_of, legal_plays
from engine.rules.rulings import ActionKind
from engine.rules.state import Phase
from engine.rules.track import Side

if TYPE_CHECKING:
    from tests.engine.conftest import Cards, NewMatch, Position

ONE_IN_THE_PILE = "11223344555"


@pytest.mark.parametrize("rules", ["ferti-advanced", "brettspielnetz"])
def test_1_hands_are_compared_after_a_retreat_that_draws_the_last_card(position: Position, rules: str) -> None:
    table = position(6, 9, "11223344555", attack="indirect 3 1", rules=rules)
    table.turn("2e", -2)
    assert table.state.phase is Phase.REVEAL
    ruling = table.reveal("5e 5d 1e 1d 2d", "5c 3d 3e 4d 4e")
    assert table.result == ("white", "more_attack_cards")
    assert ruling.working is not None
    assert ruling.working.decided_by == "ruling 1"


def test_1_so_they_are_after_a_retreat_without_an_attack(position: Position) -> None:
    table = position(6, 9, "11223344555", rules="brettspielnetz")
    table.turn("2e", -2)
    assert table.state.phase is Phase.REVEAL


def test_2_no_turn_after_parrying_the_final_attack(position: Position) -> None:
    table = position(4, 9, ONE_IN_THE_PILE)
    table.turn("5e")
    assert table.code("5d 1e", 1) == "final_parry_only"
    table.turn("5d")
    assert table.state.to_act is None


def test_3_a_parry_that_leaves_no_legal_action_loses_with_no_legal_move(position: Position) -> None:
    table = position(4, 5, "1112222333344445555", to_act=Side.BLACK, attack="direct 1 1")
    assert table.code("1e") == "no_action_after_parry"
    ruling = table.give_up("1e")
    assert table.result == ("white", "no_legal_move")
    assert ruling.working is not None
    assert ruling.working.decided_by == "ruling 3"


def test_3_a_yield_with_more_or_other_cards_than_the_parry_is_a_hit(position: Position) -> None:
    for laid in ("", "2e", "1e 2e", "1e 1d"):
        table = position(4, 5, "1112222333344445555", to_act=Side.BLACK, attack="direct 1 1")
        table.give_up(laid)
        assert table.result == ("white", "hit")


def test_2_giving_up_with_exactly_the_last_parry_is_that_parry(position: Position) -> None:
    """The cards are the whole legal last defence: nothing has to follow them."""
    given, turned = (position(4, 9, ONE_IN_THE_PILE) for _ in range(2))
    given.turn("5e")
    turned.turn("5e")
    ruling = given.give_up("5d")
    turned.turn("5d")
    assert (ruling.event, ruling.parry is not None, given.state) == ("turn", True, turned.state)
    other = position(4, 9, ONE_IN_THE_PILE)
    other.turn("5e")
    other.give_up("")
    assert other.result == ("white", "hit")


def test_4_an_attack_counts_as_a_legal_action(position: Position, cards: Cards) -> None:
    # Distance 1, no room behind: only the one can be played, and it attacks.
    state = position(1, 2).state
    assert legal_plays(state, counts_of(cards("2a 3a 4a 5a 5b"))) == ()
    assert len(legal_plays(state, counts_of(cards("1a 3a 4a 5a 5b")))) == 1


def test_4_so_an_unseen_attack_card_keeps_the_round_going(position: Position) -> None:
    # White steps to 4 before Black on 5, who has no room: Black's only answer could be a one.
    behind = position(18, 22, "1122222333334444455555")
    behind.turn("3e", 3)
    assert behind.state.phase is Phase.TURN


def test_5_a_declaration_needs_no_proof(position: Position) -> None:
    table = position(8, 13, attack="direct 5 1")
    table.give_up()
    assert table.result == ("black", "hit")
    free = position(8, 18)
    free.give_up()
    assert free.result == ("black", "no_legal_move")


def test_5_between_parry_and_retreat_the_choice_is_free(position: Position) -> None:
    assert position(8, 13, attack="indirect 5 1").code("5a 1a", 1) is None
    assert position(8, 13, attack="indirect 5 1").code("5a", -5) is None
    assert position(8, 13, attack="indirect 5 1").code("2a", -2) is None


@pytest.mark.parametrize("count", [3, 4, 5])
def test_6_three_can_never_be_parried_and_four_or_five_are_legal(new_match: NewMatch, count: int) -> None:
    table = new_match()
    table.turn("5a", 5)
    table.turn("5b", 5)
    table.turn("5c", 5)
    table.turn("4a", 4)
    # 11 against 14: distance 3.
    ruling = table.turn(" ".join(("3a", "3b", "3c", "3d", "3e")[:count]))
    assert ruling.ok
    assert table.result == ("white", "hit")
    assert ruling.working is not None
    assert ruling.working.decided_by == "ruling 13"


def test_7_the_defender_refills_at_the_end_of_his_own_turn(position: Position) -> None:
    table = position(4, 9, attack="direct 5 1")
    table.turn("5a 1a", 1)
    assert (table.state.hands.white, table.state.pile) == (5, 13)
    retreat = position(4, 9, attack="indirect 5 1")
    retreat.turn("1a", -1)
    assert (retreat.state.hands.white, retreat.state.pile) == (5, 14)


def test_8_the_attacker_refills_before_the_defence(position: Position) -> None:
    table = position(4, 9, ONE_IN_THE_PILE)
    table.turn("5e")
    assert (table.state.hands.white, table.state.pile, table.state.phase) == (5, 0, Phase.FINAL)


@pytest.mark.parametrize("starter", list(Side))
def test_9_the_starter_alternates_every_round_whoever_won(new_match: NewMatch, starter: Side) -> None:
    table = new_match(starter=starter, points=5)
    for number in range(1, 6):
        expected = starter if number % 2 else starter.other
        assert table.state.to_act is expected
        assert table.state.starter is expected
        if number % 3 == 0:
            table.turn("1a", 1)
        table.give_up()
        table.round()


def test_9_after_drawn_rounds_too(position: Position) -> None:
    # White 10 forward, Black comes to 13: 10 forward; distance 2, and no two is left to compare.
    table = position(11, 14, "11133344455", to_act=Side.BLACK)
    table.turn("1e", 1)
    assert table.result == (None, "draw")
    table.round()
    assert table.state.to_act is Side.BLACK


def test_10_fewer_cards_than_needed_leave_the_hand_short_and_the_round_ends(position: Position) -> None:
    table = position(4, 9, "11223345555")
    table.turn("5e 5d")
    assert (table.state.pile, table.state.hands.white) == (0, 4)
    assert table.state.phase is Phase.FINAL


def test_11_only_the_top_discard_and_the_pile_are_shown_unless_the_preset_counts(new_match: NewMatch) -> None:
    table = new_match()
    assert table.state.top_discard is None
    table.turn("3a", 3)
    table.turn("4b", 4)
    assert str(table.state.top_discard) == "4b"
    assert table.state.pile == 13
    assert not table.state.rules.shows_unseen_counts
    assert new_match("brettspielnetz").state.rules.shows_unseen_counts


def test_11_unseen_counts_are_five_less_what_was_played(new_match: NewMatch) -> None:
    table = new_match("brettspielnetz")
    table.turn("3a", 3)
    assert table.state.unseen_counts == {1: 5, 2: 5, 3: 4, 4: 5, 5: 5}


def test_12_hands_are_not_shown_beyond_distance_five(position: Position) -> None:
    six = position(6, 13, ONE_IN_THE_PILE)
    six.turn("1e", 1)
    assert six.state.distance == 6
    assert six.state.phase is Phase.ROUND_OVER
    five = position(6, 12, ONE_IN_THE_PILE)
    five.turn("1e", 1)
    assert five.state.distance == 5
    assert five.state.phase is Phase.REVEAL


def test_12_nor_when_all_five_of_that_value_were_played(position: Position) -> None:
    table = position(6, 10, "11122555444", rules="ferti-advanced")
    ruling = table.turn("1e", 1)
    assert table.state.distance == 3
    assert table.result == ("black", "further_advanced")
    assert ruling.working is not None
    assert ruling.working.decided_by == "ruling 12"
    assert ruling.working is not None
    assert ruling.working.counts is None


def test_12_the_last_one_counts_even_when_it_was_the_parry(position: Position) -> None:
    table = position(6, 11, "11223344455")
    table.turn("5e")
    assert table.state.phase is Phase.FINAL
    table.turn("5d")
    after = table.state
    assert after.phase is Phase.ROUND_OVER
    assert table.result == ("black", "further_advanced")


def test_13_too_few_unseen_to_parry_is_a_touch_at_once(position: Position) -> None:
    table = position(6, 11, "11223344455555")
    ruling = table.turn("5a 5b 5c")
    assert ruling.ok
    assert table.result == ("white", "hit")
    one_left = position(6, 11, "112233444555", hands=(5, 5))
    one_left.turn("5e 5d")
    assert one_left.result == ("white", "hit")
    two_left = position(6, 11, "1122334445555", hands=(5, 5))
    two_left.turn("5e 5d")
    assert two_left.result is None


def test_13_but_a_possible_retreat_keeps_an_indirect_attack_open(position: Position) -> None:
    table = position(6, 13, "1112223334445555")
    table.turn("2e 5e 5d 5c", 2)
    assert table.state.phase is Phase.TURN
    direct = position(8, 13, "1112223334445555")
    direct.turn("5e 5d 5c")
    assert direct.result == ("white", "hit")


def test_13_no_retreat_possible_where_no_unseen_card_is_short_enough(position: Position) -> None:
    cornered = position(15, 22, "2223334445555")
    cornered.turn("2e 5e 5d 5c", 2)
    assert cornered.result == ("white", "hit")
    room_for_a_one = position(15, 22, "12223334445555")
    room_for_a_one.turn("2e 5e 5d 5c", 2)
    assert room_for_a_one.result is None
    against_the_end = position(16, 23, "12223334445555")
    against_the_end.turn("2e 5e 5d 5c", 2)
    assert against_the_end.result == ("white", "hit")


def test_13_also_on_the_last_card(position: Position) -> None:
    table = position(6, 11, "11223344555")
    table.turn("5e 5d")
    assert table.result == ("white", "hit")


def test_13_no_unseen_card_could_give_a_legal_action(position: Position) -> None:
    table = position(18, 23, "2223334445555")
    ruling = table.turn("4e", 4)
    # Black on 23, White on 22: only a one could attack, and all are played.
    assert table.result == ("white", "no_legal_move")
    assert ruling.working is not None
    assert ruling.working.decided_by == "ruling 13"
    one_unseen = position(18, 23, "12223334445555")
    one_unseen.turn("4e", 4)
    assert one_unseen.state.phase is Phase.TURN
    room = position(18, 21, "2223334445555")
    room.turn("2e", 2)
    assert room.state.phase is Phase.TURN


def test_13_is_not_asked_of_a_hand_when_the_pile_is_gone(position: Position) -> None:
    table = position(18, 23, "22333444555")
    table.turn("4e", 4)
    assert table.result == ("white", "further_advanced")


def test_14_an_illegal_turn_costs_nothing(position: Position) -> None:
    table = position(6, 11)
    before = table.state
    assert table.code("3a", 4) == "wrong_distance"
    assert table.state is before
    assert table.code("4a", 4) is None


def test_15_an_advance_is_an_indirect_attack_once_attack_cards_lie_beside_it(position: Position) -> None:
    assert position(6, 11).turn("2a", 2).action is ActionKind("advance")
    assert position(6, 11).turn("2a 3a", 2).action is ActionKind("indirect_attack")
