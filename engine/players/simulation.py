"""A whole table for bots and tests: deals, keeps the hidden cards, and lets the referee judge every event.

The referee never sees a FullState: ``play`` hands over the public state, then moves cards by the ruling.
"""

from __future__ import annotations

from random import Random

from engine.players.players import Bot, choice_event
from engine.rules.cards import DECK, HAND_SIZE
from engine.rules.events import Event, MatchEvent, RevealEvent, RoundEvent, TurnEvent, YieldEvent
from engine.rules.referee import judge
from engine.rules.rulings import Ruling
from engine.rules.state import FullState, PlayerView, PublicState
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
    """The table after the event as the referee ruled; the same table after a refusal.

    The player to act lays cards and draws up to the hand size the referee says. A RoundEvent, MatchEvent or
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
            raise ValueError(f"{side.value} laid {card}, which is not in the hand")
        hand.remove(card)
    drawn = before.pile - public.pile
    hands = full.hands.put(side, (*hand, *full.pile[:drawn]))
    return FullState(public, hands, full.pile[drawn:]), ruling


def reveal(full: FullState) -> RevealEvent:
    """Both hands, shown."""
    return RevealEvent(full.hands.white, full.hands.black)


def new_match(rules: str, points: int) -> PublicState:
    """The table before the first round of a match under these rules; White begins."""
    public, ruling = judge(None, MatchEvent(rules, points=points))
    if public is None:
        raise ValueError(f"no match begins like this: {ruling}")
    return public


def play_round(
    public: PublicState, bots: BySide[Bot], rng: Random, seen: list[tuple[PlayerView, Event]] | None = None
) -> PublicState:
    """The table after the next round, which the bots play to its end; cards and choices come from ``rng``.

    To ``seen`` every choice is added: what its maker saw, and the event. The past of the match is
    left behind, so that a match of any length costs the same. Raises ValueError, naming the side, where the referee
    refuses a choice.
    """
    full = start_round(public._replace(previous=None), rng)
    while full.public.result is None:
        side = full.public.to_act
        if side is None:
            full, _ = play(full, reveal(full))
            continue
        view = full.view(side)
        event = choice_event(full.public, bots[side].choose(view, rng))
        if seen is not None:
            seen.append((view, event))
        full, ruling = play(full, event)
        if not ruling.ok:
            raise ValueError(f"{side.value} chose what is not allowed: {event}")
    return full.public
