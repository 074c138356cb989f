"""The referee: ``judge(state, event) -> (state, ruling)``. Pure; a refusal gives back the very same state.

It works from what the table shows. Hidden hands are whatever the unseen cards allow.
Source: RULES.md; FORMATS.md, "Cards".
"""

from __future__ import annotations

from types import MappingProxyType
from typing import Final

from engine.rules import endings
from engine.rules.cards import Card
from engine.rules.events import (
    Event,
    EventError,
    MatchEvent,
    RevealEvent,
    RoundEvent,
    TimeEvent,
    TurnEvent,
    UndoEvent,
    YieldEvent,
)
from engine.rules.possible import unseen_cards
from engine.rules.reading import Refusal, check_cards, check_count, check_turn, refusal
from engine.rules.rulesets import RULE_SETS
from engine.rules.rulings import Remedy, RemedyKind, Ruling, RulingCode
from engine.rules.state import FULL_HANDS, PILE_SIZE, Phase, PublicState, Reason, Result, pair
from engine.rules.track import START, BySide, Side

Judged = tuple[PublicState | None, Ruling]

_MATCH_OK: Final = Ruling(True, "match")
_ROUND_OK: Final = Ruling(True, "round")
_TIME_OK: Final = Ruling(True, "time")
_UNDO_OK: Final = Ruling(True, "undo")


def judge(state: PublicState | None, event: Event) -> Judged:
    """The state after the event and the ruling on it. ``state`` None: before the first match."""
    event = as_played(state, event)
    if isinstance(event, TurnEvent):
        return _turn(state, event)
    if isinstance(event, MatchEvent):
        return _match(event), _MATCH_OK
    if isinstance(event, RoundEvent):
        return _round(state)
    if isinstance(event, YieldEvent):
        return _yield(state, event)
    if isinstance(event, RevealEvent):
        return _reveal(state, event)
    if isinstance(event, TimeEvent):
        return _time(state, event)
    return _undo(state, event)


def as_played(state: PublicState | None, event: Event) -> Event:
    """The event as it is judged: giving up with exactly the cards of the last parry is that parry, a whole turn."""
    if state is None or state.phase is not Phase.FINAL or not isinstance(event, YieldEvent) or not event.cards:
        return event
    parry = TurnEvent(event.cards, state.spaces.white, state.spaces.black)
    return event if state.to_act is None or isinstance(check_turn(state, state.to_act, parry), Refusal) else parry


def judge_unreadable(state: PublicState | None, error: EventError) -> Ruling:
    """The ruling on a line that is no event, or names a card there is not; the state stays."""
    if error.code is RulingCode.UNKNOWN_CARD:
        if not _has_place(state, error.event):
            return _not_now(state, error.event)
        facts = MappingProxyType({"card": error.card})
        return Ruling(False, error.event, code=RulingCode.UNKNOWN_CARD, facts=facts)
    facts = MappingProxyType({"problem": error.problem})
    return Ruling(False, error.event, code=RulingCode.BAD_EVENT, facts=facts)


def _has_place(state: PublicState | None, event: str) -> bool:
    """Whether an event of this name may come in this phase."""
    if event == "match":
        return True
    if state is None:
        return False
    if event == "round":
        return state.phase is Phase.SETUP or state.phase is Phase.ROUND_OVER
    if event == "reveal":
        return state.phase is Phase.REVEAL
    if event == "undo":
        return state.previous is not None
    if event == "time":
        return state.phase is Phase.ROUND_OVER or (state.phase is Phase.TURN and state.attack is None)
    return state.phase is Phase.TURN or state.phase is Phase.FINAL


def _match(event: MatchEvent) -> PublicState:
    return PublicState(
        rules=RULE_SETS[event.rules],
        points=event.points,
        round=0,
        phase=Phase.SETUP,
        to_act=None,
        starter=event.starter,
        spaces=START,
        distance=START.black - START.white,
        pile=PILE_SIZE,
        hands=FULL_HANDS,
        attack=None,
        score=pair(0, 0),
        result=None,
    )


def next_starter(state: PublicState) -> Side:
    """The starter of the next round: it alternates, whoever won (ruling 9)."""
    return state.starter if state.round == 0 else state.starter.other


def _round(state: PublicState | None) -> Judged:
    if state is None or not _has_place(state, "round"):
        return state, _not_now(state, "round")
    starter = next_starter(state)
    started = state._replace(
        round=state.round + 1,
        phase=Phase.TURN,
        to_act=starter,
        starter=starter,
        spaces=START,
        distance=START.black - START.white,
        pile=PILE_SIZE,
        hands=FULL_HANDS,
        attack=None,
        result=None,
        played=(),
        previous=state,
    )
    return started, _ROUND_OK


def _turn(state: PublicState | None, event: TurnEvent) -> Judged:
    if state is None or state.to_act is None:
        return state, _not_now(state, "turn")
    side = state.to_act
    read = check_turn(state, side, event)
    if isinstance(read, Refusal):
        return state, _refuse_turn(state, event, read)
    cards, white, black = event.cards, event.white, event.black
    distance = black - white
    attack = None
    if read.attack_count and read.action is not None:
        attack = endings.attack_of(side, read.action, distance, read.attack_count)
    hands, pile = endings.refill(state, side, len(cards))
    following = state._replace(
        spaces=pair(white, black),
        distance=distance,
        pile=pile,
        hands=hands,
        attack=attack,
        played=state.played + cards,
        previous=state,
    )
    closed, working = endings.close_turn(following, side)
    return closed, Ruling(True, "turn", side, read.action, read.parry, working=working)


def _yield(state: PublicState | None, event: YieldEvent) -> Judged:
    if state is None or state.to_act is None:
        return state, _not_now(state, "yield")
    side = state.to_act
    cards = event.cards
    refused = check_cards(state, cards) or check_count(state, side, len(cards))
    if refused is not None:
        remedies = tuple(_take_back(cards))
        return state, Ruling(False, "yield", side, code=refused.code, facts=refused.facts, remedies=remedies)
    attack = state.attack
    laid = state._replace(
        hands=state.hands.put(side, state.hands[side] - len(cards)), played=state.played + cards, previous=state
    )
    source = state.rules.source
    if attack is None:
        closed, working = endings.end_round(laid, side.other, Reason.NO_LEGAL_MOVE, endings.BY_DECLARATION, source)
    elif len(cards) == attack.count and all(card.value == attack.value for card in cards):
        closed, working = endings.end_round(laid, side.other, Reason.NO_LEGAL_MOVE, endings.BY_STUCK_PARRY, source)
    else:
        closed, working = endings.end_round(laid, side.other, Reason.HIT, endings.BY_DECLARATION, source)
    return closed, Ruling(True, "yield", side, working=working)


def _reveal(state: PublicState | None, event: RevealEvent) -> Judged:
    if state is None or state.phase is not Phase.REVEAL:
        return state, _not_now(state, "reveal")
    hands = BySide(event.white, event.black)
    refused = check_cards(state, event.white + event.black) or _check_hands(state, hands)
    if refused is not None:
        return state, Ruling(False, "reveal", code=refused.code, facts=refused.facts, remedies=_what_now(state))
    closed, working = endings.after_reveal(state, hands)
    return closed._replace(previous=state), Ruling(True, "reveal", working=working)


def _check_hands(state: PublicState, hands: BySide[tuple[Card, ...]]) -> Refusal | None:
    """At the end of the pile the whole deck adds up: every card is played or shown."""
    for side, hand in hands.items():
        if len(hand) != state.hands[side]:
            missing = tuple(str(card) for card in unseen_cards(state, hands.white + hands.black))
            return refusal(RulingCode.HAND_SIZE, side, expected=state.hands[side], found=len(hand), missing=missing)
    return None


def _time(state: PublicState | None, event: TimeEvent) -> Judged:
    """The match over where somebody is ahead, has the priority, or a level one is drawn; else the next touch wins it.

    Source: RULES.md, "A limit of time".
    """
    if state is None or not _has_place(state, "time"):
        return state, _not_now(state, "time")
    white, black = state.score.white, state.score.black
    if white != black:
        result = Result(Side.WHITE if white > black else Side.BLACK, Reason.TIME)
    elif event.priority is not None:
        result = Result(event.priority, Reason.PRIORITY)
    elif event.drawn:
        result = Result(None, Reason.TIME)
    else:
        return state._replace(points=white + 1, previous=state), _TIME_OK
    return state._replace(phase=Phase.MATCH_OVER, to_act=None, result=result, previous=state), _TIME_OK


def _undo(state: PublicState | None, event: UndoEvent) -> Judged:
    if state is None or state.previous is None:
        return state, _not_now(state, event.name)
    return state.previous, _UNDO_OK


def _not_now(state: PublicState | None, event: str) -> Ruling:
    phase = "no_match" if state is None else state.phase.value
    facts = MappingProxyType({"event": event, "phase": phase})
    return Ruling(False, event, code=RulingCode.NOT_NOW, facts=facts, remedies=_what_now(state))


def _what_now(state: PublicState | None) -> tuple[Remedy, ...]:
    """The step the table waits for."""
    if state is None or state.phase is Phase.MATCH_OVER:
        return (Remedy(RemedyKind.START_MATCH),)
    if state.phase is Phase.REVEAL:
        return tuple(Remedy(RemedyKind.SHOW_HAND, side=side, count=count) for side, count in state.hands.items())
    if state.to_act is None:
        return (Remedy(RemedyKind.START_ROUND),)
    return (Remedy(RemedyKind.PLAY_ACTION, side=state.to_act),)


def _refuse_turn(state: PublicState, event: TurnEvent, refused: Refusal) -> Ruling:
    """Back to the position before the turn (ruling 14), and what it takes to play on."""
    remedies: list[Remedy] = []
    for side, stands in ((Side.WHITE, event.white), (Side.BLACK, event.black)):
        if stands != state.spaces[side]:
            remedies.append(Remedy(RemedyKind.MOVE_FIGURE, side=side, space=state.spaces[side]))
    player, attack, code = state.to_act, state.attack, refused.code
    if code is RulingCode.NO_ACTION_AFTER_PARRY or code is RulingCode.NO_CARDS:
        remedies.append(Remedy(RemedyKind.PLAY_ACTION, side=player))
    else:
        remedies.extend(_take_back(event.cards))
    if attack is not None and code in (RulingCode.MUST_PARRY, RulingCode.MUST_ANSWER, RulingCode.FINAL_PARRY_ONLY):
        remedies.append(Remedy(RemedyKind.LAY_CARDS, side=player, value=attack.value, count=attack.count))
        if code is RulingCode.MUST_ANSWER:
            remedies.append(Remedy(RemedyKind.RETREAT, side=player))
    return Ruling(False, "turn", player, code=code, facts=refused.facts, remedies=tuple(remedies))


def _take_back(cards: tuple[Card, ...]) -> list[Remedy]:
    return [Remedy(RemedyKind.TAKE_BACK_CARD, card=card) for card in dict.fromkeys(cards)]
