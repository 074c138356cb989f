"""How good a position is for the player who has just made his turn, from what he alone knows.

A sum of weights, one for each feature of the position that holds; the sum is the logarithm of the odds of winning the
round. The weights are learned from rounds the bots played against themselves (``firmware.workshop.bot_school``): nobody
chose them by hand. Features look at the hand before it is refilled, the distance, the attack made, how much of the pile
is left and who stands further forward. Source: A. L. Samuel, Some studies in machine learning using the game of
checkers (1959), for the idea; the rest is counting.
"""

from __future__ import annotations

from collections.abc import Sequence
from math import exp
from typing import Final

from engine.players.bots.hands import HANDS, SIZES
from engine.players.bots.options import APART, INDIRECT
from engine.rules.cards import HAND_SIZE, VALUES

FAR: Final = 14
"""Distances from here on are alike."""

STAGES: Final = (0, 1, 2, 3, 3, 4, 4, 5, 5, 5, 5, 6, 6, 6, 6, 6)
"""The part of the round, by how many cards the pile has left after the turn."""
_STAGE_COUNT: Final = 7
_COARSE: Final = (0, 1, 1, 2, 2, 2, 2)
_LEADS: Final = 7
_ROOMS: Final = 6


class _Layout:
    """Where each group of features begins in the list of weights."""

    def __init__(self) -> None:
        self.size = 0

    def group(self, *sizes: int) -> int:
        begin = self.size
        count = 1
        for size in sizes:
            count *= size
        self.size += count
        return begin


_layout = _Layout()
_LEAD = _layout.group(_STAGE_COUNT, 3, _LEADS)
_NEAR = _layout.group(_STAGE_COUNT, 6, 6)
_HELD = _layout.group(FAR + 1, 5, 6)
_STRIKE = _layout.group(3, 11, 6)
_AT = _layout.group(_STAGE_COUNT, FAR + 1)
_ROOM = _layout.group(3, _ROOMS)
_THEIR_ROOM = _layout.group(3, _ROOMS)
_ATTACK = _layout.group(11, 6)
_ATTACK_LEFT = _layout.group(2, 6, 6)
_ATTACK_STAGE = _layout.group(11, _STAGE_COUNT)
_ATTACK_LEAD = _layout.group(2, 2, _LEADS)
_ATTACK_SIZE = _layout.group(2, 6)
_ATTACK_HELD = _layout.group(5, 6)
_ATTACK_ROOM = _layout.group(2, _ROOMS)
WEIGHT_COUNT: Final = _layout.size


def chance_of(logit: float) -> float:
    """The chance of winning that a sum of weights stands for."""
    return 1.0 / (1.0 + exp(-logit))


def strike(hand: int, distance: int, indirect: bool) -> int:
    """The most cards this hand can attack with from this distance."""
    counts = HANDS[hand]
    best = counts[distance - 1] if distance <= HAND_SIZE else 0
    if indirect:
        for step in VALUES:
            left = distance - step
            if 1 <= left <= HAND_SIZE and counts[step - 1]:
                best = max(best, counts[left - 1] - (left == step))
    return best


def hand_features(left: int, distance: int, attack: int, stage: int, indirect: bool) -> tuple[int, ...]:
    """The weights that count for a hand at a distance, by place. See ``Judgement.logit``."""
    counts = HANDS[left]
    if attack:
        kind = attack > INDIRECT
        return (
            _ATTACK + attack * 6 + distance,
            _ATTACK_LEFT + (kind * 6 + distance) * 6 + counts[distance - 1],
            _ATTACK_STAGE + attack * _STAGE_COUNT + stage,
            _ATTACK_SIZE + kind * 6 + SIZES[left],
            *(_ATTACK_HELD + place * 6 + counts[place] for place in range(5)),
        )
    at = min(distance, FAR)
    near = distance if distance <= HAND_SIZE else 0
    return (
        _NEAR + (stage * 6 + near) * 6 + (counts[near - 1] if near else 0),
        _STRIKE + (_COARSE[stage] * 11 + min(distance, 11) - 1) * 6 + strike(left, distance, indirect),
        _AT + stage * (FAR + 1) + at,
        *(_HELD + (at * 5 + place) * 6 + counts[place] for place in range(5)),
    )


def place_features(distance: int, gained: int, attack: int, stage: int) -> tuple[int, ...]:
    """The weights that count for where both stand, by place."""
    theirs = APART - distance - gained
    lead = max(-3, min(3, gained - theirs)) + 3
    room, their_room = min(gained, _ROOMS - 1), min(theirs, _ROOMS - 1)
    if attack:
        kind = attack > INDIRECT
        return (
            _ATTACK_LEAD + (kind * 2 + (stage > 0)) * _LEADS + lead,
            _ATTACK_ROOM + kind * _ROOMS + their_room,
        )
    zone = 0 if distance <= HAND_SIZE else 1 if distance <= 2 * HAND_SIZE else 2
    return (
        _LEAD + (stage * 3 + zone) * _LEADS + lead,
        _ROOM + zone * _ROOMS + room,
        _THEIR_ROOM + zone * _ROOMS + their_room,
    )


class Judgement:
    """The judgement with one set of weights. It keeps the sums it has made; the same position has always the same."""

    def __init__(self, weights: Sequence[float], indirect: bool) -> None:
        """``weights``: WEIGHT_COUNT of them. ``indirect``: whether the rules allow indirect attacks."""
        self._weights = weights
        self._indirect = indirect
        self._hands: dict[tuple[int, int, int, int], float] = {}
        self._places: dict[tuple[int, int, int, int], float] = {}

    def logit(self, left: int, distance: int, gained: int, attack: int, pile: int) -> float:
        """The sum of the weights: 0 is even, 1 about 73 in a hundred.

        ``left``: the player's hand after his turn, not refilled. ``gained``: the spaces he has come forward; his
        opponent has come the rest of the way. ``attack``: the one he has just made. ``pile``: its size once he drew.
        """
        stage = STAGES[pile]
        hand = (left, distance if distance < FAR else FAR, attack, stage)
        place = (distance, gained, attack, stage)
        try:
            return self._hands[hand] + self._places[place]
        except KeyError:
            self._hands[hand] = sum(self._weights[at] for at in hand_features(*hand, self._indirect))
            self._places[place] = sum(self._weights[at] for at in place_features(*place))
            return self._hands[hand] + self._places[place]
