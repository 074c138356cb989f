"""How likely White was to win the round, as somebody sees who sees no hand: exact where it can be counted, else tried.

All cards that were not played are equally likely to lie in either hand or in the pile; how anybody played is not taken
as evidence. Near the end every way they can lie is counted. Before that some hundred ways are drawn by lot and played
to the end in the head, both players by the learned judgement and each by their hand alone; ``low`` and ``high`` then
say how far chance may have led astray. What better players would have made of it is not in them.

Where hands were shown at the end, what they say of the turns before is a second reading: with best play on both sides,
as if both had known all cards but the order of the pile.
Source: E. B. Wilson, Probable inference (1927), for the limits.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from math import comb, sqrt
from random import Random
from typing import Final

from engine.players.bots.options import INDEX, attack_number, hand_of, packed
from engine.players.bots.sparring import Stand, compared, last_defence, sparring
from engine.review.proof import Fitting
from engine.rules.legal import counts_of, minus
from engine.rules.possible import HiddenHand, unseen_cards
from engine.rules.state import Phase, PublicState, room_behind
from engine.rules.track import Side

LIES: Final = 300
"""So many ways the hidden cards can lie are tried for one position."""
LONGEST: Final = 200
"""Turns after which a round in the head is judged instead of played on: none is that long."""
SURE_OF: Final = 1.96
"""Standard errors on each side: the limits hold in 95 of 100 cases."""


@dataclass(frozen=True, slots=True)
class Chance:
    """White's chance of the round, a draw counting half, and its limits. ``exact``: counted, or over."""

    white: float
    low: float
    high: float
    exact: bool


def chance_of(state: PublicState, lies: int = LIES) -> Chance:
    """What somebody who sees no hand can say of this moment of a round. The same every time.

    Raises ValueError where no round goes on or is over.
    """
    if state.result is not None:
        winner = state.result.winner
        return _known(0.5 if winner is None else float(winner is Side.WHITE))
    if state.phase is Phase.SETUP:
        raise ValueError("no round has begun, so that nobody can win it")
    if state.pile == 0:
        return _counted(state)
    return _tried(state, lies)


def shown_chance(side: Side, fits: Sequence[Fitting]) -> Chance:
    """What is known of a moment since both hands were shown, with ``side`` to act. At least one way fits.

    ``white`` is the mean over all ways in which the cards may have lain, each as likely as its cards can be dealt;
    ``low`` and ``high`` are the worst and the best of them.
    """
    values = [(float(max(each.values.values(), default=0)), each.ways) for each in fits]
    shares = [(value if side is Side.WHITE else 1.0 - value, ways) for value, ways in values]
    low, high = min(shares)[0], max(shares)[0]
    mean = sum(share * ways for share, ways in shares) / sum(ways for _, ways in shares)
    return Chance(min(max(mean, low), high), low, high, exact=low == high)


def _known(white: float) -> Chance:
    return Chance(white, white, white, exact=True)


def _counted(state: PublicState) -> Chance:
    """After the last card all that is unseen is in the two hands: every way it can be is tried."""
    unseen = counts_of(unseen_cards(state))
    side = state.to_act or Side.WHITE
    before = state.previous
    retreated = None
    if before is not None and before.phase is Phase.FINAL and before.to_act is not None:
        moved = state.spaces[before.to_act] - before.spaces[before.to_act]
        retreated = before.to_act if moved * before.to_act.forward < 0 else None
    if retreated is not None:
        side = retreated
    total = 0.0
    for counts, ways in HiddenHand(unseen, state.hands[side]).hands():
        mine, other = INDEX[counts], INDEX[minus(unseen, counts)]
        gained = room_behind(state.spaces, side)
        if state.to_act is None:
            worth = compared(state.rules, mine, other, state.distance, gained, retreated=retreated is not None).share
        else:
            stand = Stand(mine, state.distance, gained, attack_number(state.attack), 0)
            worth = last_defence(state.rules, stand, other)
        total += ways * worth
    share = total / comb(sum(unseen), state.hands[side])
    return _known(share if side is Side.WHITE else 1.0 - share)


def _tried(state: PublicState, lies: int) -> Chance:
    """So many ways the cards may lie, each played to its end."""
    side = state.to_act
    assert side is not None
    mind = sparring(state.rules.name)
    rng = Random(f"{state.round} {state.pile} {state.spaces} {sorted(map(str, state.played))}")
    unseen = [card.value - 1 for card in unseen_cards(state)]
    mine, theirs = state.hands[side], state.hands[side.other]
    stand = Stand(0, state.distance, room_behind(state.spaces, side), attack_number(state.attack), state.pile)
    unplayed = packed(counts_of(unseen_cards(state)))
    total = 0.0
    for _ in range(lies):
        rng.shuffle(unseen)
        hand, other = hand_of(unseen[:mine]), hand_of(unseen[mine : mine + theirs])
        total += 1.0 - mind.play_out(stand._replace(hand=hand), other, unseen[mine + theirs :], unplayed, LONGEST)
    share = total / lies
    low, high = limits(share, lies)
    return Chance(share, low, high, exact=False) if side is Side.WHITE else Chance(1 - share, 1 - high, 1 - low, False)


def limits(share: float, count: int) -> tuple[float, float]:
    """Between what a true chance lies, in 95 of 100 cases, of which so many trials gave this share."""
    square = SURE_OF**2
    middle = (share + square / (2 * count)) / (1 + square / count)
    half = SURE_OF * sqrt(share * (1 - share) / count + square / (4 * count * count)) / (1 + square / count)
    return (max(0.0, middle - half) if share > 0.0 else 0.0), (min(1.0, middle + half) if share < 1.0 else 1.0)
