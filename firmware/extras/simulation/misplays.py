"""Mistakes that people make at a table, made on purpose so that the referee can be seen to notice.

Every misplay is checked to be illegal before it is acted out: a legal turn that was not the one intended is no
mistake that a referee could see.
"""

from __future__ import annotations

import random
from collections.abc import Callable
from dataclasses import dataclass
from enum import Enum

from engine.rules.cards import Card
from engine.rules.events import TurnEvent
from engine.rules.referee import judge
from engine.rules.state import PublicState
from engine.rules.track import SPACES, Side


class Misplay(Enum):
    """The mistakes bots make, as people do."""

    WRONG_NUMBER = "moves by another number than the card"
    FORGOTTEN_CARD = "forgets to lay a card"
    PLAYED_CARD = "lays a card that was already played"
    WRONG_FIGURE = "moves the other figure"
    WRONG_DISTANCE = "attacks from the wrong distance"
    SHORT_PARRY = "parries with too few cards"


@dataclass(frozen=True, slots=True)
class Misplayed:
    """A turn gone wrong: what is acted out instead of the turn that was meant."""

    kind: Misplay
    event: TurnEvent


Spoiler = Callable[[PublicState, TurnEvent, tuple[Card, ...], random.Random], TurnEvent | None]


def misplay(state: PublicState, meant: TurnEvent, hand: tuple[Card, ...], rng: random.Random) -> Misplayed | None:
    """A misplay of ``meant`` by the player to act that the rules refuse, or None if none of them fits here."""
    kinds = list(_SPOILERS)
    rng.shuffle(kinds)
    kinds.sort(key=lambda kind: kind is not Misplay.SHORT_PARRY)  # seldom possible, so made whenever it is
    for kind in kinds:
        event = _SPOILERS[kind](state, meant, hand, rng)
        if event is not None and event != meant and not judge(state, event)[1].ok:
            return Misplayed(kind, event)
    return None


def _wrong_number(state: PublicState, meant: TurnEvent, hand: tuple[Card, ...], rng: random.Random) -> TurnEvent | None:
    side = _mover(state)
    before, after = state.spaces[side], meant.spaces[side]
    if before == after:
        return None
    wrong = after + rng.choice((-1, 1, 2, -2))
    return _moved(meant, side, wrong) if _free(meant, side, wrong) and wrong != before else None


def _forgotten_card(
    state: PublicState, meant: TurnEvent, hand: tuple[Card, ...], rng: random.Random
) -> TurnEvent | None:
    if not meant.cards:
        return None
    left_out = rng.choice(meant.cards)
    return TurnEvent(tuple(card for card in meant.cards if card != left_out), meant.white, meant.black)


def _played_card(state: PublicState, meant: TurnEvent, hand: tuple[Card, ...], rng: random.Random) -> TurnEvent | None:
    """Takes the top discard up again instead of a card from the hand: only the top one is in reach."""
    side = _mover(state)
    if not state.played or state.spaces[side] == meant.spaces[side]:
        return None
    top = state.played[-1]
    space = state.spaces[side] + side.forward * top.value
    return _moved(TurnEvent((top,), meant.white, meant.black), side, space) if _free(meant, side, space) else None


def _wrong_figure(state: PublicState, meant: TurnEvent, hand: tuple[Card, ...], rng: random.Random) -> TurnEvent | None:
    side = _mover(state)
    step = abs(meant.spaces[side] - state.spaces[side])
    if step == 0:
        return None
    still = TurnEvent(meant.cards, state.spaces.white, state.spaces.black)
    space = state.spaces[side.other] + side.other.forward * step
    return _moved(still, side.other, space) if _free(still, side.other, space) else None


def _wrong_distance(
    state: PublicState, meant: TurnEvent, hand: tuple[Card, ...], rng: random.Random
) -> TurnEvent | None:
    if state.attack is not None:
        return None
    off = [card for card in hand if card.value != state.distance]
    if not off:
        return None
    return TurnEvent((rng.choice(off),), state.spaces.white, state.spaces.black)


def _short_parry(state: PublicState, meant: TurnEvent, hand: tuple[Card, ...], rng: random.Random) -> TurnEvent | None:
    attack = state.attack
    if attack is None or attack.count < 2:
        return None
    cards = tuple(card for card in hand if card.value == attack.value)[: attack.count - 1]
    return TurnEvent(cards, state.spaces.white, state.spaces.black) if cards else None


_SPOILERS: dict[Misplay, Spoiler] = {
    Misplay.WRONG_NUMBER: _wrong_number,
    Misplay.FORGOTTEN_CARD: _forgotten_card,
    Misplay.PLAYED_CARD: _played_card,
    Misplay.WRONG_FIGURE: _wrong_figure,
    Misplay.WRONG_DISTANCE: _wrong_distance,
    Misplay.SHORT_PARRY: _short_parry,
}


def _mover(state: PublicState) -> Side:
    assert state.to_act is not None
    return state.to_act


def _moved(event: TurnEvent, side: Side, space: int) -> TurnEvent:
    if side is Side.WHITE:
        return TurnEvent(event.cards, space, event.black)
    return TurnEvent(event.cards, event.white, space)


def _free(event: TurnEvent, side: Side, space: int) -> bool:
    """Whether this side's figure can physically be put on that space: on the track, before the other figure."""
    if side is Side.WHITE:
        return 1 <= space < event.black
    return event.white < space <= SPACES
