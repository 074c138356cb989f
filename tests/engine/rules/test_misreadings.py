"""Every misreading engine/RULES.md lists at its end, built into the referee: a scenario that holds must then fail."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from itertools import combinations
from typing import TYPE_CHECKING, Any

import pytest

from engine.rules import endings, reading, referee, state
from engine.rules.cards import Card
from engine.rules.reading import Reading, Refusal, refusal
from engine.rules.rulings import ActionKind, Parry, RulingCode, Working
from engine.rules.state import Attack, AttackKind, Phase, PublicState, Reason, pair, room_behind
from engine.rules.track import BySide, Side

if TYPE_CHECKING:
    from tests.engine.conftest import NewMatch, Position, Table

ONE_IN_THE_PILE = "11223344555"
Scenario = Callable[[Any, Any], None]


@dataclass(frozen=True)
class Misreading:
    """One way to get it wrong: what to put where, and a scenario ``(position, new_match)`` that notices."""

    name: str
    scenario: Scenario
    patches: tuple[tuple[Any, str, Any], ...] = field(default=())


def parry_takes_equal_cards(position: Position, _: Callable[..., Any]) -> None:
    assert position(4, 8, attack="direct 4 1").code("1a 3a 2a", 2) == "must_parry"


def parry_by_sum(attack: Attack, cards: tuple[Card, ...], forward: int) -> list[Card] | None:
    for count in range(1, len(cards) + 1):
        for parry in combinations(cards, count):
            if sum(card.value for card in parry) == attack.value * attack.count:
                return [card for card in cards if card not in parry]
    return None


def parry_and_turn_come_from_five_cards(position: Position, _: Callable[..., Any]) -> None:
    table = position(4, 9, attack="direct 5 1")
    assert table.code("5a 1a 4a 4b 4c 4d", 1) == "hand_exceeded"


def count_refilled(public: PublicState, side: Side, count: int) -> Refusal | None:
    held = public.hands[side] + (public.attack.count if public.attack else 0)
    return None if count <= held else refusal(RulingCode.HAND_EXCEEDED, side, expected=held, found=count)


def a_turn_follows_the_parry(position: Position, _: Callable[..., Any]) -> None:
    table = position(4, 9, attack="direct 5 1")
    assert table.code("5a") == "no_action_after_parry"
    assert table.code("5a 1a", 1) is None


def parry_is_the_turn(
    public: PublicState, attack: Attack, side: Side, cards: tuple[Card, ...], values: list[int], forward: int
) -> Reading | Refusal:
    return reading._read_last_defence(attack, side, cards, values, forward)


def no_turn_follows_the_final_parry(position: Position, _: Callable[..., Any]) -> None:
    table = position(4, 9, ONE_IN_THE_PILE)
    table.turn("5e")
    assert table.code("5d 1e", 1) == "final_parry_only"


def turn_after_the_final_parry(
    attack: Attack, side: Side, cards: tuple[Card, ...], values: list[int], forward: int
) -> Reading:
    return Reading(ActionKind.ADVANCE, Parry(attack.value, attack.count), 0)


def the_last_card_taken_ends_the_round(position: Position, _: Callable[..., Any]) -> None:
    table = position(4, 14, ONE_IN_THE_PILE)
    table.turn("2e", 2)
    assert table.state.phase is Phase.ROUND_OVER


def end_on_a_failed_draw(following: PublicState, side: Side) -> tuple[PublicState, Working | None]:
    if following.pile == 0 and following.hands[side] == 5:
        return following._replace(to_act=side.other), None
    return CLOSE_TURN(following, side)


def position_counts_from_each_own_end(position: Position, _: Callable[..., Any]) -> None:
    # Nearness to space 12 picks the same winner from any two spaces (test below): the sum shown tells them apart.
    table = position(15, 21, "11223344555")
    working = table.turn("1e", -1).working
    assert working is not None
    assert (working.advances.white, working.advances.black) == (13, 2)
    assert table.result == ("white", "further_advanced")


def nearness_to_12(spaces: BySide[int]) -> BySide[int]:
    return pair(-abs(spaces.white - 12), -abs(spaces.black - 12))


def a_level_position_is_a_draw(position: Position, _: Callable[..., Any]) -> None:
    table = position(11, 14, "11133344455", to_act=Side.BLACK)
    table.turn("1e", 1)
    assert table.result == (None, "draw")
    assert table.state.score == pair(0, 0)


def hands_count_at_distance_five(position: Position, _: Callable[..., Any]) -> None:
    table = position(6, 12, ONE_IN_THE_PILE)
    table.turn("1e", 1)
    assert table.state.phase is Phase.REVEAL


def a_retreat_ends_the_turn(position: Position, _: Callable[..., Any]) -> None:
    table = position(6, 9, attack="indirect 3 1")
    table.turn("2a", -2)
    assert table.state.to_act is Side.BLACK


def another_turn_after_a_retreat(following: PublicState, side: Side) -> tuple[PublicState, Working | None]:
    closed, working = CLOSE_TURN(following, side)
    if following.previous is not None and following.distance > following.previous.distance:
        closed = closed._replace(to_act=side)
    return closed, working


def no_attack_after_a_step_back(position: Position, _: Callable[..., Any]) -> None:
    assert position(6, 9).code("2a 5a", -2) == "attack_after_retreat"


def attack_backwards(
    public: PublicState, side: Side, cards: tuple[Card, ...], values: list[int], forward: int
) -> Reading | Refusal:
    read = READ_ACTION(public, side, cards, values, forward)
    if isinstance(read, Refusal) and read.code is RulingCode.ATTACK_AFTER_RETREAT:
        return Reading(ActionKind.INDIRECT_ATTACK, None, len(cards) - 1)
    return read


def the_attack_is_judged_before_being_stuck(position: Position, _: Callable[..., Any]) -> None:
    # The last one attacks Black in his corner: he is hit, not merely out of moves.
    table = position(22, 23, "12223334445555")
    table.turn("1e")
    assert table.result == ("white", "hit")


def stuck_first(following: PublicState, side: Side) -> tuple[PublicState, Working | None]:
    if endings.is_stuck(following, side.other):
        return endings.end_round(following, side, Reason.NO_LEGAL_MOVE, "ruling 13", "FERTI-FR")
    return CLOSE_TURN(following, side)


def an_attack_is_a_legal_action(position: Position, _: Callable[..., Any]) -> None:
    table = position(18, 23, "12223334445555")
    table.turn("4e", 4)
    assert table.state.phase is Phase.TURN


def stuck_on_moves_alone(public: PublicState, side: Side) -> bool:
    reach = max(public.distance - 1, room_behind(public.spaces, side))
    return not any(left and value <= reach for value, left in public.unseen_counts.items())


def begun(table: Table) -> PublicState:
    table.round()
    return table.state


def the_starter_alternates(_: Callable[..., Any], new_match: NewMatch) -> None:
    table = new_match()
    table.give_up()  # White began and lost
    second = begun(table)
    assert second.to_act is Side.BLACK
    table.turn("1a", 1)
    table.give_up()  # Black began and won
    third = begun(table)
    assert third.to_act is Side.WHITE
    table.give_up()  # White loses again
    fourth = begun(table)
    assert fourth.to_act is Side.BLACK
    table.give_up()  # Black began and lost
    fifth = begun(table)
    assert fifth.to_act is Side.WHITE


def winner_starts(public: PublicState) -> Side | None:
    return public.starter if public.result is None else public.result.winner


def loser_starts(public: PublicState) -> Side:
    winner = public.result.winner if public.result is not None else None
    return public.starter if winner is None else winner.other


def three_cards_attack(position: Position, _: Callable[..., Any]) -> None:
    assert position(6, 9).code("3a 3b 3c") is None


def at_most_two(kind: ActionKind, count: int) -> Reading | Refusal:
    if count > 2:
        return refusal(RulingCode.TOO_MANY_CARDS, Side.WHITE, expected=2, found=count)
    return Reading(kind, None, count)


def an_indirect_attack_is_parried_with_cards(position: Position, _: Callable[..., Any]) -> None:
    assert position(4, 9, attack="indirect 5 1").code("1a", 1) == "must_answer"


def free_parry(attack: Attack, cards: tuple[Card, ...], forward: int) -> list[Card] | None:
    return list(cards) if attack.kind is AttackKind.INDIRECT else AFTER_PARRY(attack, cards, forward)


def the_last_attack_may_be_parried(position: Position, _: Callable[..., Any]) -> None:
    table = position(4, 9, ONE_IN_THE_PILE)
    table.turn("5e")
    assert table.state.phase is Phase.FINAL
    assert table.turn("5d").ok


def last_attack_wins(following: PublicState, side: Side) -> tuple[PublicState, Working | None]:
    if following.attack is not None and following.pile == 0:
        return endings.end_round(following, side, Reason.HIT, "last card 1", "FERTI-FR")
    return CLOSE_TURN(following, side)


def there_are_23_spaces(position: Position, new_match: NewMatch) -> None:
    table = new_match()
    assert table.state.spaces == pair(1, 23)
    table.turn("1a", 1)
    assert table.turn("1b", 1).ok
    assert position(10, 22, to_act=Side.BLACK).code("2a", -2) == "off_track"
    assert position(10, 20, to_act=Side.BLACK).code("3a", -3) is None


CLOSE_TURN = endings.close_turn
READ_ACTION = reading._read_action
AFTER_PARRY = reading._after_parry

MISREADINGS = (
    Misreading("parry by equal sum", parry_takes_equal_cards, ((reading, "_after_parry", parry_by_sum),)),
    Misreading(
        "refill after a parry", parry_and_turn_come_from_five_cards, ((reading, "check_count", count_refilled),)
    ),
    Misreading("parry uses up the turn", a_turn_follows_the_parry, ((reading, "_read_answer", parry_is_the_turn),)),
    Misreading(
        "a turn after the final parry",
        no_turn_follows_the_final_parry,
        ((reading, "_read_last_defence", turn_after_the_final_parry),),
    ),
    Misreading(
        "end only on a failed draw",
        the_last_card_taken_ends_the_round,
        ((endings, "close_turn", end_on_a_failed_draw),),
    ),
    Misreading("nearness to space 12", position_counts_from_each_own_end, ((endings, "advanced", nearness_to_12),)),
    Misreading(
        "a tie goes to White",
        a_level_position_is_a_draw,
        ((endings, "advanced", lambda spaces: pair(spaces.white, 23 - spaces.black)),),
    ),
    Misreading(
        "a tie goes to Black",
        a_level_position_is_a_draw,
        ((endings, "advanced", lambda spaces: pair(spaces.white - 1, 24 - spaces.black)),),
    ),
    Misreading("hands only below distance 5", hands_count_at_distance_five, ((endings, "LONGEST_CARD", 4),)),
    Misreading(
        "retreat gives another turn", a_retreat_ends_the_turn, ((endings, "close_turn", another_turn_after_a_retreat),)
    ),
    Misreading(
        "attack after a backward move", no_attack_after_a_step_back, ((reading, "_read_action", attack_backwards),)
    ),
    Misreading(
        "stuck before the attack is answered",
        the_attack_is_judged_before_being_stuck,
        ((endings, "close_turn", stuck_first),),
    ),
    Misreading("stuck on moves alone", an_attack_is_a_legal_action, ((endings, "is_stuck", stuck_on_moves_alone),)),
    Misreading("the winner starts", the_starter_alternates, ((referee, "next_starter", winner_starts),)),
    Misreading("the loser starts", the_starter_alternates, ((referee, "next_starter", loser_starts),)),
    Misreading("at most two attack cards", three_cards_attack, ((reading, "_attack_reading", at_most_two),)),
    Misreading(
        "free parries of indirect attacks",
        an_indirect_attack_is_parried_with_cards,
        ((reading, "_after_parry", free_parry),),
    ),
    Misreading("the last attack wins", the_last_attack_may_be_parried, ((endings, "close_turn", last_attack_wins),)),
    Misreading("19 spaces", there_are_23_spaces, ((reading, "SPACES", 19), (referee, "START", BySide(1, 19)))),
    Misreading("25 spaces", there_are_23_spaces, ((reading, "SPACES", 25), (referee, "START", BySide(1, 25)))),
    Misreading("only the track is 19", there_are_23_spaces, ((reading, "SPACES", 19),)),
    Misreading("only the track is 25", there_are_23_spaces, ((reading, "SPACES", 25),)),
)


@pytest.mark.parametrize("misreading", MISREADINGS, ids=lambda misreading: misreading.name)
def test_each_misreading_is_caught(
    misreading: Misreading, position: Position, new_match: NewMatch, monkeypatch: pytest.MonkeyPatch
) -> None:
    misreading.scenario(position, new_match)
    for module, name, replacement in misreading.patches:
        monkeypatch.setattr(module, name, replacement)
    with pytest.raises(AssertionError):
        misreading.scenario(position, new_match)


def test_nearness_to_12_and_the_way_forward_pick_the_same_winner() -> None:
    """White is left of Black, so |W - 12| < |B - 12| exactly when W - 1 > 23 - B: only the shown sum can be wrong."""
    for white in range(1, 23):
        for black in range(white + 1, 24):
            forward = state.advanced(BySide(white, black))
            near = nearness_to_12(BySide(white, black))
            assert (forward.white > forward.black) == (near.white > near.black)
            assert (forward.white == forward.black) == (near.white == near.black)
