"""Why a turn was worse than another, as one of a few things that players say of a turn."""

from __future__ import annotations

from enum import Enum

from engine.review.own_puzzle import Hands
from engine.review.proof import Basis, Better
from engine.rules.cards import HAND_SIZE
from engine.rules.state import PublicState


class Why(Enum):
    """What the player did, seen beside the better turn."""

    MISSED = "missed"  # a touch that nobody could have answered
    GAVE_UP = "gave_up"  # with an answer in any hand
    NO_PARRY = "no_parry"  # stopped within reach, with no card of that distance in any possible hand
    NEAR = "near"  # stepped nearer than was good, or stopped within reach
    EARLY = "early"  # attacked instead of waiting
    FEW = "few"  # attacked with too few cards
    MANY = "many"  # attacked with too many cards
    HELD_BACK = "held_back"  # did not attack
    GROUND = "ground"  # gave ground, or too much of it
    FAR = "far"  # stopped farther off than was good
    LAST_CARD = "last_card"  # drew the last card
    ANSWER = "answer"  # answered an attack in another way
    DISTANCE = "distance"  # stopped at another distance


def why_worse(before: PublicState, better: Better, hands: Hands) -> Why:
    """What is told of the turn that was made. ``hands``: those its player may have held."""
    taken, play = better.taken, better.play
    if better.basis is Basis.ANY_TURN:
        return Why.GAVE_UP
    if better.basis is Basis.EVERY_HAND:
        return Why.MISSED
    if taken.attack and play.attack and taken.move == play.move:
        return Why.FEW if taken.attack < play.attack else Why.MANY
    if before.attack is not None and (taken.parry != play.parry or (taken.move < 0) != (play.move < 0)):
        return Why.ANSWER
    if taken.attack and not play.attack:
        return Why.EARLY
    cards = taken.parry + bool(taken.move) + taken.attack
    if before.pile <= cards and before.pile > play.parry + bool(play.move) + play.attack:
        return Why.LAST_CARD
    apart = before.distance - taken.move
    if not taken.attack and before.pile > cards:
        used, within_reach = bool(taken.move) and abs(taken.move) == apart, apart <= HAND_SIZE
        if within_reach and hands and all(hand[apart - 1] - used <= 0 for hand in hands):
            return Why.NO_PARRY
        if (within_reach or taken.move > 0) and before.distance - play.move > apart and not play.attack:
            return Why.NEAR
    if play.attack:
        return Why.HELD_BACK
    if play.move > taken.move:
        return Why.GROUND if taken.move < 0 else Why.FAR
    return Why.DISTANCE
