"""Mistakes that people make at a table, made on purpose so that the referee can be seen to notice.

Every misplay is checked to be illegal before it is acted out: a legal turn that was not the one intended is no
mistake that a referee could see.
"""

from __future__ import annotations

import random
from dataclasses import dataclass, replace
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


def misplay(state: PublicState, meant: TurnEvent, hand: tuple[Card, ...], rng: random.Random) -> Misplayed | None:
    """A misplay of ``meant`` by the player to act that the rules refuse, or None if none of them fits here."""
    kinds = list(Misplay)
    rng.shuffle(kinds)
    kinds.sort(key=lambda kind: kind is not Misplay.SHORT_PARRY)  # seldom possible, so made whenever it is
    for kind in kinds:
        event = _spoiled(kind, state, meant, hand, rng)
        if event is not None and event != meant and not judge(state, event)[1].ok:
            return Misplayed(kind, event)
    return None


def _spoiled(
    kind: Misplay, state: PublicState, meant: TurnEvent, hand: tuple[Card, ...], rng: random.Random
) -> TurnEvent | None:
    """This mistake in the place of ``meant``; None where it cannot be made."""
    side, spaces, attack = state.to_act, state.spaces, state.attack
    assert side is not None
    before, after = spaces[side], meant.spaces[side]
    match kind:
        case Misplay.WRONG_NUMBER if before != after:
            wrong = after + rng.choice((-1, 1, 2, -2))
            return _moved(meant, side, wrong) if wrong != before else None
        case Misplay.FORGOTTEN_CARD if meant.cards:
            left_out = rng.choice(meant.cards)
            return replace(meant, cards=tuple(card for card in meant.cards if card != left_out))
        case Misplay.PLAYED_CARD if state.played and before != after:  # only the top discard is in reach
            top = state.played[-1]
            return _moved(replace(meant, cards=(top,)), side, before + side.forward * top.value)
        case Misplay.WRONG_FIGURE if before != after:
            still = TurnEvent(meant.cards, spaces.white, spaces.black)
            return _moved(still, side.other, spaces[side.other] + side.other.forward * abs(after - before))
        case Misplay.WRONG_DISTANCE if attack is None:
            off = [card for card in hand if card.value != state.distance]
            return TurnEvent((rng.choice(off),), spaces.white, spaces.black) if off else None
        case Misplay.SHORT_PARRY if attack is not None:
            cards = tuple(card for card in hand if card.value == attack.value)[: attack.count - 1]
            return TurnEvent(cards, spaces.white, spaces.black) if cards else None
    return None


def _moved(event: TurnEvent, side: Side, space: int) -> TurnEvent | None:
    """This turn with this side's figure there; None where it cannot stand: off the track, or behind the other."""
    spaces = event.spaces.put(side, space)
    if not 1 <= spaces.white < spaces.black <= SPACES:
        return None
    return TurnEvent(event.cards, spaces.white, spaces.black)
