"""The outcome of a deed at a step: right, a mistake that has an answer, or another one."""

from __future__ import annotations

from collections import Counter
from typing import Final

from engine.lessons.lesson import PracticeRound, Sign, Step, Values
from engine.rules.cards import Card
from engine.rules.events import Event, RevealEvent, TurnEvent, YieldEvent
from engine.rules.rulings import ATTACKS, Ruling, RulingCode
from engine.rules.state import Phase, PublicState
from engine.rules.track import BySide
from engine.table.table_reading import GIVES_UP_WHEN_REPEATED

RIGHT: Final = ""
"""The outcome of a step that is done."""

COMMON: Final = {
    RulingCode.NO_CARDS: "no_cards",
    RulingCode.OPPONENT_MOVED: "other_fencer",
    RulingCode.WRONG_DISTANCE: "wrong_number",
    RulingCode.TOO_MANY_CARDS: "too_many",
    RulingCode.PASSED_OPPONENT: "passed",
    RulingCode.ATTACK_VALUE: "attack_value",
    RulingCode.MIXED_VALUES: "mixed",
    RulingCode.MUST_PARRY: "must_parry",
    RulingCode.MUST_ANSWER: "must_answer",
    RulingCode.NO_ACTION_AFTER_PARRY: "go_on",
    RulingCode.FINAL_PARRY_ONLY: "parry_only",
    RulingCode.ATTACK_AFTER_RETREAT: "back_and_attack",
    RulingCode.INDIRECT_NOT_ALLOWED: "no_indirect",
    RulingCode.HAND_SIZE: "hand_size",
    RulingCode.CARD_ALREADY_PLAYED: "other_cards",
}
"""The name of a refusal where the step has no answer of its own to it: ``lessons.common.NAME``."""
NOT_IN_HAND: Final = "other_cards"
GAVE_UP: Final = "gave_up"
NOT_MOVED: Final = "not_moved"
"""A card was laid to walk with, and the fencer forgotten."""
ALLOWED: Final = "allowed"
"""Accepted, but not what the step is about."""


def outcome(step: Step, state: PublicState, hands: BySide[Values], event: Event, ruling: Ruling) -> str:
    """``RIGHT``, the name of one of the step's mistakes, or ``common.NAME``; empty codes are the referee's business.

    ``state`` is the one before the event, ``hands`` the cards the players were told to take.
    """
    if fits(step.wanted, state, event, ruling):
        return RIGHT
    for mistake in step.mistakes:
        if fits(mistake.sign, state, event, ruling):
            return mistake.name
    if not _told(state, hands, event):
        return f"common.{NOT_IN_HAND}"
    walks = step.wanted.actions and not {*step.wanted.actions} & {*ATTACKS}
    if ruling.code is RulingCode.ATTACK_VALUE and walks and _forward(state, event) == 0:
        return f"common.{NOT_MOVED}"
    if ruling.ok:
        return f"common.{GAVE_UP if isinstance(event, YieldEvent) else ALLOWED}"
    return f"common.{COMMON.get(ruling.code, ALLOWED) if ruling.code else ALLOWED}"


def done_well(ruling: Ruling) -> str:
    """The praise of a right deed: ``lessons.praise.NAME``."""
    attacked = ruling.action in ATTACKS
    if ruling.event == YieldEvent.name:
        return ruling.event
    if ruling.parry is not None:
        return "riposte" if attacked else "parry"
    return ruling.action.value if ruling.action is not None else ruling.event


def too_early(practice: PracticeRound, ruling: Ruling) -> str:
    """The name of what was played in a practice round and was not learned yet; empty for nothing."""
    return "parry" if "parry" in practice.without and ruling.parry is not None else ""


def is_over(practice: PracticeRound, state: PublicState) -> bool:
    """Whether nothing more is played in it: it is decided, or comes to an end that was not learned yet."""
    return state.phase in (Phase.ROUND_OVER, Phase.MATCH_OVER) or ("end" in practice.without and state.pile == 0)


def on_the_way(step: Step, ruling: Ruling) -> bool:
    """Whether a refusal is only the first of the two presses that give up, which this step waits for."""
    return step.wanted.event == YieldEvent.name and ruling.code in GIVES_UP_WHEN_REPEATED


def fits(sign: Sign, state: PublicState, event: Event, ruling: Ruling) -> bool:
    """Whether the event, ruled on like this, is what the sign tells of."""
    if event.name != sign.event:
        return False
    if sign.codes and ruling.code not in sign.codes:
        return False
    if not sign.codes and not ruling.ok:
        return False
    if sign.actions and ruling.action not in sign.actions:
        return False
    if sign.parried is not None and (ruling.parry is not None) is not sign.parried:
        return False
    values = sorted(card.value for card in _cards(event))
    if sign.values is not None and values != sorted(sign.values):
        return False
    if sign.laid is not None and len(values) != sign.laid:
        return False
    return sign.forward is None or sign.forward == _forward(state, event)


def _cards(event: Event) -> tuple[Card, ...]:
    return event.cards if isinstance(event, TurnEvent | YieldEvent) else ()


def _forward(state: PublicState, event: Event) -> int | None:
    """How far the fencer of the player to act went; None where nobody was."""
    side = state.to_act
    if side is None or not isinstance(event, TurnEvent):
        return None
    return (event.spaces[side] - state.spaces[side]) * side.forward


def _told(state: PublicState, hands: BySide[Values], event: Event) -> bool:
    """Whether all cards are among those the player was told to take."""
    if isinstance(event, RevealEvent):
        shown = BySide(event.white, event.black).map(_values)
        return all(shown[side] == Counter(hand) for side, hand in hands.items())
    if state.to_act is None:
        return True
    return _values(_cards(event)) <= Counter(hands[state.to_act])


def _values(cards: tuple[Card, ...]) -> Counter[int]:
    return Counter(card.value for card in cards)
