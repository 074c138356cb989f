"""Which turns win a round at once: whatever the other player holds, found by counting, or against an open hand."""

from __future__ import annotations

from collections.abc import Sequence

from engine.rules.cards import Card
from engine.rules.legal import Play, counts_of, legal_plays, play_event, turn_of
from engine.rules.possible import goes_on, hidden_hand
from engine.rules.referee import judge
from engine.rules.state import PublicState


def plays_of(public: PublicState, hand: Sequence[Card]) -> tuple[Play, ...]:
    """Every legal turn with this hand, by values; none where nobody is to act."""
    return legal_plays(public, counts_of(hand))


def certain_plays(public: PublicState, hand: Sequence[Card], other: Sequence[Card] = ()) -> tuple[Play, ...]:
    """Those of them that no hand there can be answers; the one that lays the fewest cards first.

    The cards of ``hand`` are known to lie nowhere else. ``other``: the other's hand where it is open, else none. What
    only wins in the end is not among them.
    """
    found = [play for play in plays_of(public, hand) if _wins_at_once(public, hand, other, play)]
    return tuple(sorted(found, key=lambda play: len(turn_of(public, hand, play).cards)))


def _wins_at_once(public: PublicState, hand: Sequence[Card], other: Sequence[Card], play: Play) -> bool:
    side = public.to_act
    after, ruling = judge(public, play_event(public, hand, play))
    if side is None or after is None or not ruling.ok:
        return False
    if after.result is not None:
        return after.result.winner is side
    if after.to_act is None:
        return False  # hands are compared: nothing is answered any more
    if other:
        return not goes_on(after, counts_of(other))
    return not any(goes_on(after, counts) for counts, _ in hidden_hand(after, side.other, hand).hands())
