"""Which hands a player may have held before each of his turns, by what he laid, drew and showed afterwards.

Going back from the end of the round, each draw gives back any of the cards then in hand. A hand has at most five cards
of five values, so that all hands are kept, each with the number of ways in which it comes about. How anybody played is
not taken as evidence.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

from engine.record.corrections import Setting
from engine.record.course import CourseStep
from engine.rules.events import RevealEvent, TurnEvent, YieldEvent
from engine.rules.legal import Counts, counts_of
from engine.rules.possible import HiddenHand, hidden_hand
from engine.rules.state import PublicState
from engine.rules.track import BySide, Side

Hands = Mapping[Counts, int]
"""Hands by values, each with the number of ways in which it comes about."""


def own_hands(steps: Sequence[CourseStep]) -> tuple[Hands, ...]:
    """Before each of these steps, the hands that the player to act may have held; empty where nobody is to act.

    ``steps`` are those of a round after its beginning. Nothing is concluded across a correction that set the table.
    """
    if not steps:
        return ()
    hands: BySide[Hands] = BySide(*(_any_hand(steps[-1].state, side) for side in Side))
    found: list[Hands] = []
    for step in reversed(steps):
        before, entry = step.state.previous, step.entry
        if before is None:
            found.append({})
            continue
        side = before.to_act
        if isinstance(entry, RevealEvent):
            hands = BySide({counts_of(entry.white): 1}, {counts_of(entry.black): 1})
        elif isinstance(entry, Setting):
            hands = BySide(*(_any_hand(before, each) for each in Side))
        elif isinstance(entry, TurnEvent | YieldEvent) and side is not None:
            drawn = before.pile - step.state.pile if isinstance(entry, TurnEvent) else 0
            hands = hands.put(side, _before(hands[side], drawn, counts_of(entry.cards)))
        found.append(hands[side] if side is not None else {})
    return tuple(reversed(found))


def _any_hand(state: PublicState, side: Side) -> Hands:
    return dict(hidden_hand(state, side).hands())


def _before(hands: Hands, drawn: int, laid: Counts) -> Hands:
    """The hands before a turn after which these were held."""
    earlier: dict[Counts, int] = {}
    for hand, ways in hands.items():
        for taken, times in _drawings(hand, drawn):
            one, two, three, four, five = (h - t + c for h, t, c in zip(hand, taken, laid, strict=True))
            key = one, two, three, four, five
            earlier[key] = earlier.get(key, 0) + ways * times
    return earlier


def _drawings(hand: Counts, drawn: int) -> Iterator[tuple[Counts, int]]:
    """Which cards of this hand may be the last ones drawn, and in how many ways."""
    return HiddenHand(hand, drawn).hands() if drawn else iter((((0, 0, 0, 0, 0), 1),))
