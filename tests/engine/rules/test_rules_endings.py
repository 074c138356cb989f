"""engine/RULES.md, "When the last card is drawn" and "Presets": one test for every sentence and table row."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from engine.rules.events import MatchEvent, event_from_json
from engine.rules.rulesets import DEFAULT_RULES, RULE_SETS
from engine.rules.rulings import ActionKind
from engine.rules.state import Phase
from engine.rules.track import Side

if TYPE_CHECKING:
    from tests.engine.conftest import NewMatch, Position, Table

ONE_IN_THE_PILE = "11223344555"


def test_the_round_ends_when_the_last_card_is_taken_even_if_every_hand_is_full(position: Position) -> None:
    table = position(4, 14, ONE_IN_THE_PILE)
    table.turn("2e", 2)
    assert (table.state.pile, table.state.hands.white, table.state.hands.black) == (0, 5, 5)
    # Distance 8: nothing to compare, White stands on 6 (5 forward) against 14 (9 forward).
    assert table.result == ("black", "further_advanced")


def test_it_does_not_end_with_one_card_left(position: Position) -> None:
    table = position(4, 14, ONE_IN_THE_PILE + "1")
    table.turn("2e", 2)
    assert (table.state.pile, table.state.phase) == (1, Phase.TURN)


def test_an_attack_that_takes_the_last_card_leaves_one_defence(position: Position) -> None:
    table = position(4, 9, ONE_IN_THE_PILE)
    table.turn("5e")
    assert (table.state.phase, table.state.to_act) == (Phase.FINAL, Side.BLACK)
    assert table.state.attack is not None
    assert table.state.attack.count == 1


def test_that_defence_parries_with_exactly_those_cards(position: Position) -> None:
    table = position(4, 9, ONE_IN_THE_PILE)
    table.turn("5e")
    assert table.code("4e") == "must_parry"
    assert table.code("5d 5c") == "final_parry_only"
    ruling = table.turn("5d")
    assert ruling.parry is not None
    assert (ruling.action, ruling.parry.count) == (None, 1)


def test_and_takes_no_turn_after_it_and_no_refill(position: Position) -> None:
    table = position(4, 9, ONE_IN_THE_PILE)
    table.turn("5e")
    assert table.code("5d 1e", 1) == "final_parry_only"
    assert table.code("5d", 1) == "final_parry_only"
    table.turn("5d")
    assert (table.state.hands.black, table.state.pile, table.state.phase) == (4, 0, Phase.REVEAL)


def test_or_retreats_from_an_indirect_attack(position: Position) -> None:
    table = position(4, 11, ONE_IN_THE_PILE)
    table.turn("2e 5e", 2)
    assert table.code("4e 1e", -4) == "too_many_cards"
    assert table.turn("4e", -4).action is ActionKind("retreat")


def test_a_direct_one_may_not_be_retreated_from_even_now(position: Position) -> None:
    table = position(4, 9, ONE_IN_THE_PILE)
    table.turn("5e")
    assert table.code("4e", -4) == "must_parry"
    assert table.code("5d", -5) == "must_parry"


def test_otherwise_he_is_hit(position: Position) -> None:
    table = position(4, 9, ONE_IN_THE_PILE)
    table.turn("5e")
    working = table.give_up().working
    assert working is not None
    assert working.decided_by == "ruling 5"
    assert table.result == ("white", "hit")


@pytest.mark.parametrize(
    ("white", "black", "winner"),
    [("5e 5d 1e 1d 2d", "5c 3d 3e 4d 4e", "white"), ("5e 3d 1e 1d 2d", "5c 5d 3e 4d 4e", "black")],
)
def test_more_cards_equal_to_the_distance_win(position: Position, white: str, black: str, winner: str) -> None:
    # White 1, Black 6 after White's retreat: Black is far ahead, the cards decide all the same.
    table = position(3, 6, ONE_IN_THE_PILE)
    table.turn("2e", -2)
    assert table.state.phase is Phase.REVEAL
    assert table.state.to_act is None
    assert table.reveal(white, black).ok
    assert table.result == (winner, "more_attack_cards")


def test_level_hands_leave_it_to_who_is_further_forward(position: Position) -> None:
    table = position(3, 7, "11223344455")
    table.turn("1e", -1)
    # Distance 5, a five each; White 1 forward, Black 16.
    ruling = table.reveal("5e 1d 2e 3e 4e", "5d 2d 3d 4d 4c")
    assert table.result == ("black", "further_advanced")
    working = ruling.working
    assert working is not None
    assert working.counts is not None
    assert (working.distance, working.counts.white, working.counts.black) == (5, 1, 1)
    assert (working.advances.white, working.advances.black) == (1, 16)


def test_further_forward_counts_from_each_own_end(position: Position) -> None:
    table = position(10, 13, "11223344455")
    table.turn("1e", 1)
    assert table.reveal("5e 1d 2e 3e 4e", "5d 2d 3d 4d 4c").ok
    # White's 11 - 1 = 10 against Black's 23 - 13 = 10.
    assert table.result == (None, "draw")


def test_level_again_is_a_draw_and_nobody_scores(position: Position) -> None:
    table = position(10, 13, "11223344455")
    table.turn("1e", 1)
    table.reveal("5e 1d 2e 3e 4e", "5d 2d 3d 4d 4c")
    assert (table.state.score.white, table.state.score.black) == (0, 0)
    assert table.state.phase is Phase.ROUND_OVER
    assert table.state.result is not None
    assert table.state.result.winner is None


FINAL_INDIRECT = "11223344455"


def retreat_from_the_final_attack(position: Position, rules: str) -> Table:
    """White 6 attacks Black 9 indirectly, Black goes back to 11: distance 5, White 5 forward, Black 12."""
    table = position(4, 9, FINAL_INDIRECT, rules=rules)
    assert table.turn("2e 3e", 2).action is ActionKind("indirect_attack")
    assert table.state.phase is Phase.FINAL
    assert table.turn("2d", -2).action is ActionKind("retreat")
    return table


def test_advanced_compares_hands_at_the_new_distance_after_the_final_retreat(position: Position) -> None:
    table = retreat_from_the_final_attack(position, "ferti-advanced")
    assert table.state.phase is Phase.REVEAL
    ruling = table.reveal("5e 5d 1e 1d", "3d 4c 4d 4e")
    assert table.result == ("white", "more_attack_cards")
    assert ruling.working is not None
    assert (ruling.working.decided_by, ruling.working.source) == ("preset", "FERTI-FR")


def test_and_then_position(position: Position) -> None:
    table = retreat_from_the_final_attack(position, "ferti-advanced")
    table.reveal("5e 1d 1e 4c", "5d 3d 4d 4e")
    assert table.result == ("black", "further_advanced")


def test_brettspielnetz_looks_at_position_only(position: Position) -> None:
    table = retreat_from_the_final_attack(position, "brettspielnetz")
    assert table.result == ("black", "further_advanced")
    assert table.state.phase is Phase.ROUND_OVER


def test_the_ruling_names_the_presets_choice(position: Position) -> None:
    table = position(4, 9, FINAL_INDIRECT, rules="brettspielnetz")
    table.turn("2e 3e", 2)
    working = table.turn("2d", -2).working
    assert working is not None
    assert (working.decided_by, working.source, working.counts) == ("preset", "BSN-DE", None)


@pytest.mark.parametrize(
    ("name", "indirect", "compares", "unseen_counts"),
    [
        ("ferti-classic", False, True, False),
        ("ferti-advanced", True, True, False),
        ("brettspielnetz", True, False, True),
    ],
)
def test_the_presets(name: str, indirect: bool, compares: bool, unseen_counts: bool) -> None:
    rules = RULE_SETS[name]
    assert rules.indirect_attacks is indirect
    assert rules.compare_hands_after_final_retreat is compares
    assert rules.shows_unseen_counts is unseen_counts
    assert len(RULE_SETS) == 3


def test_advanced_is_the_default() -> None:
    assert DEFAULT_RULES.name == "ferti-advanced"


def test_white_begins_unless_the_match_says_black(new_match: NewMatch) -> None:
    assert new_match().state.to_act is Side.WHITE
    assert new_match(starter=Side.BLACK).state.to_act is Side.BLACK
    assert event_from_json({"event": "match", "rules": "brettspielnetz"}) == MatchEvent("brettspielnetz", Side.WHITE, 5)
