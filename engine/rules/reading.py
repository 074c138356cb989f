"""Reads a turn: from the cards laid and the figure's move, the one legal turn that explains them, or what is wrong.

A turn has at most one explanation: the attack fixes how many cards parry, the direction of the move fixes the kind
of action and its length fixes the card moved with. So "several fit" cannot happen (tests/engine/rules/test_possible.py
tries every turn). Where nothing fits, the code names the rule broken; README.md lists which code when.

Source: RULES.md, "The game" and "When the last card is drawn"; FORMATS.md, "Cards" (the codes).
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache
from types import MappingProxyType
from typing import Final, NamedTuple

from engine.rules.cards import Card
from engine.rules.events import TurnEvent
from engine.rules.legal import Turn
from engine.rules.rulings import ActionKind, Fact, Facts, Parry, RulingCode
from engine.rules.state import Attack, AttackKind, Phase, PublicState
from engine.rules.track import SPACES, BySide, Side


class Reading(NamedTuple):
    """A legal turn: its parry, its action (None: only parried), and how many cards of it attack."""

    action: ActionKind | None
    parry: Parry | None
    attack_count: int


class Refusal(NamedTuple):
    """Why a turn cannot be: the code and its facts."""

    code: RulingCode
    facts: Facts


ADVANCE: Final = Reading(ActionKind.ADVANCE, None, 0)
RETREAT: Final = Reading(ActionKind.RETREAT, None, 0)
_PARRIES: Final = {(value, count): Parry(value, count) for value in range(1, 6) for count in range(1, 6)}


def refusal(code: RulingCode, side: Side, **facts: Fact) -> Refusal:
    return Refusal(code, MappingProxyType({"side": side.value, **facts}))


def check_cards(state: PublicState, cards: Sequence[Card]) -> Refusal | None:
    """Cards are new: none twice, none played this round before."""
    if len(cards) == 1:
        if cards[0] not in state.played:
            return None
        return Refusal(RulingCode.CARD_ALREADY_PLAYED, MappingProxyType({"card": str(cards[0])}))
    if len(set(cards)) != len(cards):
        card = next(card for place, card in enumerate(cards) if card in cards[:place])
        return Refusal(RulingCode.REPEATED_CARD, MappingProxyType({"card": str(card)}))
    for card in cards:
        if card in state.played:
            return Refusal(RulingCode.CARD_ALREADY_PLAYED, MappingProxyType({"card": str(card)}))
    return None


def check_count(state: PublicState, side: Side, count: int) -> Refusal | None:
    """No more cards are laid than the hand holds."""
    held = state.hands[side]
    if count > held:
        return refusal(RulingCode.HAND_EXCEEDED, side, expected=held, found=count)
    return None


def check_figures(before: BySide[int], side: Side, white: int, black: int) -> Refusal | None:
    """Only the player's own figure moved, on the track, short of the opponent."""
    own, other = (white, black) if side is Side.WHITE else (black, white)
    stood = before[side.other]
    if other != stood:
        return refusal(RulingCode.OPPONENT_MOVED, side.other, expected=stood, found=other)
    if not 1 <= own <= SPACES:
        return refusal(RulingCode.OFF_TRACK, side, found=own)
    if white >= black:
        return refusal(RulingCode.PASSED_OPPONENT, side, found=own, opponent=other)
    return None


def read_turn(state: PublicState, side: Side, cards: Sequence[Card], forward: int) -> Reading | Refusal:
    """The turn that these cards and this move (spaces forward, negative: back) are; cards and figures are checked.

    ``forward`` keeps the figure on the track and short of the opponent.
    """
    values = [card[0] for card in cards]
    attack = state.attack
    if attack is None:
        return _read_action(state, side, cards, values, forward)
    return _read_answer(state, attack, side, cards, values, forward)


def explain(state: PublicState, event: TurnEvent) -> Turn | Refusal:
    """The turn of the player to act that this event is, card by card, or why there is none.

    The first cards of the attack's value parry; the first card of the length of the move moved the figure.
    """
    side = state.to_act
    if side is None:
        facts = MappingProxyType({"event": event.name, "phase": state.phase.value})
        return Refusal(RulingCode.NOT_NOW, facts)
    read = check_turn(state, side, event)
    if isinstance(read, Refusal):
        return read
    count = read.parry.count if read.parry else 0
    parry = tuple([card for card in event.cards if read.parry and card.value == read.parry.value][:count])
    rest = tuple(card for card in event.cards if card not in parry)
    if read.action is None:
        return Turn(parry)
    if read.action is ActionKind.DIRECT_ATTACK:
        return Turn(parry, attack=rest)
    moved = abs(state.distance - (event.black - event.white))
    card = next(card for card in rest if card.value == moved)
    attack = tuple(other for other in rest if other is not card)
    return Turn(parry, card, attack, read.action is ActionKind.RETREAT)


def check_turn(state: PublicState, side: Side, event: TurnEvent) -> Reading | Refusal:
    """Everything there is to check about a turn, in the order of README.md: cards, figures, action."""
    cards = event.cards
    refused = check_cards(state, cards)
    if refused is None and not cards:
        refused = refusal(RulingCode.NO_CARDS, side)
    refused = (
        refused or check_count(state, side, len(cards)) or check_figures(state.spaces, side, event.white, event.black)
    )
    return refused or read_turn(state, side, cards, state.distance - (event.black - event.white))


def _read_action(
    state: PublicState, side: Side, cards: Sequence[Card], values: list[int], forward: int
) -> Reading | Refusal:
    """An action of its own: advance, retreat, direct or indirect attack."""
    count = len(values)
    distance = state.distance
    if forward == 0:
        if values.count(distance) == count:
            return _attack_reading(ActionKind.DIRECT_ATTACK, count)
        return _wrong_attack(side, values, distance)
    moved = abs(forward)
    if count == 1:
        if values[0] == moved:
            return ADVANCE if forward > 0 else RETREAT
        return refusal(RulingCode.WRONG_DISTANCE, side, expected=(values[0],), found=moved)
    if moved not in values:
        return refusal(RulingCode.WRONG_DISTANCE, side, expected=tuple(sorted(set(values))), found=moved)
    left = distance - forward
    rest = list(values)
    rest.remove(moved)
    attacks = rest.count(left) == count - 1
    if forward < 0:
        # Attacking first and then stepping back is the same offence as stepping back first.
        if attacks or rest.count(distance) == count - 1:
            return refusal(RulingCode.ATTACK_AFTER_RETREAT, side, found=_all_but_one(cards, moved))
        return refusal(RulingCode.TOO_MANY_CARDS, side, expected=1, found=count)
    if attacks:
        if state.rules.indirect_attacks:
            return _attack_reading(ActionKind.INDIRECT_ATTACK, count - 1)
        return refusal(RulingCode.INDIRECT_NOT_ALLOWED, side, rules=state.rules.name)
    if not state.rules.indirect_attacks:
        return refusal(RulingCode.TOO_MANY_CARDS, side, expected=1, found=count)
    return _wrong_attack(side, rest, left)


def _read_answer(
    state: PublicState, attack: Attack, side: Side, cards: Sequence[Card], values: list[int], forward: int
) -> Reading | Refusal:
    """The answer to an attack: a parry and a whole turn, on the last defence just the parry, or (indirect only) a
    retreat."""
    retreat = _read_retreat(attack, side, cards, values, forward)
    if isinstance(retreat, Reading):
        return retreat
    rest, final = _after_parry(attack, cards, forward), state.phase is Phase.FINAL
    if rest is None:
        return retreat or _unanswered(attack, side, values)
    if final and not rest and forward == 0:
        return _with_parry(None, attack.value, attack.count)
    if retreat is not None and len(values) == 1:
        return retreat
    if final or not rest:
        code = RulingCode.FINAL_PARRY_ONLY if final else RulingCode.NO_ACTION_AFTER_PARRY
        return refusal(code, side, value=attack.value, count=attack.count)
    read = _read_action(state, side, rest, [card.value for card in rest], forward)
    return read if isinstance(read, Refusal) else _with_parry(read, attack.value, attack.count)


def _read_retreat(
    attack: Attack, side: Side, cards: Sequence[Card], values: list[int], forward: int
) -> Reading | Refusal | None:
    """The turn as a retreat from an indirect attack; None where it does not look like one at all."""
    if attack.kind is AttackKind.DIRECT or forward >= 0:
        return None
    moved = -forward
    if len(values) == 1:
        if values[0] == moved:
            return RETREAT
        return refusal(RulingCode.WRONG_DISTANCE, side, expected=(values[0],), found=moved)
    if moved not in values:
        return None
    rest = list(values)
    rest.remove(moved)
    if rest.count(attack.value + moved) == len(rest):
        return refusal(RulingCode.ATTACK_AFTER_RETREAT, side, found=_all_but_one(cards, moved))
    return refusal(RulingCode.TOO_MANY_CARDS, side, expected=1, found=len(values))


def _after_parry(attack: Attack, cards: Sequence[Card], forward: int) -> list[Card] | None:
    """The cards left once the parry is taken out of them; None where they do not parry.

    One card that the figure stepped back by was spent on the step, even when its value would have parried.
    """
    if len(cards) == 1 and cards[0].value == -forward:
        return None
    matching = [card for card in cards if card.value == attack.value]
    if len(matching) < attack.count:
        return None
    parry = matching[: attack.count]
    return [card for card in cards if card not in parry]


def _unanswered(attack: Attack, side: Side, values: list[int]) -> Refusal:
    code = RulingCode.MUST_PARRY if attack.kind is AttackKind.DIRECT else RulingCode.MUST_ANSWER
    return refusal(code, side, value=attack.value, count=attack.count, found=values.count(attack.value))


def _wrong_attack(side: Side, values: list[int], distance: int) -> Refusal:
    if values.count(values[0]) != len(values):
        return refusal(RulingCode.MIXED_VALUES, side, expected=distance, found=tuple(sorted(set(values))))
    return refusal(RulingCode.ATTACK_VALUE, side, expected=distance, found=values[0])


def _all_but_one(cards: Sequence[Card], value: int) -> tuple[str, ...]:
    """The names of the cards without the first of this value: what was laid beside the card moved with."""
    moved = next(card for card in cards if card.value == value)
    return tuple(str(card) for card in cards if card is not moved)


@lru_cache(maxsize=64)
def _attack_reading(kind: ActionKind, count: int) -> Reading:
    return Reading(kind, None, count)


@lru_cache(maxsize=1024)
def _with_parry(reading: Reading | None, value: int, count: int) -> Reading:
    parry = _PARRIES[value, count]
    return Reading(None, parry, 0) if reading is None else Reading(reading.action, parry, reading.attack_count)
