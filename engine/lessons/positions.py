"""From a lesson's position to the state the referee rules on, and from deeds to events.

A position names cards by value only, because the players take any that fit. The cards that are gone are held by
letters nobody has laid: ``rebound`` gives them others when one of those turns up on the table.
"""

from __future__ import annotations

from collections.abc import Collection

from engine.lessons.lesson import Position, Values
from engine.rules.cards import HAND_SIZE, LETTERS, VALUES, Card
from engine.rules.state import FULL_HANDS, PILE_SIZE, Attack, Phase, PublicState, Reason, Result, pair


def state_of(position: Position) -> PublicState:
    """The state the referee rules on. Raises ValueError for a position that cannot be."""
    spaces = pair(position.white, position.black)
    distance = position.black - position.white
    playing = position.phase in (Phase.TURN, Phase.FINAL)
    attack = None
    if position.attack is not None:
        attack = Attack(position.to_act.other, position.attack.kind, distance, position.attack.count)
    shown = position.phase is Phase.REVEAL
    hands = position.hands.map(len) if shown else FULL_HANDS
    return PublicState(
        rules=position.rules,
        points=position.points,
        round=position.round,
        phase=position.phase,
        to_act=position.to_act if playing else None,
        starter=position.starter,
        spaces=spaces,
        distance=distance,
        pile=position.pile,
        hands=hands,
        attack=attack,
        score=position.score,
        result=Result(position.starter, Reason.HIT) if position.phase is Phase.ROUND_OVER else None,
        played=_gone(position, hands.white + hands.black),
    )


def _gone(position: Position, held: int) -> tuple[Card, ...]:
    """Cards that were played: those the position names, and others so that 25 add up, none of those in the hands."""
    left = {value: len(LETTERS) for value in VALUES}
    for hand in (position.hands.white, position.hands.black, position.played):
        for value in hand:
            left[value] -= 1
    if min(left.values()) < 0:
        raise ValueError(f"more than five cards of one value in {position}")
    count = HAND_SIZE * len(VALUES) - held - position.pile
    if position.phase is Phase.ROUND_OVER:
        count = len(position.played)
    more: list[int] = []
    # From those there are most of, so that what the cards gone prove is only what the position names.
    while len(position.played) + len(more) < count:
        value = max(VALUES, key=lambda value: left[value])
        left[value] -= 1
        more.append(value)
    if len(position.played) > count or min(left.values()) < 0:
        raise ValueError(f"the cards of {position} do not add up to 25, with {PILE_SIZE} in the first pile")
    return lettered((*more, *position.played))


def lettered(values: Values, besides: Collection[Card] = ()) -> tuple[Card, ...]:
    """Cards of these values, none of them twice and none of those ``besides``. Raises ValueError for too many."""
    cards: list[Card] = []
    for value in values:
        free = [card for letter in LETTERS if (card := Card(value, letter)) not in besides and card not in cards]
        if not free:
            raise ValueError(f"there are not enough cards of value {value} left for {values}")
        cards.append(free[-1])
    return tuple(cards)


def rebound(state: PublicState, laid: Collection[Card], lying: Collection[Card]) -> PublicState:
    """The state with other letters for cards that are gone and yet turn up among those ``lying`` on the table.

    ``laid`` are those the players really laid: they keep theirs. Where all cards of a value are accounted for a letter
    stays, and laying that card is laying one that was played.
    """
    played = list(state.played)
    for place, card in enumerate(played):
        if card in laid or card not in lying:
            continue
        free = [
            other
            for letter in LETTERS
            if (other := Card(card.value, letter)) not in played and other not in lying and other not in laid
        ]
        if free:
            played[place] = free[-1]
    return state if tuple(played) == state.played else state._replace(played=tuple(played))
