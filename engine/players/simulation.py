"""A whole table for bots and tests: deals, keeps the hidden cards, and lets the referee judge every event.

The referee never sees a FullState: ``play`` hands him the public state, then moves cards as he ruled.
"""

from __future__ import annotations

from random import Random

from engine.rules.cards import DECK, HAND_SIZE
from engine.rules.events import Event, RevealEvent, RoundEvent, TurnEvent, YieldEvent
from engine.rules.referee import judge
from engine.rules.rulings import Ruling
from engine.rules.state import FullState, PublicState
from engine.rules.track import BySide


def deal(public: PublicState, rng: Random) -> FullState:
    """The table just after a RoundEvent: 25 cards shuffled, five to each hand, 15 in the pile."""
    cards = tuple(rng.sample(DECK, len(DECK)))
    hands = BySide(cards[:HAND_SIZE], cards[HAND_SIZE : 2 * HAND_SIZE])
    return FullState(public, hands, cards[2 * HAND_SIZE :])


def start_round(public: PublicState, rng: Random) -> FullState:
    """The next round, judged and dealt. Raises ValueError where no round can start."""
    started, ruling = judge(public, RoundEvent())
    if started is None or not ruling.ok:
        raise ValueError(f"a round starts after the match event or a round, not in phase {public.phase.value}")
    return deal(started, rng)


def play(full: FullState, event: Event) -> tuple[FullState, Ruling]:
    """The table after the event as the referee ruled; the same table when he refused it.

    The player to act lays his cards and draws as many as the referee says he holds. A RoundEvent, MatchEvent or
    UndoEvent needs another deal and raises ValueError, as do cards that are not in the player's hand.
    """
    if not isinstance(event, TurnEvent | YieldEvent | RevealEvent):
        raise ValueError(f"play takes a turn, yield or reveal, not {event}: start a round with start_round")
    before = full.public
    public, ruling = judge(before, event)
    if public is None or not ruling.ok:
        return full, ruling
    if isinstance(event, RevealEvent) or before.to_act is None:
        return FullState(public, full.hands, full.pile), ruling
    side = before.to_act
    hand = list(full.hands[side])
    for card in event.cards:
        if card not in hand:
            raise ValueError(f"{side.value} laid {card}, which is not in his hand")
        hand.remove(card)
    drawn = before.pile - public.pile
    hands = full.hands.put(side, (*hand, *full.pile[:drawn]))
    return FullState(public, hands, full.pile[drawn:]), ruling


def reveal(full: FullState) -> RevealEvent:
    """Both hands, shown."""
    return RevealEvent(full.hands.white, full.hands.black)
