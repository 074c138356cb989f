"""Every misreading engine/RULES.md lists at its end, built into the referee: a sentence of the rules must then fail."""

from __future__ import annotations

from itertools import combinations
from typing import Any

import pytest

from engine.rules import endings, reading, referee, state
from engine.rules.cards import Card
from engine.rules.reading import Reading, Refusal, refusal
from engine.rules.rulings import ActionKind, RulingCode, Working
from engine.rules.state import Attack, AttackKind, Phase, PublicState, Reason, pair, room_behind
from engine.rules.track import BySide, Side
from tests.engine.rules.test_rules import STORIES, told


def parry_by_sum(attack: Attack, cards: tuple[Card, ...], forward: int) -> list[Card] | None:
    for count in range(1, len(cards) + 1):
        for parry in combinations(cards, count):
            if sum(card.value for card in parry) == attack.value * attack.count:
                return [card for card in cards if card not in parry]
    return None


def count_refilled(public: PublicState, side: Side, count: int) -> Refusal | None:
    held = public.hands[side] + (public.attack.count if public.attack else 0)
    return None if count <= held else refusal(RulingCode.HAND_EXCEEDED, side, expected=held, found=count)


def parry_is_the_turn(
    public: PublicState, attack: Attack, side: Side, cards: tuple[Card, ...], values: list[int], forward: int
) -> Reading | Refusal:
    return READ_ANSWER(public._replace(phase=Phase.FINAL), attack, side, cards, values, forward)


def turn_after_the_final_parry(
    public: PublicState, attack: Attack, side: Side, cards: tuple[Card, ...], values: list[int], forward: int
) -> Reading | Refusal:
    return READ_ANSWER(public._replace(phase=Phase.TURN), attack, side, cards, values, forward)


def end_on_a_failed_draw(following: PublicState, side: Side) -> tuple[PublicState, Working | None]:
    if following.pile == 0 and following.hands[side] == 5:
        return following._replace(to_act=side.other), None
    return CLOSE_TURN(following, side)


def nearness_to_12(spaces: BySide[int]) -> BySide[int]:
    return pair(-abs(spaces.white - 12), -abs(spaces.black - 12))


def another_turn_after_a_retreat(following: PublicState, side: Side) -> tuple[PublicState, Working | None]:
    closed, working = CLOSE_TURN(following, side)
    if following.previous is not None and following.distance > following.previous.distance:
        closed = closed._replace(to_act=side)
    return closed, working


def attack_backwards(
    public: PublicState, side: Side, cards: tuple[Card, ...], values: list[int], forward: int
) -> Reading | Refusal:
    read = READ_ACTION(public, side, cards, values, forward)
    if isinstance(read, Refusal) and read.code is RulingCode.ATTACK_AFTER_RETREAT:
        return Reading(ActionKind.INDIRECT_ATTACK, None, len(cards) - 1)
    return read


def stuck_first(following: PublicState, side: Side) -> tuple[PublicState, Working | None]:
    if endings.is_stuck(following, side.other):
        return endings.end_round(following, side, Reason.NO_LEGAL_MOVE, "ruling 13", "FERTI-FR")
    return CLOSE_TURN(following, side)


def stuck_on_moves_alone(public: PublicState, side: Side) -> bool:
    reach = max(public.distance - 1, room_behind(public.spaces, side))
    return not any(left and value <= reach for value, left in public.unseen_counts.items())


def winner_starts(public: PublicState) -> Side | None:
    return public.starter if public.result is None else public.result.winner


def loser_starts(public: PublicState) -> Side:
    winner = public.result.winner if public.result is not None else None
    return public.starter if winner is None else winner.other


def at_most_two(kind: ActionKind, count: int) -> Reading | Refusal:
    if count > 2:
        return refusal(RulingCode.TOO_MANY_CARDS, Side.WHITE, expected=2, found=count)
    return Reading(kind, None, count)


def free_parry(attack: Attack, cards: tuple[Card, ...], forward: int) -> list[Card] | None:
    return list(cards) if attack.kind is AttackKind.INDIRECT else AFTER_PARRY(attack, cards, forward)


def last_attack_wins(following: PublicState, side: Side) -> tuple[PublicState, Working | None]:
    if following.attack is not None and following.pile == 0:
        return endings.end_round(following, side, Reason.HIT, "last card 1", "FERTI-FR")
    return CLOSE_TURN(following, side)


CLOSE_TURN = endings.close_turn
READ_ACTION, READ_ANSWER = reading._read_action, reading._read_answer
AFTER_PARRY = reading._after_parry

MISREADINGS: dict[str, tuple[tuple[Any, str, Any], ...]] = {
    "parry by equal sum": ((reading, "_after_parry", parry_by_sum),),
    "refill after a parry": ((reading, "check_count", count_refilled),),
    "parry uses up the turn": ((reading, "_read_answer", parry_is_the_turn),),
    "a turn after the final parry": ((reading, "_read_answer", turn_after_the_final_parry),),
    "end only on a failed draw": ((endings, "close_turn", end_on_a_failed_draw),),
    "nearness to space 12": ((endings, "advanced", nearness_to_12),),
    "a tie goes to White": ((endings, "advanced", lambda spaces: pair(spaces.white, 23 - spaces.black)),),
    "a tie goes to Black": ((endings, "advanced", lambda spaces: pair(spaces.white - 1, 24 - spaces.black)),),
    "hands only below distance 5": ((endings, "LONGEST_CARD", 4),),
    "retreat gives another turn": ((endings, "close_turn", another_turn_after_a_retreat),),
    "attack after a backward move": ((reading, "_read_action", attack_backwards),),
    "stuck before the attack is answered": ((endings, "close_turn", stuck_first),),
    "stuck on moves alone": ((endings, "is_stuck", stuck_on_moves_alone),),
    "the winner starts": ((referee, "next_starter", winner_starts),),
    "the loser starts": ((referee, "next_starter", loser_starts),),
    "at most two attack cards": ((reading, "_attack_reading", at_most_two),),
    "free parries of indirect attacks": ((reading, "_after_parry", free_parry),),
    "the last attack wins": ((endings, "close_turn", last_attack_wins),),
    "19 spaces": ((reading, "SPACES", 19), (referee, "START", BySide(1, 19))),
    "25 spaces": ((reading, "SPACES", 25), (referee, "START", BySide(1, 25))),
    "only the track is 19": ((reading, "SPACES", 19),),
    "only the track is 25": ((reading, "SPACES", 25),),
}
"""How to get it wrong: what to put where."""


def wrong() -> list[str]:
    """The sentences of the rules that do not hold."""
    found = []
    for name, story in STORIES.items():
        try:
            told(story)
        except AssertionError:
            found.append(name)
    return found


@pytest.mark.parametrize("patches", MISREADINGS.values(), ids=MISREADINGS.keys())
def test_each_misreading_is_caught(patches: tuple[tuple[Any, str, Any], ...], monkeypatch: pytest.MonkeyPatch) -> None:
    for module, name, replacement in patches:
        monkeypatch.setattr(module, name, replacement)
    assert wrong()


def test_nearness_to_12_and_the_way_forward_pick_the_same_winner() -> None:
    """White is left of Black, so |W - 12| < |B - 12| exactly when W - 1 > 23 - B: only the shown sum can be wrong."""
    for white in range(1, 23):
        for black in range(white + 1, 24):
            forward = state.advanced(BySide(white, black))
            near = nearness_to_12(BySide(white, black))
            assert (forward.white > forward.black) == (near.white > near.black)
            assert (forward.white == forward.black) == (near.white == near.black)
